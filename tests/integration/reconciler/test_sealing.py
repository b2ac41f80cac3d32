"""A digest waits for a reconciliation after its week, says how complete it is, and says so when that is not known."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import delete

from shared.settings import RepositorySettings
from shared.store.session import Database
from shared.store.tables import DeliveryRow
from tests.integration.reconciler.house import FULL_NAME, HOST, SOON, W18, W19, House, completeness_line, numbers
from tests.servers.github import Fault, GitHubServer


def test_a_week_is_sealed_only_after_it_was_compared_with_the_host(house: House) -> None:
    house.a_week()
    house.receiver.off()
    missed = house.merge(after=timedelta(days=2))
    house.clock.now = W19.end + timedelta(minutes=1)
    assert house.due_weeks() == []
    assert house.seal() == 0

    house.clock.now = W19.end + SOON
    assert house.reconciled() == "done"
    assert house.due_weeks() == [], "what was found is not analysed yet"
    house.analyze()
    assert house.due_weeks() == ["2026-W19"]
    assert house.seal() == 1
    digest = house.digest()
    assert missed.number in [listed.number for listed in digest.pull_requests]
    assert "4 of 4 merges known to github.example" in completeness_line(digest)


def test_it_is_due_right_after_the_week_however_long_the_interval(github: GitHubServer, database: Database) -> None:
    house = House(github, database, reconcile_every=86400)
    house.merge()
    house.clock.now = W19.end - timedelta(minutes=30)
    assert house.reconcile() == "done"
    assert house.state.next_attempt_at == W19.end + timedelta(minutes=2)


def test_the_walk_before_sealing_goes_back_to_the_beginning_of_the_week(house: House) -> None:
    """The API was made known on Monday morning: until then nothing was compared."""
    house.clock.now = W19.start + timedelta(hours=1)
    house.add_hook()
    house.receiver.off()
    missed = house.merge()
    house.receiver.on()
    captured = house.merge(after=timedelta(days=3))
    house.analyze()
    house.clock.now = W19.end + SOON
    assert house.reconcile() == "done"
    assert house.state.covered_since == W19.start
    house.analyze()
    assert house.captured() == numbers([missed, captured])
    house.seal()
    assert "2 of 2 merges known" in completeness_line(house.digest())


def test_an_outage_of_the_host_over_the_sealing_time_is_told_after_the_grace(house: House) -> None:
    house.a_week()
    checked = house.state.checked_at
    house.clock.now = W19.end + SOON
    house.github.faults.add(Fault("", "server-error", times=None))
    assert house.reconcile() == "postponed"
    house.clock.now = W19.end + timedelta(hours=5, minutes=59)
    assert house.due_weeks() == []
    assert house.reconcile() == "postponed"
    house.clock.now = W19.end + timedelta(hours=6)
    assert house.seal() == 1
    digest = house.digest()
    assert digest.completeness is None
    assert checked is not None
    told = f"Unknown: github.example was last asked with success on Tue {checked:%Y-%m-%d %H:%M} UTC"
    assert told in completeness_line(digest)
    assert "未知" in completeness_line(house.in_chinese(), "zh-CN")


def test_c13_a_repository_that_may_not_be_read_is_blind_and_the_digest_says_so(house: House) -> None:
    house.a_week()
    house.world.revoke("reader")
    house.clock.move(timedelta(hours=1))
    blind_since = house.clock()
    assert house.reconcile() == "blind"
    house.clock.move(timedelta(hours=1))
    assert house.reconcile() == "blind"
    assert house.state.blind_since == blind_since
    assert house.token.value not in (house.state.blind_reason or "")
    house.clock.now = W19.end + SOON
    assert house.reconcile() == "blind"
    house.clock.now = W19.end + timedelta(hours=6)
    assert house.seal() == 1
    told = f"github.example has not let this repository be read since Tue {blind_since:%Y-%m-%d %H:%M} UTC"
    assert told in completeness_line(house.digest())


def test_c13_what_could_be_read_again_sees_again(house: House) -> None:
    house.a_week()
    house.repository.private = True
    house.token.repositories = ()
    house.clock.move(timedelta(hours=1))
    assert house.reconcile() == "blind"
    house.token.repositories = None
    missed = house.merge()
    house.clock.move(timedelta(hours=1))
    assert house.reconciled() == "done"
    assert house.state.blind_since is None
    assert missed.number in house.merge_deliveries()


def test_a_repository_without_the_api_waits_for_nobody_and_says_that_nobody_was_asked(
    github: GitHubServer, database: Database
) -> None:
    house = House(github, database, RepositorySettings(full_name=FULL_NAME, host=HOST, api=False))
    house.add_hook()
    house.merge()
    house.analyze()
    house.clock.now = W19.end + timedelta(minutes=1)
    assert house.seal() == 1
    assert "The host was not asked" in completeness_line(house.digest())
    assert house.github.log == []


def test_a_week_that_is_under_way_is_counted_as_far_as_it_was_compared(house: House) -> None:
    merged = house.a_week()
    complete = house.draft().completeness
    assert complete is not None
    assert (complete.captured, complete.checked_at) == (len(merged), house.state.checked_at)


def test_a_week_before_the_first_comparison_says_that_it_was_not_compared(house: House) -> None:
    house.add_hook()
    house.clock.now = W18.end - timedelta(hours=3)
    house.merge()
    house.analyze()
    assert "github.example was not reached yet" in completeness_line(house.draft(W18))
    house.clock.now = W18.end + timedelta(days=8)
    house.merge()
    house.reconcile()
    assert "merges before Mon 2026-05-04 00:00 UTC were not compared" in completeness_line(house.draft(W18))
    assert house.draft(W18).completeness is None


@pytest.mark.parametrize("branch", ["release/1.x", "topic-a"])
def test_c15_merges_into_other_branches_are_captured_and_counted_apart(house: House, branch: str) -> None:
    house.reconcile()
    on_main, elsewhere = house.merge(), house.merge(base=branch)
    house.clock.now = W19.end + SOON
    assert house.reconciled() == "done"
    house.analyze()
    assert house.captured() == numbers([on_main, elsewhere])
    house.clock.now = max(house.clock(), W19.end + timedelta(hours=6))
    assert house.seal() == 1
    digest = house.digest()
    assert digest.merged_total == 1
    assert digest.elsewhere == {branch: (elsewhere.number,)}
    assert "1 of 1 merges known" in completeness_line(digest)


def test_c15_a_default_branch_that_was_renamed_in_midweek_loses_nothing(house: House) -> None:
    house.repository.default_branch = "master"
    house.add_hook()
    before = house.merge()
    house.analyze()
    house.repository.default_branch = "main"
    house.receiver.off()
    after = house.merge(after=timedelta(days=2))
    house.clock.now = W19.end + SOON
    assert house.reconciled() == "done"
    house.analyze()
    assert house.seal() == 1
    digest = house.digest()
    assert numbers([before, after]) == sorted(listed.number for listed in digest.pull_requests)
    assert "2 of 2 merges known" in completeness_line(digest)


def test_c20_backports_that_the_reconciler_found_point_to_their_original(house: House) -> None:
    house.reconcile()
    listed = RepositorySettings(full_name=FULL_NAME, host=HOST, branches=("release/*",))
    house.settings = house.settings.model_copy(update={"repositories": (listed,)})
    house.runtime = house.reconciler()
    fix = house.merge(title="Fix a lost wake-up")
    ports = [
        house.merge(title=f"[Backport {version}] Fix a lost wake-up", body=f"Backport of #{fix.number}.", base=base)
        for version, base in (("1.2", "release/1.2"), ("1.3", "release/1.3"))
    ]
    house.clock.now = W19.end + SOON
    assert house.reconcile() == "done"
    house.analyze()
    digest = house.draft()
    backports = {(one.source, one.to) for one in digest.relations if one.kind.value == "backports"}
    assert backports == {(port.number, fix.number) for port in ports}


def test_a_missing_merge_is_named(house: House) -> None:
    """Its delivery was taken in and lost with the disk: the host knows it, and the walk is only just over."""
    merged = house.a_week()
    missed = house.merge()
    house.clock.now = W19.end + SOON
    house.reconciled()
    with house.database.transaction() as session:
        session.execute(delete(DeliveryRow).where(DeliveryRow.number == missed.number))
    house.clock.now = W19.end + timedelta(hours=6)
    assert house.seal() == 1
    complete = house.digest().completeness
    assert complete is not None
    assert (complete.captured, complete.known_to_host, complete.missing) == (len(merged), 4, (missed.number,))
    assert f"Missing here: #{missed.number}." in completeness_line(house.digest())
