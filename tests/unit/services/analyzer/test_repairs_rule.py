"""Which merge repairs which: what is linked as a fact, what is only guessed, and what must not be linked at all."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from services.analyzer.rules import build_context, repairs
from shared.domain.analysis import Relation
from shared.domain.code_history import CodeHistory, FileHistory, LineOrigin
from shared.domain.pull_request import ChangedFile, Commit, Person, PullRequest
from shared.domain.taxonomy import FACT, RelationKind
from shared.settings import RepositorySettings
from tests.builders import MERGED_AT, make_file, make_pull_request

CONTEXT = build_context(RepositorySettings(full_name="lumen/lumen"))
ENGINE = "lumen/core/engine.py"
SUBJECT = "Keep leases in a ring"


def origin(number: int | None = 90, lines: int = 0, days: float = 2.0, **more: Any) -> LineOrigin:
    values = {"path": ENGINE, "commit": f"{number or 7:040x}", "subject": SUBJECT} | more
    return LineOrigin(number=number, lines=lines, committed_at=MERGED_AT - timedelta(days=days), **values)


def history(*origins: LineOrigin, older: int = 0, path: str = ENGINE, created_by: int | None = None) -> CodeHistory:
    created = MERGED_AT - timedelta(days=2) if created_by else None
    file = FileHistory(path=path, commits=3, created_at=created, created_by=created_by, older=older)
    since = MERGED_AT - timedelta(days=21)
    return CodeHistory(since=since, files_since=since, origins=origins, files=(file,))


def found(title: str = "Fix a lost wake-up", body: str | None = None, **more: Any) -> list[Relation]:
    pull_request: PullRequest = make_pull_request(101, title=title, body=body, **more)
    return list(repairs.examine(pull_request, CONTEXT))


def only(title: str = "Fix a lost wake-up", body: str | None = None, **more: Any) -> Relation:
    (relation,) = found(title, body, **more)
    return relation


@pytest.mark.parametrize(
    "body",
    [
        "This was introduced by #90.",
        "Introduced in #90, noticed today.",
        "A regression from #90.",
        "Regression since #90",
        "It was broken by #90.",
        "The wake-up got lost, broken since #90.",
        "Caused by #90",
        "The bug was introduced in https://github.com/lumen/lumen/pull/90",
        "git bisect points to #90",
        "Bisected to #90.",
        "The first bad commit is #90.",
        "The culprit is gh-90.",
        "#90 broke the wake-up of idle workers.",
        "#90 accidentally removed the notify call.",
        "lumen/lumen#90 introduced the race.",
        "Fallout from #90.",
        "missed in #90",
    ],
)
def test_a_named_cause_is_a_fact(body: str) -> None:
    relation = only(body=body)

    assert (relation.kind, relation.target, relation.confidence) == (RelationKind.REPAIRS, 90, repairs.NAMED_CAUSE)
    assert relation.evidence.startswith("names it as the cause: “")


def test_the_cause_may_stand_in_the_title_or_in_a_commit() -> None:
    assert only("Fix a crash introduced by #90").target == 90
    assert only(commits=(Commit(sha="a" * 40, message="Unbreak\n\nBroken by #90."),)).target == 90


@pytest.mark.parametrize("body", ["Fixes #90", "fixed #90.", "Fix for #90", "Crashes after #90"])
def test_a_number_that_may_be_an_issue_is_less_sure(body: str) -> None:
    assert only(body=body).confidence == repairs.NAMED


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("Fix a lost wake-up", "Introduced by other/project#90."),
        ("Fix a lost wake-up", "Introduced by https://github.com/other/project/pull/90"),
        ("Fix a lost wake-up", "> Introduced by #90."),
        ("Fix a lost wake-up", "<!-- Introduced by #90 -->"),
        ("Fix a lost wake-up", "Introduced by `#90`."),
        ("Fix a lost wake-up", "See #90 for the design."),
        ("Fix a lost wake-up", "Related: #90"),
        ("Fix a lost wake-up", "Introduced by #101."),
        ("Add a ring of leases", "This is what #90 introduced, made faster. Introduced by #90."),
        ('Revert "Keep leases in a ring (#90)"', "It broke the wake-up. Broken by #90."),
    ],
)
def test_other_numbers_are_no_causes(title: str, body: str) -> None:
    assert found(title, body) == []


def test_lines_of_a_young_merge_are_a_fact() -> None:
    relation = only(history=history(origin(lines=7), older=2))

    assert (relation.kind, relation.target, relation.target_commit) == (RelationKind.REPAIRS, 90, f"{90:040x}")
    assert relation.confidence >= FACT
    assert relation.evidence == "7 of 9 changed lines came with it, merged 2.0 days before"


def test_signals_add_up() -> None:
    alone = only(history=history(origin(lines=5, days=10))).confidence
    same_words = only("Fix the ring of leases", history=history(origin(lines=5, days=10)))
    new_file = only(history=history(origin(lines=5, days=10), created_by=90))
    restored = only("Restore the wake-up", history=history(origin(lines=5, days=10)), labels=("bug",))

    assert alone < FACT
    assert all(one.confidence > alone for one in (same_words, new_file, restored))
    assert same_words.evidence.endswith("both titles say “leases”")
    assert f"it brought the file {ENGINE}" in new_file.evidence


def test_words_and_lines_together_are_surest() -> None:
    relation = only(body="Broken by #90.", history=history(origin(lines=5)))

    assert relation.confidence > repairs.NAMED_CAUSE
    assert "names it as the cause" in relation.evidence
    assert "5 of 5 changed lines" in relation.evidence
    assert relation.target_commit is not None


def test_what_was_only_added_beside_fresh_lines_is_a_fact_when_all_of_them_are_fresh() -> None:
    told = only(history=history(origin(near=5)))
    mixed = found(history=history(origin(near=5), origin(88, near=5)))

    assert told.confidence >= FACT
    assert told.evidence == "5 of 5 lines beside the change came with it, merged 2.0 days before"
    assert all(relation.confidence < FACT for relation in mixed)


@pytest.mark.parametrize(
    "behind",
    [
        history(origin(lines=1), older=9),
        history(origin(lines=4, days=20), older=5),
        history(origin(lines=2), origin(88, lines=2), older=6),
        history(origin(lines=2, days=3), older=2),
        history(origin(near=4), older=6),
    ],
)
def test_a_small_or_old_share_is_kept_and_not_told(behind: CodeHistory) -> None:
    assert all(relation.confidence < FACT for relation in found(history=behind))


@pytest.mark.parametrize(
    "title",
    [
        "Fix formatting of the engine",
        "[Bugfix] Apply ruff-format to engine.py",
        "Fix mypy on main",
        "Fix type hints of the ring",
        "Fix docstrings of the ring of leases",
        "Fix flaky wake-up of the ring",
        "Fix the ring tests",
        "Fix test_ring.py for the new interpreter",
        "fix: bump ring version",
    ],
)
def test_form_and_tests_repair_no_behaviour(title: str) -> None:
    assert all(relation.confidence < FACT for relation in found(title, history=history(origin(lines=7))))


@pytest.mark.parametrize(
    "paths",
    [
        ("docs/guide.md",),
        (".github/workflows/test.yml",),
        ("uv.lock",),
        ("pyproject.toml", "uv.lock"),
        ("tests/test_engine.py",),
        ("README.md", "docs/leases.md"),
    ],
)
def test_documentation_ci_tests_and_manifests_repair_no_feature(paths: tuple[str, ...]) -> None:
    files = tuple(make_file(path) for path in paths)
    behind = history(*(origin(lines=7, path=path) for path in paths), path=paths[0])

    assert found("Fix a typo in leases", "Introduced by #90.", files=files, history=behind) == []


def test_lines_of_tests_beside_source_do_not_count() -> None:
    files = (make_file(ENGINE), make_file("tests/test_engine.py"))

    assert found(files=files, history=history(origin(lines=30, path="tests/test_engine.py"), older=3)) == []


@pytest.mark.parametrize("title", ["[2/3] Fix up the ring of leases", "Follow-up: fix the ring of leases"])
def test_a_planned_follow_up_is_no_repair(title: str) -> None:
    relation = only(title, history=history(origin(lines=7)))

    assert relation.kind is RelationKind.FOLLOWS_UP
    assert found(title, "Fixes #90")[0].kind is RelationKind.FOLLOWS_UP


def test_a_follow_up_with_words_of_a_fault_is_a_repair() -> None:
    assert only("Follow-up: fix the ring", "Broken by #90.").kind is RelationKind.REPAIRS


def test_a_feature_on_fresh_code_follows_up() -> None:
    relation = only("Add a second ring of leases", history=history(origin(lines=7)))

    assert relation.kind is RelationKind.FOLLOWS_UP
    assert relation.confidence < FACT


@pytest.mark.parametrize(
    "behind",
    [
        history(origin(lines=4)),
        history(origin(lines=7), older=8),
        history(origin(lines=7, days=15)),
        history(origin(lines=7, subject="Something else")),
        history(origin(lines=7, subject='Revert "A ring of leases"')),
    ],
)
def test_little_old_foreign_or_reverted_code_is_not_followed_up(behind: CodeHistory) -> None:
    assert found("Add a second ring of leases", history=behind) == []


def test_what_a_revert_brought_back_was_there_before() -> None:
    relation = only(history=history(origin(lines=7, subject='Revert "Keep leases"')))

    assert relation.confidence < FACT


def test_a_fix_that_only_its_shape_tells_is_no_fact() -> None:
    files = (make_file(ENGINE), make_file("tests/test_engine.py"))
    title = "Leases of the ring are handed over"

    assert all(one.confidence < FACT for one in found(title, files=files, history=history(origin(lines=7))))


def test_a_commit_without_a_number_is_kept_by_its_id() -> None:
    relation = only(history=history(origin(None, lines=7)))

    assert (relation.target, relation.target_commit) == (None, f"{7:040x}")


def test_a_merge_never_repairs_itself_and_bots_repair_nothing() -> None:
    assert found(history=history(origin(101, lines=7))) == []
    assert found(body="Broken by #90.", user=Person(login="bump[bot]", type="Bot")) == []


def test_renamed_files_are_known_by_both_names() -> None:
    file = ChangedFile(filename="lumen/new.py", previous_filename=ENGINE, status="renamed", additions=2, deletions=2)

    assert only(files=(file,), history=history(origin(lines=7))).target == 90


def test_without_history_only_words_count() -> None:
    assert found() == []
    assert only(body="Broken by #90.", files=None).target == 90


def test_at_most_four_suspects_are_named() -> None:
    many = [origin(number, lines=3, days=1) for number in range(50, 70)]

    assert len(found(history=history(*many))) <= repairs.MOST_TOLD
