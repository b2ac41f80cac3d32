"""Hostile words in the mouth of a model, past every check, through both renderers: nothing of them comes alive."""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

from services.digest.narrate import narrate
from services.digest.net import caught
from shared.domain.digest import Digest, MustAct, RiskFinding, ToldReading
from shared.domain.provenance import Provenance, ReadingAccount
from shared.domain.reading import LONGEST_CLAIM, Claim, ContestedClaim, LimitClaim, Quote, ReasonClaim
from shared.domain.taxonomy import KeyReason, Origin, ReviewOutcome
from shared.rendering import html, markdown
from tests.digest_builder import GENERATED_AT, REPOSITORY, rich_digest
from tests.hostile_strings import HOSTILE
from tests.html_reading import Page, page_problems, read_page
from tests.markdown_reading import Reading, read
from tests.unit.shared.rendering.test_hostile_text import ADDRESS, COMMIT, MENTION, REFERENCE

HOST = f"https://github.com/{REPOSITORY}"
TEXTS = [text[:LONGEST_CLAIM] for text in HOSTILE]
hostile_strings = pytest.mark.parametrize("hostile", TEXTS, ids=lambda text: ascii(text)[:40])


def hostile_claim(hostile: str) -> dict[str, Any]:
    """A sentence that says the string and quotes it, out of a file of that name."""
    return {"text": hostile, "quotes": (Quote(text=hostile, field="diff", path=hostile, line=3),)}


def hostile_reading(hostile: str) -> ToldReading:
    said = hostile_claim(hostile)
    return ToldReading(
        number=201,
        model=hostile,
        effect=Claim(**said, announced=True),
        why=Claim(**said),
        limits=(LimitClaim(**said),),
        contested=(ContestedClaim(**said, outcome=ReviewOutcome.REJECTED),),
        reason=ReasonClaim(**said, reason=KeyReason.DECISION),
    )


def hostile_provenance(hostile: str) -> Provenance:
    account = ReadingAccount(read=(201, 205), models={hostile or "x": (201,), "y": (205,)}, kept=9, claims=9)
    named = {"model": hostile or "x", "prompt_version": hostile, "model_language": "en", "readings": account}
    return Provenance(mode="model", ruleset_version="test", generated_at=GENERATED_AT, **named)


def hostile_digest(hostile: str) -> Digest:
    """A digest in which a model, its quotations and the names of its files say one string wherever they can."""
    digest, claim, reading = rich_digest(), Claim(**hostile_claim(hostile)), hostile_reading(hostile)
    words = {"what": hostile, "way_back": hostile, "place": hostile}
    judged = {"origin": Origin.MODEL, "pull_requests": (205,), "evidence": {205: hostile}, "claims": {205: claim}}
    beside = digest.risks[0].model_copy(update={"claims": {201: claim}})
    reason = {"reason_why": hostile, "reason_origin": Origin.MODEL}
    update = {
        "readings": (reading, reading.model_copy(update={"number": 210})),
        "must_act": (MustAct(number=201, kind="migration", origin=Origin.MODEL, claim=claim, **words),),
        "risks": (beside, RiskFinding(tag="data-loss", **judged)),
        "key_pull_requests": (digest.key_pull_requests[0].model_copy(update=reason),),
        "provenance": hostile_provenance(hostile),
    }
    return narrate(digest.model_copy(update=update), ["en"])


@cache
def rendered(hostile: str) -> tuple[str, str, Reading, Page]:
    digest = hostile_digest(hostile)
    written, page = markdown.render(digest, "en"), html.render(digest, "en")
    return written, page, read(written), read_page(page)


@hostile_strings
def test_c27_words_of_a_model_make_no_markup(hostile: str) -> None:
    _, page, found, shown = rendered(hostile)
    _, _, calm, calm_page = rendered("calm")
    assert page_problems(page, HOST) == []
    assert found.raw_html == []
    assert found.images == []
    assert len(found.parts) == len(calm.parts)
    assert sum(part.items for part in found.parts) == sum(part.items for part in calm.parts)
    assert (shown.counts["li"], shown.counts["tr"]) == (calm_page.counts["li"], calm_page.counts["tr"])


@hostile_strings
def test_c30_words_of_a_model_link_mention_and_refer_to_nothing(hostile: str) -> None:
    _, _, found, _ = rendered(hostile)
    _, _, calm, _ = rendered("calm")
    anchors = {f"#{part.anchor}" for part in found.parts}
    assert all(address.startswith(HOST) or address in anchors for address, _ in found.links)
    assert len(found.links) == len(calm.links)
    for pattern in (MENTION, REFERENCE, ADDRESS, COMMIT):
        assert not pattern.search(found.prose), pattern.pattern


@pytest.mark.parametrize("hostile", [text for text in TEXTS if re.search(r"://|@\w|<\w|#\d|\]\(", text)], ids=ascii)
def test_r63_the_last_net_catches_what_would_be_active_anywhere(hostile: str) -> None:
    assert hostile in caught(hostile_digest(hostile))
