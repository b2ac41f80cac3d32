"""Reads the files in which a repository says whose and what its parts are."""

from __future__ import annotations

from collections.abc import Mapping

from shared.domain.text import clean_text
from shared.sources.git_history.commands import GitFailure, run

_KINDS = (
    (".github/labeler.yml", ".github/labeler.yaml"),
    (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"),
)
"""Of each kind the first that exists counts, as on GitHub."""

_LIMIT = 3 * 1024 * 1024
"""Bytes; GitHub ignores a CODEOWNERS file above 3 MB."""


def convention_files(env: Mapping[str, str], commit: str) -> dict[str, str]:
    """Return the text of each convention file at ``commit`` by its path; what is not there is left out."""
    found = {}
    for kind in _KINDS:
        for path in kind:
            text = _text(env, f"{commit}:{path}")
            if text is not None:
                found[path] = text
                break
    return found


def _text(env: Mapping[str, str], name: str) -> str | None:
    try:
        if int(run(("cat-file", "-s", name), env)) > _LIMIT:
            return None
        return clean_text(run(("cat-file", "blob", name), env).decode("utf-8", "replace"))
    except GitFailure:
        return None
