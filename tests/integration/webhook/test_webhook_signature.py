from __future__ import annotations

import gzip
import json
from typing import Any

import pytest

from services.webhook.app import PATH
from shared.store.session import Database
from tests.integration.webhook.posting import (
    NOWHERE,
    SECRET,
    Bell,
    client,
    encoded,
    headers,
    merged,
    post,
    settings,
    signature,
    written,
)

VECTOR = b"Hello, World!"
VECTOR_SIGNATURE = "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"


@pytest.fixture
def parser_calls(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """What reaches the parser of payloads."""
    calls: list[bytes] = []

    def record(_event: str, body: bytes) -> None:
        calls.append(body)
        raise AssertionError("the parser was called")

    monkeypatch.setattr("services.webhook.intake.parse", record)
    return calls


def flipped(text: str, place: int) -> str:
    return text[:place] + chr(ord(text[place]) ^ 1) + text[place + 1 :]


def test_r01_the_official_vector_passes_the_gate_and_is_then_no_payload(database: Database) -> None:
    with client(database) as http:
        answer = post(http, VECTOR, changed={"X-Hub-Signature-256": VECTOR_SIGNATURE})

    assert answer.status_code == 400
    assert answer.json()["type"] == "urn:mergecast:problem:invalid-payload"
    assert written(database) == (0, 1, 0)


REFUSED: dict[str, dict[str, Any]] = {
    "missing": {"X-Hub-Signature-256": None},
    "empty": {"X-Hub-Signature-256": ""},
    "sha-1 only": {"X-Hub-Signature-256": None, "X-Hub-Signature": "sha1=" + "a" * 40},
    "upper case": {"X-Hub-Signature-256": "sha256=" + VECTOR_SIGNATURE.removeprefix("sha256=").upper()},
    "flipped prefix": {"X-Hub-Signature-256": flipped(VECTOR_SIGNATURE, 0)},
    "flipped first digit": {"X-Hub-Signature-256": flipped(VECTOR_SIGNATURE, 7)},
    "flipped last digit": {"X-Hub-Signature-256": flipped(VECTOR_SIGNATURE, -1 + len(VECTOR_SIGNATURE))},
    "not ASCII": {"X-Hub-Signature-256": "sha256=é".encode() + b"\xff" * 62},
    "10 kB": {"X-Hub-Signature-256": "sha256=" + "a" * 10_000},
    "signed with an empty secret": {"X-Hub-Signature-256": signature(VECTOR, "")},
}


def test_r01_c07_every_other_signature_is_refused_before_anything_is_parsed(
    database: Database, parser_calls: list[bytes]
) -> None:
    bell = Bell()
    with client(database, bell=bell) as http:
        answers = {name: post(http, VECTOR, changed=changed) for name, changed in REFUSED.items()}

    assert {name: answer.status_code for name, answer in answers.items()} == dict.fromkeys(REFUSED, 401)
    assert {answer.headers["content-type"] for answer in answers.values()} == {"application/problem+json"}
    assert all(answer.headers["www-authenticate"] for answer in answers.values())
    assert not [name for name, answer in answers.items() if "Traceback" in answer.text]
    assert (parser_calls, bell.rung, written(database)) == ([], [], (0, 0, 0))


def test_c07_two_signature_headers_are_refused(database: Database, parser_calls: list[bytes]) -> None:
    sent = [*headers(VECTOR).items(), ("X-Hub-Signature-256", signature(VECTOR))]
    with client(database) as http:
        answer = http.post(PATH, content=VECTOR, headers=sent)

    assert answer.status_code == 401
    assert (parser_calls, written(database)) == ([], (0, 0, 0))


def test_r01_a_flipped_bit_of_the_body_is_refused(database: Database, parser_calls: list[bytes]) -> None:
    with client(database) as http:
        for place in range(len(VECTOR)):
            body = bytes(byte ^ (at == place) for at, byte in enumerate(VECTOR))
            assert post(http, body, changed={"X-Hub-Signature-256": VECTOR_SIGNATURE}).status_code == 401

    assert (parser_calls, written(database)) == ([], (0, 0, 0))


def test_c06_bytes_are_verified_as_they_came(database: Database) -> None:
    payload = merged(pull={"title": "Ship it 🎉 — 合并"})
    raw, escaped = encoded(payload), json.dumps(payload).encode()
    reordered = json.dumps(dict(reversed(payload.items())), indent=1).encode() + b"\n"
    with client(database) as http:
        answers = [post(http, body, guid=str(len(body))).status_code for body in (raw, escaped, reordered)]

    assert answers == [202, 202, 202]
    assert written(database) == (3, 0, 0)


def test_r02_through_a_whole_rotation_no_valid_delivery_is_refused(database: Database) -> None:
    with client(database, settings("old")) as http:
        assert post(http, merged(1), guid="a", secret="old").status_code == 202
    with client(database, settings("new", "old")) as http:
        assert post(http, merged(2), guid="b", secret="old").status_code == 202
        assert post(http, merged(3), guid="c", secret="new").status_code == 202
    with client(database, settings("new")) as http:
        assert post(http, merged(4), guid="d", secret="new").status_code == 202
        assert post(http, merged(5), guid="e", secret="old").status_code == 401

    assert written(database) == (4, 0, 0)


def test_r02_the_log_names_the_slot_and_never_the_secret(
    database: Database, capsys: pytest.CaptureFixture[str]
) -> None:
    with client(database, settings("new-canary", "old-canary")) as http:
        post(http, merged(), secret="old-canary")
        post(http, merged(), secret="wrong-canary")

    log = "".join(capsys.readouterr())
    assert "'secret_slot': 1" in log
    assert "canary" not in log
    assert signature(encoded(merged()), "old-canary") not in log


@pytest.mark.parametrize("secrets", [(), ("",)])
def test_r01_without_a_secret_the_webhook_is_off_and_never_open(secrets: tuple[str, ...]) -> None:
    with client(NOWHERE, settings(*secrets)) as http:
        answers = [post(http, merged(), secret=""), http.post(PATH, content=b"{}")]

    assert [answer.status_code for answer in answers] == [503, 503]
    assert answers[0].json()["type"] == "urn:mergecast:problem:webhook-off"


@pytest.mark.parametrize("encoding", ["gzip", "GZIP", "br", "identity, gzip"])
def test_d01_an_encoded_body_is_refused_and_not_unpacked(encoding: str) -> None:
    body = gzip.compress(b"0" * 50_000_000)
    with client(NOWHERE) as http:
        answer = post(http, body, changed={"Content-Encoding": encoding})

    assert answer.status_code == 415


def test_r06_a_forwarded_address_changes_nothing() -> None:
    with client(NOWHERE, settings(SECRET)) as http:
        answer = post(http, merged(), changed={"X-Forwarded-For": "140.82.112.1", "X-Hub-Signature-256": None})

    assert answer.status_code == 401
