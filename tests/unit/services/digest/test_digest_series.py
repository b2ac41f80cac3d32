"""Numbered series, found by titles alone."""

from __future__ import annotations

import pytest

from services.digest.merges import Merge
from services.digest.series import find_series
from tests.unit.services.digest.weeks import make_merge


def named(*titles: str, author: str = "ada") -> list[Merge]:
    return [make_merge(number, title, author=author) for number, title in enumerate(titles, start=1)]


@pytest.mark.parametrize(
    "titles",
    [
        ("[storage][1/3] Split the log", "[storage][2/3] Write blocks", "[storage][3/3] Drop the old log"),
        ("storage rewrite [1/N]: split the log", "storage rewrite [2/N]: write blocks", "storage rewrite [4/N]: index"),
        ("Storage rewrite (part 1): log", "Storage rewrite (part 2): blocks", "Storage rewrite, part 3: index"),
        (
            "feat(db): storage rewrite (1 of 3)",
            "feat(db): storage rewrite (2 of 3)",
            "feat(db): storage rewrite (3 of 3)",
        ),
        (
            "[Perf][1/n] Avoid copies in reader",
            "[Perf][2/n] Avoid copies in writer",
            "[Perf][3/n] Avoid copies in index",
        ),
        ("Storage rewrite: log 1/3", "Storage rewrite: blocks 2/3", "Storage rewrite: index 3/3"),
    ],
)
def test_parts_of_one_series_are_joined(titles: tuple[str, ...]) -> None:
    (series,) = find_series(named(*titles))

    assert series.numbers == (1, 2, 3)


@pytest.mark.parametrize(
    "titles",
    [
        ("[storage][1/3] Split the log", "[network][2/3] Retry"),
        ("[CI][1/2] Faster builds", "[CI][2/4] Quieter logs"),
        ("[Docs][1/n] Explain shards", "[Docs][2/n] Draw logos"),
        ("Support 24/7 operation", "Support 24/7 alerts"),
        ("Bump a to 1/2", "Read ratio 3/2:"),
        ("Keep order", "Keep order"),
    ],
)
def test_other_titles_with_numbers_are_not(titles: tuple[str, ...]) -> None:
    assert find_series(named(*titles)) == ()


def test_scopes_of_one_word_need_one_author_or_a_common_word() -> None:
    titles = ("[linux][1/N] Mount faster", "[linux][2/N] Sign drivers")
    strangers = [make_merge(n, title, author=f"author-{n}") for n, title in enumerate(titles, start=1)]

    assert find_series(strangers) == ()
    assert len(find_series(named(*titles))) == 1


def test_open_parts_are_known_where_titles_count_them() -> None:
    known = find_series(named("[db][1/4] a", "[db][3/4] b"))
    unknown = find_series(named("[db][1/N] a", "[db][3/N] b"))

    assert known[0].open_parts == (2, 4)
    assert unknown[0].open_parts == ()


def test_the_order_of_the_input_does_not_matter() -> None:
    merges = named("[db][2/3] b", "[db][last/3] c", "[db][1/3] a")

    assert find_series(merges) == find_series(merges[::-1])
    assert find_series(merges)[0].numbers == (3, 1, 2)
    assert find_series(merges)[0].title == "db"
