"""Secrets in every field of merges, from the signed delivery to the published digest: none is seen again (R-71)."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy import text
from starlette.testclient import TestClient

from services.analyzer.details import DetailSources
from services.analyzer.pipeline import AnalyzerRuntime, analyze_delivery
from services.analyzer.readings.read import read_merge
from services.analyzer.readings.runtime import ReadingRuntime
from services.analyzer.readings.sweeps import sweep_readings
from services.digest.build import seal
from services.publisher.deliver import PublisherRuntime, publish
from services.web.app import create_app
from services.webhook.app import create_app as create_receiver
from shared import telemetry
from shared.broker.task_names import TaskName
from shared.domain.period import parse_week
from shared.domain.protocols import SourceTexts
from shared.domain.pull_request import Comment, Commit, LinkedIssue, PullRequest, Review, ReviewThread
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
from shared.store import deliveries, repositories
from shared.store.session import Database
from tests.builders import make_file, make_pull_request
from tests.integration.safety.outputs import AS_ANSWERED, AS_RECEIVED, api_answers, published, rows
from tests.integration.webhook import posting
from tests.integration.workers.inbox import NOW, Bell, Clock, Source, make_runtime, stored, work
from tests.merge_payloads import FULL_NAME, merge_payload
from tests.secret_canaries import CANARIES, ISSUED, Canary, drawn, pem_lines
from tests.servers.model.asked import texts_of
from tests.servers.model.server import ModelServer

WEEK = "2026-W19"
TOKEN = "a-token-of-the-api"
BASE = f"/api/v1/repositories/{FULL_NAME}"
KEY = pem_lines()
ALL: tuple[Canary, ...] = (*CANARIES, Canary("private-key", KEY[3], "\n".join(KEY)))
NUMBERS = dict(enumerate(ALL, start=1))
_asked = count()
UNREAD = 900
"""A delivered merge that no worker has touched: the digest tells of it from its payload."""


def details(number: int, canary: Canary) -> PullRequest:
    """A merge whose every detail holds the canary, in code, YAML, JSON, shell and prose."""
    said, parts = canary.said, canary.said.split("\n")
    # What is a secret by being a line of its own is none within JSON.
    quoted = [] if canary.name.startswith("environment-") else [json.dumps({"text": said})]
    lines = "".join(f"\n+{line}" for line in (*parts, *quoted, *(f"    {part}" for part in parts)))
    bare = canary.secret if canary in ISSUED else "3"
    comment = Comment(body=f"Is this meant to be here?\n\n{said}", path="lumen/settings.py", line=3)
    name = f"fixtures/{canary.secret}.txt" if canary in ISSUED else "fixtures/plain.txt"
    return make_pull_request(
        number,
        title="Keep the queue in order",
        commits=(Commit(sha=f"{number:040x}", message=f"Keep the order\n\n{said}"),),
        files=(
            make_file("lumen/settings.py", patch=f'@@ -1,2 +1,9 @@\n-DEFAULT = "{bare}"{lines}'),
            make_file("deploy/.env", patch=f"@@ -1 +1,4 @@\n-{said.splitlines()[0]}\n+LIMIT=3"),
            make_file(name, status="added", patch=f"@@ -0,0 +1,3 @@\n+first{lines}"),
        ),
        reviews=(Review(state="CHANGES_REQUESTED", body=f"Please take this out:\n\n{said}"),),
        reviews_known=True,
        review_comments=(comment,),
        comments=(Comment(body=said),),
        review_threads=(ReviewThread(path="lumen/settings.py", line=3, resolved=False, comments=(comment,)),),
        linked_issues=(LinkedIssue(number=7, title=said.split("\n")[0]),),
    )


def payload(number: int, canary: Canary) -> bytes:
    """The delivery of that merge, with the canary wherever people write."""
    return merge_payload(
        number,
        title=canary.said,
        body=f"It lost its order.\n\n{canary.said}\n\nBREAKING CHANGE: uses\n{canary.said}",
        labels=[{"name": canary.secret if canary in ISSUED else "kind/bug"}],
        head={"ref": f"topic/{canary.secret if canary in ISSUED else number}", "sha": "c" * 40, "repo": None},
    )


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A model that gives back what it got."""
    with ModelServer(answer=gives_back) as started:
        yield started


