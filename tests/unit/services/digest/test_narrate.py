"""The narrator: fixed sections, facts only, the same facts in each language."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from services.digest.narrate import NARRATORS, narrate
from services.digest.narrate.facts import paragraph
from shared.domain.digest import Digest, DigestRelation, Paragraph, Section, Span
from shared.domain.errors import InvalidInput
from shared.domain.taxonomy import RelationKind
from tests.digest_builder import PERIOD, rich_digest, titled_digest

LANGUAGES = ("en", "zh-CN")
languages = pytest.mark.parametrize("language", LANGUAGES)


def told(digest: Digest, language: str = "en") -> dict[str, Section]:
    return {section.key: section for section in narrate(digest, [language]).sections[language]}


def text_of(section: Section) -> str:
    return "\n".join(one.text for one in section.paragraphs)


def spans_of(digest: Digest, language: str) -> Iterator[tuple[str, Span]]:
    for section in digest.sections[language]:
        for one in section.paragraphs:
            for span in one.spans:
                yield section.key, span


def relation(kind: RelationKind, source: int, to: int) -> DigestRelation:
    return DigestRelation(kind=kind, source=source, to=to, confidence=1.0, evidence="Seen.")


@languages
def test_sections_come_in_their_fixed_order(language: str) -> None:
    digest = narrate(rich_digest(), LANGUAGES)
    assert [section.key for section in digest.sections[language]] == [key for key, _ in NARRATORS]
    assert set(digest.sections) == set(LANGUAGES)


def test_same_in_same_out() -> None:
    assert narrate(rich_digest(), LANGUAGES) == narrate(rich_digest(), LANGUAGES)


def test_narrating_again_changes_nothing() -> None:
    once = narrate(rich_digest(), LANGUAGES)
    assert narrate(once, LANGUAGES) == once


def test_the_document_is_read_back_as_it_was() -> None:
    digest = narrate(rich_digest(), LANGUAGES)
    assert Digest.model_validate_json(digest.to_json()) == digest


def test_both_languages_carry_the_same_facts() -> None:
    digest = narrate(rich_digest(), LANGUAGES)
    facts = [
        sorted(
            (key, span.kind, span.text, span.source or "", span.list_key or "")
            for key, span in spans_of(digest, language)
            if span.kind in {"pull_request", "count", "figure", "title", "person"}
        )
        for language in LANGUAGES
    ]
    assert facts[0] == facts[1]


@languages
def test_every_section_cites_pull_requests(language: str) -> None:
    for section in narrate(rich_digest(), [language]).sections[language]:
        assert any(one.pull_requests for one in section.paragraphs), section.key


@languages
def test_the_text_of_a_paragraph_is_that_of_its_spans(language: str) -> None:
    for section in narrate(rich_digest(), [language]).sections[language]:
        for one in section.paragraphs:
            assert one.text == "".join(span.text for span in one.spans)
            assert set(one.pull_requests) >= {span.number for span in one.spans if span.kind == "pull_request"}


def test_unknown_language_is_one_clear_line() -> None:
    with pytest.raises(InvalidInput, match="There is no output language 'de'"):
        narrate(rich_digest(), ["de"])


@languages
def test_the_summary_is_at_most_five_sentences(language: str) -> None:
    (summary,) = told(rich_digest(), language)["summary"].paragraphs
    plain = "".join(span.text if span.kind in {"text", "strong"} else "x" for span in summary.spans)
    assert 1 <= len(re.findall(r"[.。](?:\s|$)" if language == "en" else "。", plain)) <= 5


def test_the_summary_stands_alone() -> None:
    text = text_of(told(rich_digest())["summary"])
    for wanted in (
        "lumen/lumen merged 12 pull requests (the week before 10, +20%)",
        "3 features (25%)",
        "#206 takes back #207",
    ):
        assert wanted in text


def test_without_the_week_before_nothing_is_compared() -> None:
    digest = narrate(rich_digest(previous=None), LANGUAGES)
    for language, words in (("en", "The week before is not stored"), ("zh-CN", "没有上周的存档")):
        whole = "".join(text_of(section) for section in digest.sections[language])
        assert words in whole
        assert "+20%" not in whole
    assert not [span for _, span in spans_of(digest, "en") if "/previous" in (span.source or "")]


def test_the_week_before_may_have_been_empty() -> None:
    previous = rich_digest().previous
    assert previous is not None
    empty = previous.model_copy(update={"merged_total": 0, "change_types": {}, "risks": {}, "areas": {}, "people": 0})
    text = text_of(told(rich_digest(previous=empty))["summary"])
    assert "(the week before 0)" in text


@languages
def test_every_featured_pull_request_is_told_by_title_and_every_grouped_one_is_linked(language: str) -> None:
    digest = narrate(rich_digest(), [language])
    titles = {span.number for _, span in spans_of(digest, language) if span.kind == "title"}
    links = {span.number for _, span in spans_of(digest, language) if span.kind == "pull_request"}
    assert set(digest.ledger.featured) <= titles
    assert set(digest.ledger.grouped) <= links


def test_condensed_ones_are_named_only_where_a_fact_needs_them() -> None:
    digest = narrate(rich_digest(), ["en"])
    told_in = {key for key, span in spans_of(digest, "en") if span.kind == "pull_request" and span.number == 209}
    assert told_in == set()


def test_the_english_fields_are_filled() -> None:
    digest = narrate(rich_digest(), ["zh-CN"])
    for risk in digest.risks:
        assert risk.mechanism
        assert risk.exposed
        assert risk.verify
    assert digest.themes[0].story.startswith("3 merges on Thu 2026-05-07")
    assert digest.key_pull_requests[0].summary.startswith("Feature in queue by ada")
    assert "Breaking change" in digest.key_pull_requests[0].impact


@pytest.mark.parametrize(
    ("count", "words"), [(1, "lumen/lumen merged 1 pull request: 1 chore"), (2, "lumen/lumen merged 2 pull requests")]
)
def test_english_plurals(count: int, words: str) -> None:
    assert text_of(told(titled_digest(["A thing"] * count))["summary"]).startswith(words)


def test_a_paragraph_rests_on_what_it_links_and_counts() -> None:
    made = paragraph(
        [
            Span(text="a "),
            Span(kind="pull_request", text="#7", number=7),
            Span(kind="count", text="2", pull_requests=(8, 7), list_key="x"),
        ]
    )
    assert made == Paragraph(text="a #72", pull_requests=(7, 8), spans=made.spans)


def test_the_period_of_the_builder_is_a_whole_week() -> None:
    assert (PERIOD.end - PERIOD.start).days == 7
