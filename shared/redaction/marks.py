"""Counts the marks that stand in a text in place of secrets."""

from __future__ import annotations

import re
from collections import Counter

from shared.redaction.formats import FORMATS
from shared.redaction.private_keys import KIND as PRIVATE_KEY

KINDS = frozenset(
    {one.kind for one in FORMATS}
    | {PRIVATE_KEY, "bearer-token", "authorization-header", "basic-auth", "netrc", "url-credentials", "sentry-dsn"}
    | {"password", "secret", "token", "credential", "api-key", "environment-value"}
)
"""Every kind that is blackened: of marks that strangers write themselves, no other word is passed on."""

_KEY_LINE = re.escape(f"[redacted:{PRIVATE_KEY}]")
_BESIDE = r"[^\w\[\n]*+"
_FURTHER_LINES = rf"(?<={_KEY_LINE})(?:{_BESIDE}\n{_BESIDE}{_KEY_LINE})*+"
_MARK = re.compile(rf"\[redacted:(?P<kind>[a-z0-9-]{{1,40}})\](?:{_FURTHER_LINES})?")


def marks_in(text: str) -> Counter[str]:
    """Return how many secrets were blackened in ``text`` before, by kind; a key counts once for all its lines."""
    if "[redacted:" not in text:
        return Counter()
    return Counter(found["kind"] for found in _MARK.finditer(text) if found["kind"] in KINDS)
