"""Webhook payloads that are broken, hostile or of another kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.errors import Ignored
from shared.sources.github_events import (
    IGNORED_REASONS,
    InvalidPayload,
    MergeEvent,
    PingEvent,
    parse,
    parse_stored,
)
from tests.merge_payloads import merge_payload

EXAMPLES = Path(__file__).parents[3] / "third_party" / "github_webhooks" / "events.jsonl"


def merge(**pull: Any) -> MergeEvent:
    event = parse("pull_request", merge_payload(**pull))
    assert isinstance(event, MergeEvent)
    return event


def changed(change: dict[str, Any], **top: Any) -> MergeEvent:
    """The usual payload with fields of the pull request and of the top level replaced; None removes at the top."""
    document = json.loads(merge_payload())
    document["pull_request"] |= change
    document = {name: value for name, value in (document | top).items() if value is not None}
    return parse_stored(json.dumps(document).encode())


def ignored(event: str, body: bytes) -> str:
    with pytest.raises(Ignored) as caught:
        parse(event, body)
    assert caught.value.reason in IGNORED_REASONS
    return caught.value.reason


@pytest.mark.parametrize("text", ["\\u0000", "\\ud800"])
def test_c38_text_that_a_database_refuses_is_replaced(text: str) -> None:
    body = merge_payload(title="TITLE", body="BODY", labels=[{"name": "LABEL"}], base="BASE").decode()
    for name in ("TITLE", "BODY", "LABEL", "BASE"):
        body = body.replace(name, f"{name}{text}x")
    pull_request = parse_stored(body.encode()).pull_request
    assert (pull_request.title, pull_request.body) == ("TITLE\ufffdx", "BODY\ufffdx")
    assert (pull_request.labels, pull_request.base_ref) == (("LABEL\ufffdx",), "BASE\ufffdx")


@pytest.mark.parametrize(
    ("body", "says"),
    [
        (b'{"action":"closed","x":"\xff"}', "not UTF-8"),
        (b"{", "not JSON"),
        (b"", "not JSON"),
        (b"[]", "not a JSON object"),
        (b'{"a":' * 100_000, "not JSON"),
        (b"[" * 900 + b"]" * 900, "not"),
        (b'{"x": NaN}', "not JSON"),
        (b'{"x": ' + b"9" * 5000 + b"}", "not JSON"),
        (b"{}", "no action"),
        (b'{"action":"closed"}', "no pull_request"),
        (b"\xef\xbb\xbf{}", "not JSON"),
        ("{}".encode("utf-16"), "not UTF-8"),
    ],
)
def test_c39_what_github_never_sends_is_refused(body: bytes, says: str) -> None:
    with pytest.raises(InvalidPayload, match=says):
        parse("pull_request", body)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"number": 0}, "number"),
        ({"number": True}, "number"),
        ({"number": "7"}, "number"),
        ({"number": 2**63}, "number"),
        ({"merged_at": "2026-05-06T12:00:00", "closed_at": None}, "merged_at"),
        ({"merged_at": "0001-01-01T00:00:00+23:00", "closed_at": 5}, "merged_at"),
        ({"base": None}, "base.ref"),
        ({"base": {"ref": ""}}, "base.ref"),
    ],
)
def test_missing_required_fields_are_named(change: dict[str, Any], field: str) -> None:
    with pytest.raises(InvalidPayload, match=field):
        changed(change)


@pytest.mark.parametrize("name", [None, "", "lumen", "../..", "a/..", "a b/c", "a/b\n", "https://x/y", 7, ["a/b"]])
def test_a_repository_must_have_a_proper_name(name: Any) -> None:
    with pytest.raises(InvalidPayload, match="full_name"):
        changed({}, repository={"id": 1, "full_name": name})


def test_d05_and_c46_numeric_ids_keep_repositories_apart() -> None:
    first, second = (merge(repository_id=number).pull_request.repository for number in (5_000_000_000, 5_000_000_001))
    assert first.full_name == second.full_name
    assert first != second
    assert merge(user={"login": "ada", "id": 2**62}).pull_request.user.id == 2**62
    assert merge(user={"login": "ada", "id": 2**63}).pull_request.user.id is None


def test_d06_a_renamed_login_keeps_its_numeric_id() -> None:
    before, after = (merge(user={"login": login, "id": 11}).pull_request.user for login in ("ada", "ada-new"))
    assert before.id == after.id


def test_r05_every_event_of_the_public_examples_is_understood_or_ignored() -> None:
    kinds = set()
    for line in EXAMPLES.read_bytes().splitlines():
        example = json.loads(line)
        body = json.dumps(example["payload"]).encode()
        if example["event"] == "ping":
            assert isinstance(parse("ping", body), PingEvent)
        else:
            assert ignored(example["event"], body) in {"unknown-event", "not-merged"}
        kinds.add(example["event"])
    assert len(kinds) > 50


@pytest.mark.parametrize("event", ["", "push", "an event of next year", "Pull_Request", "__class__"])
def test_r05_other_events_are_ignored_whatever_they_hold(event: str) -> None:
    assert ignored(event, b"\xff not JSON") == "unknown-event"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = (
    "user",
    "labels",
    "base",
    "head",
    "merged_at",
    "closed_at",
    "updated_at",
    "number",
    "title",
    "body",
    "merged",
    "merged_by",
    "merge_commit_sha",
    "additions",
)


@given(
    event=st.sampled_from(["ping", "pull_request"]),
    pull=st.dictionaries(st.sampled_from(FIELDS), JSON, max_size=6),
    top=st.dictionaries(
        st.sampled_from(["action", "repository", "pull_request", "hook", "installation", "zen"]), JSON, max_size=3
    ),
)
def test_no_json_raises_anything_but_the_two_refusals(event: str, pull: dict[str, Any], top: dict[str, Any]) -> None:
    document = json.loads(merge_payload())
    document["pull_request"] |= pull
    try:
        parsed = parse(event, json.dumps(document | top).encode())
    except (Ignored, InvalidPayload):
        return
    parsed.model_dump_json().encode()


@given(st.binary(max_size=200))
def test_no_bytes_raise_anything_but_the_two_refusals(body: bytes) -> None:
    with pytest.raises((Ignored, InvalidPayload)):
        parse("pull_request", body)


@given(st.text().filter(lambda text: text.strip()))
def test_r41_every_other_character_survives(text: str) -> None:
    kept = merge(title=text).pull_request.title
    assert kept == text.replace("\x00", "\ufffd")
