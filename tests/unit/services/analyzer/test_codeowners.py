"""CODEOWNERS gives areas as GitHub gives owners: the last line wins, lines that it skips are skipped."""

from __future__ import annotations

from time import process_time

import pytest

from services.analyzer.conventions import LARGEST_CODEOWNERS, fault_of, read_conventions

FILE = """\ufeff# Owners of everything, should nothing else fit
*       @lumen/everybody
*.css   @lumen/design-team @ada   # an inline comment
/net/   @lumen/network-team
/net/tls/
!/net/old/ @lumen/old
\\#net/ @lumen/odd
/disk/  lumen/storage
/queue/ queue@example.com
with\\ space/ @lumen/space
"""


def area_of(path: str, text: str = FILE) -> str | None:
    """The name of the area of the line that owns the path."""
    _, owned = read_conventions({".github/CODEOWNERS": text})
    return next(area.name for area in owned if area.globs.match(path))


@pytest.mark.parametrize(
    ("path", "area"),
    [
        ("readme.md", None),
        ("web/a.css", "design"),
        ("net/a.go", "network"),
        ("net/a.css", "network"),
        ("net/tls/a.go", None),
        ("net/old/a.go", "network"),
        ("disk/a.go", None),
        ("queue/a.go", None),
        ("with space/a.go", "space"),
    ],
)
def test_the_last_line_that_fits_names_the_area(path: str, area: str | None) -> None:
    assert area_of(path) == area


def test_a_line_without_owners_takes_the_area_away() -> None:
    assert area_of("apps/github/a.py", "/apps/ @lumen/apps\n/apps/github\n") is None
    assert area_of("apps/gitlab/a.py", "/apps/ @lumen/apps\n/apps/github\n") == "apps"


def test_a_skipped_line_leaves_the_one_before_in_force() -> None:
    assert area_of("disk/a.go", "/disk/ @lumen/storage\n/disk/ nobody\n") == "storage"


@pytest.mark.parametrize("text", ["/a/ @lumen/a\n" * 5_001, "#" * (LARGEST_CODEOWNERS + 1)])
def test_too_much_of_it_is_one_line(text: str) -> None:
    fault = fault_of("docs/CODEOWNERS", text)

    assert fault is not None
    assert fault.startswith("docs/CODEOWNERS cannot be used: it ")
    assert read_conventions({"docs/CODEOWNERS": text}) == ((), ())


@pytest.mark.parametrize(
    ("owner", "counts"),
    [
        ("ada@example.com", True),
        ("ada@.example.com", True),
        ("ada@example.", False),
        ("ada@.com", False),
        ("@ada_b.c", True),
        ("a" * 308 + "@example.com", True),
        ("a" * 309 + "@example.com", False),
        ("@" + "a" * 320, False),
    ],
)
def test_a_line_counts_only_with_accounts_and_addresses(owner: str, counts: bool) -> None:
    assert (area_of("a/x.py", f"/a/ @lumen/first\n/a/ {owner}\n") is None) is counts


@pytest.mark.parametrize("owner", ["a@{}@", "@{}/", "{}"])
def test_a_hostile_owner_takes_no_longer_than_its_length(owner: str) -> None:
    line = f"* {owner.format('.' * (LARGEST_CODEOWNERS - 64))}\n"
    started = process_time()

    assert area_of("a.py", f"/a.py @lumen/first\n{line}") == "first"
    assert process_time() - started < 2.5


def test_other_files_say_nothing_here() -> None:
    assert fault_of(".github/mergecast.toml", "[") is None
    assert read_conventions({".github/mergecast.toml": "["}) == ((), ())
