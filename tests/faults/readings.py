"""The ledger of readings: what the database says was asked of the model, beside what the model's server counted."""

from __future__ import annotations

from dataclasses import dataclass

from sqlalchemy import text

from shared.store.session import Database

MEAN_CALLS = 1.05
"""Requests a merge on average when nothing breaks (R-61)."""
_MOST_CALLS = 2
_ENDED = frozenset({"done", "rules"})
_SENT = "status <> 'unsent'"


@dataclass(frozen=True)
class Readings:
    """Readings and calls by status, and the server's own count; ``lost`` calls at most lost their sender by a fault."""

    readings: dict[str, int]
    calls: dict[str, int]
    """Calls about merges by status, those left out that were never sent."""
    probes: int
    most: int
    """Calls of the reading that has most."""
    read_twice: int
    """Merges with more than one analysis by the model, or more than one reading."""
    sent: int
    lost: int

    @property
    def total(self) -> int:
        """Calls about merges in the ledger."""
        return sum(self.calls.values())

    @property
    def mean(self) -> float:
        """Calls a reading."""
        return self.total / max(sum(self.readings.values()), 1)

    @property
    def surplus(self) -> int:
        """Calls in the ledger that the server never saw: their sender was lost before it sent them."""
        return self.total + self.probes - self.sent

    @property
    def agree(self) -> bool:
        """Whether nothing cost too much, nothing is missing in the ledger, and what it has too much is unsettled."""
        allowed = MEAN_CALLS + self.lost / max(sum(self.readings.values()), 1)
        return (
            set(self.readings) <= _ENDED
            and not self.read_twice
            and self.most <= _MOST_CALLS
            and self.mean <= allowed
            and 0 <= self.surplus <= min(self.calls.get("unsettled", 0), self.lost)
            and self.calls.get("unsettled", 0) <= self.lost
            and "reserved" not in self.calls
        )

    def lines(self) -> list[str]:
        """The ledger as it is printed."""
        return [
            (
                f"readings   {_counted(self.readings)}; {self.mean:.3f} calls each, at most {self.most}; "
                f"read twice {self.read_twice}"
            ),
            (
                f"calls      {self.total} in the ledger ({_counted(self.calls)}) and {self.probes} probes; the server "
                f"counted {self.sent}: {self.surplus} too many, of at most {self.lost} whose sender was lost"
            ),
        ]


def read_readings(database: Database, sent: int, lost: int) -> Readings:
    """Count what the database holds, by plain SQL: the store's own code is what is judged."""
    with database.reading() as session:

        def counts(statement: str) -> dict[str, int]:
            return {str(key): int(count) for key, count in session.execute(text(statement))}

        def number(statement: str) -> int:
            return int(session.scalar(text(statement)) or 0)

        of_merges = f"FROM model_calls WHERE purpose <> 'probe' AND {_SENT}"
        return Readings(
            readings=counts("SELECT status, count(*) FROM readings GROUP BY status"),
            calls=counts(f"SELECT status, count(*) {of_merges} GROUP BY status"),
            probes=number(f"SELECT count(*) FROM model_calls WHERE purpose = 'probe' AND {_SENT}"),
            most=number(f"SELECT max(n) FROM (SELECT count(*) AS n {of_merges} GROUP BY reading_id) AS each"),
            read_twice=number(_twice("analyses WHERE model IS NOT NULL")) + number(_twice("readings")),
            sent=sent,
            lost=lost,
        )


def all_ended(database: Database) -> bool:
    """Whether no reading waits or is held."""
    ended = "('done', 'rules', 'superseded', 'dead')"
    with database.reading() as session:
        return not session.scalar(text(f"SELECT count(*) FROM readings WHERE status NOT IN {ended}"))


def _twice(rows: str) -> str:
    return f"SELECT count(*) FROM (SELECT 1 FROM {rows} GROUP BY pull_request_id HAVING count(*) > 1) AS twice"


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items())) or "none"
