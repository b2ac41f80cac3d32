"""Merges through the embedded service with a scripted model and without: calls for each, and how long until all is told."""

from __future__ import annotations

import logging
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from sqlalchemy import text

from services.cli import sample
from services.cli.embedded import EmbeddedService
from shared.domain.pull_request import PullRequest
from shared.settings import ModelSettings, RepositorySettings, Settings, WorkerSettings
from shared.sources.merge_records import dump, parse_line
from shared.store import migrate
from shared.store.session import Database
from tests.bench.measure import Measurement
from tests.integration.workers.inbox import put
from tests.merge_payloads import merge_payload
from tests.servers.model.server import ModelServer

MERGES = 200
MOST_CALLS, MEAN_CALLS = 2.0, 1.05
"""Requests that one merge may cost, and all of them on average, repairs included (R-61)."""
RULES = "analyses by rules a minute, with a model set"
MEAN, MOST = f"calls a merge of {MERGES}, average", f"calls a merge of {MERGES}, the most"
_UNREADABLE = ("ok",) * 39 + ("prose",)
"""One answer in forty has to be repaired."""
_WITHIN = 600.0
_WORKER = WorkerSettings(sweep_every=timedelta(seconds=1))


@dataclass(frozen=True)
class _Run:
    """What one run of the service took, and what its ledger says."""

    analysed: float
    """Seconds until every merge had its analysis by rules."""
    told: float
    """Seconds until every reading had ended too."""
    calls: Sequence[int] = ()
    """Calls of each reading."""
    sent: int = 0
    """Requests that the server counted."""


def measure() -> list[Measurement]:
    """Let 200 merges of the sample, with patches, be analysed by rules alone, and be read by a model as well."""
    merges = _merges()
    alone = _run(merges, None)
    with ModelServer() as server:
        server.script(*(_UNREADABLE * (2 * MERGES // len(_UNREADABLE))))
        read = _run(merges, server)
    assert sum(read.calls) == read.sent, "the ledger of calls has another number than the server"
    beside = "the same merges by rules alone"
    return [
        Measurement("merges a minute, read by a model", _rate(read.told), _rate(alone.told), beside, "/min"),
        Measurement(RULES, _rate(read.analysed), _rate(alone.analysed), beside, "/min"),
        Measurement(MEAN, sum(read.calls) / len(read.calls), 1.0, "one question", "calls", f"≤ {MEAN_CALLS}"),
        Measurement(MOST, max(read.calls), 1.0, "one question", "calls", f"≤ {MOST_CALLS:.0f}"),
    ]


def too_many(rows: Sequence[Measurement]) -> list[str]:
    """Return what costs more calls than it may."""
    most = {MEAN: MEAN_CALLS, MOST: MOST_CALLS}
    return [f"{row.what}: {row.ours:.3f}" for row in rows if row.ours > most.get(row.what, row.ours)]


def _rate(seconds: float) -> float:
    return MERGES * 60 / seconds


def _merges() -> list[PullRequest]:
    """Merges of the sample, again and again under numbers and titles of their own."""
    lines = sample.RECORDS.read_bytes().splitlines()
    known = [parse_line(line, place, sample.RECORDS) for place, line in enumerate(lines, 1)]
    return [
        merge.model_copy(update={"number": number, "title": f"{merge.title}, part {number}"})
        for number, merge in ((at + 1, known[at % len(known)]) for at in range(MERGES))
    ]


def _run(merges: Sequence[PullRequest], server: ModelServer | None) -> _Run:
    with tempfile.TemporaryDirectory(prefix="bench-readings-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        settings = _settings(folder, merges, server)
        settings.data_folder.mkdir()
        database = Database(settings.database_url)
        migrate.upgrade(database)
        for merge in merges:
            put(database, _payload(merge), now=database.now())
        service = EmbeddedService(settings, port=0)
        logging.disable(logging.INFO)
        began = time.perf_counter()
        try:
            service.start()
            analysed = _seconds_until(lambda: _count(database, "SELECT count(*) FROM analyses") >= MERGES, began)
            told = _seconds_until(lambda: not _count(database, _UNDER_WAY), began)
            calls = _column(database, _CALLS) if server else []
        finally:
            service.stop()
            database.dispose()
            logging.disable(logging.NOTSET)
    return _Run(analysed, told, calls, len(server.asked) if server else 0)


_UNDER_WAY = (
    "SELECT (SELECT count(*) FROM readings WHERE status NOT IN ('done', 'rules', 'superseded', 'dead'))"
    " + (SELECT count(*) FROM deliveries WHERE status <> 'done')"
)
_CALLS = "SELECT count(*) FROM model_calls WHERE reading_id IS NOT NULL AND status <> 'unsent' GROUP BY reading_id"


def _settings(folder: Path, merges: Sequence[PullRequest], server: ModelServer | None) -> Settings:
    records = folder / "records.jsonl"
    records.write_text("\n".join(dump(merge) for merge in merges), "utf-8")
    repository = RepositorySettings(full_name=sample.REPOSITORY, records=records)
    model = ModelSettings(name="scripted", base_url=server.url) if server else ModelSettings()
    return Settings(data_folder=folder / "data", worker=_WORKER, model=model, repositories=(repository,))


def _payload(merge: PullRequest) -> bytes:
    told = {"title": merge.title, "body": merge.body, "merged_at": merge.merged_at.isoformat()}
    return merge_payload(merge.number, full_name=sample.REPOSITORY, repository_id=merge.repository.id, **told)


def _seconds_until(holds: Callable[[], bool], began: float) -> float:
    while not holds():
        if time.perf_counter() - began > _WITHIN:
            raise TimeoutError(f"{MERGES} merges were not done within {_WITHIN:.0f} s")
        time.sleep(0.1)
    return time.perf_counter() - began


def _count(database: Database, statement: str) -> int:
    return _column(database, statement)[0]


def _column(database: Database, statement: str) -> list[int]:
    with database.reading() as session:
        return [int(value) for value in session.scalars(text(statement))]


def main() -> int:
    """Print the figures; 1 when a merge costs too many calls."""
    rows = measure()
    lines = [f"{row.what}: {row.shown(row.ours)} ({row.beside}: {row.shown(row.baseline)})" for row in rows]
    sys.stdout.write("\n".join([*lines, *(f"Too many: {line}" for line in too_many(rows))]) + "\n")
    return 1 if too_many(rows) else 0


if __name__ == "__main__":
    sys.exit(main())
