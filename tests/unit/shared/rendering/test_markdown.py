"""The Markdown renderer: structure, anchors, lists behind counts."""

from __future__ import annotations

import re

import pytest

from services.digest.narrate import narrate
from shared.domain.digest import Provenance
from shared.domain.errors import InvalidInput
from shared.rendering import markdown
from tests.digest_builder import GENERATED_AT, empty_digest, make_listed, rich_digest, titled_digest
from tests.markdown_reading import read

LANGUAGES = ("en", "zh-CN")
languages = pytest.mark.parametrize("language", LANGUAGES)
DIGEST = narrate(rich_digest(), LANGUAGES)


@languages
def test_every_link_inside_leads_to_a_heading(language: str) -> None:
    reading = read(markdown.render(DIGEST, language))
    anchors = {f"#{part.anchor}" for part in reading.parts}
    inside = [address for address, _ in reading.links if address.startswith("#")]
    assert len(inside) > 30
    assert set(inside) <= anchors


@languages
def test_every_merge_is_in_the_full_list_once_with_its_state(language: str) -> None:
    reading = read(markdown.render(DIGEST, language))
    lines = [line for part in reading.parts for line in part.text.split("\n") if re.match(r"[FGCX] #\d+ ", line)]
    states = {int(line.split()[1][1:]): line[0] for line in lines}
    marks = {"featured": "F", "grouped": "G", "condensed": "C", "failed": "X"}
    assert len(lines) == len(states) == 12
    assert states == {listed.number: marks[listed.state] for listed in DIGEST.pull_requests}


@languages
def test_every_pull_request_is_a_link_to_its_page(language: str) -> None:
    for address, text in read(markdown.render(DIGEST, language)).links:
        if re.fullmatch(r"#\d+", text):
            assert address == f"https://github.com/lumen/lumen/pull/{text[1:]}"


def test_the_evidence_of_each_risk_mark_is_in_its_list() -> None:
    part = next(part for part in read(markdown.render(DIGEST, "en")).parts if part.title == "Risk mark: Core path (2)")
    assert part.text.strip().split("\n") == [
        "#201 queue/take.py is on the core path 'queue/**'.",
        "#205 queue/wake.py is a core path.",
    ]


def test_headings_stand_once_at_the_top_level() -> None:
    reading = read(markdown.render(DIGEST, "en"))
    assert [part.title for part in reading.parts if part.level == 1] == ["lumen/lumen: weekly digest 2026-W19"]
    titles = [part.title for part in reading.parts if part.level == 2]
    assert titles == [section.title for section in DIGEST.sections["en"]] + ["Full list", "Lists behind the numbers"]


@languages
def test_an_empty_week_is_short_and_valid(language: str) -> None:
    text = markdown.render(narrate(empty_digest(), [language]), language)
    reading = read(text)
    assert len([part for part in reading.parts if part.level == 2]) == 2
    assert len(text) < 3000
    assert reading.raw_html == []


def test_a_week_that_is_not_over_says_so_above_everything() -> None:
    provenance = Provenance(ruleset_version="1", generated_at=GENERATED_AT, so_far=True)
    text = markdown.render(narrate(rich_digest(provenance=provenance), ["en"]), "en")
    assert text.splitlines()[0] == "# lumen/lumen: weekly digest 2026-W19 (so far)"
    assert text.split("## Summary\n\n")[1].startswith("**So far**: this week was not over")


def test_a_language_that_was_not_told_is_refused() -> None:
    with pytest.raises(InvalidInput, match="The digest has no text in 'zh-CN'"):
        markdown.render(narrate(rich_digest(), ["en"]), "zh-CN")


def test_a_table_cell_cannot_be_left() -> None:
    rows = tuple(
        row.model_copy(update={"old": "a|b", "new": "`c|d`", "what": "x | y \\| z"}) for row in DIGEST.must_act
    )
    text = markdown.render(narrate(rich_digest(must_act=rows), ["en"]), "en")
    table = next(part for part in read(text).parts if part.title == "What you must act on")
    assert table.text.count("a|b") == 3
    assert table.text.count("c|d") == 3
    assert table.text.count("x | y \\| z") == 3


def test_two_areas_of_one_slug_have_two_anchors() -> None:
    listed = (make_listed(1, areas=("a/b",), state="condensed"), make_listed(2, areas=("ab",), state="condensed"))
    digest = titled_digest([]).model_copy(update={"pull_requests": listed, "merged_total": 2, "items_total": 2})
    reading = read(markdown.render(narrate(digest, ["en"]), "en"))
    assert [part.anchor for part in reading.parts if part.title in {"a/b (1)", "ab (1)"}] == ["ab-1", "ab-1-1"]


def test_a_heading_may_end_in_number_signs() -> None:
    listed = (make_listed(1, areas=("C #",), state="condensed"),)
    digest = titled_digest([]).model_copy(update={"pull_requests": listed, "merged_total": 1, "items_total": 1})
    assert any(part.title == "C # (1)" for part in read(markdown.render(narrate(digest, ["en"]), "en")).parts)


def test_bold_closes_before_chinese_letters() -> None:
    reading = read(markdown.render(DIGEST, "zh-CN"))
    assert "**" not in reading.prose.replace("queue/**", "")


def test_a_stored_document_renders_like_the_fresh_one() -> None:
    stored = type(DIGEST).model_validate_json(DIGEST.to_json())
    for language in LANGUAGES:
        assert markdown.render(stored, language) == markdown.render(DIGEST, language)
