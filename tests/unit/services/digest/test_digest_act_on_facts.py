"""What the facts of a diff ask of readers."""

from __future__ import annotations

import pytest

from services.digest.act_on_facts import FACT_KINDS, PRESSING, facts_of, rows_of_facts
from services.digest.must_act import find_must_act
from services.digest.narrate.must_act import KIND_ORDER
from shared.domain.facts import Fact, FactKind, Place, Reach, Subject
from shared.domain.taxonomy import Risk, Trait
from tests.unit.services.digest.weeks import make_merge, make_tag


def fact(
    kind: FactKind = FactKind.DEFAULT_CHANGED, subject: Subject = Subject.OPTION, name: str = "--port", **facts
) -> Fact:
    place = Place(path="app/cli.py", line=12, quote="add_argument('--port', default=81)")
    return Fact(kind=kind, subject=subject, name=name, **({"after": place, "reach": Reach.PUBLIC} | facts))


def rows(*facts: Fact, **merge):
    return [row for _, row in rows_of_facts(make_merge(1, facts=facts, **merge))]


def test_a_changed_default_is_told_with_both_values_its_line_and_the_way_back() -> None:
    (row,) = rows(fact(old="80", new="81", way_back="--port 80"))

    assert (row.kind, row.what, row.old, row.new, row.way_back) == (
        "new-default",
        "option --port",
        "80",
        "81",
        "--port 80",
    )
    assert (row.place, row.line, row.subject, row.names) == ("app/cli.py", 12, Subject.OPTION, ("--port",))


@pytest.mark.parametrize(
    ("kind", "subject", "reach", "expected"),
    [
        (FactKind.REFUSED, Subject.INPUT, Reach.PUBLIC, ["refusal"]),
        (FactKind.REMOVED, Subject.REGISTERED_NAME, Reach.PUBLIC, ["removal"]),
        (FactKind.RENAMED, Subject.CLASS, Reach.EXTENSION, ["rename"]),
        (FactKind.MOVED, Subject.MODULE, Reach.EXTENSION, ["move"]),
        (FactKind.REQUIRED, Subject.PARAMETER, Reach.PUBLIC, ["new-requirement"]),
        (FactKind.REQUIRED, Subject.PARAMETER, Reach.EXTENSION, []),
        (FactKind.REMOVED, Subject.FUNCTION, Reach.EXTENSION, []),
        (FactKind.REMOVED, Subject.MODULE, Reach.EXTENSION, ["removal"]),
        (FactKind.RENAMED, Subject.FUNCTION, Reach.EXTENSION, ["rename"]),
        (FactKind.CHANGED, Subject.FIELD, Reach.PUBLIC, ["changed-interface"]),
        (FactKind.CHANGED, Subject.TOOLCHAIN, Reach.BUILDERS, ["toolchain"]),
        (FactKind.CHANGED, Subject.DEPENDENCY, Reach.PUBLIC, ["dependency-change"]),
        (FactKind.ADDED, Subject.ENVIRONMENT_VARIABLE, Reach.PUBLIC, ["environment-variable"]),
        (FactKind.ADDED, Subject.SCHEMA, Reach.PUBLIC, ["migration"]),
        (FactKind.CHANGED, Subject.PROTOCOL, Reach.PUBLIC, ["format-change"]),
        (FactKind.ERROR_CHANGED, Subject.INPUT, Reach.PUBLIC, ["changed-error"]),
        (FactKind.ADDED, Subject.OPTION, Reach.PUBLIC, []),
        (FactKind.ADDED, Subject.FUNCTION, Reach.EXTENSION, []),
        (FactKind.ACCEPTED, Subject.INPUT, Reach.PUBLIC, []),
        (FactKind.ERROR_CHANGED, Subject.INPUT, Reach.EXTENSION, []),
        (FactKind.REMOVED, Subject.FUNCTION, Reach.INTERNAL, []),
        (FactKind.DEFAULT_CHANGED, Subject.PARAMETER, Reach.INTERNAL, []),
    ],
)
def test_each_kind_has_its_row_and_what_nobody_feels_has_none(kind, subject, reach, expected) -> None:
    assert [row.kind for row in rows(fact(kind, subject, reach=reach))] == expected


