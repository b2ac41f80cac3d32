"""The embedded service, killed again and again among deliveries: everything that was accepted is analysed once."""

from __future__ import annotations

import json
import random
import time

import pytest
from sqlalchemy import text

from shared.store.session import Database
from tests.faults.deliveries import make_load
from tests.faults.fleet import SECRET, SHORTEST_TIMES, free_port
from tests.faults.processes import SupervisedProcess
from tests.faults.sender import Sender

pytestmark = [pytest.mark.xdist_group("faults"), pytest.mark.timeout(180)]


def until(holds, process: SupervisedProcess, seconds: float = 100.0) -> None:
    """Wait until it holds, starting the service again whenever it has ended."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, process.log.read_text("utf-8")[-3000:]
        process.supervise()
        time.sleep(0.2)


def test_r11_serve_killed_in_the_middle_of_three_hundred_deliveries_analyses_each_once(tmp_path):
    url, port = f"sqlite:///{tmp_path / 'mergecast.sqlite3'}", free_port()
    environment = {
        "MERGECAST_DATA_FOLDER": str(tmp_path / "data"),
        "MERGECAST_DATABASE__URL": url,
        "MERGECAST_WEBHOOK__SECRETS": json.dumps([SECRET]),
        **SHORTEST_TIMES,
    }
    load = make_load(300, random.Random(7))
    service = SupervisedProcess("serve", ("services.cli.main", "serve", "--port", str(port)), environment, tmp_path)
    sender = Sender(port, load.postings, 40, seed=7)
    database = Database(url)

    def counted(statement: str) -> int:
        with database.reading() as session:
            return session.execute(text(statement)).scalar_one()

    service.start()
    try:
        sender.start()
        for share in (60, 160):
            until(lambda share=share: sender.sent.accepted_postings > share, service)
            assert service.kill_group()
        until(lambda: sender.done, service)
        until(lambda: not counted("SELECT count(*) FROM deliveries WHERE status IN ('new', 'claimed')"), service)
    finally:
        sender.stop()
        service.end()

    assert service.starts == 3
    assert counted("SELECT count(*) FROM deliveries WHERE status = 'done'") == 330
    assert counted("SELECT count(*) FROM pull_requests") == 300
    assert counted("SELECT count(*) FROM analyses") == 300
    assert counted("SELECT count(DISTINCT pull_request_id) FROM analyses") == 300
    assert set(sender.sent.answers) <= {202, 0}
    database.dispose()
