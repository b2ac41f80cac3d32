"""Trusted path patterns of the language files, compiled once for very many comparisons."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from shared.domain.text import fold


@dataclass(frozen=True, slots=True)
class PathPatterns:
    """Path patterns in gitignore style without negation, sorted by how cheaply each is compared."""

    names: frozenset[str]
    folders: frozenset[str]
    endings: tuple[str, ...]
    others: re.Pattern[str] | None

    def match(self, path: str) -> bool:
        """Whether the already folded ``path`` is meant; a handful of set look-ups for nearly every pattern."""
        *folders, name = path.split("/")
        if name in self.names or name.endswith(self.endings) or not self.folders.isdisjoint(folders):
            return True
        return self.others is not None and self.others.search(path) is not None


def compile_patterns(patterns: Iterable[str]) -> PathPatterns:
    """Return the patterns compiled; they are folded, so paths must be folded too (C-37)."""
    names, folders, endings, others = set(), set(), set(), []
    for pattern in map(fold, patterns):
        body = pattern.rstrip("/")
        plain = not re.search(r"[*?\[]", body)
        if pattern.endswith("/") and plain and "/" not in body:
            folders.add(body)
        elif plain and "/" not in body and not pattern.endswith("/"):
            names.add(body)
        elif re.fullmatch(r"\*[^*?\[/]+", pattern):
            endings.add(pattern[1:])
        else:
            others.append(_expression(pattern))
    return PathPatterns(
        names=frozenset(names),
        folders=frozenset(folders),
        endings=tuple(sorted(endings)),
        others=re.compile("|".join(others)) if others else None,
    )


def _expression(pattern: str) -> str:
    """Translate one pattern by the rules of gitignore: anchored when a slash stands before its end."""
    folder = pattern.endswith("/")
    body = pattern.strip("/")
    anchored = "/" in body and not body.startswith("**/")
    pieces = [_segment(piece) for piece in body.removeprefix("**/").split("/")]
    inner = "/".join(pieces).replace("(?:any)/", "(?:[^/]+/)*")
    return ("^" if anchored else "(?:^|/)") + inner + ("/" if folder else "$")


def _segment(piece: str) -> str:
    if piece == "**":
        return "(?:any)"
    return re.escape(piece).replace(r"\*", "[^/]*").replace(r"\?", "[^/]")
