"""The gate of the digest standard: nearly all claims supported and a sound digest, or rules alone."""

from __future__ import annotations

import json
from typing import Any

import pytest

from services.digest.aggregate import aggregate
from services.digest.gate import by_rules, is_sound, refusal_of
from services.digest.merges import Merge
from services.digest.narrate import narrate
from services.digest.telling import tell
from shared.domain.digest import Digest, Paragraph, Span
from shared.domain.reading import LimitClaim
from shared.domain.taxonomy import Risk
from shared.rendering import markdown
from tests.recompute import problems
from tests.unit.services.digest.read_merges import (
    EFFECT,
    dropped,
    judged_key,
    make_action,
    make_claim,
    make_quote,
    make_risk,
    read,
    read_key,
)
from tests.unit.services.digest.weeks import analysis_of, make_frame, make_key, make_merge, make_tag


def read_week(**overrides: Any) -> list[Merge]:
    return [
        read_key(1, risks=(make_risk(),), actions=(make_action(),), **overrides),
        judged_key(2),
        read(make_merge(3, tags=(make_tag(Risk.CORE_PATH, "central"),))),
        make_merge(4),
    ]


@pytest.mark.parametrize(
    ("kept", "lost", "refused"), [(19, 1, None), (18, 1, "claims"), (0, 1, "claims"), (1, 0, None)]
)
def test_at_least_nineteen_of_twenty_claims_must_be_supported(kept: int, lost: int, refused: str | None) -> None:
    merges = [read(make_merge(number)) for number in range(1, kept + 1)]
    merges.append(read(make_merge(99), effect=None, dropped=dropped(lost) if lost else ()))
    assert refusal_of(merges) == refused


@pytest.mark.parametrize("reason", ["echo", "empty"])
def test_a_claim_that_only_says_nothing_new_counts_neither_way(reason: str) -> None:
    assert refusal_of([read(make_merge(1), dropped=dropped(50, reason))]) is None


def test_a_week_without_readings_is_not_refused() -> None:
    assert refusal_of([make_merge(1)]) is None
    assert aggregate([make_merge(1)], make_frame()).provenance.readings is None


def test_a_refused_week_is_told_as_if_no_model_had_read_it_and_says_so() -> None:
    refused = tell(read_week(dropped=dropped(9)), make_frame(), ["en"])
    alone = tell([by_rules(merge) for merge in read_week()], make_frame(), ["en"])

    assert refused.provenance.mode == "rules"
    assert refused.provenance.model is None
    assert refused.provenance.degraded == ("model-claims",)
    told, account = {"sections", "provenance", "usage"}, refused.provenance.readings
    assert refused.model_dump(exclude=told) == alone.model_dump(exclude=told)
    assert EFFECT.rstrip(".") not in refused.to_json()
    assert account is not None
    assert (account.refused, account.kept, account.claims) == ("claims", 6, 15)
    about = next(section for section in refused.sections["en"] if section.key == "about")
    assert any("6 of 15 claims were supported" in paragraph.text for paragraph in about.paragraphs)


def test_without_its_model_a_merge_has_the_weight_that_rules_gave_it() -> None:
    alone = analysis_of(by_rules(judged_key(2)))
    assert (alone.importance.score, alone.importance.factors, alone.importance.reason) == (50, (), None)
    assert (alone.reading, alone.model, alone.source) == (None, None, "rules")


def test_the_reason_of_a_rule_stays_when_the_model_goes() -> None:
    assert by_rules(read(make_key(1))).analysis == make_key(1).analysis


def test_tags_of_rules_stay_when_the_model_goes() -> None:
    merge = read(make_merge(1, tags=(make_tag(Risk.CORE_PATH, "central"),)), risks=(make_risk(),))
    assert [tag.name for tag in analysis_of(merge).tags] == ["risk:core-path", "risk:concurrency"]
    assert [tag.name for tag in analysis_of(by_rules(merge)).tags] == ["risk:core-path"]


def told_week() -> Digest:
    return narrate(aggregate(read_week(), make_frame()), ["en"])


def test_a_week_with_a_model_is_sound() -> None:
    assert is_sound(told_week())
    assert tell(read_week(), make_frame(), ["en", "zh-CN"]).provenance.mode == "model"


def with_paragraph(digest: Digest, paragraph: Paragraph) -> Digest:
    first, *others = digest.sections["en"]
    first = first.model_copy(update={"paragraphs": (*first.paragraphs, paragraph)})
    return digest.model_copy(update={"sections": {"en": (first, *others)}})


@pytest.mark.parametrize(
    "spans",
    [
        (Span(kind="model", text="Something changes", number=77),),
        (Span(kind="model", text="Something changes"),),
        (Span(kind="count", text="3", pull_requests=(1, 2), list_key="all"),),
        (Span(kind="figure", text="5", source="number(/merged_total)"),),
        (Span(kind="figure", text="5", source="number(/nowhere)"),),
        (Span(kind="figure", text="5"),),
    ],
    ids=["another week", "no merge", "a count", "a figure", "a source that is not there", "no source"],
)
def test_a_digest_is_not_sound_with(spans: tuple[Span, ...]) -> None:
    text = "".join(span.text for span in spans)
    assert not is_sound(with_paragraph(told_week(), Paragraph(text=text, spans=spans, pull_requests=(1,))))


def test_a_digest_with_a_hole_in_its_ledger_is_not_sound() -> None:
    digest = told_week()
    ledger = digest.ledger.model_copy(update={"grouped": ()})
    assert digest.ledger.grouped
    assert not is_sound(digest.model_copy(update={"ledger": ledger}))
    assert not is_sound(digest.model_copy(update={"merged_total": 5}))


def test_a_digest_that_is_not_sound_is_made_by_rules_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("services.digest.telling.is_sound", lambda _: False)
    told = tell(read_week(), make_frame(), ["en"])
    assert (told.provenance.mode, told.provenance.degraded) == ("rules", ("model-rubric",))
    assert make_claim().text.rstrip(".") not in told.to_json()


@pytest.mark.parametrize(
    ("language", "told"),
    [
        ("en", "946 of 1000 claims were supported, and nineteen of twenty must be"),
        ("zh-CN", "它的 1000 条说法中只有 946 条得到支持，而要求是二十条中有十九条"),
    ],
)
def test_a_share_that_would_round_to_what_is_asked_for_is_told_in_counts(language: str, told: str) -> None:
    limits = tuple(LimitClaim(text="Off by default.", quotes=(make_quote(),)) for _ in range(945))
    digest = tell([read(make_merge(1), limits=limits, dropped=dropped(54))], make_frame(), [language])

    (about,) = (section for section in digest.sections[language] if section.key == "about")
    assert digest.provenance.degraded == ("model-claims",)
    assert told in "".join(paragraph.text for paragraph in about.paragraphs)
    assert problems(markdown.render(digest, language), json.loads(digest.to_json()), language) == []