def test_many_facts_of_one_kind_are_one_row_that_names_the_first() -> None:
    required = [
        fact(
            FactKind.REQUIRED,
            Subject.PARAMETER,
            f"Store.get{n}.context",
            reach=Reach.EXTENSION,
            note="the same in 2 more: A, B",
        )
        for n in range(6)
    ]

    (row,) = rows(*required)

    assert row.names == tuple(f"Store.get{n}.context" for n in range(4))
    assert row.names_in_all == 6
    assert row.what.endswith("and 2 more")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ('["a", "b"]', '["a", "b", "c"]', False),
        ('["a", "b"]', '["a", "c"]', True),
        ("[]", '["a"]', True),
        ("1", "12", True),
    ],
)
def test_a_list_that_only_grew_asks_nobody_to_act(old, new, told) -> None:
    assert bool(rows(fact(old=old, new=new))) is told


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("assert: no", "ValueError: no, because", True),
        (None, "ValueError: no", True),
        ("ValueError: no", "ValueError: never", False),
    ],
)
def test_an_error_that_only_says_it_in_other_words_is_no_row(old, new, told) -> None:
    assert bool(rows(fact(FactKind.ERROR_CHANGED, Subject.INPUT, "no", old=old, new=new))) is told


def test_a_refusal_is_called_by_its_words_and_shows_the_class_of_its_error() -> None:
    words = "workers must be positive"
    (row,) = rows(fact(FactKind.REFUSED, Subject.INPUT, words, old="accepted", new=f"ValueError: {words}"))

    assert (row.names, row.old, row.new) == ((words,), "accepted", "ValueError")


def test_one_new_name_is_told_once_though_the_class_and_its_registry_both_have_it() -> None:
    renamed = [
        fact(FactKind.RENAMED, subject, name, old=name, new=f"{name}2")
        for subject, name in ((Subject.CLASS, "Moth"), (Subject.REGISTERED_NAME, "Moth"))
    ]

    assert [row.subject for row in rows(*renamed)] == [Subject.REGISTERED_NAME]


def test_a_deprecation_that_became_a_refusal_is_the_refusal() -> None:
    assert [
        row.kind for row in rows(fact(FactKind.REMOVED, Subject.INPUT, "a"), fact(FactKind.REFUSED, Subject.INPUT, "b"))
    ] == ["refusal"]


def test_one_merge_has_four_rows_at_most_and_the_pressing_ones_stay() -> None:
    variables = [fact(FactKind.ADDED, Subject.ENVIRONMENT_VARIABLE, f"V{n}", new=str(n)) for n in range(5)]

    told = rows(*variables, fact(old="1", new="2"), fact(FactKind.REFUSED, Subject.INPUT, "both at once"))

    assert len(told) == 4
    assert {row.kind for row in told[:2]} == {"new-default", "refusal"}


def test_words_do_not_say_again_what_the_diff_says() -> None:
    tags = (
        make_tag(Trait.REMOVAL),
        make_tag(Risk.BREAKING_CHANGE),
        make_tag(Risk.CONFIGURATION_CHANGE, "environment variable A is new"),
    )
    merge = make_merge(1, tags=tags, facts=(fact(FactKind.REMOVED, old="80"),))

    assert [row.kind for row in find_must_act([merge], set())] == ["removal"]


def test_an_announced_security_fix_stands_beside_the_facts() -> None:
    merge = make_merge(1, tags=(make_tag(Trait.SECURITY_FIX),), facts=(fact(old="80", new="81"),))

    assert {row.kind for row in find_must_act([merge], set())} == {"security-fix", "new-default"}


def test_the_document_carries_the_facts_that_reach_anybody() -> None:
    merges = [
        make_merge(2, facts=(fact(name="--b"), fact(reach=Reach.INTERNAL))),
        make_merge(1, facts=(fact(name="--a"),)),
    ]

    assert [(one.number, one.name) for one in facts_of(merges)] == [(1, "--a"), (2, "--b")]


def test_every_kind_of_row_has_a_rank_and_a_place_in_the_table() -> None:
    assert set(PRESSING) == FACT_KINDS
    assert set(KIND_ORDER) >= FACT_KINDS
