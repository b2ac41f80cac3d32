"""Reads the files in which a repository says how it is to be read, from its default branch."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from shared.code_host import CodeHost, path_of
from shared.domain.errors import Absent
from shared.domain.pull_request import RepositoryRef
from shared.domain.text import clean_text
from shared.sources.convention_paths import CONVENTION_KINDS, LARGEST_CONVENTION_FILE
from shared.sources.github_api.asking import ask
from shared.sources.github_api.queries import CONVENTION_ALIASES, CONVENTIONS
from shared.sources.github_payloads import tree


def read_with_credential(host: CodeHost, repository: RepositoryRef) -> dict[str, str]:
    """Return the text of each convention file by its path, with one query; what is not there is left out."""
    found, _ = ask(host, CONVENTIONS, repository, {})
    texts = {path: _text(found.get(alias)) for alias, path in CONVENTION_ALIASES.items()}
    first = (next((path for path in kind if texts[path] is not None), None) for kind in CONVENTION_KINDS)
    return {path: texts[path] or "" for path in first if path is not None}


def read_openly(host: CodeHost, repository: RepositoryRef) -> dict[str, str]:
    """Return the same over REST: up to six requests, fewer where a file exists; one that is unchanged costs nothing."""
    found: dict[str, str] = {}
    for kind in CONVENTION_KINDS:
        for path in kind:
            text = _content(host, repository, path)
            if text is not None:
                found[path] = text
                break
    return found


def _text(blob: Any) -> str | None:
    """The text of a blob; one that is no text, or too large to be answered whole, counts as none."""
    known = tree(blob)
    text = known.get("text")
    whole = isinstance(text, str) and known.get("isBinary") is not True and known.get("isTruncated") is not True
    return clean_text(text) if isinstance(text, str) and whole and len(text) <= LARGEST_CONVENTION_FILE else None


def _content(host: CodeHost, repository: RepositoryRef, path: str) -> str | None:
    try:
        body = host.read(f"{path_of(repository)}/contents/{path}", about=repository, conditional=True).body
    except Absent:
        return None
    content = tree(body).get("content")
    if tree(body).get("encoding") != "base64" or not isinstance(content, str):
        return None
    try:
        decoded = base64.b64decode(content)
    except (binascii.Error, ValueError):
        return None
    return clean_text(decoded.decode("utf-8", "replace")) if len(decoded) <= LARGEST_CONVENTION_FILE else None
