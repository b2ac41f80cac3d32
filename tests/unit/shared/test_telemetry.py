"""No secret reaches a log line, whichever library writes it and whatever its form."""

from __future__ import annotations

import io
import json
import logging

import pytest
import structlog
from pydantic import SecretStr

from shared.settings import ApiSettings, BrokerSettings, DatabaseSettings, ModelSettings, Settings, WebhookSettings
from shared.settings.model import ClonesSettings
from shared.sources.git_history.remote import basic_authorization
from shared.telemetry import STARS, Scrubber, configure

WEBHOOK, TOKEN, PASSWORD = 'it\'s "a" s€cret', "token-0123456789", "p@ss/word"
CLONE_TOKEN, MODEL_KEY = "clone-0123456789", "sk-model/0123456789"
SETTINGS = Settings(
    webhook=WebhookSettings(secrets=(SecretStr(WEBHOOK),)),
    api=ApiSettings(tokens=(SecretStr(TOKEN),)),
    database=DatabaseSettings(url=SecretStr("postgresql://robot:p%40ss%2Fword@db.example.org/mergecast")),
    broker=BrokerSettings(url=SecretStr("redis://:hunter2hunter2@cache.example.org:6379/0")),
    clones=ClonesSettings(tokens={"git.example": SecretStr(CLONE_TOKEN)}),
    model=ModelSettings(name="reader", api_key=SecretStr(MODEL_KEY)),
)
HEADER = basic_authorization("x-access-token", CLONE_TOKEN).removeprefix("Basic ")
CANARIES = (
    *(WEBHOOK, json.dumps(WEBHOOK)[1:-1], TOKEN, PASSWORD, "p%40ss%2Fword", "hunter2hunter2"),
    *(CLONE_TOKEN, HEADER, MODEL_KEY),
)


@pytest.fixture
def log():
    """The lines of a configured log; logging is put back afterwards."""
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    stream = io.StringIO()
    configure(SETTINGS, stream=stream)
    yield stream
    structlog.reset_defaults()
    root.handlers, root.level = handlers, level


def test_r91_no_canary_in_any_line_of_any_logger(log):
    def fail():
        raise ConnectionError(f"{WEBHOOK} {TOKEN} redis://:hunter2hunter2@cache.example.org:6379/0 {PASSWORD}")

    for canary in CANARIES:
        structlog.get_logger("ours").warning("event", value=canary, nested={"list": [canary]})
        logging.getLogger("library").warning("said %s", canary)
    for logger in (structlog.get_logger("ours"), logging.getLogger("library")):
        try:
            fail()
        except ConnectionError:
            logger.exception("failed")

    text = log.getvalue()
    assert len(text.splitlines()) == 2 * len(CANARIES) + 2
    assert not [canary for canary in CANARIES if canary in text]


def test_every_line_is_json_with_time_level_and_name(log):
    structlog.get_logger("ours").info("delivery.done", delivery=7)
    logging.getLogger("library").error("broken")

    first, second = map(json.loads, log.getvalue().splitlines())
    assert (first["event"], first["level"], first["logger"], first["delivery"]) == ("delivery.done", "info", "ours", 7)
    assert (second["event"], second["level"], second["logger"]) == ("broken", "error", "library")
    assert first["timestamp"].endswith("Z")


def test_chatty_libraries_are_heard_from_warnings_on(log):
    logging.getLogger("celery.worker").info("received")
    logging.getLogger("celery.worker").warning("lost")

    assert [json.loads(line)["event"] for line in log.getvalue().splitlines()] == ["lost"]


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("https://robot:abc@example.org/x", f"https://{STARS}@example.org/x"),
        ("redis://:abc@example.org", f"redis://{STARS}@example.org"),
        ("Authorization: Bearer abcdefgh.ijkl", f"Authorization: Bearer {STARS}"),
        ("https://example.org/a:b@c", "https://example.org/a:b@c"),
        ("a user:name@example.org", "a user:name@example.org"),
    ],
)
def test_credentials_that_nobody_configured_are_scrubbed_too(text, clean):
    assert Scrubber().scrub(text) == clean


def test_a_secret_that_begins_with_another_is_scrubbed_whole():
    assert Scrubber(["abcd", "abcdefgh"]).scrub("x abcdefgh y") == f"x {STARS} y"


def test_a_very_short_secret_does_not_eat_the_log():
    assert Scrubber(["a"]).scrub("a banana") == "a banana"
