"""Text from outside, made safe to store and encode without changing what people wrote."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

_REFUSED = re.compile("[\x00\ud800-\udfff]")


def clean_text(text: str) -> str:
    """Return ``text`` with NUL and lone surrogates replaced by U+FFFD and nothing else changed.

    PostgreSQL refuses NUL in text, and no encoder accepts a lone surrogate; both come in JSON escapes (R-41).
    """
    return _REFUSED.sub("\ufffd", text)


def clean_tree(value: Any) -> Any:
    """Apply ``clean_text`` to every string (keys included) of a decoded JSON value."""
    if isinstance(value, str):
        return clean_text(value)
    if isinstance(value, Mapping):
        return {clean_text(str(key)): clean_tree(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, (bytes, bytearray)):
        return [clean_tree(item) for item in value]
    return value


def fold(text: str) -> str:
    """Return the form in which names are compared: NFC, case folded (stored text keeps the original, C-37)."""
    return unicodedata.normalize("NFC", text).casefold()
