"""What comes back over the wire, and how it is read: status, headers, JSON, links to further pages."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from shared.domain.errors import Transient
from shared.domain.text import clean_tree

_LINK = re.compile(r'<([^>]*)>\s*;[^,]*?\brel="?([a-z]+)"?')


@dataclass(frozen=True)
class RawAnswer:
    """An answer as it came: ``headers`` have lower-case names, ``text`` is decoded as UTF-8."""

    status: int
    headers: Mapping[str, str] = field(default_factory=dict)
    text: str = field(default="", repr=False)

    @cached_property
    def body(self) -> Any:
        """The decoded JSON, None when the answer is empty; ValueError when it is not JSON."""
        if not self.text.strip():
            return None
        try:
            return clean_tree(json.loads(self.text))
        except RecursionError as error:
            raise ValueError("nested too deeply") from error

    @property
    def fields(self) -> Mapping[str, Any]:
        """The body where it is an object, else an empty one: for reading what a refusal says."""
        try:
            return self.body if isinstance(self.body, dict) else {}
        except ValueError:
            return {}

    @property
    def message(self) -> str:
        """What the host says to it: one line, short enough to be shown, empty for none."""
        said = self.fields.get("message")
        return " ".join(said.split())[:200] if isinstance(said, str) else ""

    @property
    def links(self) -> dict[str, str]:
        """The addresses of the ``Link`` header by their ``rel``."""
        return {rel: url for url, rel in _LINK.findall(self.headers.get("link", ""))}


@dataclass(frozen=True)
class Answer:
    """What was read: the decoded body, and the query parameters that lead to the next and the last page."""

    body: Any
    next: dict[str, str] | None
    unchanged: bool = False
    """The host confirmed the kept answer (304); ``body`` is that one."""
    last: dict[str, str] | None = None
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    """By lower-case name; empty when the kept answer was confirmed."""


def decoded(raw: RawAnswer, what: str) -> Any:
    """Return the object or list that a good answer to ``what`` holds; None when it is empty.

    Transient when it is anything else: a proxy's page, a cut text.
    """
    try:
        body = raw.body
    except ValueError:
        body = raw.text
    if body is None or isinstance(body, (dict, list)):
        return body
    raise Transient(
        f"The answer to {what} is not what GitHub's API gives: status {raw.status}, and no JSON.",
        "It is asked again; when it stays so, look at github.api_url and at proxies on the way.",
    )
