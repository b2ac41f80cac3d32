"""Pull requests that a bot merges by a push: closed is a merge where the settings say so, and nowhere else (C-09)."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from shared.domain.errors import Ignored
from shared.domain.landed import LandedOf, nothing_landed
from shared.settings import RepositorySettings, Settings
from shared.sources.github_events import NOT_MERGED, MergeEvent, parse, parse_stored
from shared.sources.landed import landed_of
from tests.merge_payloads import FULL_NAME, merge_payload

BOT, LABEL = "lander[bot]", "état: Landed"
BY_LABEL = RepositorySettings(full_name=FULL_NAME, landed_labels=(LABEL,))
BY_LOGIN = RepositorySettings(full_name=FULL_NAME, landed_by=(BOT,))


def event(action: str = "closed", sender: str = "ada", labels: tuple[str, ...] = (), **top: Any) -> bytes:
    payload = json.loads(merge_payload(action=action, merged=False))
    payload["pull_request"]["labels"] = [{"name": name} for name in labels]
    payload["pull_request"] |= top.pop("pull", {})
    return json.dumps(payload | {"sender": {"login": sender}} | top).encode()


def told(body: bytes, *listed: RepositorySettings) -> MergeEvent | None:
    """The event, by both ways of reading; None when it is not merged."""
    landed: LandedOf = landed_of(Settings(repositories=listed)) if listed else nothing_landed
    try:
        found = parse("pull_request", body, landed)
    except Ignored as ignored:
        return None if ignored.reason == NOT_MERGED else pytest.fail(ignored.reason)
    assert isinstance(found, MergeEvent)
    assert parse_stored(body, landed) == found
    return found


@pytest.mark.parametrize(
    ("body", "listed"),
    [
        (event(labels=(LABEL,)), BY_LABEL),
        (event(labels=("bug", "E\u0301TAT: LANDED".lower())), BY_LABEL),
        (event(sender=BOT), BY_LOGIN),
        (event(sender="Lander[bot]"), BY_LOGIN),
        (event("labeled", labels=("bug", LABEL), label={"name": LABEL}), BY_LABEL),
    ],
)
def test_a_landed_one_is_a_merge_of_the_moment_it_was_closed(body: bytes, listed: RepositorySettings) -> None:
    found = told(body, listed)
    assert found is not None
    assert (found.action, found.starts_work) == ("closed", True)
    assert found.pull_request.merged_at == datetime(2026, 5, 6, 12, tzinfo=UTC)
    assert told(body) is None, "nobody said that anything lands in this repository"
    assert told(body, listed.model_copy(update={"full_name": "someone/else"})) is None


@pytest.mark.parametrize(
    "body",
    [
        event(),
        event(sender="robot-lover", labels=("bug",)),
        event("labeled", labels=("bug",), label={"name": "bug"}),
        event("labeled", labels=(LABEL,), label={"name": LABEL}, pull={"state": "open", "closed_at": None}),
        event("edited", sender=BOT),
    ],
)
def test_c09_what_a_person_closes_is_not_merged(body: bytes) -> None:
    both = BY_LABEL.model_copy(update={"landed_by": (BOT,)})
    assert told(body, both) is None


@pytest.mark.parametrize(("action", "label"), [("edited", None), ("labeled", "docs"), ("unlabeled", "docs")])
def test_later_events_of_a_landed_one_only_update_its_facts(action: str, label: str | None) -> None:
    top = {} if label is None else {"label": {"name": label}}
    found = told(event(action, labels=(LABEL, "docs"), **top), BY_LABEL)
    assert found is not None
    assert (found.action, found.starts_work) == (action, False)


def test_a_real_merge_needs_no_word_of_the_settings() -> None:
    found = told(merge_payload(), BY_LABEL)
    assert found is not None
    assert found.starts_work
