"""Models that invent, from the wire to the published week: nothing of it is told, and the gate knows (R-63, C-64)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.integration.safety.conftest import Place
from tests.integration.safety.inventions import (
    INVENTIONS,
    SIGNS,
    fair_with_inventions,
    inventive_answer,
    ordinary_week,
)
from tests.integration.safety.outputs import AS_ANSWERED
from tests.integration.safety.rendered import problems_of
from tests.integration.safety.week import Told, Week
from tests.recompute import problems
from tests.servers.model.server import ModelServer

Run = tuple[Week, Told]
pytestmark = pytest.mark.xdist_group("inventions")  # the weeks are made once, by one process
ONCE = 4866
"""The merge about which the careful reader invents something."""


@pytest.fixture(scope="module")
def invented(place: Place) -> Iterator[Run]:
    """A week of which a model invents everything, in each of three ways."""
    with ModelServer("invent", answer=inventive_answer) as server:
        server.script(*(("invent", "invent-on-quotes", "ok") * 40))
        week = Week(*place(), ordinary_week(), server)
        told = week.run()
    yield week, told
    week.database.dispose()


@pytest.fixture(scope="module")
def mixed(place: Place) -> Iterator[Run]:
    """A week that was read with care, but for one invention."""
    with ModelServer("ok", answer=fair_with_inventions(ONCE, INVENTIONS[0])) as server:
        week = Week(*place(), ordinary_week(), server)
        told = week.run()
    yield week, told
    week.database.dispose()


def told_of(run: Run) -> list[str]:
    """The inventions that can be found anywhere outside of the answers as they came."""
    week, told = run
    everything = f"{told.everything}\n{week.rows(AS_ANSWERED)}\n{week.log.getvalue()}".casefold()
    return [sign for sign in SIGNS if sign.casefold() in everything]


def test_the_week_is_large_and_holds_none_of_the_inventions() -> None:
    said = "\n".join(merge.model_dump_json() for merge in ordinary_week()).casefold()

    assert len(ordinary_week()) >= 30
    assert [sign for sign in SIGNS if sign.casefold() in said] == []


def test_r63_nothing_invented_is_told_or_stored(invented: Run) -> None:
    assert told_of(invented) == []
    assert problems_of(invented[1]) == []


def test_r63_the_gate_tells_the_week_by_rules_and_says_so(invented: Run) -> None:
    _, told = invented
    account = told.digest.provenance.readings
    assert account is not None
    assert (told.digest.provenance.mode, told.digest.provenance.model) == ("rules", None)
    assert "model-claims" in told.digest.provenance.degraded
    assert account.refused == "claims"
    assert account.kept < 0.95 * account.claims
    assert account.claims >= 200
    for language in ("en", "zh-CN"):
        (markdown,) = told.ending(f"digest.{language}.md").values()
        assert problems(markdown, told.digest.model_dump(mode="json", by_alias=True), language) == []


def test_r63_a_week_that_was_read_with_care_is_told_without_the_one_invention(mixed: Run) -> None:
    week, told = mixed
    account = told.digest.provenance.readings
    reading = week.analyses()[ONCE].reading
    assert account is not None
    assert reading is not None
    assert told_of(mixed) == []
    assert told.digest.provenance.mode == "model"
    assert account.refused is None
    assert 0.95 * account.claims <= account.kept < account.claims
    assert len(account.read) >= 30
    assert "why" in {one.field for one in reading.dropped}
    assert reading.why is None
    assert reading.effect is not None
    (markdown,) = told.ending("digest.en.md").values()
    assert any(one.effect and one.effect.text.split(",")[0] in markdown for one in told.digest.readings)
    assert problems_of(told) == []
    assert problems(markdown, told.digest.model_dump(mode="json", by_alias=True), "en") == []
