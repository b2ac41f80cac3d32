"""The door to language models before a real server, a real grammar and a real tokenizer: form, never content."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Annotated, Any, Literal

import pytest
from pydantic import BaseModel, Field, SecretStr

from shared.domain.errors import Postponed
from shared.llm import Completion, LanguageModel, Question, TooLong, estimated_tokens, open_language_model
from tests.model.small_server import CONTEXT, NAME, SLOTS, settings_for
from tests.model_ledger import LedgerMeter, RememberingMemory, fixed_clock

pytestmark = [pytest.mark.local_llm, pytest.mark.timeout(900)]

SYSTEM = "You are told the title of a change. Answer with one JSON object: the kind of the change, and a few words."
DOCUMENT = json.dumps({"title": "Keep the queue in order when two workers finish together"})


class Kind(BaseModel):
    """A small answer with every part of a schema that the product's own one has."""

    kind: Literal["fix", "feature", "other"]
    summary: Annotated[str, Field(max_length=60)]
    words: Annotated[list[Annotated[str, Field(max_length=12)]], Field(max_length=2)]
    limit: Annotated[str, Field(max_length=20)] | None


@dataclass
class Door:
    """The door to the small model, with what was counted and remembered on our side."""

    model: LanguageModel
    memory: RememberingMemory
    meter: LedgerMeter = field(default_factory=LedgerMeter)

    def ask(self, document: str = DOCUMENT, output_tokens: int = 120) -> Completion:
        """Ask about a document."""
        estimate = estimated_tokens(SYSTEM) + estimated_tokens(document)
        return self.model.ask(Question(SYSTEM, document, Kind, "kind", NAME, output_tokens, estimate), self.meter)


def door(server: Any, **changed: Any) -> Door:
    """The door by settings that differ from the usual ones as a test says."""
    memory = RememberingMemory()
    return Door(open_language_model(settings_for(server, **changed), memory, fixed_clock), memory)


def test_an_answer_fits_its_schema_and_tokens_are_counted_as_the_server_reports_them(small_server) -> None:
    opened = door(small_server)

    said = opened.ask()

    assert isinstance(said.answer, Kind)
    assert said.mode == "json_schema"
    plan, settled = opened.meter.calls[-1]
    assert settled.status == "answered"
    assert said.usage.requests == opened.meter.sent
    assert 0 < settled.input_tokens <= plan.input_tokens, "the estimate is a safe one"
    assert 0 < settled.output_tokens <= plan.output_tokens
    assert said.usage.input_tokens == sum(settled.input_tokens for _, settled in opened.meter.calls)


def test_what_stands_first_is_cached_for_the_second_question(small_server) -> None:
    opened = door(small_server)
    opened.ask()

    said = opened.ask()

    assert 0 < said.usage.cached_tokens <= said.usage.input_tokens


def test_a_wrong_key_waits_for_a_person_and_names_the_setting(small_server) -> None:
    opened = door(small_server, api_key=SecretStr("no-such-key"))

    with pytest.raises(Postponed, match=r"model\.api_key") as refused:
        opened.ask()

    assert refused.value.until - fixed_clock() >= timedelta(minutes=15)
    assert "no-such-key" not in str(refused.value)
    assert opened.meter.statuses == ["refused"]


def test_an_answer_that_takes_too_long_is_postponed(small_server) -> None:
    opened = door(small_server, deadline=timedelta(milliseconds=150))

    with pytest.raises(Postponed, match="no whole answer in time"):
        opened.ask(json.dumps({"title": "word " * 900}))

    assert opened.meter.statuses == ["timeout"]


def test_an_answer_that_is_cut_is_none_and_takes_two_calls_at_most(small_server) -> None:
    opened = door(small_server)

    said = opened.ask(output_tokens=6)

    assert said.answer is None
    assert "cut" in (said.fault or "")
    assert opened.meter.statuses == ["cut", "cut"]


def test_a_request_that_is_too_long_is_to_be_packed_smaller_and_its_length_is_remembered(small_server) -> None:
    opened = door(small_server)

    with pytest.raises(TooLong) as refused:
        opened.ask(json.dumps({"title": "a queue in order " * 2_000}))

    assert refused.value.context_tokens == CONTEXT // SLOTS
    assert opened.memory.learned(NAME).context_tokens == CONTEXT // SLOTS
    assert opened.meter.statuses == ["refused"]
