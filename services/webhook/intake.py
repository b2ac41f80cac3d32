"""Turns a signed delivery into a committed row, or into a count of why there is none."""

from __future__ import annotations

import re
from typing import Literal

import structlog
from pydantic import BaseModel, Field
from starlette.datastructures import Headers

from services.webhook.gate import SignedDelivery
from services.webhook.runtime import WebhookRuntime
from shared.broker.task_names import TaskName
from shared.domain.errors import Ignored
from shared.problems import Problem
from shared.sources.github_events import InvalidPayload, MergeEvent, PingEvent, parse
from shared.store import deliveries, events

UNWATCHED = "unwatched-repository"
AS_GITHUB_DOES = "Send what GitHub sends: the headers and the JSON body of a webhook delivery."

_log = structlog.get_logger(__name__)
_PRINTABLE = re.compile(r"[\x21-\x7e]{1,200}")
_HOOK_ID = re.compile(r"[0-9]{1,20}")


class Receipt(BaseModel):
    """What became of a delivery."""

    outcome: Literal["stored", "duplicate", "ignored", "ping"]
    delivery: int | None = Field(default=None, description="The row of the delivery, for `mergecast deliveries`.")
    reason: str | None = Field(default=None, description="Why an ignored delivery makes no work.")
    problems: list[str] | None = Field(default=None, description="What is wrong with the hook that sent a ping.")


def take_in(runtime: WebhookRuntime, signed: SignedDelivery) -> Receipt:
    """Record the delivery and return its receipt; the row is committed when this returns (law 1).

    Problem 415 for a body that is not JSON by its content type, 400 for missing headers and for a payload that cannot
    be read: each is counted. DatabaseUnavailable when nothing could be stored.
    """
    event = signed.headers.get("x-github-event", "")
    guid = signed.headers.get("x-github-delivery", "")
    if not _PRINTABLE.fullmatch(event) or not _PRINTABLE.fullmatch(guid):
        raise _refused(
            runtime,
            "unknown",
            Problem(
                400,
                "missing-headers",
                "X-GitHub-Event or X-GitHub-Delivery is missing or not in GitHub's form.",
                AS_GITHUB_DOES,
            ),
        )
    _refuse_content_type(runtime, event, signed.headers)
    try:
        parsed = parse(event, signed.body)
    except Ignored as ignored:
        return _ignore(runtime, event, None, ignored.reason)
    except InvalidPayload as error:
        problem = Problem(400, "invalid-payload", error.message, error.way_out or AS_GITHUB_DOES)
        raise _refused(runtime, event, problem) from error
    if isinstance(parsed, PingEvent):
        return _remember(runtime, parsed)
    return _record(runtime, signed, event, guid, parsed)


def source_of(installation_id: int | None, headers: Headers) -> str:
    """Return who sent the delivery: the GUID names the event, and two senders may use the same one (R-10, C-10)."""
    if installation_id is not None:
        return f"installation:{installation_id}"
    hook_id = headers.get("x-github-hook-id", "")
    return f"hook:{hook_id}" if _HOOK_ID.fullmatch(hook_id) else "hook:unknown"


def _record(runtime: WebhookRuntime, signed: SignedDelivery, event: str, guid: str, merge: MergeEvent) -> Receipt:
    pull_request = merge.pull_request
    repository = pull_request.repository.full_name
    if not runtime.settings.watches(repository):
        return _ignore(runtime, event, merge.action, UNWATCHED)
    incoming = deliveries.IncomingDelivery(
        source=source_of(merge.installation_id, signed.headers),
        guid=guid,
        event=event,
        action=merge.action,
        payload=signed.body,
        repository=repository,
        number=pull_request.number,
    )
    now = runtime.clock()
    with runtime.database.transaction() as session:
        recorded = deliveries.record(session, incoming, now)
    again = recorded.duplicate and not recorded.revived
    _log.info(
        "delivery.duplicate" if again else "delivery.stored",
        delivery=recorded.id,
        guid=guid,
        source=incoming.source,
        action=merge.action,
        repository=repository,
        number=pull_request.number,
        secret_slot=signed.slot,
    )
    if not again:
        runtime.doorbell.ring(TaskName.ANALYZE_DELIVERY, recorded.id)
    return Receipt(outcome="duplicate" if again else "stored", delivery=recorded.id)


def _remember(runtime: WebhookRuntime, ping: PingEvent) -> Receipt:
    now = runtime.clock()
    with runtime.database.transaction() as session:
        events.remember_ping(
            session,
            now,
            hook_id=ping.hook_id,
            zen=ping.zen,
            events=ping.events,
            content_type=ping.content_type,
            repository=ping.repository.full_name if ping.repository else None,
            problems=ping.problems,
        )
    _log.info("delivery.ping", hook_id=ping.hook_id, problems=ping.problems)
    return Receipt(outcome="ping", problems=list(ping.problems) or None)


def _ignore(runtime: WebhookRuntime, event: str, action: str | None, reason: str) -> Receipt:
    _count(runtime, event, action, reason)
    _log.info("delivery.ignored", event_name=event, action=action, reason=reason)
    return Receipt(outcome="ignored", reason=reason)


def _refused(runtime: WebhookRuntime, event: str, problem: Problem) -> Problem:
    """Count an authentic delivery that cannot be used, and return the problem to raise."""
    _count(runtime, event, None, problem.slug)
    _log.warning("delivery.refused", event_name=event, reason=problem.slug)
    return problem


def _count(runtime: WebhookRuntime, event: str, action: str | None, reason: str) -> None:
    now = runtime.clock()
    with runtime.database.transaction() as session:
        events.count_event(session, event, action, reason, now)


def _refuse_content_type(runtime: WebhookRuntime, event: str, headers: Headers) -> None:
    media_types = [value.partition(";")[0].strip().lower() for value in headers.getlist("content-type")]
    if media_types == ["application/json"]:
        return
    form = media_types == ["application/x-www-form-urlencoded"]
    raise _refused(
        runtime,
        event,
        Problem(
            415,
            "unsupported-content-type",
            "The hook sends its payload as a form." if form else "The content type is not application/json.",
            "On GitHub, open the hook's settings and set the content type to application/json.",
            headers={"Accept-Post": "application/json"},
        ),
    )
