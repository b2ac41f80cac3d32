"""Recommendations by rules, and what became of those of the digest before."""

from __future__ import annotations

from services.digest.advice import FOLLOW_UP_KINDS, advise
from services.digest.findings import Findings
from services.digest.outcome import outcome_of
from shared.domain.digest import Digest, FollowUp

__all__ = ["FOLLOW_UP_KINDS", "follow_up"]

MOST = 6
"""New recommendations and open ones together, as long as three new ones find room."""
_NEW_AT_LEAST = 3
_OLD = 2
"""Open ones that are older than the digest before."""


def follow_up(findings: Findings, previous_digest: Digest | None) -> tuple[FollowUp, ...]:
    """Return what became of every recommendation of the digest before, then three to six new ones.

    A key that still holds stays the same recommendation, so that nothing is advised twice. Advice that was open before
    already is carried on for two of them, the others are left to their readers.
    """
    told: dict[str, FollowUp] = {}
    old = 0
    for earlier in previous_digest.follow_ups if previous_digest else ():
        outcome = outcome_of(earlier, findings) if earlier.state in ("new", "open") else None
        if outcome is None or earlier.key in told:
            continue
        state, shown_by = outcome
        old += earlier.state == state == "open"
        if earlier.state == state == "open" and old > _OLD:
            continue
        numbers = tuple(dict.fromkeys((*earlier.pull_requests, *shown_by)))
        told[earlier.key] = earlier.model_copy(update={"state": state, "pull_requests": numbers})
    room = max(_NEW_AT_LEAST, MOST - sum(one.state == "open" for one in told.values()))
    fresh: dict[str, FollowUp] = {}
    for advice in advise(findings):
        if len(fresh) >= room:
            break
        if advice.key not in told:
            fresh.setdefault(advice.key, advice)
    return (*told.values(), *fresh.values())
