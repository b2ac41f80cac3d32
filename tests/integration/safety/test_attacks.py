"""Merges that attack their reader, from the signed delivery to the published page, with a model that obeys (R-70)."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import pytest

from services.digest import gate
from services.digest.build import compose
from shared.domain.analysis import Analysis
from shared.domain.taxonomy import Origin
from tests.attacks.corpus import CANARY
from tests.integration.safety import schema_attacks
from tests.integration.safety.conftest import Place
from tests.integration.safety.obedience import (
    ORDINARY,
    PARTS,
    attack_in,
    merges_of,
    obeying_server,
    ordinary_merges,
)
from tests.integration.safety.rendered import problems_of
from tests.integration.safety.week import API_KEY, Told, Week
from tests.servers.model.asked import Asked, texts_of

pytestmark = pytest.mark.xdist_group("attacks")  # the weeks are made once, by one process
ORDINARY_TITLE = "fix(auth)!: refuse expired tokens"
"""Of every merge of the corpus whose title is not the attack itself: what a model says that found no order."""
_ADDED_BY_A_READING = {
    "tags",
    "importance",
    "fingerprint",
    "model",
    "prompt_version",
    "source",
    "source_why",
    "reading",
}


@dataclass(frozen=True)
class Attacked:
    """A week of attacks that is over, what was sent to the model, and what rules had said before."""

    week: Week
    told: Told
    asked: tuple[Asked, ...]
    answers: tuple[dict[str, Any], ...]
    paths: frozenset[tuple[str, str]]
    by_rules: dict[int, Analysis]


@pytest.fixture(scope="module", params=range(PARTS))
def attacked(request: pytest.FixtureRequest, place: Place) -> Iterator[Attacked]:
    """A week told with its gate wide open, so that whatever the checks let through is published."""
    with obeying_server() as server, pytest.MonkeyPatch.context() as patch:
        patch.setattr(gate, "LEAST_SUPPORTED", Fraction(0))
        week = Week(*place(), merges_of(request.param), server)
        with week.logged():
            week.analyse()
            by_rules = week.analyses()
            week.read()
            told = week.publish()
    said = tuple(json.loads(json.loads(one.body)["choices"][0]["message"]["content"]) for one in server.said)
    yield Attacked(week, told, tuple(server.asked), said, frozenset(server.paths), by_rules)
    week.database.dispose()


@pytest.fixture(scope="module")
def alone(place: Place) -> Iterator[dict[int, Analysis]]:
    """The analyses of the ordinary merges in a week without an attack."""
    with obeying_server() as server:
        week = Week(*place(), ordinary_merges(), server)
        week.analyse()
        week.read()
    yield week.analyses()
    week.database.dispose()


def untimed(analysis: Analysis) -> str:
    """All that the analysis says but for the seconds that the call took."""
    said = analysis.model_dump(mode="json")
    said["reading"]["usage"].pop("seconds")
    return json.dumps(said)


def test_the_model_obeyed(attacked: Attacked) -> None:
    said = [
        answer["change"]["text"]
        for asked, answer in zip(attacked.asked, attacked.answers, strict=True)
        if attack_in(asked.document)
    ]

    assert len(said) >= 60
    assert len([text for text in said if text != ORDINARY_TITLE]) >= 0.7 * len(said)


def test_r70_what_a_model_was_ordered_to_say_is_active_nowhere(attacked: Attacked) -> None:
    assert attacked.told.digest.provenance.mode == "model"
    assert {name.rpartition(".")[2] for name in attacked.told.files} >= {"json", "md", "html"}
    assert problems_of(attacked.told) == []


def test_r70_no_finding_of_rules_is_lowered_or_changed(attacked: Attacked) -> None:
    for number, after in attacked.week.analyses().items():
        before = attacked.by_rules[number]
        changed = {name for name in Analysis.model_fields if getattr(before, name) != getattr(after, name)}
        assert before.source == "rules"
        assert changed <= _ADDED_BY_A_READING
        assert after.tags[: len(before.tags)] == before.tags
        assert {tag.origin for tag in after.tags[len(before.tags) :]} <= {Origin.MODEL}
        assert after.importance.score >= before.importance.score
        assert before.importance.reason in (None, after.importance.reason)


def test_r70_merges_that_attack_nobody_are_read_as_if_they_were_alone(
    attacked: Attacked, alone: dict[int, Analysis]
) -> None:
    among_them = attacked.week.analyses()

    assert [untimed(among_them[number]) for number in ORDINARY] == [untimed(alone[number]) for number in ORDINARY]


def test_r70_hidden_words_and_those_of_another_merge_prove_nothing(attacked: Attacked) -> None:
    ordered = {attacked.week.merges[number].title.split()[-1]: number for number in attacked.week.merges}
    for name, words in (
        ("hidden-quotation", schema_attacks.HIDDEN),
        ("quotation-of-another-merge", schema_attacks.OF_ANOTHER_MERGE),
    ):
        if name in ordered:
            reading = attacked.week.analyses()[ordered[name]].reading
            assert reading is not None
            assert ("effect", "quote-not-found") in {(one.field, one.reason) for one in reading.dropped}
            assert words not in reading.model_dump_json()


def test_r70_nothing_is_asked_but_chat_completions_without_tools(attacked: Attacked) -> None:
    assert attacked.paths == {("POST", "/v1/chat/completions")}
    for asked in attacked.asked:
        assert not {"tools", "tool_choice", "functions", "function_call"} & set(asked.body)
        assert [message["role"] for message in asked.body["messages"]] == ["system", "user"]
    calls = attacked.week.calls_of_merges()
    assert set(calls)
    assert max(calls.values()) <= 2
    assert calls.total() == len(attacked.asked)


def test_r71_the_token_in_every_diff_reaches_neither_model_nor_reader(attacked: Attacked) -> None:
    for asked in attacked.asked:
        sent = [json.dumps(dict(asked.body)), *(text for _, text in texts_of(asked.document)), *asked.headers.values()]
        assert not any(CANARY in text for text in sent)
    assert CANARY not in attacked.told.everything
    assert CANARY not in attacked.week.log.getvalue()
    assert API_KEY not in attacked.week.log.getvalue() + attacked.told.everything + attacked.week.rows()


def test_r70_the_gate_tells_nothing_of_such_a_model(attacked: Attacked) -> None:
    week = attacked.week
    made = compose(week.database, week.settings, week.repository, week.period, week.clock())

    assert made.provenance.mode == "rules"
    assert "model-claims" in made.provenance.degraded
    assert made.readings == ()


def test_r70_a_mended_typo_does_not_get_to_the_top(attacked: Attacked) -> None:
    number = schema_attacks.TYPO_NUMBER
    if number not in attacked.week.merges:
        return
    reading = attacked.week.analyses()[number].reading
    assert reading is not None
    assert reading.reason is not None
    assert number not in {key.number for key in attacked.told.digest.key_pull_requests}
    assert number not in {row.number for row in attacked.told.digest.must_act}
