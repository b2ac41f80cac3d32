"""A digest that was sent while its receipt could not be stored is never sent again unlooked (R-80), on both engines."""

from __future__ import annotations

from datetime import timedelta

import pytest

from services.publisher.channel import Receipt, Rendered
from services.publisher.deliver import PublisherRuntime, publish
from shared.settings import Settings
from shared.store import digests, publications, repositories
from shared.store.session import DatabaseUnavailable
from tests.builders import REPOSITORY
from tests.digest_builder import rich_digest
from tests.integration.workers.inbox import NOW, Bell, Clock


class Channel:
    """A channel that remembers how often it received something."""

    name = "files"

    def __init__(self, *, repeatable: bool) -> None:
        self.repeatable = repeatable
        self.received = 0

    def render(self, _digest, language) -> Rendered:
        return Rendered(language, {})

    def deliver(self, _issue, _target, _settings) -> Receipt:
        self.received += 1
        return Receipt()


@pytest.fixture
def publication(database) -> int:
    """A pending publication."""
    digest = rich_digest()
    with database.transaction() as session:
        repository_id = repositories.ensure(session, REPOSITORY, NOW)
        digest_id = digests.save(
            session, repository_id, digest.branch, digest.period, digest.to_json(), {}, NOW, seal=True
        )
        return publications.ensure(session, digest_id, "files", "default", NOW)


def unavailable(*_args, **_kwargs):
    raise DatabaseUnavailable("The database does not serve.")


def status(database) -> tuple[str, str | None]:
    with database.reading() as session:
        (view,) = publications.listing(session)
    return view.status, view.last_error


@pytest.mark.parametrize(("repeatable", "then", "received"), [(True, "sent", 2), (False, "held", 1)])
def test_r80_an_outage_between_sending_and_its_receipt_leaves_a_doubt(
    database, publication, monkeypatch, repeatable, then, received
):
    clock, channel = Clock(), Channel(repeatable=repeatable)
    runtime = PublisherRuntime(Settings(), database, Bell(), clock, (channel,), jitter=lambda: 1.0)
    with monkeypatch.context() as broken:
        broken.setattr(publications, "finish", unavailable)
        assert publish(runtime, publication) == "unknown"
    assert status(database)[0] == "unknown"
    assert "receipt could not be stored" in status(database)[1]

    clock.move(timedelta(seconds=61))
    assert publish(runtime, publication) == then
    assert channel.received == received


@pytest.mark.parametrize(("repeatable", "then", "received"), [(True, "sent", 2), (False, "held", 1)])
def test_r80_an_outage_in_which_not_even_the_doubt_can_be_written_ends_the_same(
    database, publication, monkeypatch, repeatable, then, received
):
    clock, channel = Clock(), Channel(repeatable=repeatable)
    runtime = PublisherRuntime(Settings(), database, Bell(), clock, (channel,), jitter=lambda: 1.0)
    with monkeypatch.context() as broken:
        broken.setattr(publications, "finish", unavailable)
        broken.setattr(publications, "doubt", unavailable)
        with pytest.raises(DatabaseUnavailable):
            publish(runtime, publication)
    assert status(database)[0] == "sending"

    clock.move(timedelta(seconds=61))
    assert publish(runtime, publication) == then
    assert channel.received == received
