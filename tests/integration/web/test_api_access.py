from __future__ import annotations

import base64
from typing import Any

import pytest
from starlette.testclient import TestClient

from services.web import app as web
from services.web.runtime import WebRuntime
from services.webhook import app as webhook
from services.webhook.runtime import WebhookRuntime
from shared.problems import new_app
from shared.settings.model import Settings
from shared.store.session import Database
from tests.integration.web.serving import BASE, NOW, TOKEN, client

OPEN = {"/healthz", "/readyz"}
VALUES = {"owner": "lumen", "name": "lumen", "number": "101", "week": "2026-W19"}
NOWHERE = Database("postgresql://nobody@127.0.0.1:9/nothing")


def paths(http: TestClient) -> list[str]:
    description: dict[str, Any] = http.get("/api/v1/openapi.json").json()
    return [path.format(**VALUES) for path in description["paths"]] + ["/api/v1/openapi.json", "/api/v1/docs"]


@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Bearer wrong",
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN[:-1]}",
        f"Token {TOKEN}",
        TOKEN,
        "Basic !!!",
        "Basic " + base64.b64encode(TOKEN.encode()).decode(),
        "Basic " + base64.b64encode(f"{TOKEN}:".encode()).decode(),
        "Bearer é".encode(),
        "Bearer " + "a" * 10_000,
    ],
)
def test_r92_every_route_without_a_right_token_is_401_except_health(authorization: Any) -> None:
    with client(NOWHERE) as http:
        walked = paths(http)
        del http.headers["Authorization"]
        headers = {} if authorization is None else {"Authorization": authorization}
        answers = {path: http.get(path, headers=headers) for path in walked if path not in OPEN}

    assert len(answers) == 7
    assert {path: answer.status_code for path, answer in answers.items()} == dict.fromkeys(answers, 401)
    for answer in answers.values():
        assert answer.headers["www-authenticate"].startswith("Bearer ")
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["way_out"]


def test_r92_beside_the_webhook_nothing_else_is_open() -> None:
    settings = Settings()
    app = new_app("both")
    app.include_router(web.router(WebRuntime(settings, NOWHERE, lambda: NOW)))
    app.include_router(webhook.router(WebhookRuntime(settings, NOWHERE, _Bell(), lambda: NOW)))
    described = app.openapi()["paths"]
    with TestClient(app) as http:
        answers = {
            (method, path): http.request(method, path.format(**VALUES)).status_code
            for path, methods in described.items()
            for method in methods
        }

    assert answers.pop(("get", "/healthz")) == 200
    assert answers.pop(("get", "/readyz")) == 503
    assert ("post", "/webhooks/github") in answers
    assert set(answers.values()) == {503}


@pytest.mark.parametrize("tokens", [("", ""), ("",)])
def test_r92_without_a_token_the_api_is_off_and_never_open(tokens: tuple[str, ...]) -> None:
    with client(NOWHERE, *tokens) as http:
        answers = [
            http.get(BASE + "/digests", headers={"Authorization": sent}) for sent in ("Bearer ", "Basic Og==", "")
        ]

    assert [answer.status_code for answer in answers] == [503, 503, 503]
    assert answers[0].json()["type"] == "urn:mergecast:problem:api-off"


def test_r92_several_tokens_are_good_at_once_and_in_each_scheme(database: Database) -> None:
    basic = "Basic " + base64.b64encode(b"anybody:" + b"old").decode()
    with client(database, "new", "old", "with:colon") as http:
        statuses = [
            http.get("/api/v1/repositories", headers={"Authorization": authorization}).status_code
            for authorization in (
                "Bearer new",
                "bearer old",
                basic,
                "Basic " + base64.b64encode(b":with:colon").decode(),
                "Bearer with:colon",
                "Bearer none",
            )
        ]

    assert statuses == [200, 200, 200, 200, 200, 401]


def test_r92_the_log_holds_no_token(capsys: pytest.CaptureFixture[str]) -> None:
    with client(NOWHERE, "canary-right") as http:
        http.get(BASE + "/digests", headers={"Authorization": "Bearer canary-wrong"})
        http.get(BASE + "/digests", headers={"Authorization": "Bearer canary-right"})

    assert "canary" not in "".join(capsys.readouterr())


def test_every_error_is_problem_details(database: Database) -> None:
    with client(database) as http:
        answers = {
            404: http.get("/api/v1/nothing"),
            405: http.post("/api/v1/repositories"),
            406: http.get(BASE + "/digests/2026-W19", headers={"Accept": "image/png"}),
            422: http.get(BASE + "/weeks/2026-W19/pull-requests?limit=0&risk=none&typo=1"),
        }

    for status, answer in answers.items():
        assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
        assert set(answer.json()) >= {"type", "title", "status", "detail", "way_out"}
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert {fault["field"] for fault in answers[422].json()["errors"]} == {"query.limit", "query.risk", "query.typo"}
    assert answers[405].headers["allow"] == "GET"


def test_a_fault_of_ours_tells_nothing_of_itself(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise RuntimeError("canary")

    monkeypatch.setattr("shared.store.repositories.all_repositories", broken)
    with client(database) as http:
        answer = http.get("/api/v1/repositories")

    assert answer.status_code == 500
    assert answer.headers["content-type"] == "application/problem+json"
    assert "canary" not in answer.text


def test_a_database_that_is_down_is_503_with_retry_after() -> None:
    with client(NOWHERE) as http:
        answer = http.get(BASE + "/digests")

    assert answer.status_code == 503
    assert answer.headers["retry-after"]
    assert "127.0.0.1" not in answer.text


def test_the_documentation_needs_no_script_and_no_other_host(database: Database) -> None:
    with client(database) as http:
        page = http.get("/api/v1/docs")
        description = http.get("/api/v1/openapi.json").json()

    assert page.status_code == 200
    assert "default-src 'none'" in page.headers["content-security-policy"]
    assert "<script" not in page.text
    assert "://" not in page.text.replace("urn:", "")
    assert all(path in page.text for path in description["paths"])
    unauthorized = description["paths"]["/api/v1/repositories"]["get"]["responses"]["401"]
    assert list(unauthorized["content"]) == ["application/problem+json"]
    assert description["components"]["securitySchemes"]["token"]["scheme"] == "bearer"


class _Bell:
    def ring(self, *_: Any) -> None:
        pass
