"""Hot files point at something: never at a large part of the week."""

from __future__ import annotations

from collections.abc import Sequence

from services.digest.merges import Merge
from services.digest.window_rules.hot_file import HotFile
from shared.domain.taxonomy import ChangeType
from tests.unit.services.digest.weeks import make_merge


def marked(merges: Sequence[Merge]) -> set[int]:
    return {number for number, _ in HotFile().examine(merges, ())}


def test_a_file_that_keeps_being_fixed_is_hot() -> None:
    fixes = [make_merge(n, kind=ChangeType.FIX, paths=("web/cart.ts",)) for n in (1, 2, 3)]
    others = [make_merge(n, paths=(f"web/page{n}.ts",)) for n in range(10, 40)]

    assert marked([*fixes, *others]) == {1, 2, 3}


def test_at_most_a_tenth_of_the_merges_is_marked_and_cooler_files_fill_the_room() -> None:
    """Files of twelve, nine and three merges of 180: the second would mark too many beside the first."""
    merges = [
        *(make_merge(n, paths=("core/engine.go",), author=f"a{n}") for n in range(1, 13)),
        *(make_merge(n, paths=("core/plan.go",), author=f"a{n}") for n in range(20, 29)),
        *(make_merge(n, paths=("core/wire.go",), author="kim") for n in range(30, 33)),
        *(make_merge(n, paths=(f"other/file{n}.go",)) for n in range(100, 256)),
    ]

    found = marked(merges)

    assert found == {*range(1, 13), *range(30, 33)}
    assert len(found) <= len(merges) / 10


def test_a_small_week_may_mark_its_one_hot_file() -> None:
    merges = [make_merge(n, kind=ChangeType.FIX, paths=("web/cart.ts",)) for n in range(1, 7)]

    assert marked(merges) == set(range(1, 7))
