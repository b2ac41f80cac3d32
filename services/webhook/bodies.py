"""Reads the body of a delivery whose sender is not known yet: capped in size, in time and in number."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import anyio
from fastapi import Request
from starlette.requests import ClientDisconnect

from shared.problems import RETRY_AFTER, Problem
from shared.settings.model import WebhookSettings

SMALL_BODY = 256 * 1024
"""Bodies up to this size need no slot: nearly every delivery is smaller, and big strangers must not hold them up."""
SLOT_WAIT_SECONDS = 4.0
"""How long a big body waits for its slot; GitHub hangs up after 10 s."""


class Bodies:
    """Hands out unverified bodies, at most ``max_unverified_bodies`` big ones at a time (R-04)."""

    def __init__(self, settings: WebhookSettings) -> None:
        self._settings = settings
        self._slots = anyio.Semaphore(settings.max_unverified_bodies)

    @asynccontextmanager
    async def held(self, request: Request) -> AsyncIterator[list[bytes]]:
        """Yield the body in pieces as they came; it counts as unverified until the block ends.

        Pieces and not one buffer: a buffer that grows is copied, and then a body is in memory twice. Problem 413
        above the cap, 408 when the sender is too slow, 429 when too many big bodies are waiting, 400 when the sender
        has hung up.
        """
        pieces: list[bytes] = []
        async with AsyncExitStack() as slot:
            # A refusal is an exception, and its traceback would keep the body alive for as long as it lives.
            slot.callback(pieces.clear)
            with anyio.move_on_after(self._settings.body_timeout.total_seconds()) as patience:
                try:
                    await self._read(request, pieces, slot, patience)
                except ClientDisconnect as error:
                    raise Problem(
                        400, "incomplete-body", "The sender hung up within the body.", "Send it whole."
                    ) from error
            if patience.cancelled_caught:
                raise _too_slow()
            yield pieces

    def refuse_declared_length(self, request: Request) -> None:
        """Problem 413 when the sender itself announces a body above the cap."""
        declared = request.headers.get("content-length", "")
        if declared.isascii() and declared.isdigit() and int(declared[:20]) > self._settings.max_body_bytes:
            raise self._too_large()

    async def _read(
        self, request: Request, pieces: list[bytes], slot: AsyncExitStack, patience: anyio.CancelScope
    ) -> None:
        size = 0
        holding = False
        async for piece in request.stream():
            size += len(piece)
            if size > self._settings.max_body_bytes:
                raise self._too_large()
            if size > SMALL_BODY and not holding:
                began = anyio.current_time()
                await self._take_slot(slot)
                # The sender is not to blame for waiting for us.
                patience.deadline += anyio.current_time() - began
                holding = True
            pieces.append(piece)

    async def _take_slot(self, slot: AsyncExitStack) -> None:
        with anyio.move_on_after(SLOT_WAIT_SECONDS):
            await slot.enter_async_context(self._slots)
            return
        raise Problem(
            429,
            "too-many-large-bodies",
            "Too many large bodies are being received at the moment.",
            "Send it again later.",
            headers=RETRY_AFTER,
        )

    def _too_large(self) -> Problem:
        return Problem(
            413,
            "body-too-large",
            f"The body is larger than {self._settings.max_body_bytes} bytes.",
            "GitHub sends no payload above 25 MB; the setting webhook.max_body_bytes is the cap here.",
        )


def _too_slow() -> Problem:
    # Without "Connection: close" the server would go on reading the slow rest.
    return Problem(
        408,
        "body-too-slow",
        "The body did not arrive in time.",
        "Send it faster; the setting webhook.body_timeout is the limit here.",
        headers={"Connection": "close"},
    )
