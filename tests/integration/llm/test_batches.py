"""Questions go out and answers come in over the Batch API, each under its own key."""

from __future__ import annotations

import logging
from datetime import UTC, datetime, timedelta

import pytest

from shared.domain.errors import Permanent, Postponed
from shared.llm import open_batches, read_answer
from shared.llm.batches import ModelBatches
from shared.settings.language_model import ModelSettings
from tests.integration.llm.conftest import CANARY
from tests.integration.llm.merge_question import MergeVerdict, question
from tests.model_ledger import NOW, RememberingMemory, fixed_clock
from tests.servers.model.server import ModelServer

QUESTIONS = {
    f"reading-{number}": question(document=f'{{"title": "Merge {number} of the week"}}') for number in range(4)
}


@pytest.fixture
def batches(server: ModelServer) -> ModelBatches:
    """The Batch API of the scripted server."""
    settings = ModelSettings.model_validate(
        {"name": "scripted", "base_url": server.url, "api_key": CANARY, "deadline": timedelta(seconds=20)}
    )
    return open_batches(settings, RememberingMemory(), fixed_clock)


def submitted(batches: ModelBatches, name: str = "one") -> str:
    """Send the questions, and have them answered."""
    return batches.begin(batches.upload(QUESTIONS), name)


def test_answers_come_back_by_their_keys_when_the_server_is_done(server: ModelServer, batches: ModelBatches) -> None:
    plans = {key: batches.plan(one) for key, one in QUESTIONS.items()}
    server.batches.polls = 1
    server.batches.lost = {"reading-2"}
    server.when("Merge 3", "cut")

    batch = submitted(batches)

    assert batches.look(batch, plans).status == "working"
    state = batches.look(batch, plans)
    assert state.status == "done"
    assert {key: one.status for key, one in state.settled.items()} == {
        "reading-0": "answered",
        "reading-1": "answered",
        "reading-2": "refused",
        "reading-3": "cut",
    }
    first = read_answer(state.settled["reading-0"].text or "", MergeVerdict)
    assert isinstance(first, MergeVerdict)
    assert first.effect is not None
    assert first.effect.quote == "Merge 0 of the week"
    assert state.settled["reading-0"].input_tokens > 0
    assert len(server.batches.asked) == 3
    assert all(plan.purpose == "batch" and plan.input_tokens > 0 for plan in plans.values())


def test_only_questions_that_were_reserved_are_told_of(server: ModelServer, batches: ModelBatches) -> None:
    batch = submitted(batches)

    state = batches.look(batch, {"reading-1": batches.plan(QUESTIONS["reading-1"])})

    assert list(state.settled) == ["reading-1"]
    assert len(server.batches.asked) == 4


@pytest.mark.parametrize(("outcome", "status"), [("failed", "failed"), ("expired", "done")])
def test_a_batch_that_came_to_nothing_has_no_answers(
    server: ModelServer, batches: ModelBatches, outcome: str, status: str
) -> None:
    server.batches.outcome = outcome

    state = batches.look(submitted(batches), {key: batches.plan(one) for key, one in QUESTIONS.items()})

    assert (state.status, state.settled) == (status, {})


def test_a_batch_that_the_server_does_not_know_is_over(batches: ModelBatches) -> None:
    with pytest.raises(Permanent, match=r"status 404.*model\.batch = false"):
        batches.look("batch-of-nobody", {})


def test_a_server_that_is_away_is_looked_at_later(
    server: ModelServer, batches: ModelBatches, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    server.stop()

    with pytest.raises(Postponed) as caught:
        batches.upload(QUESTIONS)

    assert caught.value.until == NOW + timedelta(minutes=5)
    assert CANARY not in f"{caught.value!r} {caplog.text}"


BEGUN = datetime.fromtimestamp(1_800_000_000, UTC)
"""When the scripted server says that its batches were begun."""


def test_a_batch_that_was_begun_is_found_by_its_name_however_many_came_after(
    server: ModelServer, batches: ModelBatches
) -> None:
    server.batches.page = 2
    begun = [submitted(batches, f"batch-{number}") for number in range(5)]

    assert batches.find("batch-0", BEGUN) == begun[0]
    assert batches.find("batch-3", BEGUN) == begun[3]
    assert batches.find("batch-9", BEGUN) is None


def test_what_was_begun_before_is_not_looked_through(server: ModelServer, batches: ModelBatches) -> None:
    server.batches.page = 2
    for number in range(5):
        submitted(batches, f"batch-{number}")
    before = len(server.paths)

    assert batches.find("batch-9", BEGUN + timedelta(days=1)) is None
    assert len(server.paths) == before + 1


@pytest.mark.parametrize("fault", ["list", "names"])
def test_where_nobody_can_tell_whether_a_batch_was_begun_it_is_said(
    server: ModelServer, batches: ModelBatches, fault: str
) -> None:
    server.batches.keeps_names = fault != "names"
    submitted(batches)
    if fault == "list":
        server.batches.refuses = {"list": 405}

    with pytest.raises(Permanent, match="one by one"):
        batches.find("one", BEGUN)
