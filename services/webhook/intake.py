"""Turns a signed delivery into a committed row, or into a count of why there is none."""

from __future__ import annotations

import re
from typing import Literal

import structlog
from anyio import to_thread
from pydantic import BaseModel, Field
from starlette.datastructures import Headers

from services.webhook.access_events import PROCESSED, process
from services.webhook.bodies import SMALL_BODY
from services.webhook.gate import SignedDelivery
from services.webhook.inbox import Inbox
from services.webhook.runtime import WebhookRuntime
from shared.domain.errors import Ignored
from shared.domain.landed import LandedOf
from shared.problems import Problem
from shared.sources import installation_events
from shared.sources.github_events import InvalidPayload, PingEvent, parse
from shared.sources.installation_events import ACCESS_EVENTS, InstallationEvent, RepositoryEvent
from shared.sources.landed import landed_of
from shared.store import events
from shared.store.deliveries import IncomingDelivery

UNWATCHED = "unwatched-repository"
AS_GITHUB_DOES = "Send what GitHub sends: the headers and the JSON body of a webhook delivery."

Read = PingEvent | InstallationEvent | RepositoryEvent | IncomingDelivery

_log = structlog.get_logger(__name__)
_PRINTABLE = re.compile(r"[\x21-\x7e]{1,200}")
_HOOK_ID = re.compile(r"[0-9]{1,20}")


class Unwatched(Ignored):
    """The delivery is of a repository that is not listed."""

    def __init__(self, action: str) -> None:
        super().__init__(UNWATCHED, "The repository is not watched.")
        self.action = action


class Receipt(BaseModel):
    """What became of a delivery."""

    outcome: Literal["stored", "duplicate", "ignored", "ping", "processed"] = Field(
        description="`processed`: it told of access (an installation, a repository's name), and that is stored."
    )
    delivery: int | None = Field(default=None, description="The row of the delivery, for `mergecast deliveries`.")
    reason: str | None = Field(default=None, description="Why an ignored delivery makes no work.")
    resumed: int | None = Field(default=None, description="How many parked deliveries a processed one has freed.")
    problems: list[str] | None = Field(default=None, description="What a person should mend: the hook, the settings.")


class Intake:
    """Takes in the deliveries of one receiver."""

    def __init__(self, runtime: WebhookRuntime) -> None:
        self._runtime = runtime
        self._inbox = Inbox(runtime)
        self._landed = landed_of(runtime.settings)

    async def take_in(self, signed: SignedDelivery) -> Receipt:
        """Record the delivery and return its receipt; the row is committed when this returns (law 1).

        Problem 415 for a body that is not JSON by its content type, 400 for missing headers and for a payload that
        cannot be read: each is counted. DatabaseUnavailable when nothing could be stored.
        """
        event = signed.headers.get("x-github-event", "")
        try:
            if len(signed.body) <= SMALL_BODY:
                read = _read(self._runtime, signed, self._landed)
            else:
                # Reading a large body takes a while, in which the others are not to wait.
                read = await to_thread.run_sync(_read, self._runtime, signed, self._landed)
        except Ignored as ignored:
            return await to_thread.run_sync(_ignore, self._runtime, event, ignored)
        except Problem as problem:
            await to_thread.run_sync(_count_refused, self._runtime, event, problem)
            raise
        if isinstance(read, PingEvent):
            return await to_thread.run_sync(_remember, self._runtime, read)
        if isinstance(read, InstallationEvent | RepositoryEvent):
            effect = await to_thread.run_sync(process, self._runtime, event, read)
            return Receipt(outcome=PROCESSED, resumed=effect.resumed, problems=list(effect.problems) or None)
        recorded = await self._inbox.record(read, signed.slot)
        again = recorded.duplicate and not recorded.revived
        return Receipt(outcome="duplicate" if again else "stored", delivery=recorded.id)


def _read(runtime: WebhookRuntime, signed: SignedDelivery, landed: LandedOf) -> Read:
    """Return what the delivery says, without touching anything; Ignored when it is of no interest, else a Problem."""
    event = signed.headers.get("x-github-event", "")
    guid = signed.headers.get("x-github-delivery", "")
    if not _PRINTABLE.fullmatch(event) or not _PRINTABLE.fullmatch(guid):
        raise Problem(
            400,
            "missing-headers",
            "X-GitHub-Event or X-GitHub-Delivery is missing or not in GitHub's form.",
            AS_GITHUB_DOES,
        )
    _refuse_content_type(signed.headers)
    try:
        if event in ACCESS_EVENTS:
            return _of_interest(runtime, installation_events.parse(event, signed.body))
        parsed = parse(event, signed.body, landed)
    except InvalidPayload as error:
        raise Problem(400, "invalid-payload", error.message, error.way_out or AS_GITHUB_DOES) from error
    if isinstance(parsed, PingEvent):
        return parsed
    repository = parsed.pull_request.repository.full_name
    if not runtime.settings.watches(repository):
        raise Unwatched(parsed.action)
    return IncomingDelivery(
        source=source_of(parsed.installation_id, signed.headers),
        guid=guid,
        event=event,
        action=parsed.action,
        payload=signed.body,
        repository=repository,
        number=parsed.pull_request.number,
    )


def _of_interest(
    runtime: WebhookRuntime, told: InstallationEvent | RepositoryEvent
) -> InstallationEvent | RepositoryEvent:
    """Return ``told``, or raise Unwatched for a repository that is listed by neither its name nor the former one."""
    if isinstance(told, RepositoryEvent):
        names = (told.repository.full_name, told.former_name)
        if not any(name is not None and runtime.settings.watches(name) for name in names):
            raise Unwatched(told.action)
    return told


def source_of(installation_id: int | None, headers: Headers) -> str:
    """Return who sent the delivery: the GUID names the event, and two senders may use the same one (R-10, C-10)."""
    if installation_id is not None:
        return f"installation:{installation_id}"
    hook_id = headers.get("x-github-hook-id", "")
    return f"hook:{hook_id}" if _HOOK_ID.fullmatch(hook_id) else "hook:unknown"


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


def _ignore(runtime: WebhookRuntime, event: str, ignored: Ignored) -> Receipt:
    action = ignored.action if isinstance(ignored, Unwatched) else None
    _count(runtime, event, action, ignored.reason)
    _log.info("delivery.ignored", event_name=event, action=action, reason=ignored.reason)
    return Receipt(outcome="ignored", reason=ignored.reason)


def _count_refused(runtime: WebhookRuntime, event: str, problem: Problem) -> None:
    """Count an authentic delivery that cannot be used."""
    known = event if problem.slug != "missing-headers" else "unknown"
    _count(runtime, known, None, problem.slug)
    _log.warning("delivery.refused", event_name=known, reason=problem.slug)


def _count(runtime: WebhookRuntime, event: str, action: str | None, reason: str) -> None:
    now = runtime.clock()
    with runtime.database.transaction() as session:
        events.count_event(session, event, action, reason, now)


def _refuse_content_type(headers: Headers) -> None:
    media_types = [value.partition(";")[0].strip().lower() for value in headers.getlist("content-type")]
    if media_types == ["application/json"]:
        return
    form = media_types == ["application/x-www-form-urlencoded"]
    raise Problem(
        415,
        "unsupported-content-type",
        "The hook sends its payload as a form." if form else "The content type is not application/json.",
        "On GitHub, open the hook's settings and set the content type to application/json.",
        headers={"Accept-Post": "application/json"},
    )
