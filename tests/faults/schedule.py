"""From a seed: which fault strikes when."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from enum import StrEnum


class Fault(StrEnum):
    """What can be broken."""

    KILL_GROUP = "worker group killed"
    KILL_CHILD = "worker child killed"
    STOP_WORKER = "worker stopped softly"
    KILL_READER_GROUP = "reader group killed"
    KILL_READER_CHILD = "reader child killed"
    KILL_BEAT = "beat killed"
    KILL_RECEIVER = "receiver killed"
    VALKEY_RESTART = "Valkey restarted"
    VALKEY_WIPE = "Valkey wiped"
    VALKEY_FREEZE = "Valkey frozen"
    POSTGRESQL_RESTART = "PostgreSQL restarted"
    POSTGRESQL_FREEZE = "PostgreSQL frozen"


@dataclass(frozen=True)
class Strike:
    """One fault, ``at`` seconds after the sending began; ``number`` counts faults of its kind from 0."""

    at: float
    fault: Fault
    number: int


def make_schedule(faults: Counter[Fault], seconds: float, chance: random.Random) -> list[Strike]:
    """Return the faults in a random order, spread over ``seconds`` with gaps that differ.

    The first is early enough for work to be under way, the last late enough for work to be left.
    """
    order = list(faults.elements())
    chance.shuffle(order)
    slot = seconds / len(order)
    seen: Counter[Fault] = Counter()
    strikes = []
    for at, fault in enumerate(order):
        strikes.append(Strike(at * slot + chance.uniform(0.1, 0.9) * slot, fault, seen[fault]))
        seen[fault] += 1
    return strikes
