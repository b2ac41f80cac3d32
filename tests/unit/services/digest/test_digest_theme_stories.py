"""A theme tells one story under a heading of its own."""

from __future__ import annotations

from shared.domain.digest import DigestRelation
from shared.domain.taxonomy import ChangeType, RelationKind
from tests.unit.services.digest.theme_weeks import GO, WEB, themes_of, week
from tests.unit.services.digest.weeks import make_merge

ENDINGS = ("early", "lazily", "once", "twice")


def test_a_scope_of_most_of_the_week_is_no_subject_and_a_common_verb_no_story() -> None:
    """More than half of the merges carry one bracket and lie in one folder; beside it they share what is done."""
    parts = ("tuples", "enums", "loops", "lambdas", "slices", "casts", "unions", "guards", "stubs", "spans", "cells")
    inside = [
        (f"[finch] {verb} {part} {ENDINGS[place % 4]}", f"crates/finch_core/types/{part}.rs")
        for verb in ("Preserve", "Collapse")
        for place, part in enumerate(parts)
    ]
    merges = [
        *week(inside[:11], start=100, kind=ChangeType.FIX),
        *week(inside[11:], start=150, kind=ChangeType.REFACTOR),
        *week(WEB, start=300),
    ]

    assert themes_of(merges) == ()


def test_no_two_themes_carry_the_same_title() -> None:
    merges = [
        *week([(f"[Tides] Fix {word}", f"src/tides/{word}.py") for word in "abcdefgh"], kind=ChangeType.FIX),
        *week([("Tides [1/2] table", "db/a.sql"), ("Tides [2/2] index", "db/b.sql")], start=500),
        *week([(f"[Tides] Move {word}", f"src/tides/{word}.py") for word in "ijklmnop"], start=600),
        *week(WEB, start=700),
    ]

    titles = [theme.title.casefold() for theme in themes_of(merges)]

    assert len(set(titles)) == len(titles)


def test_titles_of_themes_read_like_headings() -> None:
    planted = week(
        [
            (f"fix(otter): align {what} with the old client", f"otter/src/{what}.rs")
            for what in ("tables", "lists", "colours", "prompts")
        ],
        start=900,
    )

    (theme,) = themes_of([*week(WEB), *week(GO, start=200), *planted])

    assert theme.title == "otter: align … with the old client"


def test_a_conventional_scope_never_leaks_into_a_title() -> None:
    planted = week(
        [
            (f"test(query): add replay {what}", f"query/replay/{what}.go")
            for what in ("joins", "windows", "filters", "pages")
        ],
        start=900,
    )

    (theme,) = themes_of([*week(WEB), *planted])

    assert not set("()[]") & set(theme.title)
    assert theme.pull_requests == (900, 901, 902, 903)


def test_linked_merges_are_titled_without_the_machinery_of_the_first_title() -> None:
    merges = [
        make_merge(800, "feat(ledger): tiered pages [part one]: sparse files", score=40, paths=("ledger/pages.go",)),
        make_merge(801, "fix(ledger): close what was left open", paths=("ledger/close.go",)),
    ]
    follows = DigestRelation(kind=RelationKind.CONTINUES, source=801, to=800, confidence=0.9, evidence="")

    (theme,) = themes_of([*week(WEB), *merges], relations=[follows])

    assert theme.title == "ledger: tiered pages: sparse files"


def test_a_chore_that_comes_back_word_for_word_is_no_story() -> None:
    chores = [
        make_merge(900 + n, "chore: refresh engines and workflow pins", kind=ChangeType.CHORE, paths=("engines.json",))
        for n in range(4)
    ]

    assert themes_of([*week(WEB), *chores]) == ()


def test_the_name_of_the_repository_is_no_subject() -> None:
    planted = [
        (f"[Lumen] {text}", f"lumen/{n}.md")
        for n, text in enumerate(
            ("Explain phones", "Start faster", "Stop cleanly", "Icons", "Tablets", "Round corners")
        )
    ]

    assert themes_of([*week(WEB), *week(GO, start=200), *week(planted, start=900)]) == ()
