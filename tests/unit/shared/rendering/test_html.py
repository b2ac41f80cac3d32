"""The HTML page: self-contained, accessible, every count opens to its list."""

from __future__ import annotations

import re

import pytest

from services.digest.narrate import narrate
from shared.domain.digest import Provenance
from shared.rendering import html
from tests.digest_builder import GENERATED_AT, empty_digest, rich_digest
from tests.html_reading import page_problems, read_page

LANGUAGES = ("en", "zh-CN")
languages = pytest.mark.parametrize("language", LANGUAGES)
DIGEST = narrate(rich_digest(), LANGUAGES)
PAGES = {language: html.render(DIGEST, language) for language in LANGUAGES}
HOST = "https://github.com/lumen/lumen"


@languages
def test_nothing_but_what_is_allowed_stands_in_the_page(language: str) -> None:
    assert page_problems(PAGES[language], HOST) == []


@languages
def test_the_page_asks_for_nothing(language: str) -> None:
    page = PAGES[language]
    assert "default-src &#39;none&#39;" in page or "default-src 'none'" in page
    assert not re.search(r"<(script|link|img|iframe|object|embed|form|input|base)\b", page)
    assert not re.search(r"\bon[a-z]+\s*=", re.sub(r"<style>.*?</style>", "", page, flags=re.DOTALL))


@languages
def test_the_language_is_declared_and_the_other_is_one_click_away(language: str) -> None:
    page = PAGES[language]
    other = next(name for name in LANGUAGES if name != language)
    assert f'<html lang="{language}">' in page
    assert f'href="digest.{other}.html"' in page
    assert f'href="digest.{language}.html"' not in page


def test_one_language_needs_no_switch() -> None:
    assert 'href="digest.' not in html.render(narrate(rich_digest(), ["en"]), "en")


@languages
def test_every_count_opens_to_a_list_of_that_length(language: str) -> None:
    page = PAGES[language]
    lists = {
        found[1]: len(re.findall(r"<li", found[2]))
        for found in re.finditer(r'<ul class="merges" id="([^"]+)">(.*?)</ul>', page, re.DOTALL)
    }
    counts = re.findall(r'<a class="count" href="#([^"]+)">([\d,]+)</a>', page)
    assert len(counts) > 30
    for place, number in counts:
        expected = sum(lists[one] for one in _groups(page)) if place == "full-list" else lists[place]
        assert int(number.replace(",", "")) == expected, place


def _groups(page: str) -> list[str]:
    full = page[page.index('id="full-list"') : page.index('id="lists"')]
    return re.findall(r'<ul class="merges" id="([^"]+)">', full)


@languages
def test_every_merge_is_in_the_page(language: str) -> None:
    page = read_page(PAGES[language])
    assert {f"#{listed.number}" for listed in DIGEST.pull_requests} <= page.pull_requests
    for listed in DIGEST.pull_requests:
        assert listed.title.replace("`", "") in page.text


def test_it_has_landmarks_and_a_table_of_contents() -> None:
    page = read_page(PAGES["en"])
    for tag in ("header", "main", "nav", "footer"):
        assert page.counts[tag] >= 1
    assert page.counts["h1"] == 1
    ids = [section.key.replace("_", "-") for section in DIGEST.sections["en"]]
    assert [href[1:] for href in page.hrefs if href[1:] in ids][: len(ids)] != []
    assert set(ids) <= set(page.ids)


def test_areas_have_bars_against_the_week_before() -> None:
    bars = re.findall(r'<rect class="(now|before)" x="0" y="\d+" width="(\d+)"', PAGES["en"])
    assert len(bars) >= 8
    assert all(0 <= int(width) <= 100 for _, width in bars)
    assert ("before", "100") in bars


def test_the_coverage_bar_has_the_parts_of_the_ledger() -> None:
    assert re.findall(r'class="segment (\w+)" style="flex-grow: (\d+)"', PAGES["en"]) == [
        ("featured", "250"),
        ("grouped", "416"),
        ("condensed", "250"),
        ("failed", "83"),
    ]


@languages
def test_an_empty_week_is_a_whole_page(language: str) -> None:
    page = html.render(narrate(empty_digest(), [language]), language)
    assert page_problems(page, HOST) == []
    assert 'class="tiles"' not in page
    assert 'id="full-list"' not in page


def test_a_week_that_is_not_over_has_a_badge() -> None:
    provenance = Provenance(ruleset_version="1", generated_at=GENERATED_AT, so_far=True)
    page = html.render(narrate(rich_digest(provenance=provenance), ["en"]), "en")
    assert '<span class="badge">so far</span>' in page
    assert "2026-W19 (so far)</title>" in page


def test_it_follows_light_dark_paper_and_phone() -> None:
    style = PAGES["en"].split("<style>")[1].split("</style>")[0]
    for wanted in (
        "prefers-color-scheme: dark",
        "@media print",
        "max-width: 34rem",
        "prefers-reduced-motion",
        ":lang(zh)",
    ):
        assert wanted in style
