"""Themes: planted stories are found in any repository, and none is made up in a week without one."""

from __future__ import annotations

import random
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.digest.merges import Merge
from services.digest.themes import METHODS
from shared.domain.digest import DigestRelation
from shared.domain.taxonomy import ChangeType, RelationKind
from tests.unit.services.digest.theme_weeks import GO, RUST, WEB, themes_of, week
from tests.unit.services.digest.weeks import last_week, make_merge

PLANTED: tuple[tuple[str, tuple[tuple[str, str], ...], tuple[tuple[str, str], ...], str], ...] = (
    (
        "one identifier in a template of titles",
        WEB,
        (
            ("Use DataGridToolbar for orders", "apps/admin/src/grids/Orders.tsx"),
            ("Use DataGridToolbar for customers", "apps/admin/src/grids/Customers.tsx"),
            ("use DataGridToolbar for refunds", "apps/admin/src/grids/Refunds.tsx"),
            ("[admin] Use DataGridToolbar for stock", "apps/admin/src/grids/Stock.tsx"),
        ),
        "DataGridToolbar",
    ),
    (
        "a scope and its folder, in different words",
        RUST,
        (
            ("borrowck: track two-phase loans", "crates/borrowck/src/loans.rs"),
            ("borrowck: shorter regions for temporaries", "crates/borrowck/src/region.rs"),
            ("fix(borrowck): closures that move twice", "crates/borrowck/src/closure.rs"),
            ("Explain loops in borrowck errors", "crates/borrowck/src/explain.rs"),
            ("borrowck: split the liveness pass", "crates/borrowck/src/liveness.rs"),
        ),
        "borrowck",
    ),
    (
        "a phrase that is written in several ways",
        GO,
        (
            ("storage: read block-cache metrics", "storage/cache/metrics.go"),
            ("Evict cold entries of the block cache", "storage/cache/evict.go"),
            ("storage: warm the block cache on start", "storage/cache/warm.go"),
            ("blockcache: shard by key", "storage/cache/shard.go"),
        ),
        "block cache",
    ),
)


@pytest.mark.parametrize(("background", "planted", "title"), [row[1:] for row in PLANTED], ids=[r[0] for r in PLANTED])
def test_a_planted_story_is_one_theme(
    background: tuple[tuple[str, str], ...], planted: tuple[tuple[str, str], ...], title: str
) -> None:
    merges = [*week(background), *week(planted, start=900)]

    found = themes_of(merges)

    assert [theme.pull_requests for theme in found] == [tuple(range(900, 900 + len(planted)))]
    assert title.casefold() in found[0].title.casefold().replace("-", " ")
    assert found[0].found_by in METHODS


@pytest.mark.parametrize("rows", [WEB, RUST, GO], ids=["web", "Rust", "Go"])
def test_a_week_of_unrelated_merges_has_no_theme(rows: tuple[tuple[str, str], ...]) -> None:
    assert themes_of(week(rows)) == ()


def test_a_subject_with_too_many_merges_is_told_by_kind_of_change() -> None:
    """Twenty merges about one part: its refactorings are one story, however their titles are worded."""
    verbs = ("Move", "Rename", "Split", "Convert", "Refactor", "Unify", "Extract", "Merge")
    parts = ("pivot", "basis", "bounds", "presolve", "ratio", "scaling", "pricing", "update")
    faults = ("cycling", "overflow", "tolerance", "signs", "rows", "columns", "ties", "memory")
    moves = [(f"[Solver] {verb} the {part}", f"src/solver/{part}.py") for verb, part in zip(verbs, parts, strict=True)]
    fixes = [(f"[Solver] Fix {fault}", f"src/solver/{fault}.py") for fault in faults]
    merges = [
        *week(moves, start=100, kind=ChangeType.REFACTOR),
        *week(fixes, start=200, kind=ChangeType.FIX),
        *week(WEB, start=300),
        *week(RUST, start=400),
        *week(GO, start=500),
    ]

    found = {theme.title: theme.pull_requests for theme in themes_of(merges)}

    assert found["Solver: refactor"] == tuple(range(100, 108))
    assert found["Solver: fix"] == tuple(range(200, 208))


def test_numbered_series_come_first_and_references_join() -> None:
    series = week([("[db][1/3] Split pages", "db/page.go"), ("[db][2/3] Write pages", "db/write.go")], start=900)
    merges = [*week(GO), *series, make_merge(950, "Tune page size", paths=("db/size.go",))]
    follows = DigestRelation(
        kind=RelationKind.CONTINUES, source=950, to=901, confidence=0.9, evidence="follow-up of #901"
    )

    (theme,) = themes_of(merges, relations=[follows])

    assert theme.pull_requests == (900, 901, 950)
    assert theme.found_by == "numbered-series"


