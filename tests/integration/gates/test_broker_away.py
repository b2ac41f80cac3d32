"""Whatever the broker does, deliveries are stored and answered: the request never speaks to it (R-03, L11, L12)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from shared.store.session import Database
from tests.integration.gates.watching import counted
from tests.integration.webhook.receiver_process import running_receiver
from tests.servers.silent import SilentListener

pytestmark = pytest.mark.xdist_group("faults")
DELIVERIES = 40


@contextmanager
def broker(state: str) -> Iterator[str]:
    """The URL of a broker that is away, silent, or refuses every command."""
    if state == "away":
        yield "redis://127.0.0.1:9/0"
        return
    says = b"-MISCONF Errors writing to the AOF file\r\n" if state == "refusing" else b""
    with SilentListener(says=says) as listener:
        yield listener.url


@pytest.mark.parametrize("state", ["away", "silent", "refusing"])
def test_r03_l12_c68_every_answer_is_202_at_once_and_every_row_is_stored(
    state: str, database_url: str, tmp_path: Path
) -> None:
    seconds = []
    with broker(state) as url, running_receiver(database_url, tmp_path, broker_url=url) as receiver:
        statuses = []
        for number in range(1, DELIVERIES + 1):
            begun = time.monotonic()
            statuses.append(receiver.deliver(number))
            seconds.append(time.monotonic() - begun)
        stopped = time.monotonic()
    stopped = time.monotonic() - stopped

    database = Database(database_url)
    assert statuses == [202] * DELIVERIES
    assert counted(database)["new"] == DELIVERIES
    # A publish that held up a request would hold it up for the two seconds of a connection at least.
    assert max(seconds) < 1.5
    assert stopped < 8
    assert "Traceback" not in (tmp_path / "receiver.log").read_text()
    database.dispose()
