"""One chat request as the scripted server reads it: what document was shown, which schema the answer has to fit."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any


@dataclass(frozen=True)
class Asked:
    """The fields and headers of a chat request, and when it came (seconds of the monotonic clock)."""

    body: Mapping[str, Any]
    headers: Mapping[str, str] = field(default_factory=dict)
    at: float = 0.0

    @property
    def system(self) -> str:
        """The texts of the system messages."""
        return "\n".join(self._texts("system"))

    @property
    def user(self) -> str:
        """The texts of the user's messages."""
        return "\n".join(self._texts("user"))

    @cached_property
    def document(self) -> dict[str, Any]:
        """The JSON document that the user's message begins with; empty when there is none."""
        try:
            found, _ = json.JSONDecoder().raw_decode(self.user.lstrip())
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {"document": found}

    @property
    def is_repair(self) -> bool:
        """Whether an earlier answer is shown behind the document."""
        return '"earlier_answer"' in self.user

    @property
    def mode(self) -> str:
        """How the answer is asked for."""
        asked = self.body.get("response_format")
        return asked.get("type", "") if isinstance(asked, dict) else "text"

    @cached_property
    def schema(self) -> dict[str, Any] | None:
        """The schema of the answer: as it is asked for, or the one that the system's text gives in words."""
        asked = self.body.get("response_format")
        if isinstance(asked, dict) and asked.get("type") == "json_schema":
            schema: dict[str, Any] = asked["json_schema"]["schema"]
            return schema
        for line in reversed(self.system.splitlines()):
            if line.startswith("{") and '"properties"' in line:
                found: dict[str, Any] = json.loads(line)
                return found
        return None

    def _texts(self, role: str) -> Iterator[str]:
        for message in self.body.get("messages", []):
            if message.get("role") == role:
                yield str(message.get("content"))


def texts_of(value: Any, key: str = "") -> Iterator[tuple[str, str]]:
    """Every text of a decoded document with the key that it stands under, in their order."""
    if isinstance(value, str):
        yield key, value
    elif isinstance(value, Mapping):
        for name, one in value.items():
            yield from texts_of(one, str(name))
    elif isinstance(value, list):
        for one in value:
            yield from texts_of(one, key)