def settings(folder: Path, server: ModelServer | None = None) -> Settings:
    """A receiver, an analyzer with merge records, a publisher of two languages, an API, and a model where one is."""
    records = folder / "merges.jsonl"
    records.write_text("".join(dump(details(number, one)) + "\n" for number, one in NUMBERS.items()), "utf-8")
    model = ModelSettings(name="scripted", base_url=server.url) if server else ModelSettings()
    return Settings(
        model=model,
        webhook=WebhookSettings(secrets=(SecretStr(posting.SECRET),)),
        api=ApiSettings(tokens=(SecretStr(TOKEN),)),
        digest=DigestSettings(languages=("en", "zh-CN")),
        publisher=PublisherSettings(folder=folder / "published"),
        repositories=(RepositorySettings(full_name=FULL_NAME, records=records),),
    )


def leaks(told: str) -> list[str]:
    """The canaries that can be seen in ``told``."""
    return [canary.name for canary in ALL if canary.secret in told]


def model_requests(server: ModelServer) -> Iterator[str]:
    """What was sent to the model: each request as it came, the texts within, and those of the document within these."""
    for asked in server.asked:
        yield json.dumps({"headers": dict(asked.headers), "body": asked.body}, ensure_ascii=False)
        yield f"{asked.system}\n{asked.user}"
        yield "\n".join(text for _, text in texts_of(asked.document))


def gives_back(document: dict[str, Any]) -> dict[str, Any]:
    """The answer of a server that gives back what it got, and the secrets of the merge, as if it knew them."""
    shown = [text.strip() for _, text in texts_of(document) if len(text.strip()) >= 12]
    canary = ALL[next(_asked) % len(ALL)]
    echo, leak = ({"text": text[:240], "quotes": [text[:200]]} for text in (max(shown, key=len), canary.said))
    bare = {"text": f"It uses {canary.secret[:200]} now.", "quotes": [echo["quotes"][0], canary.secret[:200]]}
    return {
        "effect": echo,
        "change": leak,
        "why": bare,
        "limits": [{"kind": "other", **one} for one in (echo, leak, bare)],
        "actions": [{"kind": "migration", "way_back": canary.said[:240], **one} for one in (echo, leak, bare)],
        "contested": [{"outcome": "settled", **leak}],
        "risks": [{"risk": "slowdown", "mechanism": one["text"], "quotes": one["quotes"]} for one in (leak, bare)],
        "importance": {"reason": "security", "why": leak},
        "keywords": [canary.secret[:40], canary.secret[:12], *(text[:40] for text in shown[:2])],
    }


def read_all(chosen: Settings, database: Database) -> None:
    """Let the model read every merge that it is asked for."""
    bell = Bell()
    reader = ReadingRuntime(chosen, database, bell, Clock(), jitter=lambda: 1.0, pause=lambda _seconds: None)
    while sweep_readings(reader):
        for task, argument in bell.rung:
            assert task is TaskName.READ_MERGE
            read_merge(reader, int(argument))
        bell.rung.clear()


def delivered(database: Database, chosen: Settings) -> list[int]:
    """Post the signed deliveries, and return the rows that wait for a worker."""
    with TestClient(create_receiver(chosen, database, posting.Bell(), lambda: NOW)) as client:
        for number, canary in (*NUMBERS.items(), (UNREAD, ALL[0])):
            assert posting.post(client, payload(number, canary), guid=f"guid-{number}").status_code == 202
    with database.reading() as session:
        found = {view.number: view.id for view in deliveries.listing(session, limit=500)}
    assert len(found) == len(NUMBERS) + 1
    return [found[number] for number in NUMBERS]


