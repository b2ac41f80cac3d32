"""Three ledgers of one run compared from outside: what was sent, the rows, the published folder."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import text

from shared.domain.period import Period
from shared.store.session import Database
from tests.faults.deliveries import Load
from tests.faults.sender import Sent

_P95 = (
    "SELECT percentile_cont(0.95) WITHIN GROUP (ORDER BY extract(epoch FROM processed_at - received_at))"
    " FROM deliveries WHERE processed_at IS NOT NULL"
)


@dataclass(frozen=True)
class Rows:
    """What the database holds."""

    statuses: dict[str, int]
    keys: frozenset[tuple[str, str]]
    analyses: dict[tuple[str, int], int]
    """How many analyses by rules each pull request has."""
    digests: int
    publications: dict[str, int]
    starts: int
    """How often work on a delivery was begun."""
    dead: int
    p95_seconds: float
    """From the answer to the stored analysis, for 95 of 100 deliveries."""

    @property
    def waiting(self) -> int:
        """Deliveries that are not finished."""
        return self.statuses.get("new", 0) + self.statuses.get("claimed", 0)


@dataclass(frozen=True)
class Ledgers:
    """All three, and what does not agree in them."""

    load: Load
    sent: Sent
    rows: Rows
    published: dict[tuple[str, int], int]
    """How often each merge is told in the published digests."""

    @property
    def without_row(self) -> int:
        """Deliveries that were answered with 2xx and are in no row."""
        return len(self.sent.accepted - self.rows.keys)

    @property
    def lost(self) -> int:
        """Merges without an analysis."""
        return len([merge for merge in self.load.merges if not self.rows.analyses.get(merge)])

    @property
    def doubled(self) -> int:
        """Merges with more than one analysis, and rows more than there were deliveries."""
        twice = len([merge for merge, count in self.rows.analyses.items() if count > 1])
        return twice + max(len(self.rows.keys) - len({delivery.key for delivery in self.load.postings}), 0)

    @property
    def unpublished(self) -> int:
        """Merges that the published digests do not tell exactly once."""
        return len([merge for merge in self.load.merges if self.published.get(merge) != 1])

    @property
    def agree(self) -> bool:
        """Whether nothing was lost and nothing doubled, from the answers to the rows."""
        return not (self.without_row or self.lost or self.doubled or self.rows.waiting or self.rows.dead)

    def lines(self) -> list[str]:
        """The ledgers as they are printed."""
        seconds = sorted(self.sent.seconds) or [0.0]
        again = self.rows.starts - sum(self.rows.statuses.values())
        answers = ", ".join(f"{count} × {status or 'none'}" for status, count in sorted(self.sent.answers.items()))
        return [
            f"sent       {len(self.load.merges)} merges in {self.sent.postings} postings; answers: {answers}",
            (
                f"           2xx after: median {_at(seconds, 0.5):.0f} ms, p99 {_at(seconds, 0.99):.0f} ms, "
                f"longest {seconds[-1] * 1000:.0f} ms"
            ),
            (
                f"rows       {sum(self.rows.statuses.values())} deliveries ({_counted(self.rows.statuses)}); "
                f"{len(self.rows.analyses)} pull requests, {sum(self.rows.analyses.values())} analyses; "
                f"{again} starts more than deliveries ({again / max(self.rows.starts, 1):.1%})"
            ),
            f"           analysed after: p95 {self.rows.p95_seconds:.0f} s",
            (
                f"published  {len(self.published)} merges in {self.rows.digests} digests; "
                f"publications: {_counted(self.rows.publications) or 'none'}"
            ),
            (
                f"result     accepted without a row {self.without_row}, lost {self.lost}, doubled {self.doubled}, "
                f"unfinished {self.rows.waiting}, dead {self.rows.dead}, not told once {self.unpublished}"
            ),
        ]


def read_rows(database: Database) -> Rows:
    """Count what the database holds, by plain SQL: the store's own code is what is judged."""
    with database.reading() as session:

        def rows(statement: str) -> list[tuple]:
            return [tuple(row) for row in session.execute(text(statement))]

        statuses = dict(rows("SELECT status, count(*) FROM deliveries GROUP BY status"))
        return Rows(
            statuses=statuses,
            keys=frozenset(
                (source.removeprefix("hook:"), guid) for source, guid in rows("SELECT source, guid FROM deliveries")
            ),
            analyses={
                (name, number): count
                for name, number, count in rows(
                    "SELECT r.full_name, p.number, count(a.id) FROM pull_requests p"
                    " JOIN repositories r ON r.id = p.repository_id"
                    " LEFT JOIN analyses a ON a.pull_request_id = p.id AND a.model IS NULL"
                    " GROUP BY r.full_name, p.number"
                )
            },
            digests=rows("SELECT count(*) FROM digests")[0][0],
            publications=dict(rows("SELECT status, count(*) FROM publications GROUP BY status")),
            starts=rows("SELECT coalesce(sum(attempt), 0) FROM deliveries")[0][0],
            dead=statuses.get("dead", 0),
            p95_seconds=float(rows(_P95)[0][0] or 0),
        )


def read_published(folder: Path, week: Period) -> dict[tuple[str, int], int]:
    """Count how often each merge has an entry in the published digests of ``week``."""
    told: Counter[tuple[str, int]] = Counter()
    for path in sorted(folder.glob(f"*/*/{week.week}/digest.json")):
        digest = json.loads(path.read_text("utf-8"))
        name = "/".join(path.parts[-4:-2])
        told.update((name, entry["number"]) for entry in digest["pull_requests"])
    return dict(told)


def _at(ordered: list[float], share: float) -> float:
    return ordered[min(int(len(ordered) * share), len(ordered) - 1)] * 1000


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
