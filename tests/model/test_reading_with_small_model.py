"""Merges read by a real small model: whatever it answers ends in a stored analysis that says who read it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from services.analyzer.readings.read import read_merge
from shared.domain.period import week_of
from shared.store.session import Database
from tests.builders import make_file, make_pull_request
from tests.e2e.serving import ServeProcess, until
from tests.integration.readings.house import House, tags_of_rules
from tests.merge_payloads import FULL_NAME, merge_payload
from tests.model.small_server import CONTEXT, SLOTS, settings_for

pytestmark = [pytest.mark.local_llm, pytest.mark.timeout(1_800)]

ENDED = {"done", "rules"}
SLOW = "no whole answer in time"
"""Why a reading waits on a machine that is too slow for the deadline: postponed, and tried again."""
FILES, LINES = 60, 24


@dataclass
class Address:
    """What a house wants of its model's server."""

    url: str


@pytest.fixture
def database(sqlite_url: str) -> Iterator[Database]:
    """One engine is enough here: the other tests of readings run on both."""
    opened = Database(sqlite_url)
    yield opened
    opened.dispose()


def house_of(database: Database, server: Any, **changed: Any) -> House:
    """A service in this process that asks the small model."""
    settings = settings_for(server, **changed)
    return House(database, Address(settings.base_url), **settings.model_dump(exclude={"base_url"}))  # type: ignore[arg-type]


def assert_told_honestly(house: House, number: int) -> None:
    """A reading that was checked, the analysis by rules with its reason, or a second try that is due."""
    analysis, view = house.analysis(number), house.view(number)
    assert view.requests <= 2
    if view.next_attempt_at is not None:
        assert SLOW in (view.why or "")
    elif view.status == "done":
        assert (analysis.source, analysis.source_why) == ("model", "")
        assert analysis.reading is not None
        assert analysis.reading.usage.input_tokens > 0
        assert analysis.reading.usage.output_tokens > 0
    else:
        assert (view.status, analysis.source) == ("rules", "rules")
        assert analysis.source_why == view.why
        assert view.why


def test_two_workers_read_two_merges_at_once(database, small_server) -> None:
    house = house_of(database, small_server)
    before = {number: tags_of_rules(house.capture(number)) for number in (101, 102)}
    asked = [int(argument) for _, argument in house.bell.rung]

    with ThreadPoolExecutor(max_workers=2) as pool:
        outcomes = list(pool.map(lambda reading: read_merge(house.reader, reading), asked))

    assert set(outcomes) <= {*ENDED, "postponed"}, Counter(outcomes)
    assert {number: tags_of_rules(house.analysis(number)) for number in before} == before
    for number in before:
        assert_told_honestly(house, number)


def test_a_merge_that_is_too_long_for_the_model_is_packed_smaller(database, small_server) -> None:
    house = house_of(database, small_server, input_tokens=24_000)
    files = tuple(make_file(f"lumen/part_{number}.py", patch=_long_patch(number)) for number in range(FILES))
    house.source.known[101] = make_pull_request(101, files=files)
    house.capture(101)

    assert house.work_off()[0] in {*ENDED, "postponed"}

    assert house.calls()[0][1] == "refused"
    assert len(house.calls()) == 2
    assert house.reader.memory.learned(house.settings.model.name).context_tokens == CONTEXT // SLOTS
    assert_told_honestly(house, 101)


def test_from_a_signed_delivery_to_an_analysis_that_says_who_read_it(tmp_path: Path, small_server) -> None:
    settings = settings_for(small_server)
    names = ("name", "base_url", "input_tokens", "output_tokens", "concurrency")
    environment = {f"MERGECAST_MODEL__{name.upper()}": str(getattr(settings, name)) for name in names}
    key = settings.api_key.get_secret_value()
    service = ServeProcess(
        tmp_path / "data", MERGECAST_MODEL__API_KEY=key, MERGECAST_MODEL__DEADLINE="200", **environment
    )
    merged_at = week_of(datetime.now(UTC)).start + timedelta(minutes=1)
    try:
        service.start()
        assert service.post(merge_payload(101, merged_at=merged_at.isoformat()), "guid-101") == 202
        path = f"/repositories/{FULL_NAME}/pull-requests/101/analysis"
        answer = until(lambda: _told(service, path), seconds=1_500)
    finally:
        service.kill()

    analysis = answer["analysis"]
    if analysis["source"] == "model":
        assert analysis["reading"]["usage"]["input_tokens"] > 0
    elif answer["reading_state"]["state"] == "rules":
        assert analysis["source_why"] == answer["reading_state"]["why"]
    else:
        assert SLOW in answer["reading_state"]["why"]
    log = service.log.read_text("utf-8")
    assert key not in log
    assert "Traceback" not in log


def _told(service: ServeProcess, path: str) -> dict[str, Any] | None:
    """The answer of the API once it says who read the merge, or why it has to wait."""
    status, answer = service.api(path)
    if status != 200 or not answer.get("reading_state"):
        return None
    found: dict[str, Any] = answer
    state = answer["reading_state"]
    return found if state["state"] in {"read", "rules"} or SLOW in (state["why"] or "") else None


def _long_patch(number: int) -> str:
    """A hunk of which no line stands in another one."""
    lines = [f"    self.wait_{number}_{line} = order_of(queue_{line}, {number * line + 7})\n" for line in range(LINES)]
    changed = "".join(f"-{line}+{line.replace('order_of', 'sorted_by_time')}" for line in lines)
    return f"@@ -10,{LINES} +10,{LINES} @@\n{changed}"
