"""One week through the whole service in one thread: signed deliveries, rules, readings, digest, files, API."""

from __future__ import annotations

import io
import json
import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import structlog
from pydantic import SecretStr
from sqlalchemy import select
from sqlmodel import col
from starlette.testclient import TestClient

from services.analyzer.details import DetailSources
from services.analyzer.pipeline import AnalyzerRuntime, analyze_delivery
from services.analyzer.readings.read import read_merge
from services.analyzer.readings.runtime import ReadingRuntime
from services.analyzer.readings.sweeps import sweep_readings
from services.cli.sample.payloads import closed
from services.digest.build import seal
from services.publisher.deliver import PublisherRuntime, publish
from services.web.app import create_app
from services.webhook.app import PATH
from services.webhook.app import create_app as create_receiver
from shared import telemetry
from shared.broker.task_names import TaskName
from shared.domain.analysis import Analysis
from shared.domain.digest import Digest
from shared.domain.period import week_of
from shared.domain.pull_request import PullRequest
from shared.settings import (
    ApiSettings,
    DigestSettings,
    ModelSettings,
    PublisherSettings,
    RepositorySettings,
    Settings,
    WebhookSettings,
)
from shared.sources.merge_records import dump
from shared.store import analyses, deliveries, pull_requests, readings, repositories
from shared.store.session import Database
from shared.store.tables import ModelCallRow
from tests.integration.safety.outputs import AS_RECEIVED, api_answers, published, rows
from tests.integration.webhook import posting
from tests.integration.workers.inbox import Bell, Clock
from tests.servers.model.server import ModelServer

LANGUAGES = ("en", "zh-CN")
TOKEN = "a-token-of-the-api"
API_KEY = "the-key-of-the-model-8842"
_ROUNDS = 200
_BETWEEN_ROUNDS = timedelta(minutes=15)


@dataclass(frozen=True)
class Told:
    """What everybody can see of a week: the sealed digest, the published files, the answers of the API."""

    digest: Digest
    files: Mapping[str, str]
    answers: Mapping[str, str]

    @property
    def everything(self) -> str:
        """All of it in one text."""
        return "\n".join((*self.files.values(), *self.answers.values()))

    def ending(self, suffix: str) -> dict[str, str]:
        """The published files of a kind."""
        return {name: text for name, text in self.files.items() if name.endswith(suffix)}


class Week:
    """The service over its own database, and the merges that come to it."""

    def __init__(
        self, folder: Path, url: str, merges: Sequence[PullRequest], server: ModelServer | None, **model: Any
    ) -> None:
        self.merges = {merge.number: merge for merge in merges}
        self.full_name = merges[0].repository.full_name
        self.period = week_of(merges[0].merged_at)
        self.folder, self.server, self.log = folder, server, io.StringIO()
        self.database = Database(url)
        self.clock = Clock(self.period.end + timedelta(hours=1))
        self.bell = Bell()
        self.settings = self._settings(model)

    def _settings(self, model: Mapping[str, Any]) -> Settings:
        records = self.folder / "merges.jsonl"
        records.write_text("".join(f"{dump(merge)}\n" for merge in self.merges.values()), "utf-8")
        asked = {"name": "scripted", "base_url": self.server.url, "api_key": SecretStr(API_KEY)} if self.server else {}
        return Settings(
            webhook=WebhookSettings(secrets=(SecretStr(posting.SECRET),)),
            api=ApiSettings(tokens=(SecretStr(TOKEN),)),
            digest=DigestSettings(languages=LANGUAGES),
            publisher=PublisherSettings(folder=self.folder / "published"),
            repositories=(RepositorySettings(full_name=self.full_name, records=records),),
            model=ModelSettings(**(asked | dict(model))),
        )

    def run(self) -> Told:
        """All of it, from the deliveries to the published digest."""
        with self.logged():
            self.analyse()
            self.read()
            return self.publish()

    @contextmanager
    def logged(self) -> Iterator[None]:
        """Everything that is logged meanwhile is kept; logging is put back afterwards."""
        root = logging.getLogger()
        handlers, level = list(root.handlers), root.level
        telemetry.configure(self.settings, logging.DEBUG, self.log)
        yield
        root.handlers, root.level = handlers, level
        structlog.reset_defaults()

    def analyse(self) -> None:
        """Post the signed deliveries and let rules examine each."""
        with TestClient(create_receiver(self.settings, self.database, posting.Bell(), self.clock)) as client:
            for merge in self.merges.values():
                delivery = closed(json.loads(dump(merge)))
                headers = delivery.headers_for(posting.SECRET.encode())
                assert client.post(PATH, content=delivery.body, headers=headers).status_code == 202
        runtime = AnalyzerRuntime(
            self.settings, self.database, self.bell, DetailSources(self.settings), self.clock, jitter=lambda: 1.0
        )
        with self.database.reading() as session:
            waiting = deliveries.due(session, self.clock(), 10_000)
        assert [analyze_delivery(runtime, one) for one in waiting] == ["done"] * len(self.merges)

    def read(self) -> None:
        """Read what is rung for, and let time pass until nothing waits."""
        if self.server is None:
            return
        runtime = ReadingRuntime(
            self.settings, self.database, self.bell, self.clock, jitter=lambda: 1.0, pause=lambda _seconds: None
        )
        for _ in range(_ROUNDS):
            sweep_readings(runtime)
            while self.bell.rung:
                task, argument = self.bell.rung.pop(0)
                if task is TaskName.READ_MERGE:
                    read_merge(runtime, int(argument))
            if not self.waiting:
                return
            self.clock.move(_BETWEEN_ROUNDS)

    @property
    def waiting(self) -> int:
        """How many readings have not ended."""
        with self.database.reading() as session:
            counted = readings.counts(session)
        return sum(count for status, count in counted.items() if status in ("new", "retry", "reading"))

    def publish(self) -> Told:
        """Seal the digest, publish it, and ask the API for everything."""
        sealed = seal(self.database, self.settings, self.repository, self.period, self.clock())
        runtime = PublisherRuntime(self.settings, self.database, self.bell, self.clock, jitter=lambda: 1.0)
        assert [publish(runtime, one) for one in sealed.publication_ids] == ["sent"]
        headers = {"Authorization": f"Bearer {TOKEN}"}
        with TestClient(create_app(self.settings, self.database, self.clock), headers=headers) as client:
            answers = api_answers(client, self.full_name, self.period.week, self.merges)
        return Told(sealed.digest, published(self.folder / "published"), answers)

    @property
    def repository(self) -> int:
        """The row of the repository."""
        with self.database.reading() as session:
            found = repositories.find(session, self.full_name)
        assert found is not None
        return found

    def analyses(self) -> dict[int, Analysis]:
        """The analysis in force of each merge."""
        found: dict[int, Analysis] = {}
        with self.database.reading() as session:
            for number in self.merges:
                stored = pull_requests.get(session, self.repository, number, details=False)
                assert stored is not None
                analysis = analyses.latest(session, stored.id)
                assert analysis is not None
                found[number] = analysis
        return found

    def rows(self, *but: tuple[str, str]) -> str:
        """Every column of every table but those, and but the payloads as received."""
        return rows(self.database, (AS_RECEIVED, *but))

    def calls_of_merges(self) -> Counter[int]:
        """How many requests the ledger says were sent for each merge."""
        with self.database.reading() as session:
            found = session.scalars(
                select(col(ModelCallRow.pull_request_id)).where(
                    col(ModelCallRow.pull_request_id).is_not(None), col(ModelCallRow.status) != "unsent"
                )
            )
            return Counter(one for one in found if one is not None)
