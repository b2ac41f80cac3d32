"""What readers must act on."""

from __future__ import annotations

import pytest

from services.digest.changed_value import ChangedValue, changed_value
from services.digest.must_act import MOST, find_must_act, shown_of
from shared.domain.analysis import Evidence, Tag
from shared.domain.taxonomy import ChangeType, Namespace, Risk, Trait
from tests.unit.services.digest.weeks import make_merge, make_tag


@pytest.mark.parametrize(
    ("why", "expected"),
    [
        ("default of setting batch: 1 → 2", ChangedValue("default of setting batch", "1", "2")),
        ("tls: 1.2 → 1.3", ChangedValue("tls", "1.2", "1.3")),
        ("tls: any version -> removed", ChangedValue("tls", "any version", None)),
        ("left-pad: new, 3.1", ChangedValue("left-pad", None, "left-pad=3.1")),
        ("environment variable FOO is new", ChangedValue("environment variable FOO", None, "FOO")),
        ("environment variable FOO is new, default 0", ChangedValue("environment variable FOO", None, "FOO=0")),
        ("environment variable FOO is no longer read", ChangedValue("environment variable FOO", "FOO", None)),
        ("words of the title", None),
        ("an arrow → in words", None),
        ("", None),
    ],
)
def test_old_and_new_are_read_back(why: str, expected: ChangedValue | None) -> None:
    assert changed_value(why) == expected


def test_a_changed_default_has_a_way_back_and_a_place() -> None:
    tag = make_tag(Trait.NEW_DEFAULT, "default of environment variable POOL: 4 → 8", path="app/envs.py")

    (row,) = find_must_act([make_merge(1, tags=(tag,))], set())

    assert (row.kind, row.old, row.new, row.way_back, row.place) == ("new-default", "4", "8", "POOL=4", "app/envs.py")


def test_words_are_told_by_the_title() -> None:
    tag = make_tag(Risk.BREAKING_CHANGE, "words of the title", quote="drop support")

    (row,) = find_must_act([make_merge(1, "Drop support for XML", tags=(tag,))], set())

    assert (row.kind, row.what, row.old, row.new) == ("breaking-change", "Drop support for XML", None, None)


def test_the_same_thing_found_by_two_rules_is_one_row() -> None:
    tags = (make_tag(Risk.BREAKING_CHANGE), make_tag(Trait.REMOVAL), make_tag(Trait.DEPRECATION))

    assert [row.kind for row in find_must_act([make_merge(1, tags=tags)], set())] == ["breaking-change"]


def test_values_that_a_patch_shows_have_a_row_each_up_to_three() -> None:
    whys = [f"environment variable V{n} is new" for n in range(5)]

    rows = find_must_act([make_merge(1, tags=(make_tag(Risk.CONFIGURATION_CHANGE, *whys),))], set())

    assert [(row.kind, row.new) for row in rows] == [("environment-variable", f"V{n}") for n in range(3)]


@pytest.mark.parametrize(
    "evidence",
    [
        Evidence(why="lock file changed", path="go.sum"),
        Evidence(why="configuration file", path="ci.toml"),
        Evidence(why="words of the title", quote="MAX_SIZE"),
        Evidence(why="FILES_MATCHING: used → removed", path="cmake/pins.cmake"),
        Evidence(why="src/queue/lock.go: new", path="cmake/pins.cmake"),
        Evidence(why="RUN make all: new", path="Dockerfile"),
        Evidence(why="id: new, ruff", path=".pre-commit-config.yaml"),
    ],
)
def test_a_file_name_or_a_constant_alone_asks_nobody_to_act(evidence: Evidence) -> None:
    tag = Tag(namespace=Namespace.RISK, value=Risk.CONFIGURATION_CHANGE, rule="test", evidence=(evidence,))

    assert find_must_act([make_merge(1, "Guard MAX_SIZE", tags=(tag,))], set()) == ()


@pytest.mark.parametrize(
    "why",
    [
        "tls[extra]: 1.2 → 1.3",
        "@scope/client: ^20 → ^22",
        "github.com/acme/tool/v2: v2.10.0 → v2.11.0",
        "BASE_IMAGE: ubuntu:22.04 → ubuntu:24.04",
        "submodule pointer: 0123abc → 4567def",
        "left-pad: new",
    ],
)
def test_pins_of_every_ecosystem_are_told(why: str) -> None:
    assert (
        len(find_must_act([make_merge(1, tags=(make_tag(Risk.DEPENDENCY_CHANGE, why, path="pins.txt"),))], set())) == 1
    )


def test_migrations_and_dependency_files_are_told_with_their_place() -> None:
    merges = [
        make_merge(1, tags=(make_tag(Risk.CONFIGURATION_CHANGE, "database migration", path="db/0007.sql"),)),
        make_merge(
            2,
            tags=(make_tag(Risk.DEPENDENCY_CHANGE, "dependency file changed; its patch was not seen", path="go.mod"),),
        ),
    ]

    rows = find_must_act(merges, set())

    assert [(row.kind, row.place) for row in rows] == [("migration", "db/0007.sql"), ("dependency-change", "go.mod")]


def test_what_was_undone_or_concerns_tests_only_is_not_told() -> None:
    breaking = make_tag(Risk.BREAKING_CHANGE)
    merges = [make_merge(1, tags=(breaking,)), make_merge(2, tags=(breaking, make_tag(Trait.TESTS_ONLY)))]

    assert find_must_act(merges, {1}) == ()


def test_more_than_its_room_are_cut_to_the_most_pressing() -> None:
    breaking = [make_merge(n, score=1, tags=(make_tag(Risk.BREAKING_CHANGE),)) for n in range(1, 11)]
    pins = [make_merge(n, score=30, tags=(make_tag(Risk.DEPENDENCY_CHANGE, f"p{n}: 1 → 2"),)) for n in range(20, 60)]

    rows, cut = shown_of(find_must_act([*pins, *breaking], set()))

    assert len(rows) == MOST
    assert cut == tuple(range(50, 60))
    assert [row.number for row in rows[:10]] == list(range(1, 11))


def test_bot_bumps_are_one_row() -> None:
    bump = make_tag(Risk.DEPENDENCY_CHANGE, "tls: 1 → 2")
    bots = [make_merge(n, author="renovate[bot]", tags=(bump,), kind=ChangeType.BUILD) for n in (3, 1, 2)]

    (row,) = find_must_act(bots, set())

    assert (row.number, row.kind, row.what) == (1, "version-bump", "Dependency bumps by bots; also #2, #3")
