from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from services.webhook.app import PATH
from shared.store import deliveries
from shared.store.session import Database
from tests.integration.webhook.posting import encoded, headers, merged, signature
from tests.integration.webhook.receiver_process import Healthy, Receiver, running_receiver

pytestmark = pytest.mark.xdist_group("receiver")
MEGABYTE = 1024 * 1024
CAP = 25 * MEGABYTE


@pytest.fixture(scope="module")
def receiver(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Receiver]:
    folder = tmp_path_factory.mktemp("receiver")
    copy = folder / "mergecast.sqlite3"
    copy.write_bytes(sqlite_template.read_bytes())
    with running_receiver(f"sqlite:///{copy}", folder) as running:
        yield running


def padded(number: int, size: int) -> bytes:
    """A signed merge whose body has exactly ``size`` bytes."""
    short = encoded(merged(number, pull={"body": ""}))
    return encoded(merged(number, pull={"body": "x" * (size - len(short))}))


@pytest.mark.parametrize(("size", "status"), [(20 * MEGABYTE, 202), (CAP - 1, 202), (CAP, 202), (CAP + 1, 413)])
@pytest.mark.parametrize("chunked", [False, True], ids=["with length", "chunked"])
def test_r04_c08_the_cap_is_25_megabytes_while_streaming(
    size: int, status: int, chunked: bool, receiver: Receiver
) -> None:
    body = padded(1, size)
    sent = headers(body, guid=f"{size}-{chunked}")
    pieces = (body[place : place + 60_000] for place in range(0, size, 60_000))

    assert len(body) == size
    assert receiver.post(pieces if chunked else body, sent) == status


def test_r04_an_announced_body_above_the_cap_is_refused_before_it_is_sent(receiver: Receiver) -> None:
    with socket.create_connection(("127.0.0.1", receiver.port), timeout=10) as connection:
        connection.sendall(
            f"POST {PATH} HTTP/1.1\r\nHost: x\r\nX-Hub-Signature-256: sha256={'a' * 64}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {CAP + 1}\r\n\r\n".encode()
        )
        assert connection.recv(100).startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize("signed", ["without a signature", "with a wrong signature"])
def test_r04_fifty_large_bodies_of_strangers_at_once_stay_under_600_megabytes(signed: str, receiver: Receiver) -> None:
    body = b"x" * (24 * MEGABYTE)
    sent = {"Content-Type": "application/json", "X-GitHub-Event": "pull_request", "X-GitHub-Delivery": "guid"}
    if signed == "with a wrong signature":
        sent["X-Hub-Signature-256"] = signature(b"something else")
    healthy = Healthy(receiver, first=1000 if signed == "without a signature" else 100_000)
    with receiver.watched(), healthy.beside(), ThreadPoolExecutor(50) as strangers:
        statuses = list(strangers.map(lambda _: receiver.post(body, sent), range(50)))

    assert set(statuses) <= ({401} if signed == "without a signature" else {401, 429})
    assert receiver.most_memory < 600 * MEGABYTE
    assert set(healthy.statuses) == {202}
    assert max(healthy.seconds) < 10, "GitHub hangs up after ten seconds"


def test_r04_a_body_that_drips_is_cut_off_and_holds_up_nobody(sqlite_url: str, tmp_path: Path) -> None:
    with running_receiver(sqlite_url, tmp_path, body_timeout="PT2S") as receiver:
        answer, seconds, healthy = drip(receiver)

    assert answer.startswith(b"HTTP/1.1 408 ")
    assert b"connection: close" in answer.lower()
    assert 1.5 < seconds < 10
    assert set(healthy.statuses) == {202}


def drip(receiver: Receiver) -> tuple[bytes, float, Healthy]:
    """Send a body byte by byte until the receiver has had enough."""
    body = padded(7, 2 * MEGABYTE)
    head = "".join(f"{name}: {value}\r\n" for name, value in headers(body).items())
    healthy = Healthy(receiver, first=200_000)
    began = time.monotonic()
    with healthy.beside(), socket.create_connection(("127.0.0.1", receiver.port), timeout=20) as connection:
        connection.sendall(f"POST {PATH} HTTP/1.1\r\nHost: x\r\n{head}Content-Length: {len(body)}\r\n\r\n".encode())
        connection.settimeout(0.2)
        answer = b""
        for byte in body:
            connection.sendall(bytes([byte]))
            try:
                answer = connection.recv(1000)
            except TimeoutError:
                continue
            break
    return answer, time.monotonic() - began, healthy


def test_r04_only_authentic_bodies_became_rows(receiver: Receiver, tmp_path_factory: pytest.TempPathFactory) -> None:
    database = Database(f"sqlite:///{Path(receiver.process.cwd()) / 'mergecast.sqlite3'}")
    with database.reading() as session:
        views = deliveries.listing(session, limit=10_000)
    database.dispose()

    assert {view.guid for view in views if not view.guid.startswith("healthy-")} <= {
        f"{size}-{chunked}" for size in (20 * MEGABYTE, CAP - 1, CAP) for chunked in (False, True)
    }
