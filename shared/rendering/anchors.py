"""Heading anchors by GitHub's rules, unique in one document."""

from __future__ import annotations

import unicodedata


def slug(heading: str) -> str:
    r"""Return the anchor that GitHub gives a heading with this text.

    Lower case; letters, marks, decimal digits, connectors (``_``) and hyphens stay, a space becomes a hyphen, the rest
    goes (html-pipeline's table of contents filter: ``/[^\p{Word}\- ]/u``).
    """
    return "".join("-" if character == " " else character for character in heading.lower() if _stays(character))


class Anchors:
    """Gives each heading of one document its anchor, in the order of the document; repeated ones are numbered."""

    def __init__(self) -> None:
        self._taken: dict[str, int] = {}

    def anchor(self, heading: str) -> str:
        """Return the anchor of the next heading with this text."""
        base = slug(heading)
        times = self._taken.get(base, 0)
        self._taken[base] = times + 1
        return f"{base}-{times}" if times else base


def _stays(character: str) -> bool:
    return character in "- " or unicodedata.category(character) in _WORD


_WORD = frozenset({"Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "Pc"})
