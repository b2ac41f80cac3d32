"""Every fault that a model's server shows ends in a stored, valid analysis or a scheduled retry (R-60)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from shared.domain.analysis import Analysis
from shared.store.session import Database
from tests.integration.readings.house import BODY, House, tags_of_rules
from tests.servers.model.modes import MODES
from tests.servers.model.server import ModelServer

R60_MODES = (
    *("ok", "fenced", "thinking", "cut", "empty-choices", "null-message", "refusal", "content-filter", "wrong-enum"),
    *("extra-keys", "missing-keys", "invented-ids", "html-200", "schema-400", "rate-429", "quota-429", "error-500"),
    *("hang", "drip", "giant"),
)
OTHERS = tuple(sorted(set(MODES) - set(R60_MODES)))


@pytest.fixture
def quick(sqlite_url: str, server: ModelServer) -> Iterator[House]:
    """A call may take a second; what differs between the engines is in the store, and tested there."""
    database = Database(sqlite_url)
    yield House(database, server, deadline=timedelta(seconds=1))
    database.dispose()


def test_there_are_twenty_of_them() -> None:
    assert len(R60_MODES) == 20


@pytest.mark.parametrize("mode", R60_MODES)
def test_r60_each_mode_ends_in_a_valid_analysis_or_a_scheduled_retry(quick: House, mode: str) -> None:
    check(quick, mode)


@pytest.mark.parametrize("mode", OTHERS)
def test_r60_so_does_every_other_fault_that_is_known(quick: House, mode: str) -> None:
    check(quick, mode)


def check(house: House, mode: str) -> None:
    """Read one merge in this mode, again whenever it is due, for a day."""
    house.server.mode = mode
    by_rules = house.capture()
    outcomes = house.work_off()
    for _ in range(5):
        if house.view().next_attempt_at is None:
            break
        house.clock.now = max(house.view().next_attempt_at or house.clock.now, house.clock.now)
        house.sweep()
        outcomes += house.work_off()

    view, analysis = house.view(), house.analysis()
    assert set(outcomes) <= {"done", "rules", "postponed"}, outcomes
    assert Analysis.model_validate_json(analysis.model_dump_json()) == analysis
    assert tags_of_rules(analysis) == tags_of_rules(by_rules)
    assert view.status in ("done", "rules", "retry")
    if view.status == "done":
        assert analysis.source == "model"
        assert analysis.reading is not None
    else:
        assert analysis.source == "rules"
        assert analysis.source_why
        assert view.why
    if view.status == "retry":
        assert view.next_attempt_at is not None
        assert view.next_attempt_at > house.clock.now
    sent = [call for call in house.calls() if call[1] != "unsent"]
    assert len(sent) == len(house.server.asked)
    assert view.requests == len([purpose for purpose, _ in sent if purpose != "probe"]) <= 2


@pytest.mark.parametrize(
    ("mode", "source"),
    [("ok", "model"), ("fenced", "model"), ("thinking", "model"), ("schema-400", "model"), ("refusal", "rules")],
)
def test_r60_what_can_be_used_is_used(quick: House, mode: str, source: str) -> None:
    check(quick, mode)

    assert quick.analysis().source == source


def test_one_bad_answer_is_repaired_once(quick: House) -> None:
    quick.server.script("missing-keys")
    quick.capture()

    assert quick.work_off() == ["done"]
    assert quick.calls() == [("read", "answered"), ("repair", "answered")]
    reading = quick.analysis().reading
    assert reading is not None
    assert (reading.repaired, reading.usage.requests) == (True, 2)


def test_c60_what_is_too_long_is_packed_smaller_and_asked_once_more(quick: House) -> None:
    quick.server.script("too-long-413")
    quick.capture(body="\n".join(f"{BODY} Queue {number} is one of them." for number in range(30)))

    assert quick.work_off() == ["done"]
    first, second = quick.server.asked
    assert len(second.user) < len(first.user)
    reading = quick.analysis().reading
    assert reading is not None
    assert reading.usage.requests == 2


def test_a_failed_call_counts_and_the_second_try_is_the_last(quick: House) -> None:
    quick.server.mode = "error-500"
    quick.capture()
    assert quick.work_off() == ["postponed"]
    quick.clock.now = quick.view().next_attempt_at or quick.clock.now
    quick.sweep()
    quick.server.script("ok", "error-500")

    assert quick.work_off() == ["rules"]
    assert quick.calls() == [("read", "refused"), ("probe", "answered"), ("read", "refused")]
    assert quick.view().requests == 2
    assert "Both calls that a merge may have are used" in (quick.view().why or "")
    assert quick.analysis().source_why == quick.view().why


def test_no_connection_uses_up_nothing(quick: House) -> None:
    quick.server.stop()
    quick.capture()

    assert quick.work_off() == ["postponed"]
    assert quick.calls() == [("read", "unsent")]
    assert quick.view().requests == 0
