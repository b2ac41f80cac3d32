from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError
from starlette.testclient import TestClient

from services.webhook.app import PATH, create_app
from shared.store import deliveries
from shared.store.session import Database, Session
from tests.integration.webhook.posting import (
    NOWHERE,
    SECRET,
    Bell,
    client,
    counted,
    merged,
    post,
    samples,
    settings,
    written,
)

OTHER_TYPES = ("text/plain", None, "", "application/x-www-form-urlencoded", "application/jsonp", "multipart/form-data")


def test_d02_another_content_type_under_a_valid_signature_is_refused_and_counted(database: Database) -> None:
    bell = Bell()
    with client(database, bell=bell) as http:
        answers = [post(http, merged(), changed={"Content-Type": content_type}) for content_type in OTHER_TYPES]

    assert [answer.status_code for answer in answers] == [415] * len(OTHER_TYPES)
    assert counted(database) == {("pull_request", "unsupported-content-type"): len(OTHER_TYPES)}
    assert (bell.rung, written(database)) == ([], (0, len(OTHER_TYPES), 0))


def test_d02_json_in_any_spelling_is_accepted(database: Database) -> None:
    with client(database) as http:
        for content_type in ("application/json", "application/json; charset=utf-8", "Application/JSON"):
            assert post(http, merged(), changed={"Content-Type": content_type}).status_code == 202


UNREADABLE = (
    b'{"action":"closed","pull_request":{"title":"\xff\xfe"}}',
    "标题".encode("gb18030"),
    b"",
    b"{",
    b"[]",
    b"null",
    b'"text"',
    b"NaN",
    b"[" * 100_000,
    b'{"a":' * 50_000,
    b"9" * 10_000,
    json.dumps({"action": "closed"}).encode(),
    json.dumps({"action": "closed", "pull_request": []}).encode(),
    json.dumps({"action": ["closed"], "pull_request": {"merged": True}}).encode(),
    json.dumps({"action": "closed", "pull_request": {"merged": True, "merged_at": "yesterday", "number": 1}}).encode(),
)


def test_c39_a_signed_body_that_cannot_be_read_is_400_and_counted(database: Database) -> None:
    with client(database) as http:
        answers = [post(http, body) for body in UNREADABLE]

    assert [answer.status_code for answer in answers] == [400] * len(UNREADABLE)
    assert all(answer.json()["way_out"] for answer in answers)
    assert counted(database) == {("pull_request", "invalid-payload"): len(UNREADABLE)}


HEADERLESS: tuple[dict[str, Any], ...] = (
    {"X-GitHub-Event": None},
    {"X-GitHub-Event": ""},
    {"X-GitHub-Delivery": None},
    {"X-GitHub-Delivery": ""},
    {"X-GitHub-Delivery": "g" * 5_000},
    {"X-GitHub-Delivery": "gü".encode()},
    {"X-GitHub-Event": "pull request"},
)


def test_a_delivery_without_its_headers_is_400_and_counted(database: Database) -> None:
    with client(database) as http:
        answers = [post(http, merged(), changed=changed).status_code for changed in HEADERLESS]

    assert answers == [400] * len(HEADERLESS)
    assert counted(database) == {("unknown", "missing-headers"): len(HEADERLESS)}


def test_r41_a_number_that_no_host_gives_is_400(database: Database) -> None:
    numbers: tuple[Any, ...] = (0, -1, 2**63, 10**30, "7", None, 1.5, True)
    with client(database) as http:
        answers = [post(http, merged(number=number)).status_code for number in numbers]

    assert answers == [400] * len(numbers)
    assert written(database) == (0, len(numbers), 0)


@pytest.mark.parametrize("event", ["pull_request", "ping", "star"])
def test_r43_without_a_database_nothing_is_2xx(event: str) -> None:
    bell = Bell()
    payload = merged() if event == "pull_request" else samples()[event]
    with client(NOWHERE, bell=bell) as http:
        answer = post(http, payload, event)

    assert answer.status_code == 503
    assert answer.headers["retry-after"]
    assert answer.json()["type"] == "urn:mergecast:problem:database-unavailable"
    assert "127.0.0.1" not in answer.text
    assert bell.rung == []


def test_r43_a_commit_that_fails_is_never_2xx(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_session: Session) -> None:
        raise OperationalError("COMMIT", {}, Exception("disk full"))

    bell = Bell()
    with client(database, bell=bell) as http:
        with monkeypatch.context() as patched:
            patched.setattr(Session, "commit", full)
            failed = post(http, merged())
        retried = post(http, merged())

    assert (failed.status_code, retried.status_code) == (503, 202)
    assert retried.json()["outcome"] == "stored"
    assert len(bell.rung) == 1


def test_law_1_the_bell_is_rung_after_the_commit(database: Database) -> None:
    seen: list[tuple[int, int, int]] = []

    class Listening(Bell):
        def ring(self, *_: Any) -> None:
            seen.append(written(database))

    with client(database, bell=Listening()) as http:
        post(http, merged())

    assert seen == [(1, 0, 0)]


def test_a_fault_of_ours_is_a_problem_without_a_traceback(database: Database) -> None:
    def broken() -> datetime:
        raise RuntimeError("canary")

    app = create_app(settings(SECRET), database, Bell(), broken)
    with TestClient(app, raise_server_exceptions=False) as http:
        answer = post(http, merged())

    assert answer.status_code == 500
    assert answer.headers["content-type"] == "application/problem+json"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "canary" not in answer.text


def test_other_methods_are_problems_that_name_the_right_one() -> None:
    with client(NOWHERE) as http:
        answers = [http.request(method, PATH) for method in ("GET", "PUT", "DELETE", "PATCH", "OPTIONS")]

    assert {(answer.status_code, answer.headers["allow"], answer.json()["status"]) for answer in answers} == {
        (405, "POST", 405)
    }


def test_no_page_and_no_description_is_open() -> None:
    with client(NOWHERE) as http:
        assert {http.get(path).status_code for path in ("/docs", "/redoc", "/openapi.json", "/")} == {404}


def test_the_clock_is_the_one_given(database: Database) -> None:
    instant = datetime(2026, 5, 6, 13, tzinfo=UTC)
    app = create_app(settings(SECRET), database, Bell(), lambda: instant)
    with TestClient(app) as http:
        post(http, merged())

    with database.reading() as session:
        assert deliveries.listing(session)[0].received_at == instant
