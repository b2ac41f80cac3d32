"""Lets in requests that carry one of the API's tokens, and nothing else."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac

import structlog
from fastapi.security import HTTPBearer
from starlette.requests import HTTPConnection

from shared.problems import Problem
from shared.settings.model import ApiSettings

_CHALLENGE = {"WWW-Authenticate": 'Bearer realm="mergecast", Basic realm="mergecast", charset="UTF-8"'}
_log = structlog.get_logger(__name__)


class Gate(HTTPBearer):
    """A dependency that refuses whoever has no token.

    Tokens come as ``Authorization: Bearer …``; a browser, which cannot send that, may give the token as the password
    of Basic authentication (any user name), to read a digest or the documentation. Only hashes are kept and compared,
    in constant time: neither the length of a token nor how much of it was right can be measured.
    """

    def __init__(self, settings: ApiSettings) -> None:
        super().__init__(scheme_name="token", description="One of api.tokens.", auto_error=False)
        tokens = (token.get_secret_value().encode() for token in settings.tokens)
        self._hashes = tuple(hashlib.sha256(token).digest() for token in tokens if token)

    async def __call__(self, request: HTTPConnection) -> None:
        """Problem 503 when no token is set (never open), 401 without a right one."""
        if not self._hashes:
            raise Problem(
                503,
                "api-off",
                "The API is off, because no token is set.",
                "Set api.tokens (MERGECAST_API__TOKENS) and start again.",
            )
        if not self._admits(_token_of(request.headers.get("authorization", ""))):
            _log.warning("api.refused", path=request.url.path)
            raise Problem(
                401,
                "unauthorized",
                "The request carries no token, or one that is not valid.",
                "Send 'Authorization: Bearer TOKEN' with one of api.tokens.",
                headers=_CHALLENGE,
            )

    def _admits(self, token: bytes) -> bool:
        presented = hashlib.sha256(token).digest()
        fits = [hmac.compare_digest(presented, known) for known in self._hashes]
        return any(fits)


def _token_of(authorization: str) -> bytes:
    scheme, _, credentials = authorization.partition(" ")
    # Header text is Latin-1: this gives back the bytes that were sent.
    sent = credentials.strip().encode("latin-1")
    if scheme.lower() == "bearer":
        return sent
    if scheme.lower() == "basic":
        try:
            return base64.b64decode(sent, validate=True).partition(b":")[2]
        except binascii.Error:
            return b""
    return b""
