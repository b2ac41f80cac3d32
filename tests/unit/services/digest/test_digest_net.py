"""The last net: nothing of a model reaches the words of a digest that is more than plain, supported words (R-63)."""

from __future__ import annotations

import pytest

from services.digest.aggregate import aggregate
from services.digest.narrate import narrate
from services.digest.net import NOT_FIT, caught
from services.digest.telling import tell
from shared.domain.digest import Digest
from shared.domain.reading import ContestedClaim, LimitClaim, Reading
from shared.domain.taxonomy import Origin, ReviewOutcome, Risk
from shared.rendering import html, markdown
from shared.rendering.locale import load_locale
from tests.unit.services.digest.read_merges import (
    EFFECT,
    judged_key,
    make_action,
    make_claim,
    make_quote,
    make_reading,
    make_risk,
    read_key,
)
from tests.unit.services.digest.weeks import make_frame

UNFIT = (
    "See https://evil.example for the way back",
    "See www.evil.example for the way back",
    "Ask @ada about it",
    "It goes back to #12",
    "It goes back to GH-12",
    "It goes back to pull request 12",
    "It is **urgent** for readers",
    "It is `urgent` for readers",
    "It is [urgent](x) for readers",
    "It is <b>urgent</b> for readers",
    "It is &lt;urgent for readers",
    "It is urgent\u202e for readers",
    "It is urgent\u200b for readers",
    "It is urgent\nfor readers",
    "Readers wait 37% less",
    "Readers wait three times less",
    "Readers wait since 2026-05-01",
    "Readers wait thirty percent less",
    "请访问www.evil.network获取补丁",
    "请访问evil.com获取补丁",
    "由PR 200引入",
    "在issue 45中讨论",
    "见gh-45",
)
"""What the check of each answer refuses as well; here it must be caught without it."""


def everywhere(text: str) -> Reading:
    """A reading that says ``text`` wherever a model may say something."""
    claim = {"text": text, "quotes": (make_quote(),)}
    return make_reading(
        effect=make_claim(text),
        why=make_claim(text),
        limits=(LimitClaim(**claim),),
        actions=(make_action(text), make_action(EFFECT, kind="removal", way_back=text)),
        contested=(ContestedClaim(**claim, outcome=ReviewOutcome.DEFERRED),),
        risks=(make_risk(Risk.DATA_LOSS, text), make_risk(Risk.BREAKING_CHANGE, text)),
    )


def told(text: str) -> Digest:
    reading = dict(everywhere(text))
    return tell([read_key(1, **reading), judged_key(2, text)], make_frame(), ["en", "zh-CN"])


@pytest.mark.parametrize("text", UNFIT, ids=ascii)
def test_it_is_caught_wherever_it_stands(text: str) -> None:
    digest = told(text)
    prose = [
        paragraph.text for sections in digest.sections.values() for one in sections for paragraph in one.paragraphs
    ]
    assert prose
    assert not [line for line in prose if text in line]
    assert text not in digest.model_dump_json(exclude={"pull_requests"})


def test_what_is_caught_is_counted_and_the_rest_stays() -> None:
    digest = told(UNFIT[0])
    account = digest.provenance.readings
    assert account is not None
    assert account.dropped == {NOT_FIT: 1}
    assert digest.provenance.mode == "model"
    assert [(row.kind, row.what, row.way_back) for row in digest.must_act] == [("removal", EFFECT.rstrip("."), None)]
    assert [key.number for key in digest.key_pull_requests] == [1]
    assert 2 in digest.ledger.featured
    assert digest.risks == ()


def test_a_figure_of_the_quotation_stays() -> None:
    claim = make_claim("Readers wait 37% less", make_quote("the wait of readers falls by 37%"))
    digest = tell([read_key(1, effect=claim)], make_frame(), ["en"])
    assert "Readers wait 37% less.†" in digest.sections["en"][2].paragraphs[2].text


def test_a_sign_for_less_is_no_markup() -> None:
    claim = make_claim("Lists with <5 items wait less", make_quote("lists with <5 items wait less"))
    digest = tell([read_key(1, effect=claim)], make_frame(), ["en"])
    assert "Lists with <5 items wait less.†" in digest.sections["en"][2].paragraphs[2].text


def test_words_that_no_claim_stands_behind_are_caught() -> None:
    digest = narrate(aggregate([read_key(1)], make_frame()), ["en"])
    assert caught(digest) == frozenset()
    assert caught(digest.model_copy(update={"readings": ()})) == {EFFECT.rstrip(".")}


def test_a_mark_whose_words_are_caught_is_not_in_the_full_list_either() -> None:
    kept, caught_one = make_risk(Risk.CONCURRENCY), make_risk(Risk.DATA_LOSS, UNFIT[0])
    digest = tell([read_key(1, risks=(kept, caught_one))], make_frame(), ["en", "zh-CN"])

    assert [(risk.tag, risk.origin) for risk in digest.risks] == [("concurrency", Origin.MODEL)]
    for language in ("en", "zh-CN"):
        shown, gone = (load_locale(language).text(f"risks.{risk}.title") for risk in (kept.risk, caught_one.risk))
        page, written = html.render(digest, language), markdown.render(digest, language)
        assert f"{shown}†" in written
        assert gone not in written
        assert gone not in page
