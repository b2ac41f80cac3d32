"""What the host lists, against what was captured: missing merges and later edits enter by the door of the inbox."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import structlog

from shared.domain.errors import Ignored, InvalidInput
from shared.domain.pull_request import Person, PullRequest, RepositoryRef
from shared.domain.text import fold
from shared.sources.github_api import delivery_payload
from shared.sources.github_events import parse_stored
from shared.store import deliveries, known_merges, pull_requests, reconciliations
from shared.store.deliveries import IncomingDelivery
from shared.store.known_merges import KnownMerge
from shared.store.session import Session

_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class ListedMerge:
    """A merge as the host lists it: the object itself, and what it says."""

    pull: dict[str, Any]
    facts: PullRequest


def read(repository: RepositoryRef, pulls: Sequence[dict[str, Any]]) -> list[ListedMerge]:
    """Return the merges of a page, each once; one that cannot be read is logged and left out."""
    found: dict[int, ListedMerge] = {}
    for pull in pulls:
        try:
            facts = parse_stored(delivery_payload(repository, pull)).pull_request
        except (InvalidInput, Ignored) as error:
            _log.warning(
                "merge.unreadable", repository=repository.full_name, number=pull.get("number"), error=str(error)
            )
            continue
        found[facts.number] = ListedMerge(pull, facts)
    return [found[number] for number in sorted(found)]


def take_in(
    session: Session,
    repository_id: int,
    repository: RepositoryRef,
    listed: Sequence[ListedMerge],
    since: datetime,
    now: datetime,
) -> list[int]:
    """Remember what the host knows, record what is missing, and return the deliveries that are work now.

    Missing is a merge from ``since`` on that is neither captured nor in the inbox; a captured one is told of again when
    its title, text, labels or base were changed after what we know of it (C-21).
    """
    known_merges.learn(session, repository_id, [_known(one.facts) for one in listed], now)
    numbers = [one.facts.number for one in listed]
    stored = pull_requests.of_numbers(session, repository_id, numbers, details=False)
    captured = {one.pull_request.number: one.pull_request for one in stored if one.captured}
    waiting = known_merges.in_inbox(session, repository.full_name, [n for n in numbers if n not in captured])
    incoming: list[IncomingDelivery] = []
    for one in listed:
        kept = captured.get(one.facts.number)
        if kept is not None:
            incoming += _edit(repository, one, kept)
        elif one.facts.number not in waiting and one.facts.merged_at >= since:
            incoming.append(_incoming(repository, one.facts, "closed", delivery_payload(repository, one.pull)))
    if not incoming:
        return []
    recorded = deliveries.record_all(session, incoming, now)
    return [one.id for one in recorded if not one.duplicate or one.revived]


def _known(facts: PullRequest) -> KnownMerge:
    return KnownMerge(number=facts.number, merged_at=facts.merged_at, base_ref=facts.base_ref)


def _edit(repository: RepositoryRef, one: ListedMerge, kept: PullRequest) -> list[IncomingDelivery]:
    """An ``edited`` delivery, where what people can change differs and the host knows it from later."""
    told = one.facts.updated_at
    if told is None or (kept.updated_at is not None and told < kept.updated_at):
        return []
    if _what_people_change(one.facts, one.pull) == _what_people_change(kept, one.pull):
        return []
    payload: dict[str, Any] = json.loads(delivery_payload(repository, _object(kept) | _told(one.pull)))
    body = json.dumps(payload | {"action": "edited"}, ensure_ascii=False, separators=(",", ":")).encode()
    return [_incoming(repository, one.facts, "edited", body)]


def _what_people_change(facts: PullRequest, pull: dict[str, Any]) -> tuple[object, ...]:
    """After a merge; the text only where the list has it."""
    body = facts.body if "body" in pull else None
    return facts.title, facts.base_ref, frozenset(map(fold, facts.labels)), body


def _told(pull: dict[str, Any]) -> dict[str, Any]:
    """What the list says; of what it leaves out (totals, in the open one) what is known stays."""
    return {name: value for name, value in pull.items() if value is not None or name == "body"}


def _object(kept: PullRequest) -> dict[str, Any]:
    """The facts that are known as the host's object has them."""
    return {
        **kept.model_dump(
            mode="json",
            include={
                *("number", "title", "body", "merged_at", "created_at", "updated_at", "author_association"),
                *("merge_commit_sha", "labels", "additions", "deletions", "changed_files"),
            },
        ),
        "user": _account(kept.user),
        "merged_by": None if kept.merged_by is None else _account(kept.merged_by),
        "base": {"ref": kept.base_ref, "sha": kept.base_sha},
        "head": {"ref": kept.head_ref, "sha": kept.head_sha},
    }


def _account(person: Person) -> dict[str, Any]:
    return {"login": person.login, "id": person.id, "type": person.type}


def _incoming(repository: RepositoryRef, facts: PullRequest, action: str, payload: bytes) -> IncomingDelivery:
    """Its GUID is made of what it tells, so that telling it twice is telling it once."""
    guid = f"{repository.id or repository.full_name}:{facts.number}"
    if action != "closed" and facts.updated_at is not None:
        guid += f":{action}:{facts.updated_at.astimezone(UTC).isoformat(timespec='seconds')}"
    return IncomingDelivery(
        source=reconciliations.SOURCE,
        guid=guid,
        event="pull_request",
        action=action,
        payload=payload,
        repository=repository.full_name,
        number=facts.number,
    )
