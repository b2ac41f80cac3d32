"""The tables of the next release are made while the processes of this one hold connections and work goes on."""

from __future__ import annotations

import shutil
import threading
import time
from pathlib import Path

import pytest
from sqlalchemy import text

from shared.store import migrate
from shared.store.session import Database
from tests.integration.gates.conftest import Start
from tests.integration.gates.watching import counted, seconds_until
from tests.integration.webhook.receiver_process import Receiver, running_receiver
from tests.integration.workers.celery_processes import beat, worker

pytestmark = pytest.mark.xdist_group("faults")

NEXT = '''"""What the next release might add: a column, a table and an index."""

import sqlalchemy as sa
from alembic import op

revision = "next"
down_revision = "{head}"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("deliveries", sa.Column("weight", sa.BigInteger(), nullable=True))
    op.create_table("additions", sa.Column("id", sa.BigInteger(), primary_key=True))
    op.create_index("ix_deliveries_weight", "deliveries", ["weight"])
'''


class Delivering:
    """Posts deliveries one after another until it is told to stop."""

    def __init__(self, receiver: Receiver) -> None:
        self.statuses: list[int] = []
        self._receiver = receiver
        self._enough = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def stop(self) -> None:
        self._enough.set()
        self._thread.join(30)

    def _run(self) -> None:
        while not self._enough.wait(0.02):
            self.statuses.append(self._receiver.deliver(len(self.statuses) + 1))


@pytest.fixture
def next_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The migrations of a release after this one; its newest revision."""
    folder = tmp_path / "migrations"
    shutil.copytree(migrate._FOLDER, folder)
    (folder / "versions" / "v9999_next.py").write_text(NEXT.format(head=migrate.head_revision()))
    monkeypatch.setattr(migrate, "_FOLDER", folder)
    return "next"


def test_tables_are_migrated_while_old_processes_hold_connections_and_work_goes_on(
    start: Start, postgres: Database, postgres_url: str, valkey, tmp_path: Path, next_release: str
) -> None:
    start(worker, "analyzer", "analysis", "--concurrency=2")
    start(beat)
    with running_receiver(postgres_url, tmp_path, broker_url=valkey.url) as receiver:
        delivering = Delivering(receiver)
        seconds_until(lambda: counted(postgres)["done"] >= 5, tmp_path)
        begun = time.monotonic()
        migrate.upgrade(postgres)
        took = time.monotonic() - begun
        before = len(delivering.statuses)
        seconds_until(lambda: len(delivering.statuses) > before + 10, tmp_path)
        delivering.stop()

    assert migrate.current_revision(postgres) == next_release
    assert took < 6
    assert set(delivering.statuses) == {202}
    seconds_until(lambda: counted(postgres)["done"] == len(delivering.statuses), tmp_path)
    with postgres.reading() as session:
        assert session.scalar(text("SELECT count(DISTINCT pull_request_id) FROM analyses")) == len(delivering.statuses)
