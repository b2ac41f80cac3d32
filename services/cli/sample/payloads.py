"""Webhook deliveries in GitHub's genuine shape, made from merge records: body, headers and signature."""

from __future__ import annotations

import hashlib
import hmac
import json
import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from services.cli.sample import REPOSITORY, shapes
from services.cli.sample.pull_requests import base_repository, pull_request

HOOK_ID = 548_201_377
ZEN = "Keep it logically awesome."
Record = Mapping[str, Any]
"""One decoded line of a merge-record file, with GitHub's field names."""

_TITLE_BEFORE = {4946: "perf(index): look up offests with one raed", 4932: "fix: alert templates"}
"""Titles of the sample that were mended after the merge: the merge is delivered with these, then an ``edited`` one."""
_LABELED_LATER = {4866: "needs-backport", 4939: "security"}


@dataclass(frozen=True)
class SampleDelivery:
    """One POST as GitHub sends it; sign it with ``headers_for``."""

    event: str
    guid: str
    body: bytes
    target_id: int
    number: int | None = None

    def headers_for(self, secret: bytes) -> dict[str, str]:
        """The headers of this delivery, signed with ``secret`` over the bytes of the body."""
        digest = hmac.new(secret, self.body, hashlib.sha256).hexdigest()
        return {
            "Accept": "*/*",
            "Content-Type": "application/json",
            "User-Agent": "GitHub-Hookshot/7c1a4e9",
            "X-GitHub-Delivery": self.guid,
            "X-GitHub-Event": self.event,
            "X-GitHub-Hook-ID": str(HOOK_ID),
            "X-GitHub-Hook-Installation-Target-ID": str(self.target_id),
            "X-GitHub-Hook-Installation-Target-Type": "repository",
            "X-Hub-Signature-256": f"sha256={digest}",
        }


def closed(record: Record, *, merged: bool = True) -> SampleDelivery:
    """The ``closed`` delivery of the pull request; with ``merged=False`` as if it had been abandoned."""
    return _delivery("pull_request", _event("closed", pull_request(record, merged=merged), record))


def edited(record: Record, title_before: str) -> SampleDelivery:
    """The delivery after the title was changed from ``title_before`` to that of the record, an hour after the merge."""
    payload = _event("edited", pull_request(_touched(record, hours=1)), record)
    return _delivery("pull_request", payload | {"changes": {"title": {"from": title_before}}})


def labeled(record: Record, name: str) -> SampleDelivery:
    """The delivery after the label ``name`` was added, two hours after the merge."""
    payload = _event("labeled", pull_request(_touched(record, hours=2)), record)
    return _delivery("pull_request", payload | {"label": shapes.label(name, record["repository"])})


def ping(record: Record) -> SampleDelivery:
    """The delivery that GitHub sends when the webhook is made."""
    repository = base_repository(record)
    url = f"{repository['url']}/hooks/{HOOK_ID}"
    hook = {
        "type": "Repository",
        "id": HOOK_ID,
        "name": "web",
        "active": True,
        "events": ["pull_request"],
        "config": {"content_type": "json", "insecure_ssl": "0", "secret": "********", "url": "https://example.org/"},
        "updated_at": repository["created_at"],
        "created_at": repository["created_at"],
        "url": url,
        "test_url": f"{url}/test",
        "ping_url": f"{url}/pings",
        "deliveries_url": f"{url}/deliveries",
        "last_response": {"code": None, "status": "unused", "message": None},
    }
    sender = shapes.account(record.get("merged_by") or record.get("user"))
    return _delivery("ping", {"zen": ZEN, "hook_id": HOOK_ID, "hook": hook, "repository": repository, "sender": sender})


def starred(record: Record) -> SampleDelivery:
    """A delivery of an event that is of no interest here."""
    payload = {"action": "created", "starred_at": record["merged_at"], **_surroundings(record)}
    return _delivery("star", payload)


def sample_deliveries(records: Iterable[Record]) -> Iterator[SampleDelivery]:
    """Yield what GitHub would have sent for ``records``, oldest first.

    Beside each merge: a ping, an abandoned pull request, an event of no interest, some later edits and labels.
    """
    listed = sorted(records, key=lambda record: (record["merged_at"], record["number"]))
    if not listed:
        return
    yield ping(listed[0])
    yield starred(listed[0])
    yield closed({**listed[0], "number": 1 + max(record["number"] for record in listed)}, merged=False)
    for record in listed:
        yield from _story_of(record)


def _story_of(record: Record) -> Iterator[SampleDelivery]:
    if record["repository"] != REPOSITORY:
        yield closed(record)
        return
    title_before, late_label = _TITLE_BEFORE.get(record["number"]), _LABELED_LATER.get(record["number"])
    at_merge = {**record, "title": title_before or record["title"]}
    if late_label:
        at_merge["labels"] = [entry for entry in record["labels"] if entry["name"] != late_label]
    yield closed(at_merge)
    if title_before:
        yield edited({**at_merge, "title": record["title"]}, title_before)
    if late_label:
        yield labeled(record, late_label)


def _touched(record: Record, *, hours: int) -> dict[str, Any]:
    later = datetime.fromisoformat(record["merged_at"]) + timedelta(hours=hours)
    return {**record, "updated_at": later.strftime("%Y-%m-%dT%H:%M:%SZ")}


def _delivery(event: str, payload: dict[str, Any]) -> SampleDelivery:
    """GUIDs are made from the content, so posting the sample twice is a redelivery and not a second merge."""
    body = json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode()
    number = payload.get("number")
    target = payload["repository"]["id"]
    return SampleDelivery(event, str(uuid.uuid5(uuid.NAMESPACE_URL, body.hex())), body, target, number)


def _event(action: str, shown: dict[str, Any], record: Record) -> dict[str, Any]:
    return {"action": action, "number": record["number"], "pull_request": shown, **_surroundings(record)}


def _surroundings(record: Record) -> dict[str, Any]:
    return {
        "repository": base_repository(record) | {"custom_properties": {}},
        "organization": shapes.organization(record["repository"].split("/", 1)[0]),
        "sender": shapes.account(record.get("merged_by") or record.get("user") or {"login": "ghost"}),
    }
