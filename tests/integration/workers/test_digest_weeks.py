"""What a digest holds, and that a sealed one stays as it is, on both engines."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from services.digest.build import build, compose, seal
from services.digest.tasks import build_digest, build_due
from shared.broker.task_names import TaskName
from shared.domain.digest import Digest
from shared.domain.errors import InvalidInput
from shared.store import digests, publications, repositories
from tests.integration.workers.inbox import NOW, make_runtime, work
from tests.integration.workers.weeks import SETTINGS, W19, W20, document, due_weeks, merge, repository, runtime
from tests.merge_payloads import merge_payload


def test_a_finished_week_is_due_until_it_is_sealed(database):
    merge(database, 101, "2026-05-06T12:00:00Z")
    assert due_weeks(database) == ["2026-W19"]

    tasks = runtime(database)
    assert build_due(tasks) == 1

    digest = Digest.model_validate_json(document(database, "2026-W19"))
    assert digest.merged_total == 1
    assert [listed.number for listed in digest.pull_requests] == [101]
    assert digest.sections["en"]
    assert due_weeks(database) == []
    with database.reading() as session:
        published = publications.listing(session)
    assert [(row.channel, row.status) for row in published] == [("files", "pending")]
    assert tasks.ring.rung == [(TaskName.PUBLISH, published[0].id)]


def test_a_week_without_a_merge_after_the_first_is_a_valid_digest(database):
    merge(database, 101, "2026-04-28T12:00:00Z")
    assert due_weeks(database) == ["2026-W18", "2026-W19"]
    assert build_due(runtime(database)) == 2

    empty = Digest.model_validate_json(document(database, "2026-W19"))
    assert empty.merged_total == 0
    assert empty.sections["en"]


def test_an_unfinished_week_is_refused_unless_so_far_which_stores_nothing(database):
    merge(database, 101, "2026-05-11T12:00:00Z")

    with pytest.raises(InvalidInput, match="not over"):
        build(database, SETTINGS, repository(database), W20, NOW)
    digest = build(database, SETTINGS, repository(database), W20, NOW, so_far=True)

    assert digest.provenance.so_far
    assert digest.merged_total == 1
    assert document(database, "2026-W20") is None


def test_r30_two_builders_at_once_make_one_digest_and_one_publication(database):
    merge(database, 101, "2026-05-06T12:00:00Z")
    row = repository(database)
    made: list[str] = []

    def tick(second: int) -> None:
        made.append(seal(database, SETTINGS, row, W19, NOW + timedelta(seconds=second)).digest.to_json())

    threads = [threading.Thread(target=tick, args=(second,)) for second in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    assert len(made) == 4
    assert set(made) == {document(database, "2026-W19")}
    with database.reading() as session:
        assert len(digests.weeks(session, row)) == 1
        assert len(publications.listing(session)) == 1


def test_r32_a_late_merge_is_told_once_in_the_next_digest_and_the_sealed_one_stays(database):
    merge(database, 101, "2026-05-06T12:00:00Z")
    build_due(runtime(database))
    before = document(database, "2026-W19")

    merge(database, 102, "2026-05-07T12:00:00Z")
    merge(database, 103, "2026-05-12T12:00:00Z")
    merge(database, 101, "2026-05-06T12:00:00Z", action="edited", title="Told anew", updated_at="2026-05-12T08:00:00Z")
    for week in (1, 2):
        assert build_due(runtime(database, now=NOW + timedelta(weeks=week))) == 1

    assert document(database, "2026-W19") == before
    next_one = Digest.model_validate_json(document(database, "2026-W20"))
    assert next_one.late == (102,)
    assert next_one.merged_total == 1
    assert Digest.model_validate_json(document(database, "2026-W21")).late == ()


def test_a_sealed_digest_is_returned_as_it_is_on_demand(database):
    merge(database, 101, "2026-05-06T12:00:00Z")
    row = repository(database)
    first = build(database, SETTINGS, row, W19, NOW)
    merge(database, 102, "2026-05-07T12:00:00Z")

    assert build(database, SETTINGS, row, W19, NOW + timedelta(days=1)) == first
    assert compose(database, SETTINGS, row, W19, NOW).merged_total == 2


def test_build_digest_takes_the_repository_and_the_week(database):
    merge(database, 101, "2026-05-06T12:00:00Z")
    tasks = runtime(database)
    build_digest(tasks, f"{repository(database)}:2026-W19")

    assert document(database, "2026-W19")
    assert [task for task, _ in tasks.ring.rung] == [TaskName.PUBLISH]


@pytest.mark.parametrize("what", ["", "x:2026-W19", "999:2026-W19", "1", "1:2026-W99", "1:2026-W20"])
def test_build_digest_refuses_what_is_no_finished_week_of_a_repository(database, what):
    merge(database, 101, "2026-05-06T12:00:00Z")

    with pytest.raises(InvalidInput):
        build_digest(runtime(database), what)


def test_one_repository_that_fails_does_not_hold_up_the_others(database, monkeypatch):
    work(make_runtime(database), merge_payload(1, full_name="bad/luck", repository_id=1))
    merge(database, 101, "2026-05-06T12:00:00Z")
    with database.reading() as session:
        unlucky = repositories.find(session, "bad/luck")

    def fails_for_one(database, settings, repository_id, *rest):
        if repository_id == unlucky:
            raise RuntimeError("broken")
        return seal(database, settings, repository_id, *rest)

    monkeypatch.setattr("services.digest.tasks.seal", fails_for_one)

    assert build_due(runtime(database)) == 1
    assert document(database, "2026-W19")


def test_c15_the_digest_follows_the_default_branch_through_a_rename_in_midweek(database):
    for number, base, default in ((101, "master", "master"), (102, "main", "main"), (103, "release/1.x", "main")):
        merge(database, number, f"2026-05-0{number - 95}T12:00:00Z", base=base, default_branch=default)
    build_due(runtime(database))

    digest = Digest.model_validate_json(document(database, "2026-W19"))
    assert digest.branch == "main"
    assert [listed.number for listed in digest.pull_requests] == [101, 102]
    assert digest.elsewhere == {"release/1.x": (103,)}


def test_trends_come_from_the_week_before(database):
    merge(database, 101, "2026-04-29T12:00:00Z")
    merge(database, 102, "2026-05-06T12:00:00Z")
    build_due(runtime(database))

    digest = Digest.model_validate_json(document(database, "2026-W19"))
    assert digest.previous.week == "2026-W18"
    assert digest.previous.merged_total == 1
    assert Digest.model_validate_json(document(database, "2026-W18")).previous is None
