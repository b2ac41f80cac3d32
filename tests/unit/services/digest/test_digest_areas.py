"""Areas of a digest stay readable, however coarse or fine those of the analyses are."""

from __future__ import annotations

from services.digest.areas import MOST, OTHER, AreaMap
from services.digest.figures import area_figures
from services.digest.merges import Merge
from services.digest.place_names import short_names
from services.digest.tree_cut import cut
from tests.unit.services.digest.weeks import make_failure, make_merge


def test_readable_areas_are_kept() -> None:
    merges = [make_merge(n, areas=(f"area-{n % 6}",)) for n in range(1, 61)]

    assert {area for merge in merges for area in AreaMap.of(merges).areas(merge)} == {f"area-{n}" for n in range(6)}


def test_areas_beyond_twenty_are_folded_and_still_open() -> None:
    merges = [make_merge(n, areas=(f"area-{n % 40:02}",) if n < 60 else ("web",), files=None) for n in range(1, 121)]

    areas = AreaMap.of(merges)
    figures = area_figures(merges, areas, None)

    assert len(figures) == MOST
    assert figures[-1].name == OTHER
    assert figures[-1].pull_requests
    assert {n for figure in figures for n in figure.pull_requests} == {merge.number for merge in merges}


def test_an_area_of_half_the_week_gives_way_to_the_tree() -> None:
    folders = ["core/engine/cache", "core/engine/plan", "core/wire", "core/api/http", "core/api/grpc", "tools/bench"]
    merges = [
        make_merge(n, areas=("core",) if n % 6 < 5 else ("tools",), paths=(f"{folders[n % 6]}/file_{n}.rs",))
        for n in range(1, 91)
    ]

    areas = AreaMap.of(merges)

    assert {area for merge in merges for area in areas.areas(merge)} == {
        "engine/cache",
        "engine/plan",
        "core/wire",
        "api/http",
        "api/grpc",
        "tools/bench",
    }


def test_a_hundred_tiny_areas_give_way_to_the_tree() -> None:
    merges = [
        make_merge(n, areas=(f"scope-{n}",), paths=(f"src/{'abcdefgh'[n % 8]}x/file_{n}.ts",)) for n in range(1, 101)
    ]

    figures = area_figures(merges, AreaMap.of(merges), None)

    assert [figure.name for figure in figures] == [f"{letter}x" for letter in "bcdeafgh"]


def test_the_same_map_names_the_areas_of_another_week() -> None:
    merges = [make_merge(n, areas=("core",), paths=(f"core/{'ab'[n % 2]}/x_{n}.go",)) for n in range(1, 41)]
    earlier = make_merge(99, areas=("core",), paths=("core/a/y.go",))

    assert AreaMap.of(merges).areas(earlier) == ("core/a",)


def test_a_merge_without_areas_or_analysis_is_in_other() -> None:
    merges: list[Merge] = [make_merge(1, areas=()), make_failure(2)]

    assert [AreaMap.of(merges).areas(merge) for merge in merges] == [(OTHER,), (OTHER,)]


def test_a_cut_has_no_more_parts_than_asked_and_covers_what_is_large() -> None:
    folders = {n: [f"a/b{n % 30}/c"] for n in range(300)} | {n: ["z"] for n in range(300, 330)}

    tree = cut(folders, most=10, largest=0.1)

    assert len(tree.folders) <= 10
    assert tree.part_of("a/b1/c") is not None
    assert tree.part_of("z") == "z"
    assert tree.part_of("elsewhere") is None


def test_names_are_short_and_unambiguous() -> None:
    names = short_names(["x/y/tests", "z/y/tests", "docs", "a/b/c/d"])

    assert names == {"x/y/tests": "x/y/tests", "z/y/tests": "z/y/tests", "docs": "docs", "a/b/c/d": "c/d"}


def test_parts_of_a_monorepo_are_named_without_its_collections() -> None:
    """``crates`` and ``src/types`` say little; what lies in a small crate is in ``other``, not in ``crates``."""
    crates = ["finch_syntax/src/types", "finch_syntax/src/types/call", "finch_web/src", "finch_store/src"]
    merges = [make_merge(n, areas=("finch",), paths=(f"crates/{crates[n % 4]}/file_{n}.rs",)) for n in range(1, 61)] + [
        make_merge(100 + n, areas=("finch",), paths=(f"crates/finch_tiny{n}/src/lib.rs",)) for n in range(3)
    ]

    areas = AreaMap.of(merges)

    assert {area for merge in merges for area in areas.areas(merge)} == {
        "finch_syntax/types",
        "finch_syntax/types/call",
        "finch_web",
        "finch_store",
        OTHER,
    }


def test_a_label_and_the_folder_of_the_same_thing_are_one_area() -> None:
    merges = [
        make_merge(1, areas=("server",)),
        make_merge(2, areas=("lumen-server",)),
        make_merge(3, areas=("server",)),
    ]

    areas = AreaMap.of(merges)

    assert [areas.areas(merge) for merge in merges] == [("server",)] * 3
    assert areas.areas(make_merge(4, areas=("lumen-servers",))) == ("server",)


def test_merges_without_source_keep_the_area_that_says_so_when_the_tree_is_cut() -> None:
    merges = [make_merge(n, areas=("core",), paths=(f"core/{'ab'[n % 2]}/x_{n}.go",)) for n in range(1, 31)]
    bumps = [make_merge(100 + n, areas=("build",), paths=("go.mod", "go.sum")) for n in range(12)]

    areas = AreaMap.of([*merges, *bumps])

    assert {areas.areas(merge) for merge in bumps} == {("build",)}
    assert {areas.areas(merge) for merge in merges} == {("core/a",), ("core/b",)}
