"""A merge comes in, a weekly digest comes out: the real process, its real endpoint, the published files."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from shared.domain.digest import Digest
from shared.domain.period import Period, last_finished
from tests.e2e.serving import ServeProcess, until
from tests.merge_payloads import FULL_NAME, merge_payload

PULL_REQUESTS = f"/repositories/{FULL_NAME}/pull-requests"


@pytest.fixture
def service(tmp_path: Path) -> Iterator[ServeProcess]:
    """The service with an empty data folder, not started yet."""
    process = ServeProcess(tmp_path / "data")
    yield process
    process.kill()


def week() -> Period:
    """The last finished week, by the real clock."""
    return last_finished(datetime.now(UTC))


def payload(number: int, **pull: str) -> bytes:
    """A merge of the last finished week."""
    merged_at = (week().start + timedelta(days=1, minutes=number)).isoformat()
    return merge_payload(number, merged_at=merged_at, **pull)


def published(service: ServeProcess) -> Path:
    """The folder of the week."""
    return service.data_folder / "published" / FULL_NAME / week().week


def test_from_a_signed_delivery_to_the_published_page_over_a_restart(service, tmp_path):
    service.start()
    secret, token = service.credentials["webhook_secret"], service.credentials["api_token"]
    assert any(secret in line for line in service.said)
    assert any(token in line for line in service.said)
    assert (service.data_folder / "credentials.json").stat().st_mode & 0o777 == 0o600

    assert [service.post(payload(number), f"guid-{number}") for number in (101, 102, 103)] == [202] * 3
    assert service.post(payload(101), "guid-101") in (200, 202)
    assert service.ask("/webhooks/github", payload(104), {"X-Hub-Signature-256": "sha256=" + "0" * 64})[0] == 401
    until(lambda: all(service.api(f"{PULL_REQUESTS}/{number}/analysis")[0] == 200 for number in (101, 102, 103)))
    assert service.api(f"{PULL_REQUESTS}/104/analysis")[0] == 404
    assert service.ask(f"/api/v1{PULL_REQUESTS}/101/analysis")[0] == 401

    code, seconds = service.stop(signal.SIGTERM)
    assert (code, seconds < 10) == (0, True)

    service.start()
    assert not any(secret in line or token in line for line in service.said)
    until((published(service) / "digest.json").exists)
    until((service.data_folder / "published" / "index.html").exists)
    digest = Digest.model_validate_json((published(service) / "digest.json").read_bytes())
    assert [listed.number for listed in digest.pull_requests] == [101, 102, 103]
    text = (published(service) / "digest.en.md").read_text("utf-8")
    assert "Keep queue 102 in order" in text
    assert "Keep queue 102 in order" in (published(service) / "digest.en.html").read_text("utf-8")
    assert week().week in (service.data_folder / "published" / "index.html").read_text("utf-8")

    code, seconds = service.stop(signal.SIGINT)
    assert (code, seconds < 10) == (0, True)
    log = service.log.read_text("utf-8")
    assert secret not in log
    assert token not in log
    assert "Traceback" not in log
    assert {path.name for path in tmp_path.iterdir()} == {"data", "serve.log"}


def test_r11_what_was_answered_survives_a_kill_at_any_moment(service):
    service.start()
    answers = [service.post(payload(number), f"guid-{number}") for number in range(1, 31)]
    service.stop(signal.SIGKILL)
    assert answers == [202] * 30

    service.start()
    until(lambda: all(service.api(f"{PULL_REQUESTS}/{number}/analysis")[0] == 200 for number in range(1, 31)), 100)


def test_a_second_service_on_the_same_folder_is_one_clear_line_and_exit_code_two(service, tmp_path):
    service.start()
    second = ServeProcess(service.data_folder)
    with pytest.raises(AssertionError, match="Another `mergecast serve`"):
        second.start()
    code, _ = second.stop(0)

    assert code == 2
    assert service.ask("/healthz")[0] == 200
    assert "Traceback" not in service.log.read_text("utf-8")
