"""One publication from pending to sent, on both engines."""

from __future__ import annotations

import threading
from datetime import timedelta
from pathlib import Path

import pytest

from services.digest.build import seal
from services.digest.narrate import narrate
from services.publisher.channel import Issue, Receipt, Rendered
from services.publisher.channels.files import FilesChannel
from services.publisher.deliver import PublisherRuntime, publish
from services.publisher.tasks import sweep_publications
from shared.broker.task_names import TaskName
from shared.domain.digest import Digest
from shared.domain.errors import Permanent, Postponed, Transient
from shared.domain.period import parse_week
from shared.settings import DigestSettings, PublisherSettings, Settings
from shared.store import digests, publications, repositories
from shared.store.publications import PublicationView
from shared.store.session import Database
from tests.builders import REPOSITORY
from tests.digest_builder import rich_digest
from tests.integration.workers.inbox import NOW, Bell, Clock, make_runtime, work
from tests.merge_payloads import FULL_NAME, merge_payload

W19 = parse_week("2026-W19")
WEEK = Path(FULL_NAME) / "2026-W19"


class Fake:
    """A channel that remembers what arrived; ``errors`` are raised one after another, ``after`` having received."""

    name = "files"

    def __init__(self, *errors: Exception, repeatable: bool = True, after: bool = False) -> None:
        self.errors = list(errors)
        self.repeatable = repeatable
        self.after = after
        self.received: list[str] = []
        self.during = lambda: None

    def render(self, digest: Digest, language: str) -> Rendered:
        return Rendered(language, {"text": f"{digest.repository} {language}"})

    def deliver(self, issue: Issue, _target: str, _settings: Settings) -> Receipt:
        self.during()
        if self.after or not self.errors:
            self.received.append(issue.digest.period.week)
        if self.errors:
            raise self.errors.pop(0)
        return Receipt("id-1", "https://example.org/1")


def settings(folder: Path) -> Settings:
    """Settings that publish in two languages into ``folder``."""
    return Settings(publisher=PublisherSettings(folder=folder), digest=DigestSettings(languages=("en", "zh-CN")))


def runtime(
    database: Database, folder: Path, *channels: Fake | FilesChannel, clock: Clock | None = None
) -> PublisherRuntime:
    """The runtime of the publisher with these channels and no jitter."""
    return PublisherRuntime(
        settings(folder), database, Bell(), clock or Clock(), channels or (FilesChannel(),), jitter=lambda: 1.0
    )


def sealed(database: Database, folder: Path) -> int:
    """A sealed digest of one merge; its publication."""
    work(make_runtime(database), merge_payload(101))
    with database.reading() as session:
        repository_id = repositories.find(session, FULL_NAME)
    (publication_id,) = seal(database, settings(folder), repository_id, W19, NOW).publication_ids
    return publication_id


def row(database: Database, publication_id: int) -> PublicationView:
    """The publication as it is listed."""
    with database.reading() as session:
        return next(view for view in publications.listing(session) if view.id == publication_id)


def replay(database: Database, publication_id: int, clock: Clock) -> None:
    """Ask for it again, as a person does."""
    with database.transaction() as session:
        assert publications.replay(session, publication_id, clock())


def test_a_sealed_digest_is_published_in_every_language_with_a_receipt(database, tmp_path):
    publication = sealed(database, tmp_path)

    assert publish(runtime(database, tmp_path), publication) == "sent"

    names = sorted(path.name for path in (tmp_path / WEEK).iterdir())
    assert names == ["digest.en.html", "digest.en.md", "digest.json", "digest.zh-CN.html", "digest.zh-CN.md"]
    assert str(WEEK) in (tmp_path / "index.html").read_text("utf-8")
    with database.reading() as session:
        stored = digests.get(session, repositories.find(session, FULL_NAME), "2026-W19")
    assert (tmp_path / WEEK / "digest.json").read_text("utf-8") == stored.document
    receipt = row(database, publication)
    assert (receipt.status, receipt.external_id) == ("sent", str(WEEK))
    assert receipt.url.startswith("file://")


def test_r80_publishing_again_is_a_no_op_and_on_demand_writes_the_same_bytes(database, tmp_path):
    clock = Clock()
    folder = tmp_path / "published"
    publication = sealed(database, folder)
    files = runtime(database, folder, clock=clock)
    publish(files, publication)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    assert publish(files, publication) == "not-due"
    replay(database, publication, clock)
    assert publish(files, publication) == "sent"
    assert {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()} == before