def test_r71_no_canary_leaves_the_inbox(sqlite_database: Database, tmp_path: Path, server: ModelServer) -> None:
    database, chosen, log = sqlite_database, settings(tmp_path, server), io.StringIO()
    telemetry.configure(chosen, logging.DEBUG, log)
    analyzer = AnalyzerRuntime(chosen, database, Bell(), DetailSources(chosen), Clock(), jitter=lambda: 1.0)

    for delivery in delivered(database, chosen):
        assert analyze_delivery(analyzer, delivery) == "done"
    read_all(chosen, database)
    with database.reading() as session:
        repository = repositories.find(session, FULL_NAME)
    assert repository is not None
    sealed = seal(database, chosen, repository, parse_week(WEEK), NOW)
    for publication in sealed.publication_ids:
        assert publish(PublisherRuntime(chosen, database, Bell(), Clock(), jitter=lambda: 1.0), publication) == "sent"
    files = published(tmp_path / "published")
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with TestClient(create_app(chosen, database, lambda: NOW), headers=headers) as client:
        answers = list(api_answers(client, FULL_NAME, WEEK, (*NUMBERS, UNREAD)).values())

    requests = list(model_requests(server))
    assert len(server.asked) == len(ALL)
    assert [leaks(request) for request in requests] == [[]] * len(requests)
    assert "".join(requests).count("[redacted:") > 2 * len(ALL)
    stored_text = rows(database, (AS_RECEIVED, AS_ANSWERED))
    assert leaks(stored_text) == []
    assert stored_text.count("[redacted:") > 10 * len(ALL)
    assert {Path(name).suffix for name in files} >= {".json", ".html", ".md"}
    assert [leaks(content) for content in files.values()] == [[]] * len(files)
    assert f"/pull/{UNREAD}" in "".join(files.values())
    assert [leaks(answer) for answer in answers] == [[]] * len(answers)
    assert leaks(log.getvalue()) == []


def test_r71_whole_texts_of_a_clone_are_redacted_before_they_are_examined(database: Database) -> None:
    before, after = (f'"""Settings."""\n\nAPI_TOKEN = "{drawn(40)}"\nLIMIT = {limit}\n' for limit in (3, 4))
    secrets = [one.split('"')[7] for one in (before, after)]
    patch = "@@ -3,2 +3,2 @@\n" + "".join(f"-{line}\n" for line in before.splitlines()[2:])
    patch += "\n".join(f"+{line}" for line in after.splitlines()[2:])

    class Clone(Source):
        def sources(self, pull_request: PullRequest) -> SourceTexts:
            return {"lumen/settings.py": (before, after)}

    merge = make_pull_request(101, files=(make_file("lumen/settings.py", patch=patch),))

    assert work(make_runtime(database, Clone([merge])), merge_payload(101)) == "done"

    found = stored(database)
    assert found is not None
    assert found[2] is not None
    facts: list[Any] = [fact for fact in found[2].facts if fact.name.endswith("LIMIT")]
    assert [(fact.old, fact.new) for fact in facts] == [("3", "4")]
    assert [secret for secret in secrets if secret in rows(database)] == []


def test_r91_an_error_that_quotes_a_merge_is_logged_and_kept_without_its_secrets(database: Database) -> None:
    source = Source()
    source.error = RuntimeError(f"cannot read {ALL[0].said}")
    log = io.StringIO()
    telemetry.configure(Settings(), logging.DEBUG, log)

    outcome = work(make_runtime(database, source), merge_payload(101))

    assert outcome == "retry"
    assert "[redacted:aws-access-key]" in log.getvalue()
    assert "[redacted:aws-access-key]" in rows(database)
    assert leaks(log.getvalue() + rows(database)) == []


def test_the_digest_door_redacts_what_was_stored_before(database: Database, tmp_path: Path) -> None:
    chosen = settings(tmp_path)
    work(make_runtime(database), merge_payload(101))
    with database.reading() as session:
        repository = repositories.find(session, FULL_NAME)
    assert repository is not None
    (publication,) = seal(database, chosen, repository, parse_week(WEEK), NOW).publication_ids
    with database.transaction() as session:
        session.execute(
            text("UPDATE digests SET document = replace(document, 'Keep queue 101 in order', :said)"),
            {"said": f"Uses {ISSUED[0].secret} now"},
        )
    assert leaks(rows(database)) == [ISSUED[0].name]

    publish(PublisherRuntime(chosen, database, Bell(), Clock(), jitter=lambda: 1.0), publication)
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with TestClient(create_app(chosen, database, lambda: NOW), headers=headers) as client:
        served = client.get(f"{BASE}/digests/{WEEK}").text

    files = "".join(published(tmp_path / "published").values())
    assert "Uses [redacted:aws-access-key] now" in files
    assert "Uses [redacted:aws-access-key] now" in served
    assert leaks(files + served) == []
