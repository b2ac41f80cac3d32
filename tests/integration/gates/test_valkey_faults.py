"""Real worker and beat processes while their Valkey restarts, freezes, is full, or refuses writes (R-21, R-22)."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest
import redis
from pydantic import SecretStr

from shared.broker.app import sender
from shared.broker.condition import concerns
from shared.broker.doorbell import Doorbell
from shared.broker.task_names import TaskName
from shared.settings import BrokerSettings, Settings
from shared.store.session import Database
from tests.faults.rows import put_merges
from tests.faults.servers import Break, broken
from tests.integration.gates.conftest import Start
from tests.integration.gates.watching import counted, seconds_until
from tests.integration.webhook.receiver_process import running_receiver
from tests.integration.workers.celery_processes import beat, worker
from tests.servers.valkey import ValkeyServer

pytestmark = [pytest.mark.xdist_group("faults"), pytest.mark.timeout(180)]
RESUMED_WITHIN = 60.0


def test_c65_r21_after_each_restart_and_freeze_of_valkey_work_goes_on_within_a_minute(
    start: Start, postgres: Database, valkey: ValkeyServer, tmp_path: Path
) -> None:
    process = start(worker, "analyzer", "analysis", "--concurrency=1")
    start(beat)
    put_merges(postgres, 3)
    seconds_until(lambda: counted(postgres)["done"] == 3, tmp_path)

    took = []
    for turn, how in enumerate((Break.STOPPED, Break.KILLED, Break.FROZEN, Break.KILLED), start=1):
        with broken(valkey, how):
            time.sleep(7 if how is Break.FROZEN else 1)  # the socket timeout is five seconds
        put_merges(postgres, 3, first=100 * turn)
        expected = 3 + 3 * turn
        took.append(seconds_until(lambda done=expected: counted(postgres)["done"] == done, tmp_path, RESUMED_WITHIN))

    assert max(took) < RESUMED_WITHIN
    assert counted(postgres) == {"new": 0, "claimed": 0, "parked": 0, "done": 15, "ignored": 0, "dead": 0}
    assert process.stop() == os.EX_OK


def fill(valkey: ValkeyServer, settings: Settings) -> None:
    """No memory is left: writes are answered with OOM."""
    with redis.Redis.from_url(valkey.url) as client:
        client.set("somebody-else", b"x" * 1_000_000)
        client.config_set("maxmemory", 1_000_000)
        with pytest.raises(redis.RedisError, match=r"maxmemory|OOM"):
            client.lpush("analysis", b"1")
    assert any("refuses writes when it is full" in concern.told for concern in concerns(settings))


def fail_snapshots(valkey: ValkeyServer, settings: Settings) -> None:
    """Snapshots fail for want of a folder: writes are answered with MISCONF."""
    with redis.Redis.from_url(valkey.url) as client:
        client.config_set("save", "3600 1")
        shutil.rmtree(valkey.folder)
        client.bgsave()
        deadline = time.monotonic() + 10
        while client.info("persistence")["rdb_last_bgsave_status"] != "err":
            assert time.monotonic() < deadline
            time.sleep(0.05)
        with pytest.raises(redis.RedisError, match="MISCONF"):
            client.lpush("analysis", b"1")
    assert any("refuses commands: MISCONF" in concern.told for concern in concerns(settings))


def mend(valkey: ValkeyServer) -> None:
    """Writes are taken again."""
    with redis.Redis.from_url(valkey.url) as client:
        client.config_set("maxmemory", 0)
        client.config_set("stop-writes-on-bgsave-error", "no")


@pytest.mark.parametrize("refuse", [fill, fail_snapshots], ids=["OOM", "MISCONF"])
def test_c68_r22_while_valkey_refuses_writes_deliveries_are_202_and_all_are_done_afterwards(
    refuse, start: Start, postgres: Database, postgres_url: str, valkey: ValkeyServer, tmp_path: Path
) -> None:
    start(worker, "analyzer", "analysis", "--concurrency=1")
    start(beat)
    put_merges(postgres, 1, first=500)
    seconds_until(lambda: counted(postgres)["done"] == 1, tmp_path)
    settings = Settings(broker=BrokerSettings(url=SecretStr(valkey.url)))
    assert concerns(settings) == []

    refuse(valkey, settings)
    with running_receiver(postgres_url, tmp_path, broker_url=valkey.url) as receiver:
        assert [receiver.deliver(number) for number in range(1, 11)] == [202] * 10
    mend(valkey)

    seconds_until(lambda: counted(postgres)["done"] == 11, tmp_path, RESUMED_WITHIN)


def test_r22_a_message_stays_below_a_kilobyte_and_nothing_else_is_left_in_the_broker(valkey: ValkeyServer) -> None:
    bell = Doorbell(sender(Settings(broker=BrokerSettings(url=SecretStr(valkey.url)))))
    with redis.Redis.from_url(valkey.url) as client:
        before = client.info("memory")["used_memory"]
        for delivery in range(9_999_000_000, 9_999_000_200):
            bell.ring(TaskName.ANALYZE_DELIVERY, delivery)
        bell.close(10)
        messages = client.lrange("analysis", 0, -1)
        assert (bell.rung, bell.messages) == (200, len(messages))
        assert len(messages) <= 120
        assert max(map(len, messages)) <= 1024
        assert {key for key in client.scan_iter() if not key.startswith(b"_kombu")} == {b"analysis"}
        client.delete("analysis")
        assert client.info("memory")["used_memory"] - before < 500_000
