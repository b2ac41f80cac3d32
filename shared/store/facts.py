"""Joins what several events told of one pull request, in whatever order they arrived (R-08; pure)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC
from typing import Any

from shared.domain.pull_request import DETAILS, GHOST, Person, PullRequest

_LEARNED = (
    "user",
    "merged_by",
    "base_sha",
    "head_ref",
    "head_sha",
    "merge_commit_sha",
    "created_at",
    "author_association",
)
"""Facts that a later event or another source may lack: what was learned of them is kept (C-03, C-04)."""

_FIRST_TIME = ("FIRST_TIME_CONTRIBUTOR", "FIRST_TIMER")
"""What the merge itself ends: told at any time it was true, and no later word takes it back."""

Learned = Mapping[str, str]
"""For each such fact the time of the event that told it; empty for a source that knows no times."""


def bare(pull_request: PullRequest) -> PullRequest:
    """Return the facts without what a detail source tells: files, commits, review."""
    return pull_request.without_details()


def first_learned(told: PullRequest) -> dict[str, str]:
    """Return what is learned from the first event of a pull request."""
    return dict.fromkeys(_LEARNED, _time(told))


def join(known: PullRequest, learned: Learned, told: PullRequest) -> tuple[PullRequest, dict[str, str]]:
    """Return the facts, and when each was learned, once an event told ``told`` of a pull request that was ``known``.

    The newer ``updated_at`` wins; of two events of one second, the one whose text sorts last: the outcome depends on
    no order of arrival. Of two tellings without a time (a clone read twice) the later reading wins. A fact that can
    get lost comes from the newest event that had it, so a ghost does not take the place of a login.
    """
    newest = told if _is_newer((_time(told), _core(told)), (_time(known), _core(known))) else known
    kept: dict[str, Any] = {}
    times = dict(learned)
    for name in _LEARNED:
        old, new = getattr(known, name), getattr(told, name)
        old_weight, new_weight = _weight(old), _weight(new)
        if new_weight == old_weight:
            take = _is_newer((_time(told), _text(new)), (times.get(name, ""), _text(old)))
        else:
            take = new_weight > old_weight
        kept[name] = new if take else old
        if take:
            times[name] = _time(told)
    return newest.model_copy(update=kept), times


def _is_newer(told: tuple[str, str], known: tuple[str, str]) -> bool:
    """By time, then by text; without any time the later telling."""
    return told > known or not (told[0] or known[0])


def _time(pull_request: PullRequest) -> str:
    at = pull_request.updated_at
    return "" if at is None else at.astimezone(UTC).isoformat(timespec="microseconds")


def _weight(value: Any) -> int:
    """How much a fact tells: nothing, a name without an account, or all."""
    if isinstance(value, Person):
        if value.login not in (None, GHOST):
            return 2
        return 1 if value.name else 0
    if value in _FIRST_TIME:
        return 3
    return 0 if value is None else 2


def _text(value: Any) -> str:
    told = value.model_dump(mode="json") if isinstance(value, Person) else value
    return json.dumps(told, sort_keys=True, default=str)


def _core(pull_request: PullRequest) -> str:
    """What is decided as a whole, as text: all but the repository, the details and what is learned fact by fact."""
    return pull_request.model_dump_json(exclude={"repository", *_LEARNED, *DETAILS})
