"""Keeps analyses of merges that were read straight from a source, so that a second run is quick."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

from pydantic import ValidationError

from shared.domain.analysis import Analysis

KEPT_FOR = 60 * 86_400.0
"""Seconds after its last use for which an analysis is kept."""


class AnalysisCache:
    """Analyses by fingerprint, in files of a folder; another version of the analyzer does not see them.

    What cannot be written or read, half files included, is made again: a cache is never a reason to fail.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder / analyzer_version()

    def get(self, fingerprint: str) -> Analysis | None:
        """Return the analysis with this fingerprint, or None."""
        path = self._path(fingerprint)
        try:
            found = Analysis.model_validate_json(path.read_bytes())
            path.touch()
        except (OSError, ValidationError):
            return None
        return found

    def put(self, analysis: Analysis) -> None:
        """Keep an analysis."""
        try:
            path = self._path(analysis.fingerprint)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(analysis.model_dump_json(), encoding="utf-8")
        except OSError:
            return

    def _path(self, fingerprint: str) -> Path:
        return self._folder / fingerprint[:2] / f"{fingerprint}.json"


def prune(folder: Path) -> None:
    """Remove what was not used for sixty days, of this and of other versions."""
    oldest = time.time() - KEPT_FOR
    for path in folder.glob("*/*/*.json"):
        try:
            if path.stat().st_mtime < oldest:
                path.unlink()
        except OSError:
            continue


@cache
def analyzer_version() -> str:
    """Return a hash of the analyzer's own code and data: an edited rule never meets the answers of the old one."""
    digest = hashlib.sha256()
    for package in ("services.analyzer", "shared.domain", "shared.claims"):
        for name, content in _contents(files(package), package):
            digest.update(f"{name}\0{len(content)}\0".encode())
            digest.update(content)
    return digest.hexdigest()[:16]


def _contents(folder: Traversable, name: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda one: one.name):
        if entry.is_dir() and entry.name != "__pycache__":
            yield from _contents(entry, f"{name}/{entry.name}")
        elif entry.name.endswith((".py", ".toml")):
            yield f"{name}/{entry.name}", entry.read_bytes()
