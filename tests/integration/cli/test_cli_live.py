"""The commands that need a running service: deliver, deliveries, replay, doctor, serve, demo."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import redirect_stderr
from datetime import timedelta
from pathlib import Path

import pytest
import redis
from pydantic import SecretStr

from services.cli import sample
from services.cli.embedded import EmbeddedService
from services.cli.first_start import credentials_file
from services.cli.waiting import Waiter
from shared.domain.errors import MergecastError
from shared.settings import Settings
from shared.store import deliveries, installations
from shared.store.deliveries import IncomingDelivery
from shared.store.session import Database
from tests.integration.cli.conftest import Mergecast
from tests.servers.valkey import ValkeyServer

DELIVERIES = 122
"""Stored ones of the sample: merges, edits and labels."""


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[EmbeddedService]:
    """A running service in the data folder that the command line looks into, without any settings."""
    monkeypatch.chdir(tmp_path)
    running = EmbeddedService(Settings(data_folder=tmp_path / "data" / "mergecast"), port=0)
    with (tmp_path / "service.log").open("w") as log:
        with redirect_stderr(log):
            running.start()
        yield running
        running.stop()


def test_deliver_deliveries_explain_and_replay(mergecast: Mergecast, service: EmbeddedService) -> None:
    posted = mergecast("deliver", "--url", service.url)
    again = mergecast("deliver", "--url", f"{service.url}/webhooks/github")
    waiter = Waiter(service.settings)
    waiter.until_analysed()

    assert posted.returncode == again.returncode == 0, posted.stderr
    assert re.search(rf"^202 +stored +{DELIVERIES}$", posted.stdout, re.MULTILINE)
    assert re.search(r"^200 +ping +1$", posted.stdout, re.MULTILINE)
    assert re.search(rf"^202 +duplicate +{DELIVERIES}$", again.stdout, re.MULTILINE)
    secret = service.settings.webhook.secrets[0].get_secret_value()
    assert secret not in posted.stdout + posted.stderr

    listed = mergecast("deliveries", "--limit", "5")
    assert listed.stdout.startswith(f"new 0  claimed 0  parked 0  done {DELIVERIES}  ignored 0  dead 0\n")
    assert "not-merged" in listed.stdout
    assert re.search(r"Last ping of \S+ \d+ s ago, set up well", listed.stdout)
    assert mergecast("deliveries", "--repository", "no/such").stdout.count("lumen") == 0

    explained = mergecast("explain", "4911")
    assert "from payload" in explained.stdout

    assert mergecast("replay", "1", "2").stdout == "2 of 2 deliveries are due again.\n"
    lost = mergecast("replay", "999999")
    assert lost.returncode == 2
    assert "999999" in lost.stderr
    waiter.until_analysed()
    waiter.close()


def test_a_wrong_secret_is_refused_and_leaves_no_row(mergecast: Mergecast, service: EmbeddedService) -> None:
    answer = mergecast("deliver", "--url", service.url, MERGECAST_DELIVER_SECRET="wrong")

    assert answer.returncode == 1
    assert re.search(r"^401 ", answer.stdout, re.MULTILINE)
    assert answer.stderr.count("refused: ") == 10
    assert "done 0" in mergecast("deliveries").stdout


def test_records_of_another_repository_can_be_delivered(
    mergecast: Mergecast, service: EmbeddedService, tmp_path: Path
) -> None:
    record = {"repository": "some/where", "number": 7, "title": "A change", "user": None, "base": {"ref": "main"}}
    (tmp_path / "one.jsonl").write_text(json.dumps(record | {"merged_at": "2026-05-05T10:00:00Z"}) + "\n")

    answer = mergecast("deliver", tmp_path / "one.jsonl", "--url", service.url)

    assert answer.returncode == 0, answer.stderr
    assert re.search(r"^202 +stored +1$", answer.stdout, re.MULTILINE)


def test_two_services_cannot_share_a_data_folder(mergecast: Mergecast, service: EmbeddedService) -> None:
    answer = mergecast("serve", "--port", "0")

    assert service.alive
    assert answer.returncode == 2
    assert "Another `mergecast serve`" in answer.stderr


def test_dead_deliveries_are_shown_and_replayed(mergecast: Mergecast, tmp_path: Path) -> None:
    assert mergecast("deliveries").returncode == 0
    database = Database(f"sqlite:///{tmp_path / 'data' / 'mergecast' / 'mergecast.sqlite3'}")
    with database.transaction() as session:
        for guid in ("a", "b"):
            incoming = IncomingDelivery(source="hook:1", guid=guid, event="pull_request", payload=b"{}", number=5)
            row = deliveries.record(session, incoming, database.now()).id
            claim = deliveries.claim(session, row, database.now(), Settings().worker.lease)
            assert claim is not None
            deliveries.bury(session, claim, "[red]no\x1b[2J luck", database.now())
    database.dispose()

    listed = mergecast("deliveries", "--status", "dead").stdout
    assert "dead 2" in listed
    assert "[red]no [2J luck" in listed
    assert mergecast("replay", "--dead").stdout == "2 of 2 deliveries are due again.\n"
    assert "dead 0" in mergecast("deliveries").stdout


def test_c13_parked_deliveries_and_blind_installations_are_shown_and_replayed(
    mergecast: Mergecast, tmp_path: Path
) -> None:
    assert mergecast("deliveries").returncode == 0
    database = Database(f"sqlite:///{tmp_path / 'data' / 'mergecast' / 'mergecast.sqlite3'}")
    present = database.now()
    with database.transaction() as session:
        incoming = IncomingDelivery(source="installation:9", guid="a", event="pull_request", payload=b"{}", number=5)
        row = deliveries.record(session, incoming, present).id
        claim = deliveries.claim(session, row, present, Settings().worker.lease)
        assert claim is not None
        deliveries.park(session, claim, "no access to [red]it", present)
        installations.note(session, 9, "lu[b]men\x1b[2J", "suspended", present - timedelta(hours=3))
    database.dispose()

    listed = mergecast("deliveries", "--status", "parked").stdout
    assert "parked 1" in listed
    assert "no access to [red]it" in listed
    assert "Installation 9 of the App for 'lu[b]men [2J' is suspended since 3 h" in listed
    assert mergecast("replay", "--parked").stdout == "1 of 1 deliveries are due again.\n"
    assert "parked 0" in mergecast("deliveries").stdout


def test_waiting_for_a_merge_that_was_given_up_ends_with_its_error(tmp_path: Path, mergecast: Mergecast) -> None:
    test_dead_deliveries_are_shown_and_replayed(mergecast, tmp_path)
    settings = Settings(data_folder=tmp_path / "data" / "mergecast")
    database = Database(settings.database_url)
    with database.transaction() as session:
        claim = deliveries.claim(session, 1, database.now(), settings.worker.lease)
        assert claim is not None
        deliveries.bury(session, claim, "no luck", database.now())
    database.dispose()
    waiter = Waiter(settings)

    with pytest.raises(MergecastError, match="Delivery 1 was given up: no luck"):
        waiter.until_analysed()
    waiter.close()


def test_doctor_on_a_fresh_machine_and_beside_a_running_service(mergecast: Mergecast, service: EmbeddedService) -> None:
    answer = mergecast("doctor")

    assert answer.returncode == 0, answer.stdout
    assert "✗" not in answer.stdout
    assert "is at revision" in " ".join(answer.stdout.split())
    secret = service.settings.webhook.secrets[0].get_secret_value()
    assert secret not in answer.stdout


def test_doctor_says_how_to_mend_what_is_wrong(mergecast: Mergecast, service: EmbeddedService, tmp_path: Path) -> None:
    credentials_file(service.settings).chmod(0o644)

    answer = mergecast(
        "doctor",
        MERGECAST_BROKER__URL="redis://:hunter2@127.0.0.1:1/0",
        MERGECAST_PUBLISHER__FOLDER=str(credentials_file(service.settings)),
    )

    assert answer.returncode == 1
    assert answer.stdout.count("✗") >= 4
    assert "chmod 600" in answer.stdout
    assert "Start Redis or Valkey" in answer.stdout
    assert "hunter2" not in answer.stdout


@pytest.mark.parametrize(("policy", "warned"), [("noeviction", False), ("allkeys-lru", True)])
def test_c68_doctor_warns_of_a_broker_that_may_drop_messages(
    mergecast: Mergecast, redis_server: ValkeyServer, redis_url: str, policy: str, warned: bool
) -> None:
    client = redis.Redis.from_url(redis_url)
    client.config_set("maxmemory-policy", policy)
    settings = Settings(broker={"url": SecretStr(redis_url)})
    try:
        answer = mergecast(
            "doctor",
            MERGECAST_BROKER__URL=settings.broker.url.get_secret_value(),
            MERGECAST_WEBHOOK__SECRETS='["a-long-enough-secret"]',
            MERGECAST_API__TOKENS='["a-long-enough-token"]',
        )
    finally:
        client.config_set("maxmemory-policy", "noeviction")
        client.close()

    assert redis_server.url == redis_url
    assert answer.returncode == 0, answer.stdout
    assert ("noeviction" in answer.stdout) is warned


def test_the_demo_publishes_both_weeks_and_leaves_nothing_behind(
    mergecast_process: Mergecast, here: Path, tmp_path: Path
) -> None:
    (tmp_path / "temporary").mkdir()

    answer = mergecast_process("demo", TMPDIR=str(tmp_path / "temporary"))

    assert answer.returncode == 0, answer.stderr
    assert answer.stderr == ""
    assert "73 pull requests (38 the week before)" in answer.stdout
    published = here / "out" / "demo"
    for week, total in ((sample.WEEK_BEFORE, 38), (sample.WEEK, 73)):
        folder = published / sample.REPOSITORY / week
        made = json.loads((folder / "digest.json").read_text("utf-8"))
        assert made["merged_total"] == total
        assert made["ledger"]["failed"] == []
        for name in ("digest.en.md", "digest.en.html", "digest.zh-CN.md", "digest.zh-CN.html"):
            assert (folder / name).stat().st_size > 1000
        assert str(Path("out/demo") / sample.REPOSITORY / sample.WEEK / "digest.en.html") in answer.stdout
    assert sample.WEEK in (published / "index.html").read_text("utf-8")
    assert list((tmp_path / "temporary").iterdir()) == []


def test_a_kept_demo_ends_on_a_signal_and_leaves_nothing_behind(
    environment: dict[str, str], here: Path, tmp_path: Path
) -> None:
    (tmp_path / "temporary").mkdir()
    with subprocess.Popen(
        [sys.executable, "-m", "services.cli.main", "demo", "--keep"],
        cwd=here,
        env=environment | {"TMPDIR": str(tmp_path / "temporary")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if line.startswith("Stop it with Ctrl-C"):
                break
        time.sleep(0.2)
        process.send_signal(signal.SIGTERM)
        rest = process.stdout.read()
        assert process.wait(30) == 0, rest

    assert rest == "Stopped.\n"
    assert list((tmp_path / "temporary").iterdir()) == []
