"""Verifies the HMAC that GitHub sends with each delivery; pure."""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Sequence

_AT_ONCE = 256 * 1024
"""Bodies up to this size are signed within a millisecond; of larger ones no second copy is made."""
_HEADER = re.compile(rb"sha256=([0-9a-f]{64})")


class SignatureMissing(Exception):
    """The delivery carries no signature that could be right: none, several, or not in GitHub's form."""


class SignatureMismatch(Exception):
    """The delivery was not signed with any of the secrets."""


def digest_of(headers: Sequence[bytes]) -> bytes:
    """Return the hex digest, as bytes, of the one ``X-Hub-Signature-256`` among ``headers``.

    GitHub sends ``sha256=`` and 64 lower-case hex digits; whatever else is there (nothing, several, SHA-1, capitals,
    bytes that are no ASCII) raises SignatureMissing, so that such a delivery can be refused before its body is read.
    """
    matched = _HEADER.fullmatch(headers[0]) if len(headers) == 1 else None
    if matched is None:
        raise SignatureMissing
    return matched[1]


def verify(secrets: Sequence[bytes], header: bytes | None, body: bytes | Sequence[bytes]) -> int:
    """Return the position of the secret that signed ``body``, given whole or in pieces, in order.

    Every secret is tried and compared in constant time, on bytes: text would raise for a header that is no ASCII.
    An empty secret signs nothing. SignatureMissing when the header has not GitHub's form, SignatureMismatch when no
    secret fits.
    """
    claimed = digest_of([] if header is None else [header])
    pieces = [body] if isinstance(body, bytes) else body
    fits = [bool(secret) and hmac.compare_digest(_sign(secret, pieces), claimed) for secret in secrets]
    if not any(fits):
        raise SignatureMismatch
    return fits.index(True)


def _sign(secret: bytes, pieces: Sequence[bytes]) -> bytes:
    if sum(map(len, pieces)) <= _AT_ONCE:
        # One call, which is quicker, and offers no other thread a turn that would hold this one up for milliseconds.
        return hmac.digest(secret, b"".join(pieces), "sha256").hex().encode("ascii")
    code = hmac.new(secret, digestmod=hashlib.sha256)
    for piece in pieces:
        code.update(piece)
    return code.hexdigest().encode("ascii")
