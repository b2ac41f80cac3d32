"""One publication from claim to receipt: claim, render, deliver, store the receipt, fenced by the attempt number."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Literal

import structlog

from services.publisher.channel import Channel, Issue, Receipt
from services.publisher.channels import CHANNELS
from shared.broker.task_names import TaskName
from shared.domain.digest import Digest
from shared.domain.errors import InvalidInput, MergecastError, Permanent, Postponed, described
from shared.domain.protocols import Clock
from shared.redaction import redact_document
from shared.settings import Settings
from shared.store import publications
from shared.store.documents import document_of
from shared.store.publications import PublicationClaim
from shared.store.session import Database, DatabaseUnavailable
from shared.telemetry import scrubber_of

Outcome = Literal["sent", "held", "unknown", "retry", "failed", "postponed", "fenced", "not-due"]
"""What became of one run; ``held``: whether an earlier try arrived is unknown, and a person decides; ``unknown``: it
was sent and its receipt could not be stored."""

HELD_FOR = timedelta(days=1)
"""How long a publication of unknown outcome is left alone before it is reported again."""

_log = structlog.get_logger(__name__)


class _ReceiptNotStored(Exception):
    """The channel has received it and the store does not know: never to be taken for a failed try (R-80)."""


@dataclass(frozen=True)
class PublisherRuntime:
    """What the tasks of the publisher work with; ``clock`` is the database's unless a test gives another."""

    settings: Settings
    database: Database
    ring: Callable[[TaskName, int | str], None]
    clock: Clock
    channels: Sequence[Channel] = CHANNELS
    jitter: Callable[[], float] = field(default=lambda: random.uniform(0.8, 1.2))  # noqa: S311 - spreads retries only


def publish(runtime: PublisherRuntime, publication_id: int) -> Outcome:
    """Bring one publication to its channel and say what became of it.

    Trigger: the doorbell after a digest is sealed, or the sweeper. Reads the digest; writes the publication's state
    and receipt. Running it twice publishes once. Raises only when the database itself does not serve.
    """
    claim = _claim(runtime, publication_id)
    if claim is None:
        return "not-due"
    with structlog.contextvars.bound_contextvars(publication=claim.id, attempt=claim.attempt, channel=claim.channel):
        outcome = _work_on(runtime, claim)
        _log.info("publication.worked_on", outcome=outcome, target=claim.target)
    return outcome


def _claim(runtime: PublisherRuntime, publication_id: int) -> PublicationClaim | None:
    """Committed before the channel is touched: a sender that dies here leaves a trace (R-80)."""
    worker = runtime.settings.worker
    now = runtime.clock()
    with runtime.database.transaction() as session:
        return publications.claim(session, publication_id, now, worker.lease, max_tries=len(worker.retry_waits) + 1)


def _work_on(runtime: PublisherRuntime, claim: PublicationClaim) -> Outcome:
    try:
        return _send(runtime, claim)
    except _ReceiptNotStored as error:
        return _doubt(runtime, claim, error)
    except (Postponed, DatabaseUnavailable) as error:
        return _postpone(runtime, claim, error)
    except (Permanent, InvalidInput) as error:
        return _bury(runtime, claim, error)
    except Exception as error:  # noqa: BLE001 - any fault of ours is tried again, then failed and visible
        return _fail(runtime, claim, error)


def _send(runtime: PublisherRuntime, claim: PublicationClaim) -> Outcome:
    channel = _channel(runtime, claim.channel)
    if claim.uncertain and not channel.repeatable:
        return _hold(runtime, claim)
    with runtime.database.reading() as session:
        document = document_of(session, claim.digest_id)
    if document is None:
        raise Permanent(f"The digest {claim.digest_id} of this publication is gone.")
    document = redact_document(document)
    digest = Digest.model_validate_json(document)
    rendered = tuple(channel.render(digest, language) for language in digest.sections)
    receipt = channel.deliver(Issue(digest, document, rendered), claim.target, runtime.settings)
    try:
        return _finish(runtime, claim, receipt)
    except Exception as error:
        raise _ReceiptNotStored(f"It was sent, and its receipt could not be stored: {described(error)}") from error


def _channel(runtime: PublisherRuntime, name: str) -> Channel:
    for channel in runtime.channels:
        if channel.name == name:
            return channel
    raise Permanent(f"There is no channel '{name}'.", "It may need a newer version, or be set up no more.")


def _finish(runtime: PublisherRuntime, claim: PublicationClaim, receipt: Receipt) -> Outcome:
    now = runtime.clock()
    with runtime.database.transaction() as session:
        held = publications.finish(session, claim, now, external_id=receipt.external_id, url=receipt.url)
    return "sent" if held else "fenced"


def _hold(runtime: PublisherRuntime, claim: PublicationClaim) -> Outcome:
    """An earlier try may have arrived and this channel cannot be looked into: rather late than twice."""
    now = runtime.clock()
    with runtime.database.transaction() as session:
        held = publications.doubt(session, claim, "An earlier try may have arrived.", now + HELD_FOR, now)
    return "held" if held else "fenced"


def _doubt(runtime: PublisherRuntime, claim: PublicationClaim, error: _ReceiptNotStored) -> Outcome:
    """The next try looks first, or holds it; if not even this can be written, the lease runs out to the same end."""
    _log.warning("publication.receipt_not_stored", exc_info=error)
    now = runtime.clock()
    until = now + runtime.settings.worker.lease
    with runtime.database.transaction() as session:
        held = publications.doubt(session, claim, _told(runtime, error), until, now)
    return "unknown" if held else "fenced"


def _postpone(runtime: PublisherRuntime, claim: PublicationClaim, error: Postponed | DatabaseUnavailable) -> Outcome:
    """An outage or limit of somebody else, the database's too, is not counted as a try (design law 6)."""
    now = runtime.clock()
    until = error.until if isinstance(error, Postponed) else now + runtime.settings.worker.lease
    with runtime.database.transaction() as session:
        held = publications.postpone(session, claim, _told(runtime, error), until, now)
    return "postponed" if held else "fenced"


def _bury(runtime: PublisherRuntime, claim: PublicationClaim, error: MergecastError) -> Outcome:
    _log.error("publication.failed", error=str(error))
    now = runtime.clock()
    with runtime.database.transaction() as session:
        held = publications.bury(session, claim, _told(runtime, error), now)
    return "failed" if held else "fenced"


def _fail(runtime: PublisherRuntime, claim: PublicationClaim, error: Exception) -> Outcome:
    _log.warning("publication.not_sent", exc_info=error)
    now = runtime.clock()
    waits = runtime.settings.worker.retry_waits
    with runtime.database.transaction() as session:
        result = publications.fail(session, claim, _told(runtime, error), now, waits, runtime.jitter())
    return "failed" if result == "dead" else result


def _told(runtime: PublisherRuntime, error: Exception) -> str:
    """The text that is kept and shown, without secrets."""
    text = str(error) if isinstance(error, _ReceiptNotStored) else described(error)
    return scrubber_of(runtime.settings).scrub(text)