def test_a_series_and_a_theme_of_the_same_name_are_one() -> None:
    series = week(
        [("Add Nimbus support [1/2]", "web/nimbus.ts"), ("Add Nimbus support [2/2]", "cli/nimbus.ts")], start=900
    )
    others = week(
        [
            ("[Nimbus] Skip flaky checks", "lib/nimbus/checks.ts"),
            ("[Nimbus] Quieter logs", "lib/nimbus/logs.ts"),
            ("[Nimbus] Faster start", "lib/nimbus/start.ts"),
            ("[Nimbus] Page long lists", "lib/nimbus/lists.ts"),
            ("[Nimbus] Accept tabs", "lib/nimbus/tabs.ts"),
            ("[Nimbus] Drop the old store", "lib/nimbus/store.ts"),
        ],
        start=950,
    )

    (theme,) = themes_of([*week(WEB), *week(GO, start=200), *series, *others])

    assert theme.pull_requests == (900, 901, *range(950, 956))
    assert theme.title == "Nimbus"


def test_a_bracket_is_a_name_as_a_whole() -> None:
    planted = week(
        [
            (f"[Core Model V2] {text}", f"src/core/model_{n}.ts")
            for n, text in enumerate(("Log", "Sort", "Cut", "Join"))
        ],
        start=900,
    )

    (theme,) = themes_of([*week(WEB), *planted])

    assert theme.title == "Core Model V2"


def test_a_stack_outside_of_any_theme_is_a_story_of_its_own() -> None:
    merges = week(GO)
    stack = [
        DigestRelation(kind=RelationKind.STACKED_ON, source=101, to=100, confidence=0.9, evidence=""),
        DigestRelation(kind=RelationKind.STACKED_ON, source=102, to=101, confidence=0.9, evidence=""),
    ]

    (theme,) = themes_of(merges, relations=stack)

    assert (theme.pull_requests, theme.found_by) == ((100, 101, 102), "references")


def test_what_is_common_every_week_is_less_of_a_theme() -> None:
    """The same phrase in the week before lowers its weight; it does not hide a story."""
    planted = week(PLANTED[0][2], start=900)

    (theme,) = themes_of([*week(WEB), *planted], earlier=last_week(week(WEB, start=300)))

    assert theme.pull_requests == (900, 901, 902, 903)


WORDS = (
    *("cache", "order", "total", "image", "query", "price", "page", "server", "button", "filter", "color", "menu"),
    *("login", "token", "email", "report", "search", "index", "upload", "stream", "socket", "packet", "buffer"),
    *("thread", "worker", "timer", "clock", "mutex", "shard", "replica", "leader", "vote", "region", "tenant"),
)
FOLDERS = [
    f"src/{name}" for name in ("auth", "cart", "db", "feed", "geo", "http", "jobs", "mail", "pay", "ui", "xml", "zip")
]


@settings(max_examples=40, derandomize=True)
@given(seed=st.integers(min_value=0, max_value=10_000), size=st.integers(min_value=10, max_value=120))
def test_random_titles_make_no_theme_of_more_than_three(seed: int, size: int) -> None:
    dice = random.Random(seed)
    merges = [
        make_merge(
            number,
            " ".join(dice.sample(WORDS, dice.randint(3, 7))),
            paths=(f"{dice.choice(FOLDERS)}/{dice.choice(WORDS)}.py",),
            author=f"author-{dice.randrange(20)}",
            kind=dice.choice(list(ChangeType)),
        )
        for number in range(1, size + 1)
    ]

    assert all(len(theme.pull_requests) <= 3 for theme in themes_of(merges))


@settings(max_examples=20)
@given(order=st.permutations(range(len(WEB) + 8)))
def test_the_order_of_the_input_does_not_matter(order: list[int]) -> None:
    merges = [*week(WEB), *week(PLANTED[0][2], start=900), *week(PLANTED[2][2], start=950)]

    assert themes_of([merges[place] for place in order]) == themes_of(merges)


def test_merges_without_files_can_still_share_a_phrase() -> None:
    planted = [
        make_merge(900 + n, f"Prepare {word} for Vulkan 1.4 driver", files=None)
        for n, word in enumerate(("textures", "shaders", "queues", "fences", "samplers"))
    ]

    (theme,) = themes_of([*week(WEB), *planted])

    assert theme.pull_requests == tuple(range(900, 905))
    assert theme.found_by == "shared-words"


def test_four_times_the_merges_take_no_more_than_eight_times_the_work() -> None:
    """It is linear by design: quadratic work would be sixteen times as much, whatever the machine."""
    few, many = invented_merges(500), invented_merges(2_000)
    themes_of(few)  # what is made once is made

    assert taken_by(many) < 8 * taken_by(few)


def taken_by(merges: list[Merge]) -> float:
    """Seconds of the processor."""
    begun = process_time()
    themes_of(merges)
    return process_time() - begun


def invented_merges(count: int) -> list[Merge]:
    dice = random.Random(5)
    return [
        make_merge(
            number,
            f"[{dice.choice(WORDS)}] {' '.join(dice.choices(WORDS, k=6))} {dice.randrange(400)}",
            paths=tuple(f"{dice.choice(FOLDERS)}/{dice.choice(WORDS)}_{dice.randrange(30)}.py" for _ in range(5)),
            author=f"author-{dice.randrange(300)}",
        )
        for number in range(1, count + 1)
    ]
