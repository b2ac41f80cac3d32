"""A service in one thread that reads merges with the scripted model: what rings is worked on, and the clock is ours."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import select
from sqlmodel import col

from services.analyzer.details import DetailSources
from services.analyzer.pipeline import AnalyzerRuntime
from services.analyzer.readings.read import Outcome, read_merge
from services.analyzer.readings.runtime import ReadingRuntime
from services.analyzer.readings.sweeps import sweep_readings
from services.analyzer.readings.wishes import save_by_rules
from shared.broker.task_names import TaskName
from shared.domain.analysis import Analysis
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import Origin
from shared.settings import ModelSettings, Settings
from shared.store import pull_requests, reading_views, readings, repositories
from shared.store.reading_views import ReadingView
from shared.store.readings import AskedBy
from shared.store.session import Database
from shared.store.tables import ModelCallRow, PullRequestRow
from tests.builders import REPOSITORY, make_analysis, make_file, make_pull_request
from tests.integration.workers.inbox import Bell, Clock, Source, stored, work
from tests.merge_payloads import merge_payload
from tests.servers.model.server import ModelServer

PATCH = (
    "@@ -10,4 +10,6 @@ class Queue:\n     def __init__(self) -> None:\n"
    "-        self.limit = 100\n+        self.limit = 250\n+        self.ordered = True\n"
    "         self.items: list[str] = []\n"
)
BODY = "Keeps the order of items that wait. The limit of the queue is 250 from now on."


class House:
    """Analyzer and reader over one database; rings are kept until ``work_off``."""

    def __init__(self, database: Database, server: ModelServer, **model: Any) -> None:
        chosen = {"name": "scripted", "base_url": server.url, "deadline": timedelta(seconds=20)} | model
        self.database, self.server = database, server
        self.settings = Settings(model=ModelSettings(**chosen))
        self.clock, self.bell, self.source = Clock(), Bell(), Source()
        self.analyzer = AnalyzerRuntime(
            settings=self.settings,
            database=database,
            ring=self.bell,
            sources=DetailSources(self.settings, lambda _repository: self.source),
            clock=self.clock,
            jitter=lambda: 1.0,
        )
        self.reader = self.reader_of(self.settings)

    def reader_of(self, settings: Settings) -> ReadingRuntime:
        """A reader with other settings over the same rows and rings."""
        return ReadingRuntime(
            settings, self.database, self.bell, self.clock, jitter=lambda: 1.0, pause=lambda _seconds: None
        )

    def capture(self, number: int = 101, **told: Any) -> Analysis:
        """Let a delivery of the merge be analysed by rules, and return the analysis in force."""
        facts = {"title": "Keep the queue in order", "body": BODY} | told
        if number not in self.source.known:
            self.source.known[number] = make_pull_request(
                number, files=(make_file("lumen/queue.py", patch=PATCH),), **_plain(facts)
            )
        assert work(self.analyzer, merge_payload(number, **facts), now=self.clock()) == "done"
        return self.analysis(number)

    def store(
        self,
        numbers: Iterable[int],
        importance: int = 10,
        merged_at: datetime | None = None,
        *,
        ring: bool = False,
        asked_by: AskedBy = "capture",
    ) -> None:
        """Store merges with an analysis that says nothing, and ask for them as for captured ones."""
        now = self.clock()
        with self.database.transaction() as session:
            repository = repositories.ensure(session, REPOSITORY, now)
            for number in numbers:
                facts = make_pull_request(number, body=BODY, merged_at=merged_at or now)
                row = pull_requests.save_facts(session, repository, facts, captured=True, now=now)
                analysis = make_analysis(number)
                weight = analysis.importance.model_copy(update={"score": importance})
                analysis = analysis.model_copy(update={"importance": weight})
                _, reading = save_by_rules(session, self.settings, (row, repository), analysis, asked_by, now)
                if ring and reading is not None:
                    self.bell(TaskName.READ_MERGE, reading)

    def sweep(self) -> int:
        """Let the sweeper ring."""
        return sweep_readings(self.reader)

    def work_off(self) -> list[Outcome]:
        """Read what was rung for, and what that rings for, until nobody rings."""
        outcomes: list[Outcome] = []
        while self.bell.rung:
            task, argument = self.bell.rung.pop(0)
            assert task is TaskName.READ_MERGE
            outcomes.append(read_merge(self.reader, int(argument)))
        return outcomes

    def analysis(self, number: int = 101) -> Analysis:
        """The analysis in force."""
        found = stored(self.database, number)
        assert found is not None
        assert found[2] is not None
        return found[2]

    def view(self, number: int = 101) -> ReadingView:
        """The reading of the merge, as people are shown it."""
        with self.database.reading() as session:
            row = session.scalar(select(col(PullRequestRow.id)).where(col(PullRequestRow.number) == number))
            found = None if row is None else reading_views.view(session, row)
        assert found is not None
        return found

    def counts(self) -> dict[str, int]:
        """Readings by status, without zeros."""
        with self.database.reading() as session:
            return {status: count for status, count in readings.counts(session).items() if count}

    def calls(self) -> list[tuple[str, str]]:
        """Purpose and status of every call in the ledger, oldest first."""
        with self.database.reading() as session:
            rows = session.execute(
                select(col(ModelCallRow.purpose), col(ModelCallRow.status)).order_by(col(ModelCallRow.id))
            )
            return [(purpose, status) for purpose, status in rows]

    def calls_of_merges(self) -> Counter[int]:
        """How many requests the ledger says were sent for each reading."""
        with self.database.reading() as session:
            rows = session.scalars(
                select(col(ModelCallRow.reading_id)).where(
                    col(ModelCallRow.reading_id).is_not(None), col(ModelCallRow.status) != "unsent"
                )
            )
            return Counter(row for row in rows if row is not None)


def tags_of_rules(analysis: Analysis) -> list[str]:
    """The tags that rules have set, with what they rest on."""
    return [tag.model_dump_json() for tag in analysis.tags if tag.origin is not Origin.MODEL]


def _plain(facts: dict[str, Any]) -> dict[str, Any]:
    """What of a payload is a field of the pull request as it is."""
    return {name: value for name, value in facts.items() if name in PullRequest.model_fields and name != "labels"}
