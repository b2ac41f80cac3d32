"""How an evaluation bears with a server: short waits are waited for, long ones end the run."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from services.analyzer.prompts import MergeAnswer
from services.cli.evaluation.asking import Asker
from services.cli.evaluation.labels import Case, Labels
from shared.domain.errors import Postponed
from shared.domain.protocols import Meter, PlannedCall, SettledCall
from shared.domain.reading import CallUsage
from shared.llm import Completion, Question, TooLong
from shared.settings.language_model import ModelSettings
from tests.builders import make_pull_request
from tests.model_ledger import NOW, LedgerMeter, RememberingMemory, fixed_clock

TEXT = '{"effect":null,"change":{"text":"a","quotes":["b"]},"why":null,"limits":[],"actions":[],"contested":[],"risks":[],"importance":null,"keywords":[]}'
ANSWER = MergeAnswer.model_validate_json(TEXT)
SAID = Completion(ANSWER, TEXT, "json_schema", repaired=False, usage=CallUsage())
SOON, LATE = Postponed("Soon.", NOW + timedelta(seconds=7)), Postponed("Late.", NOW + timedelta(minutes=15))


class Scripted:
    """A model that says or raises one thing after another, each for one call."""

    def __init__(self, *outcomes: Completion | Exception) -> None:
        self._outcomes: Iterator[Completion | Exception] = iter(outcomes)
        self.questions: list[Question] = []

    def ask(self, question: Question, meter: Meter) -> Completion:
        """Say the next thing."""
        self.questions.append(question)
        call = PlannedCall(model=question.model, purpose="read", input_tokens=10, output_tokens=10)
        meter.settle(meter.reserve(call), SettledCall(status="answered", input_tokens=8, output_tokens=2))
        outcome = next(self._outcomes)
        if isinstance(outcome, Exception):
            raise outcome
        return outcome


def asker(model: Scripted, waited: list[float]) -> Asker:
    """An evaluation of that model; waits are written down instead of waited for."""
    settings = ModelSettings(name="scripted")
    return Asker(settings, model, RememberingMemory(), lambda: LedgerMeter(most=9), fixed_clock, pause=waited.append)


def case(number: int = 1) -> Case:
    """A case without labels."""
    body = "Keeps the order. " * 200
    return Case(labels=Labels(case=f"case-{number}"), pull_request=make_pull_request(number, body=body))


def test_a_short_wait_is_waited_for_and_what_was_sent_before_it_counts() -> None:
    waited: list[float] = []

    kept = asker(Scripted(SOON, SAID), waited).ask(case())

    assert kept is not None
    assert (kept.fault, kept.final, kept.text) == (None, True, TEXT)
    assert waited == [7.0]
    assert (kept.usage.requests, kept.usage.input_tokens) == (2, 16)


def test_a_case_that_is_never_served_is_to_be_asked_again() -> None:
    waited: list[float] = []

    kept = asker(Scripted(SOON, SOON, SOON), waited).ask(case())

    assert kept is not None
    assert (kept.fault, kept.final) == ("not served in 3 tries", False)
    assert waited == [7.0, 7.0]


def test_a_long_wait_ends_the_run_and_keeps_what_was_answered() -> None:
    run = asker(Scripted(SAID, LATE), []).ask_all([case(1), case(2), case(3)], 1)

    assert next(run)[0].name == "case-1"
    with pytest.raises(Postponed, match="Late"):
        list(run)


def test_what_is_too_long_is_packed_smaller_until_nothing_is_left() -> None:
    model = Scripted(TooLong(4_000), SAID)

    kept = asker(model, []).ask(case())

    assert kept is not None
    assert kept.final
    first, second = (len(question.document) for question in model.questions)
    assert second < first

    endless = asker(Scripted(*[TooLong(None)] * 9), []).ask(case())
    assert endless is not None
    assert endless.fault == "the merge is too long for the model"


def test_an_answer_that_cannot_be_used_is_kept_with_its_fault() -> None:
    refused = Completion(None, "no", "text", repaired=True, usage=CallUsage(), fault="the model refused")

    kept = asker(Scripted(refused), []).ask(case())

    assert kept is not None
    assert (kept.text, kept.mode, kept.repaired, kept.fault) == ("no", "text", True, "the model refused")
