"""Signed deliveries made beforehand: merges of the last finished week, some of them twice, in any order."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from services.cli.sample.payloads import SampleDelivery
from shared.domain.period import Period, last_finished
from tests.faults.fleet import SECRET
from tests.merge_payloads import merge_payload

REPOSITORIES = {"lumen/lumen": 5_000_000_001, "lumen/lantern": 5_000_000_002}
"""Numbers of pull requests are the same in both: what is counted is repository and number."""

_OTHER_HOOK = "548201378"


@dataclass(frozen=True)
class Delivery:
    """One POST: ``key`` names the row it becomes, ``merge`` the pull request it speaks of."""

    key: tuple[str, str]
    merge: tuple[str, int]
    body: bytes
    headers: dict[str, str]


@dataclass(frozen=True)
class Load:
    """What is sent: distinct merges, and every posting of them in the order of sending."""

    merges: frozenset[tuple[str, int]]
    postings: tuple[Delivery, ...]
    week: Period


def make_load(merges: int, chance: random.Random, duplicates: float = 0.2) -> Load:
    """Return ``merges`` merges, and for a share of them a second posting: redelivered by the same hook, or by another.

    Shuffled by ``chance``, which also makes the GUIDs.
    """
    week = last_finished(datetime.now(UTC))
    first = list(_originals(merges, week, chance))
    twice = chance.sample(first, round(merges * duplicates))
    again = [delivery if at % 2 else _through_another_hook(delivery) for at, delivery in enumerate(twice)]
    postings = [*first, *again]
    chance.shuffle(postings)
    return Load(frozenset(delivery.merge for delivery in first), tuple(postings), week)


def _originals(merges: int, week: Period, chance: random.Random) -> Iterator[Delivery]:
    step = (week.end - week.start) / (merges + 1)
    for at in range(merges):
        name, repository_id = list(REPOSITORIES.items())[at % len(REPOSITORIES)]
        number = at // len(REPOSITORIES) + 1
        merged_at = (week.start + timedelta(seconds=int((at + 1) * step.total_seconds()))).isoformat()
        body = merge_payload(number, full_name=name, repository_id=repository_id, merged_at=merged_at)
        guid = str(UUID(int=chance.getrandbits(128), version=4))
        headers = SampleDelivery("pull_request", guid, body, repository_id, number).headers_for(SECRET.encode())
        yield Delivery((headers["X-GitHub-Hook-ID"], guid), (name, number), body, headers)


def _through_another_hook(delivery: Delivery) -> Delivery:
    """The same event through an organisation's hook: the GUID may be the same there (R-10)."""
    headers = delivery.headers | {"X-GitHub-Hook-ID": _OTHER_HOOK}
    return Delivery((_OTHER_HOOK, delivery.key[1]), delivery.merge, delivery.body, headers)
