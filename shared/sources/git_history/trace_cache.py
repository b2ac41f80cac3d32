"""Keeps what was traced of merges in small files, so that a second look at a week reads no history again."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from pydantic import ValidationError

from shared.domain.code_history import CodeHistory

VERSION = "1"
"""Goes up whenever the tracing may answer differently; what other versions kept is not seen."""

KEPT_FOR = 60 * 86_400.0
"""Seconds after which what was kept is thrown away."""


class TraceCache:
    """Histories by the commit of their merge; what cannot be read or written is traced again, never an error."""

    def __init__(self, folder: Path, clone: Path, ends: Iterable[str] = ()) -> None:
        """``clone`` is whose merges these are; ``ends`` are the commits at which a shallow one ends."""
        whose = "\n".join([str(clone.resolve()), *sorted(ends)])
        self._folder = folder / VERSION / hashlib.sha256(whose.encode("utf-8", "surrogateescape")).hexdigest()[:16]

    def get(self, commit: str) -> CodeHistory | None:
        """Return what was kept of the merge that ended with ``commit``, or None."""
        try:
            return CodeHistory.model_validate_json(self._path(commit).read_bytes())
        except (OSError, ValidationError):
            return None

    def put(self, commit: str, history: CodeHistory) -> None:
        """Keep ``history``; written beside its place first, so that nobody reads half of it."""
        path = self._path(commit)
        beside = path.with_suffix(f".{time.monotonic_ns()}.tmp")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            beside.write_text(history.model_dump_json(), encoding="utf-8")
            beside.replace(path)
        except OSError:
            with suppress(OSError):
                beside.unlink()

    def _path(self, commit: str) -> Path:
        return self._folder / commit[:2] / f"{commit}.json"


def prune(folder: Path) -> None:
    """Remove what was kept long ago, by this and by other versions."""
    oldest = time.time() - KEPT_FOR
    for path in folder.glob("*/*/*/*"):
        try:
            if path.stat().st_mtime < oldest:
                path.unlink()
        except OSError:
            continue  # another process was faster
