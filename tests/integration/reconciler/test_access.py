"""C-13 with an App: a suspended installation makes the repository blind; once it may be read again, work goes on."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from shared.store import deliveries
from shared.store.session import Database
from tests.integration.reconciler.house import RIGHTS, W19, House, completeness_line, numbers
from tests.servers.github import GitHubServer


@pytest.fixture
def asked_by_app(github: GitHubServer, database: Database) -> Iterator[House]:
    """A house that the App asks for; its hook is not there, so that only the reconciler can notice anything."""
    made = House(github, database)
    made.world.app.install("acme", permissions=RIGHTS)
    made.use_app()
    yield made
    made.receiver.off()


def parked(house: House) -> int:
    with house.database.reading() as session:
        return deliveries.counts(session)["parked"]


def test_a_suspended_installation_is_blind_until_it_is_let_in_again(asked_by_app: House) -> None:
    house = asked_by_app
    (installation,) = house.world.app.installations.values()
    first = house.merge()
    assert house.reconcile() == "done"
    with house.database.transaction() as session:
        (delivery,) = deliveries.due(session, house.clock(), 10)
        claim = deliveries.claim(session, delivery, house.clock(), timedelta(seconds=60))
        assert claim is not None
        deliveries.park(session, claim, "The installation is suspended.", house.clock())

    house.clock.move(timedelta(hours=1))
    installation.suspend()
    missed = house.merge()
    assert house.reconcile() == "blind"
    house.clock.now = W19.end + timedelta(hours=6)
    assert completeness_line(house.draft()).startswith("Completeness. Unknown: github.example has not let this")
    assert parked(house) == 1

    installation.unsuspend()
    house.clock.now = max(house.clock(), house.state.next_attempt_at)
    assert house.reconcile() == "done"
    assert house.state.blind_since is None
    assert parked(house) == 0, "whoever may read again has its parked deliveries worked off"
    assert house.analyze() == ["done", "done"]
    assert house.captured() == numbers([first, missed])
    assert "2 of 2 merges known" in completeness_line(house.draft())


@pytest.mark.parametrize("how", ["removed", "blocked", "deleted"])
def test_what_is_gone_is_blind_and_asked_for_once_an_interval(asked_by_app: House, how: str) -> None:
    house = asked_by_app
    house.merge()
    assert house.reconcile() == "done"
    (installation,) = house.world.app.installations.values()
    house.world.app.hook_url = ""
    {"removed": installation.delete, "blocked": house.repository.block, "deleted": house.repository.delete}[how]()
    for _ in range(3):
        house.clock.move(timedelta(hours=1))
        before = len(house.github.log)
        assert house.reconcile() == "blind"
        assert len(house.github.log) - before <= 4
        assert house.reconcile() == "not-due"
