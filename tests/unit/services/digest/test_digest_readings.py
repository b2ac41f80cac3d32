"""The account of a model: which merges it read, why not the others, and what that took."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from services.digest.aggregate import aggregate
from services.digest.merges import Merge
from services.digest.telling import tell
from shared.domain.provenance import ReadingAccount, Usage
from shared.domain.reading import CallUsage, Seen, Shown
from shared.rendering import markdown
from tests.unit.services.digest.read_merges import dropped, make_reading, read
from tests.unit.services.digest.weeks import make_frame, make_merge


def account(*merges: Merge, **frame: Any) -> ReadingAccount:
    found = aggregate(merges, make_frame(**frame)).provenance.readings
    assert found is not None
    return found


def test_each_merge_is_read_or_has_a_reason_why_not() -> None:
    found = account(
        read(make_merge(1)),
        read(make_merge(2), model="reader-2"),
        *(make_merge(number) for number in (3, 4, 5, 6, 7)),
        unread={3: "waiting", 4: "away", 5: "budget", 6: "gave-up"},
        away_since=datetime(2026, 5, 5, tzinfo=UTC),
    )
    assert found.read == (1, 2)
    assert found.models == {"reader-1": (1,), "reader-2": (2,)}
    assert found.unread == {"away": (4,), "budget": (5,), "gave-up": (6,), "left-out": (7,), "waiting": (3,)}
    assert found.away_since == datetime(2026, 5, 5, tzinfo=UTC)


def test_what_is_left_to_rules_on_purpose_is_no_loss() -> None:
    assert aggregate([read(make_merge(1)), make_merge(2)], make_frame()).provenance.degraded == ()
    lost = aggregate([read(make_merge(1)), make_merge(2)], make_frame(unread={2: "budget"}))
    assert lost.provenance.degraded == ("model-unread",)


def test_with_no_model_for_any_merge_there_is_no_account() -> None:
    found = aggregate([make_merge(1)], make_frame(unread={99: "waiting"}))
    assert found.provenance.readings is None
    assert found.usage == Usage()


def test_what_was_shown_in_part_and_taken_out_is_added_up() -> None:
    whole = Seen(shown=(Shown(part="diff", characters=5, of_characters=5),), hidden={"html-comment": 2})
    cut = Seen(
        shown=(Shown(part="diff", characters=5, of_characters=9),),
        hidden={"invisible-characters": 1},
        redacted={"token": 1, "password": 2},
    )
    found = account(read(make_merge(1), seen=whole), read(make_merge(2), seen=cut))
    assert (found.partial, found.hidden, found.redacted) == ((2,), 3, 3)


def test_dropped_claims_are_counted_by_reason() -> None:
    many = tuple(read(make_merge(number)) for number in range(10, 60))
    found = account(
        read(make_merge(1), dropped=(*dropped(1), *dropped(2, "echo"))), read(make_merge(2), dropped=dropped(1)), *many
    )
    assert found.dropped == {"echo": 2, "quote-not-found": 2}
    assert found.kept == 52


@pytest.mark.parametrize(("second", "cost"), [(0.003, 0.005), (None, None)])
def test_the_cost_is_known_when_that_of_every_call_is(second: float | None, cost: float | None) -> None:
    other = CallUsage(requests=2, input_tokens=1, cached_tokens=1, output_tokens=1, cost_usd=second)
    usage = aggregate([read(make_merge(1)), read(make_merge(2), usage=other)], make_frame()).usage
    assert (usage.requests, usage.input_tokens, usage.cached_tokens, usage.output_tokens) == (3, 901, 101, 81)
    assert usage.cost_usd == pytest.approx(cost) if cost is not None else usage.cost_usd is None


def test_what_the_store_knows_of_all_calls_outweighs_the_readings() -> None:
    asked = Usage(requests=7, input_tokens=70, output_tokens=7, cost_usd=None)
    assert aggregate([read(make_merge(1))], make_frame(usage=asked)).usage == asked


@pytest.mark.parametrize(
    ("languages", "tag"),
    [
        (("English", "en"), "en"),
        (("Chinese",), "zh"),
        (("pt-BR",), "pt-BR"),
        (("English", "Chinese"), None),
        (("the language of the merge",), None),
    ],
)
def test_the_language_of_the_words_is_named_where_it_is_one(languages: tuple[str, ...], tag: str | None) -> None:
    merges = [read(make_merge(number), language=language) for number, language in enumerate(languages, 1)]
    assert aggregate(merges, make_frame()).provenance.model_language == tag


def test_several_models_and_prompts_are_all_named() -> None:
    merges = [read(make_merge(1), **dict(make_reading(model="b"))), read(make_merge(2), model="a", prompt_version="2")]
    provenance = aggregate(merges, make_frame()).provenance
    assert (provenance.mode, provenance.model, provenance.prompt_version) == ("model", "a, b", "1, 2")


def test_a_week_in_which_nothing_of_a_model_is_told_is_made_by_rules() -> None:
    digest = tell([read(make_merge(1, score=0)), make_merge(2)], make_frame(), ["en"])
    assert (digest.provenance.mode, digest.provenance.model, digest.readings) == ("rules", None, ())
    assert "a model has read [1](#read-by-a-model-1) of them, and nothing of that is told" in markdown.render(
        digest, "en"
    )
