"""The index page over weeks and repositories."""

from __future__ import annotations

import re

from services.digest.narrate import narrate
from shared.domain.period import parse_week
from shared.rendering.index import IndexEntry, render
from tests.digest_builder import rich_digest
from tests.html_reading import read_page


def entry(repository: str, week: str, languages: tuple[str, ...] = ("en",)) -> IndexEntry:
    digest = narrate(rich_digest(repository=repository, period=parse_week(week)), languages)
    return IndexEntry(digest, f"{repository}/{week}")


def test_repositories_by_name_and_the_newest_week_first() -> None:
    page = render([entry("b/b", "2026-W18"), entry("A/a", "2026-W02"), entry("b/b", "2026-W19")])
    assert re.findall(r"<h2><bdi>([^<]+)", page) == ["A/a", "b/b"]
    assert re.findall(r'<th scope="row">(\S+?)</th>', page) == ["2026-W02", "2026-W19", "2026-W18"]


def test_every_language_of_every_week_is_linked_relative_to_the_index() -> None:
    page = read_page(render([entry("a/b", "2026-W19", ("en", "zh-CN"))]))
    assert page.hrefs == ["a/b/2026-W19/digest.en.html", "a/b/2026-W19/digest.zh-CN.html"]
    assert page.strange == []


def test_a_hostile_name_stays_a_name() -> None:
    page = read_page(render([IndexEntry(narrate(rich_digest(repository='<script>/x"y'), ["en"]), 'a b/"><x')]))
    assert page.strange == []
    assert page.hrefs == ["a%20b/%22%3E%3Cx/digest.en.html"]
    assert '<script>/x"y' in page.text


def test_nothing_published_yet() -> None:
    assert "No digest has been published yet." in render([])
    assert "还没有发布任何周报。" in render([], "zh-CN")
