"""Headings of themes read like headings, whatever machinery the titles carry."""

from __future__ import annotations

import pytest

from services.digest.headings import LONGEST, lone_heading, shared_heading
from services.digest.series import find_series
from tests.unit.services.digest.weeks import make_merge


@pytest.mark.parametrize(
    ("titles", "heading"),
    [
        (
            ["fix(otter): align tables with the old client", "feat(otter): align lists", "fix(otter): align colours"],
            None,
        ),
        (
            [
                "fix(otter): align tables with the old client",
                "fix(otter): align lists with the old client",
                "feat(otter): align colours with the old client",
            ],
            "otter: align … with the old client",
        ),
        (
            [
                "Move audit sink to the shared batch writer",
                "Move metrics sink to the shared batch writer (#12)",
                "move trace sink to the shared batch writer",
                "Move billing sink to the shared batch writer",
            ],
            "Move … sink to the shared batch writer",
        ),
        (
            [
                f"test(query): Add replay coverage for {what}"
                for what in ("joins", "empty pages", "windows and filters")
            ],
            "query: add replay coverage",
        ),
        ([f"[Editor] Use PanelFactory for {what}" for what in ("notes", "tags", "links")], "Editor: use PanelFactory"),
        (
            [f"Remove stale exports from {what}" for what in ("pulse_db", "pulse_cli", "pulse_net")],
            "Remove stale exports",
        ),
        (
            [f"docs: Check {what} page for accuracy 🤖 - #237" for what in ("start", "query", "tuning")],
            "Check … page for accuracy",
        ),
        (["Round prices", "Warn about passwords", "Use UTC"], None),
        (["Add tabs", "Add spaces", "Add lines"], None),
    ],
)
def test_what_titles_share_is_the_heading_with_gaps_shown(titles: list[str], heading: str | None) -> None:
    assert shared_heading(titles) == heading


@pytest.mark.parametrize(
    ("title", "heading"),
    [
        ("feat(log): tiered index [part one]: sparse index files", "log: tiered index: sparse index files"),
        ("proto: comment every field of FrameSpec", "proto: comment every field of FrameSpec"),
        ("[otter] Separate loading from typing.", "otter: separate loading from typing"),
        ("fix: keep `Store::open()` in order (#17)", "Keep Store::open() in order"),
        ("[Bugfix] Keep order", "Keep order"),
        ("OTTER-1234: Drop the second queue", "Drop the second queue"),
        ("[Otter] Otter keeps its order", "Otter keeps its order"),
    ],
)
def test_one_title_becomes_a_heading_without_its_machinery(title: str, heading: str) -> None:
    assert lone_heading(title) == heading


def test_a_long_heading_is_cut_between_words_and_the_cut_is_shown() -> None:
    heading = lone_heading("Describe " + "every particular " * 10)

    assert len(heading) <= LONGEST
    assert heading.endswith(("every…", "particular…"))


def test_hostile_titles_make_a_heading_or_none() -> None:
    for title in ("", "()[]:", "[[[[", "`" * 300, "\u202e: x", "(#1)", "a" * 5_000, "fix():", "修复 缓存"):
        assert isinstance(lone_heading(title), str)
        assert shared_heading([title, title, title]) is None or shared_heading([title, title, title])


def test_a_series_without_shared_words_has_a_heading_too() -> None:
    merges = [
        make_merge(1, "feat(sync): [1/2] Write pages", author="kim"),
        make_merge(2, "feat(sync): [2/2] Read back", author="kim"),
    ]

    assert [series.title for series in find_series(merges)] == ["sync"]
