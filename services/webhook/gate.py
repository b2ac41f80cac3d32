"""Lets in deliveries that are signed with one of the secrets, and nothing else; no byte is parsed here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import anyio.to_thread
import structlog
from fastapi import Request
from starlette.datastructures import Headers

from services.webhook.bodies import SMALL_BODY, Bodies
from services.webhook.runtime import WebhookRuntime
from services.webhook.signature import SignatureMismatch, SignatureMissing, digest_of, verify
from shared.problems import Problem

SIGNATURE = b"x-hub-signature-256"

_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class SignedDelivery:
    """A delivery whose signature fits: the raw body, and the headers as they were sent (they are not signed)."""

    headers: Headers
    body: bytes
    slot: int
    """Position of the secret that fits."""


class Gate:
    """Reads and verifies one delivery; its ``admit`` is the one async part of the receiver."""

    def __init__(self, runtime: WebhookRuntime) -> None:
        self._secrets = runtime.secrets
        self._bodies = Bodies(runtime.settings.webhook)

    async def admit(self, request: Request) -> SignedDelivery:
        """Return the delivery of ``request`` when it is signed.

        Problem 503 without a secret (never open), 415 for an encoded body (D-01: nothing is unpacked for strangers),
        401 for a signature that is missing or in another form, before the body is read, or that does not fit.
        """
        try:
            return await self._admit(request)
        except Problem as problem:
            # Whoever is refused here may be anybody: a line in the log, and never a row.
            _log.warning("delivery.refused", reason=problem.slug)
            raise

    async def _admit(self, request: Request) -> SignedDelivery:
        if not self._secrets:
            raise _off()
        _refuse_encoding(request.headers)
        self._bodies.refuse_declared_length(request)
        header = _signature_header(request.headers)
        async with self._bodies.held(request) as pieces:
            slot = await self._matching_slot(header, pieces)
            return SignedDelivery(headers=request.headers, body=b"".join(pieces), slot=slot)

    async def _matching_slot(self, header: bytes, pieces: Sequence[bytes]) -> int:
        try:
            if sum(map(len, pieces)) <= SMALL_BODY:
                return verify(self._secrets, header, pieces)
            # A large body takes a while to hash, and hashing lets other threads run.
            return await anyio.to_thread.run_sync(verify, self._secrets, header, pieces)
        except SignatureMismatch:
            raise _unauthorized("signature-mismatch", "The signature does not fit the body.") from None


def _signature_header(headers: Headers) -> bytes:
    values = [value for name, value in headers.raw if name == SIGNATURE]
    try:
        digest_of(values)
    except SignatureMissing:
        raise _unauthorized(
            "signature-missing", "The delivery has not exactly one X-Hub-Signature-256 header in GitHub's form."
        ) from None
    return values[0]


def _refuse_encoding(headers: Headers) -> None:
    encodings = {value.strip().lower() for value in headers.getlist("content-encoding")}
    if encodings - {"identity", ""}:
        raise Problem(
            415,
            "unsupported-content-encoding",
            "An encoded body is not accepted.",
            "Send the body as it is signed, without Content-Encoding.",
            headers={"Accept-Encoding": "identity"},
        )


def _unauthorized(slug: str, message: str) -> Problem:
    return Problem(
        401,
        slug,
        message,
        "Set the same secret in the hook's settings on GitHub and in webhook.secrets.",
        headers={"WWW-Authenticate": 'GitHub-Webhook-Signature realm="mergecast"'},
    )


def _off() -> Problem:
    return Problem(
        503,
        "webhook-off",
        "The webhook is off, because no secret is set.",
        "Set webhook.secrets (MERGECAST_WEBHOOK__SECRETS) and start again.",
    )
