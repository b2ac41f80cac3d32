"""One reconciliation: what is missing enters by the door of the inbox, once, and later edits reach the facts."""

from __future__ import annotations

from datetime import timedelta

from services.reconciler.reconcile import reconcile, sweep
from shared.broker.task_names import TaskName
from shared.domain.pull_request import PullRequest
from shared.store import pull_requests, reconciliations, repositories
from shared.store.session import Database
from tests.integration.reconciler.house import FULL_NAME, HOST, TUESDAY, W19, House, numbers
from tests.servers.github import Fault, GitHubServer


def facts(house: House, number: int) -> PullRequest:
    with house.database.reading() as session:
        found = pull_requests.get(session, house.row, number, details=False)
    assert found is not None
    return found.pull_request


def test_merges_that_never_arrived_are_recorded_once_and_rung_for(house: House) -> None:
    merged = [house.merge() for _ in range(3)]
    house.repository.open_pull("Not merged").close()

    assert house.reconcile() == "done"
    assert house.merge_deliveries() == numbers(merged)
    assert [task for task, _ in house.bell.rung].count(TaskName.ANALYZE_DELIVERY) == 3
    assert house.analyze() == ["done"] * 3
    assert house.captured() == numbers(merged)

    house.clock.move(timedelta(hours=1))
    assert house.reconcile() == "done"
    assert house.merge_deliveries() == numbers(merged)


def test_the_first_walk_takes_the_week_that_is_under_way_and_nothing_older(house: House) -> None:
    house.clock.now = W19.start - timedelta(hours=5)
    old = house.merge()
    house.clock.now = W19.start + timedelta(hours=5)
    fresh = house.merge()
    old.comment("bob", "Still true?")
    house.clock.now = TUESDAY

    house.reconcile()
    assert house.merge_deliveries() == [fresh.number]
    state = house.state
    assert (state.covered_since, state.watermark, state.checked_at) == (W19.start, TUESDAY, TUESDAY)
    assert (state.status, state.next_attempt_at) == ("waiting", TUESDAY + timedelta(hours=1))
    assert reconcile(house.runtime, house.row) == "not-due"


def test_what_the_webhook_delivered_is_not_recorded_again(house: House) -> None:
    house.add_hook()
    delivered = house.merge()
    house.analyze()
    waiting = house.merge()

    house.reconcile()
    assert house.merge_deliveries() == numbers([delivered, waiting])


def test_c22_an_old_merge_that_was_commented_on_today_is_found_by_its_update(house: House) -> None:
    house.reconcile()
    missed = house.merge(after=timedelta(minutes=30))
    house.clock.move(timedelta(days=4))
    missed.comment("bob", "Thanks!")
    house.clock.move(timedelta(hours=1))

    house.reconcile()
    assert house.merge_deliveries() == [missed.number]


def test_c21_titles_and_labels_that_were_fixed_after_the_merge_reach_the_facts(house: House) -> None:
    house.add_hook()
    pull, untouched = house.merge(title="Fix teh order"), house.merge(title="Another")
    house.analyze()
    house.receiver.off()
    house.clock.move(timedelta(minutes=5))
    pull.edit(title="Fix the order", body="It was wrong.")
    pull.label("bug")
    untouched.comment("bob", "Good.")

    house.clock.move(timedelta(minutes=5))
    assert house.reconciled() == "done"
    house.analyze()
    known = facts(house, pull.number)
    assert (known.title, known.body, known.labels) == ("Fix the order", "It was wrong.", ("bug",))
    assert known.user.login == "octocat"
    assert house.merge_deliveries() == numbers([pull, untouched]), "an edit is no merge"


def test_c21_a_week_is_sealed_with_the_title_that_was_fixed_in_time(house: House) -> None:
    house.reconcile()
    house.add_hook()
    pull = house.merge(title="Fix teh order")
    house.analyze()
    house.receiver.off()
    house.clock.move(timedelta(minutes=5))
    pull.edit(title="Fix the order")
    house.clock.now = W19.end + timedelta(minutes=3)
    assert house.reconciled() == "done"
    assert house.due_weeks() == [], "the edit is not worked on yet"
    house.analyze()
    assert house.seal() == 1
    assert house.digest().pull_request(pull.number).title == "Fix the order"


def test_c22_one_that_moves_to_the_head_between_two_pages_is_found_there(house: House) -> None:
    merged = [house.merge(after=timedelta(seconds=30)) for _ in range(150)]
    house.clock.move(timedelta(minutes=5))
    house.github.faults.add(Fault("graphql$", "reorder", after=1, before=lambda: merged[0].comment("bob", "Hm.")))
    assert house.reconcile() == "done"
    assert house.merge_deliveries() == numbers(merged)


def test_c22_without_a_credential_the_list_is_walked_until_two_walks_agree(
    github: GitHubServer, database: Database
) -> None:
    house = House(github, database, token="", anonymous=True)
    merged = [house.merge(after=timedelta(seconds=30)) for _ in range(150)]
    house.clock.move(timedelta(minutes=5))
    github.faults.add(Fault("pulls$", "reorder", after=1, before=merged[149].reopen))
    assert house.reconcile() == "done"
    assert house.merge_deliveries() == numbers(merged), "the one that left was seen before, the one behind it later"
    assert {one.credential for one in github.log} == {"anonymous"}
    assert len(github.log) <= 8


def test_without_a_credential_a_walk_longer_than_the_budget_of_an_hour_goes_on_in_the_next(
    github: GitHubServer, database: Database
) -> None:
    house = House(github, database, token="", anonymous=True)
    github.world.anonymous_limit = 3
    merged = [house.merge(after=timedelta(seconds=30)) for _ in range(250)]
    outcomes = [house.reconcile()]
    while outcomes[-1] == "postponed":
        house.clock.now = house.state.next_attempt_at + timedelta(seconds=1)
        outcomes.append(house.reconcile())
    assert outcomes[-1] == "done"
    assert len(outcomes) > 2
    assert house.merge_deliveries() == numbers(merged)


def test_a_renamed_repository_is_asked_for_by_its_id_and_said_to_be_renamed(house: House) -> None:
    house.reconcile()
    house.repository.rename("acme/motor")
    house.clock.move(timedelta(hours=1))
    assert reconcile(house.runtime, 1) == "done"
    assert house.state.watermark == house.clock()

    sweep(house.runtime)
    with house.database.reading() as session:
        listed = repositories.find(session, FULL_NAME, HOST)
    assert reconcile(house.runtime, listed) == "blind"
    with house.database.reading() as session:
        blind = reconciliations.get(session, listed)
    assert blind.blind_reason == ("The repository is called acme/motor by now. Write its new name into the settings.")
