"""What comes back over the wire: an answer as it came, or why none did."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from shared.domain.text import clean_text, clean_tree


@dataclass(frozen=True)
class RawAnswer:
    """An answer as it came: ``headers`` have lower-case names."""

    status: int
    headers: Mapping[str, str]
    content: bytes = field(repr=False)

    @cached_property
    def text(self) -> str:
        """The body as text, whatever it is."""
        return clean_text(self.content.decode("utf-8", "replace"))

    @cached_property
    def fields(self) -> Mapping[str, Any] | None:
        """The body where it is a JSON object, else None."""
        try:
            body = clean_tree(json.loads(self.text))
        except (ValueError, RecursionError):
            return None
        return body if isinstance(body, dict) else None


class Unreachable(Exception):
    """No whole answer came; says why in a few words."""

    def __init__(self, reason: str, *, sent: bool, late: bool = False, begun: bool = False) -> None:
        """``sent``: something of the request may have left. ``begun``: an answer had begun."""
        super().__init__(reason)
        self.sent, self.late, self.begun = sent, late, begun
