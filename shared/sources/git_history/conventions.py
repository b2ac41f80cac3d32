"""Reads the files in which a repository says whose and what its parts are."""

from __future__ import annotations

from collections.abc import Mapping

from shared.domain.text import clean_text
from shared.sources.convention_paths import CONVENTION_KINDS, LARGEST_CONVENTION_FILE
from shared.sources.git_history.commands import GitFailure, run


def convention_files(env: Mapping[str, str], commit: str) -> dict[str, str]:
    """Return the text of each convention file at ``commit`` by its path; what is not there is left out."""
    found = {}
    for kind in CONVENTION_KINDS:
        for path in kind:
            text = _text(env, f"{commit}:{path}")
            if text is not None:
                found[path] = text
                break
    return found


def _text(env: Mapping[str, str], name: str) -> str | None:
    try:
        if int(run(("cat-file", "-s", name), env)) > LARGEST_CONVENTION_FILE:
            return None
        return clean_text(run(("cat-file", "blob", name), env).decode("utf-8", "replace"))
    except GitFailure:
        return None
