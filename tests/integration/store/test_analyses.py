"""Analyses on both engines: immutable, once by fingerprint, the latest in force, searchable by tag."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import func, select

from shared.domain.analysis import Analysis, Evidence, Relation, Tag
from shared.domain.errors import InvalidInput
from shared.domain.period import parse_week
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import Namespace, RelationKind
from shared.store import analyses, pull_requests, repositories
from shared.store.session import Database
from shared.store.tables import RelationRow, TagRow
from tests.builders import MERGED_AT, REPOSITORY, make_analysis, make_pull_request

NOW = datetime(2026, 5, 6, 13, 0, tzinfo=UTC)
WEEK = parse_week("2026-W19")


@pytest.fixture
def repository(database: Database) -> int:
    with database.transaction() as session:
        return repositories.ensure(session, REPOSITORY, NOW)


def merge(database: Database, repository: int, number: int = 101, *, captured: bool = True) -> int:
    at = MERGED_AT + timedelta(minutes=number)
    with database.transaction() as session:
        pull_request = make_pull_request(number, merged_at=at)
        return pull_requests.save_facts(session, repository, pull_request, captured=captured, now=NOW)


def save(database: Database, row: int, analysis: Analysis, now: datetime = NOW) -> bool:
    with database.transaction() as session:
        return analyses.save(session, row, analysis, now)


def latest(database: Database, row: int) -> Analysis | None:
    with database.reading() as session:
        return analyses.latest(session, row)


def week(database: Database, repository: int, **filters: object) -> list[tuple[PullRequest, Analysis | None]]:
    with database.reading() as session:
        return analyses.list_of_week(session, repository, WEEK.start, WEEK.end, **filters)


def numbers(database: Database, repository: int, **filters: object) -> list[int]:
    return [pull_request.number for pull_request, _ in week(database, repository, **filters)]


def risk(value: str) -> Tag:
    return Tag(namespace=Namespace.RISK, value=value, rule="core", evidence=(Evidence(why="w", path="p"),))


WHOLE = make_analysis(
    101,
    areas=("core", "docs"),
    tags=(
        risk("core-path"),
        risk("core-path").model_copy(update={"rule": "other"}),
        Tag(namespace=Namespace.AREA, value="core", rule="tree"),
    ),
    relations=(
        Relation(kind=RelationKind.REVERTS, source=101, target=7, confidence=0.5, evidence="Reverts #7"),
        Relation(kind=RelationKind.REVERTS, source=101, target=7),
        Relation(kind=RelationKind.RELANDS, source=101, target_commit="a" * 40),
        Relation(kind=RelationKind.CONTINUES, source=101, label="3/7"),
        Relation(kind=RelationKind.BACKPORTS, source=101, target=2**70),
    ),
)


def test_an_analysis_comes_back_equal(database: Database, repository: int) -> None:
    row = merge(database, repository)
    assert latest(database, row) is None
    assert save(database, row, WHOLE)
    assert latest(database, row) == WHOLE


def test_tags_and_relations_are_rows_each_once(database: Database, repository: int) -> None:
    save(database, merge(database, repository), WHOLE)
    with database.reading() as session:
        tags = session.execute(select(TagRow.namespace, TagRow.value, TagRow.rule).order_by(TagRow.value)).all()
        towards = session.scalars(select(RelationRow.towards).order_by(RelationRow.kind)).all()
    assert tags == [("area", "core", "tree"), ("risk", "core-path", "core"), ("area", "docs", "areas")]
    assert towards == ["", "", "commit:" + "a" * 40, "#7"]


def test_the_same_fingerprint_is_stored_once(database: Database, repository: int) -> None:
    row = merge(database, repository)
    assert save(database, row, WHOLE)
    assert not save(database, row, WHOLE)
    with database.reading() as session:
        assert session.scalar(select(func.count()).select_from(TagRow)) == 3


def test_the_analysis_reached_last_is_in_force(database: Database, repository: int) -> None:
    row = merge(database, repository)
    first, second = make_analysis(101, fingerprint="one"), make_analysis(101, fingerprint="two", summary="Two")
    save(database, row, first)
    save(database, row, second, NOW + timedelta(minutes=1))
    assert latest(database, row) == second
    assert not save(database, row, first, NOW + timedelta(minutes=2))
    assert latest(database, row) == first


def test_the_analyses_of_many_come_at_once(database: Database, repository: int) -> None:
    rows = {number: merge(database, repository, number) for number in range(1, 6)}
    for number in (1, 3):
        save(database, rows[number], make_analysis(number, fingerprint="old"))
        save(database, rows[number], make_analysis(number), NOW + timedelta(minutes=1))
    with database.reading() as session:
        found = analyses.latest_of(session, [*rows.values(), *range(10_000, 10_700)])
        assert analyses.latest_of(session, []) == {}
    assert found == {rows[1]: make_analysis(1), rows[3]: make_analysis(3)}


def test_a_week_is_listed_oldest_first_analysed_or_not(database: Database, repository: int) -> None:
    save(database, merge(database, repository, 2), make_analysis(2))
    merge(database, repository, 1)
    merge(database, repository, 3, captured=False)
    listed = week(database, repository)
    assert [(pull_request.number, analysis) for pull_request, analysis in listed] == [(1, None), (2, make_analysis(2))]
    assert listed[0][0].files is None


def test_a_week_is_narrowed_by_the_analysis_in_force(database: Database, repository: int) -> None:
    rows = {number: merge(database, repository, number) for number in (1, 2, 3)}
    save(database, rows[1], make_analysis(1, tags=(risk("core-path"),)))
    save(database, rows[2], make_analysis(2, areas=("docs",), tags=(risk("core-path"), risk("revert"))))
    save(database, rows[3], make_analysis(3, fingerprint="old", tags=(risk("core-path"),)))
    save(database, rows[3], make_analysis(3, fingerprint="new"), NOW + timedelta(minutes=1))
    assert numbers(database, repository, risk="core-path") == [1, 2]
    assert numbers(database, repository, tag="risk:core-path") == [1, 2]
    assert numbers(database, repository, area="docs") == [2]
    assert numbers(database, repository, area="core", risk="core-path") == [1]
    assert numbers(database, repository, tag="risk:revert", area="core") == []
    with pytest.raises(InvalidInput, match="not a tag"):
        numbers(database, repository, tag="core-path")


def test_a_long_week_comes_in_pages(database: Database, repository: int) -> None:
    for number in range(1, 8):
        merge(database, repository, number)
    pages, after = [], None
    while page := numbers(database, repository, after=after, limit=3):
        pages.append(page)
        after = page[-1]
    assert pages == [[1, 2, 3], [4, 5, 6], [7]]
    for unknown in (4711, 2**70, -1):
        with pytest.raises(InvalidInput, match="cannot go on"):
            numbers(database, repository, after=unknown)


@pytest.mark.parametrize("area", ["x" * 9000, "\u202e", "Caf\u00e9/\U0001f986"])
def test_r41_any_area_can_be_stored_and_searched(database: Database, repository: int, area: str) -> None:
    analysis = make_analysis(101, areas=(area,), tags=(Tag(namespace=Namespace.AREA, value=area, rule="tree"),))
    row = merge(database, repository)
    save(database, row, analysis)
    assert latest(database, row) == analysis
    assert numbers(database, repository, area=area) == [101]
