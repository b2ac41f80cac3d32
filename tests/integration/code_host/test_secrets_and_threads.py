"""Whatever fails, no credential is told; and threads share one host without mixing their answers up."""

from __future__ import annotations

import contextlib
import logging
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
import structlog

from shared.code_host import CodeHost
from shared.domain.errors import MergecastError
from tests.servers.github import Fault

CANARY = "ghp_canary0123456789abcdef"
FAULTS = (
    {"kind": "unauthorized", "times": 2},
    {"kind": "forbidden"},
    {"kind": "secondary-limit", "retry_after": 1},
    {"kind": "server-error"},
    {"kind": "cut"},
    {"kind": "html-200"},
    {"kind": "not-json"},
    {"kind": "moved", "location": "https://elsewhere.example/"},
    {"kind": "not-found", "times": 2},
)


def failing(stage: Any, do: Callable[[], Any]) -> list[str]:
    """Meet every fault; return all that the errors say, with the tracebacks that a log would show."""
    told = []
    for fault in FAULTS:
        stage.github.faults.add(Fault(path="pulls|access_tokens|graphql|issues", **fault))
        try:
            do()
        except MergecastError as error:
            told += [str(error), repr(error), "".join(traceback.format_exception(error))]
        else:
            pytest.fail(f"{fault} went by")
        stage.github.faults.clear()
        stage.clock.forward(minutes=10)
    return told


@pytest.fixture
def everything_logged(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """Every line of every library, ours among them."""
    structlog.configure(
        processors=[structlog.processors.format_exc_info, structlog.processors.KeyValueRenderer()],
        logger_factory=structlog.stdlib.LoggerFactory(),
    )
    for name in ("", "github", "github.Requester", "urllib3", "requests"):
        caplog.set_level(logging.DEBUG, logger=name)
    return caplog


def test_a_personal_token_is_never_told(stage: Any, everything_logged: pytest.LogCaptureFixture) -> None:
    stage.github.world.token("canary", value=CANARY)
    host = stage.host(token=CANARY)
    told = failing(stage, lambda: host.read("/repositories/5000000001/pulls/1", about=stage.about))
    told += failing(stage, lambda: host.query("{viewer{login}}", {}))
    told += failing(stage, lambda: host.act("/repositories/5000000001/issues", {"title": "Digest"}))
    told += [everything_logged.text, repr(host), host.credential(), repr(vars(host))]
    assert "code_host.asked" in everything_logged.text
    assert not [text for text in told if CANARY in text or "canary0123" in text]


def test_neither_key_nor_token_of_an_app_is_told(stage: Any, everything_logged: pytest.LogCaptureFixture) -> None:
    world = stage.github.world
    world.app.install("acme")
    host = stage.app()

    def fresh_read() -> None:
        stage.clock.forward(minutes=51)
        host.read("/repositories/5000000001/pulls/1", about=stage.about)

    told = failing(stage, fresh_read)
    fresh_read()
    told += [everything_logged.text, repr(host), repr(vars(host))]
    secrets = [*world.installation_tokens, *(line for line in world.app.private_key_pem.splitlines() if len(line) > 40)]
    secrets += [one.headers["authorization"].split()[1] for one in stage.github.log if "authorization" in one.headers]
    assert len(world.installation_tokens) > 1
    assert not [secret for secret in secrets for text in told if secret in text]


def test_the_budget_names_no_secret(stage: Any) -> None:
    stage.github.world.token("canary", value=CANARY)
    host = stage.host(token=CANARY)
    host.read("/repositories/5000000001/pulls", conditional=True)
    with contextlib.closing(stage.database.engine.raw_connection()) as connection:
        rows = [
            row
            for table in ("request_budgets", "cached_answers")
            for row in connection.execute(f"SELECT * FROM {table}")
        ]
    assert len(rows) == 2
    assert CANARY not in repr(rows)


def test_threads_share_one_host(stage: Any) -> None:
    """PyGithub's own connection keeps the request in fields: threads would send each other's."""
    for number in range(2, 10):
        stage.repository.open_pull(f"Change {number}")
    host: CodeHost = stage.host()

    def read(number: int) -> bool:
        return bool(host.read(f"/repositories/5000000001/pulls/{number}").body["number"] == number)

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(read, [1 + index % 9 for index in range(200)]))