def test_r80_three_publishers_at_once_send_once(database, tmp_path):
    publication = sealed(database, tmp_path)
    channel = Fake()
    outcomes: list[str] = []
    threads = [
        threading.Thread(target=lambda: outcomes.append(publish(runtime(database, tmp_path, channel), publication)))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert sorted(outcomes) == ["not-due", "not-due", "sent"]
    assert channel.received == ["2026-W19"]


def test_r80_a_publisher_that_died_is_followed_by_one_that_overwrites(database, tmp_path):
    clock = Clock()
    publication = sealed(database, tmp_path)
    with database.transaction() as session:
        publications.claim(session, publication, clock(), timedelta(seconds=60))
    assert publish(runtime(database, tmp_path, clock=clock), publication) == "not-due"

    clock.move(timedelta(seconds=61))
    assert publish(runtime(database, tmp_path, clock=clock), publication) == "sent"


def test_r80_a_channel_that_cannot_repeat_holds_what_may_have_arrived(database, tmp_path):
    clock = Clock()
    publication = sealed(database, tmp_path)
    with database.transaction() as session:
        publications.claim(session, publication, clock(), timedelta(seconds=60))
    clock.move(timedelta(seconds=61))
    channel = Fake(repeatable=False)

    assert publish(runtime(database, tmp_path, channel, clock=clock), publication) == "held"
    assert channel.received == []
    assert row(database, publication).status == "unknown"
    assert publish(runtime(database, tmp_path, channel, clock=clock), publication) == "not-due"


def test_r13_a_publisher_that_lost_its_lease_stores_no_receipt(database, tmp_path):
    clock = Clock()
    publication = sealed(database, tmp_path)
    slow = Fake()

    def overtaken() -> None:
        clock.move(timedelta(seconds=61))
        assert publish(runtime(database, tmp_path, clock=clock), publication) == "sent"

    slow.during = overtaken
    assert publish(runtime(database, tmp_path, slow, clock=clock), publication) == "fenced"
    assert row(database, publication).external_id == str(WEEK)


def test_a_failing_channel_climbs_the_ladder_and_then_is_failed_and_visible(database, tmp_path):
    clock = Clock()
    publication = sealed(database, tmp_path)
    channel = Fake(*(Transient(f"no {number}") for number in range(9)))
    outcomes = []
    for _ in range(5):
        outcomes.append(publish(runtime(database, tmp_path, channel, clock=clock), publication))
        clock.move(timedelta(hours=1))

    assert outcomes == ["retry", "retry", "retry", "retry", "failed"]
    assert row(database, publication).status == "failed"
    assert "no 4" in row(database, publication).last_error
    assert publish(runtime(database, tmp_path, channel, clock=clock), publication) == "not-due"


@pytest.mark.parametrize(
    ("error", "outcome", "tries"),
    [(Permanent("never"), "failed", 1), (Postponed("later", NOW + timedelta(hours=1)), "postponed", 0)],
)
def test_permanent_is_failed_at_once_and_postponed_counts_no_try(database, tmp_path, error, outcome, tries):
    publication = sealed(database, tmp_path)

    assert publish(runtime(database, tmp_path, Fake(error)), publication) == outcome
    assert row(database, publication).tries == tries


def test_a_channel_that_is_not_there_is_failed_and_named(database, tmp_path):
    publication = sealed(database, tmp_path)
    other = Fake()
    other.name = "pigeons"

    assert publish(runtime(database, tmp_path, other), publication) == "failed"
    assert "no channel 'files'" in row(database, publication).last_error


def test_r12_the_sweeper_rings_for_what_nobody_rang_for(database, tmp_path):
    publication = sealed(database, tmp_path)
    files = runtime(database, tmp_path)

    assert sweep_publications(files) == 1
    assert files.ring.rung == [(TaskName.PUBLISH, publication)]
    publish(files, publication)
    assert sweep_publications(files) == 0


def test_a_full_digest_with_the_odd_cases_is_published(database, tmp_path):
    digest = narrate(rich_digest(), ("en", "zh-CN"))
    with database.transaction() as session:
        repository_id = repositories.ensure(session, REPOSITORY, NOW)
        entries = {listed.number: listed.state for listed in digest.pull_requests}
        digest_id = digests.save(
            session, repository_id, digest.branch, digest.period, digest.to_json(), entries, NOW, seal=True
        )
        publication = publications.ensure(session, digest_id, "files", "default", NOW)

    assert publish(runtime(database, tmp_path), publication) == "sent"
    assert Digest.model_validate_json((tmp_path / WEEK / "digest.json").read_bytes()) == digest
