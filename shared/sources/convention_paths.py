"""Where a repository says how it is to be read: the one list of such files for every source."""

from __future__ import annotations

CONVENTION_KINDS = (
    (".github/labeler.yml", ".github/labeler.yaml"),
    (".github/CODEOWNERS", "CODEOWNERS", "docs/CODEOWNERS"),
    (".github/mergecast.toml",),
)
"""Of each kind the first that exists counts, as on GitHub."""

LARGEST_CONVENTION_FILE = 3 * 1024 * 1024
"""Bytes; GitHub ignores a CODEOWNERS file above 3 MB."""
