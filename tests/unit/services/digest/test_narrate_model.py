"""How a digest tells what a model read: effect first, marked, announced where it is, and all of it accounted for."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from services.digest.merges import Merge
from services.digest.telling import tell
from shared.domain.digest import Digest
from shared.domain.reading import ContestedClaim, LimitClaim, Seen, Shown
from shared.domain.taxonomy import ReviewOutcome, Risk
from shared.rendering import html, markdown
from tests.html_reading import page_problems, read_page
from tests.recompute import problems
from tests.unit.services.digest.read_merges import (
    dropped,
    judged_key,
    make_action,
    make_claim,
    make_quote,
    make_risk,
    read,
)
from tests.unit.services.digest.weeks import make_frame, make_key, make_merge, make_tag

LANGUAGES = ("en", "zh-CN")
languages = pytest.mark.parametrize("language", LANGUAGES)
SINCE = datetime(2026, 5, 4, 9, 30, tzinfo=UTC)


def week() -> list[Merge]:
    seen = Seen(shown=(Shown(part="diff", characters=1, of_characters=2),), hidden={"html-comment": 2})
    return [
        read(
            make_key(1, title="Wake readers in order"),
            why=make_claim("Readers starved before."),
            limits=(LimitClaim(text="Off by default.", quotes=(make_quote(),), kind="off-by-default"),),
            contested=(
                ContestedClaim(
                    text="Whether the old order should stay was disputed.",
                    quotes=(make_quote("keep it", field="review", path=None, line=None),),
                    outcome=ReviewOutcome.DEFERRED,
                ),
            ),
            actions=(make_action(way_back="Set order to old."),),
            risks=(make_risk(),),
            seen=seen,
        ),
        judged_key(2),
        read(
            make_merge(3, "Count dead letters", tags=(make_tag(Risk.CORE_PATH, "central"),)),
            effect=make_claim("Dead letters are counted.", announced=True),
            risks=(make_risk(Risk.CORE_PATH, "A miscount goes unseen."), make_risk(Risk.BREAKING_CHANGE, "It breaks.")),
            dropped=dropped(1, "echo"),
        ),
        make_key(4),
        make_merge(5),
    ]


def told(**frame: object) -> Digest:
    return tell(week(), make_frame(**({"unread": {5: "budget"}} | frame)), LANGUAGES)


def section(digest: Digest, key: str, language: str = "en") -> str:
    found = next(one for one in digest.sections[language] if one.key == key)
    return "\n".join(paragraph.text for paragraph in found.paragraphs)


def test_a_key_pull_request_leads_with_its_effect_then_why_and_limits() -> None:
    lines = section(told(), "key_pull_requests").split("\n")
    place = next(at for at, line in enumerate(lines) if line.startswith("Wake readers in order"))
    assert lines[place + 1] == (
        "Waiting readers are woken in the order of their arrival.† Why: Readers starved before.† "
        "Limit: Off by default†."
    )
    assert lines[place + 2].startswith("Reason: contract (the title says so).")


def test_contested_points_come_behind_the_review_with_their_outcome() -> None:
    text = section(told(), "key_pull_requests")
    assert "Contested: Whether the old order should stay was disputed† (put off)." in text


def test_a_reason_that_a_model_judged_says_so() -> None:
    text = section(told(), "key_pull_requests")
    assert "Reason, judged by a model: assumption (Nobody may rely on the old order†)." in text
    assert "The reason of 1 is a model's judgement, and says so." in text


def test_the_summary_of_a_key_pull_request_in_the_document_leads_with_the_effect() -> None:
    key = next(one for one in told().key_pull_requests if one.number == 1)
    assert key.summary.startswith("Waiting readers are woken in the order of their arrival.†")


def test_what_only_the_description_shows_is_told_as_announced() -> None:
    assert "core: announced: Dead letters are counted† – #3 Count dead letters · ada" in section(told(), "changes")


def test_rows_of_a_model_are_marked_with_their_way_back_and_explained() -> None:
    text = section(told(), "must_act")
    assert "Rows with † are what a model read out of a merge" in text
    row = "New default · Set the old order in the settings† · Wake readers in order · lumen/core/engine.py:12"
    assert f"{row} · Set order to old† · #1" in text


def test_risks_that_a_model_judged_carry_the_mechanism_and_its_quotation() -> None:
    text = section(told(), "risks")
    assert "Concurrency [judged by a model]: 1" in text
    assert "#1: Two readers may be woken for one item† – “wake two readers” (lumen/core/engine.py:12)" in text
    assert "Core path [rule]: 1" in text
    assert "#3 Count dead letters: central; A miscount goes unseen†" in text
    assert "[judged by a model]: no rule set it" in text


def test_a_break_that_a_model_judged_is_not_said_to_be_announced() -> None:
    text = section(told(), "risks")
    assert "By the judgement of a model, callers or stored settings may stop working" in text
    assert "The author announces a change that is not compatible" not in text


@languages
def test_every_sentence_of_a_model_is_a_span_of_its_own_with_its_sign_and_its_merge(language: str) -> None:
    digest = told()
    numbers = {listed.number for listed in digest.pull_requests}
    found = 0
    for one in digest.sections[language]:
        for paragraph in one.paragraphs:
            for cell in paragraph.cells or (paragraph.spans,):
                for place, span in enumerate(cell):
                    if span.kind == "model":
                        found += 1
                        assert span.number in numbers
                        assert span.number in paragraph.pull_requests
                        assert "mark" in {after.kind for after in cell[place + 1 : place + 3]}
    assert found >= 10


@languages
def test_the_words_of_a_model_are_the_same_in_every_language(language: str) -> None:
    page = html.render(told(), language)
    model = '<bdi class="model" lang="en">Waiting readers are woken in the order of their arrival</bdi>'
    assert model in page
    assert f'{model}.<a class="mark-of-model" href="https://github.com/lumen/lumen/pull/1" title="#1">†</a>' in page
    assert page_problems(page, "https://github.com/lumen/lumen") == []
    assert "Waiting readers are woken in the order of their arrival.†" in markdown.render(told(), language)


@languages
def test_every_number_of_a_week_with_a_model_recomputes(language: str) -> None:
    digest = told(away_since=SINCE)
    assert problems(markdown.render(digest, language), json.loads(digest.to_json()), language) == []


def test_the_head_says_which_model_read_how_much() -> None:
    written = markdown.render(told(), "en")
    assert "**Made by rules and a model**, `reader-1`, which has read [3](#read-by-a-model-3) of them" in written
    whole = tell([read(make_merge(1))], make_frame(), ["en"])
    assert "**Made by rules and a model**, `reader-1`, whose words carry †, on" in markdown.render(whole, "en")


def test_the_last_section_accounts_for_the_model() -> None:
    about = section(told(), "about")
    assert "Rule set test, model reader-1, prompt 1, on" in about
    assert "Sentences with † are the model's" in about
    assert "Read by a model. 3 of 5. By rules alone: the budget is used up: 1; not for the model" in about
    assert "What it said. 11 claims are supported by quotations. Dropped: says nothing new: 1." in about
    assert "What it was shown. 1 in part; 2 pieces of hidden text and 0 secrets were taken out before." in about
    assert "Spent. 3 requests, 2700 tokens in (300 cached), 240 out; 0.01 US dollars." in about
    assert "Degraded. 1 wait for the model or got no answer, and are told by rules alone." in about


@languages
def test_with_the_model_away_all_week_every_merge_is_told_and_the_digest_says_so(language: str) -> None:
    merges = [make_key(1), make_merge(2), make_merge(3)]
    away = dict.fromkeys((1, 2, 3), "away")
    digest = tell(merges, make_frame(unread=away, away_since=SINCE), LANGUAGES)
    written = markdown.render(digest, language)
    assert digest.provenance.mode == "rules"
    assert digest.provenance.degraded == ("model-away", "model-unread")
    assert {"en": "the model has read nothing of this week", "zh-CN": "模型没有读过本周的合并"}[language] in written
    assert "2026-05-04 09:30" in section(digest, "about", language) or "09:30" in section(digest, "about", language)
    assert read_page(html.render(digest, language)).pull_requests == {"#1", "#2", "#3"}
    assert problems(written, json.loads(digest.to_json()), language) == []
    assert "†" not in "".join(section(digest, one.key, language) for one in digest.sections[language])


def test_a_week_without_a_model_does_not_speak_of_one() -> None:
    digest = tell([make_key(1)], make_frame(), ["en"])
    assert "**Made by rules**, without a language model" in markdown.render(digest, "en")
    assert "Read by a model" not in section(digest, "about")


def test_a_mark_of_a_model_is_told_in_the_full_list() -> None:
    line = next(line for line in markdown.render(told(), "en").split("\n") if line.startswith("- **F** [#1]"))
    assert line.endswith("· Hot file, Concurrency†")


def test_the_tags_of_the_full_list_are_those_of_rules() -> None:
    tags = {listed.number: listed.tags for listed in told().pull_requests}
    assert tags[1] == ("risk:hot-file",)
    assert "risk:core-path" in tags[3]
    assert "risk:breaking-change" not in tags[3]
