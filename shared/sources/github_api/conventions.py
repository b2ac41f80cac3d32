"""Reads the files in which a repository says how it is to be read, from its default branch."""

from __future__ import annotations

import base64
import binascii
from typing import Any

from shared.code_host import CodeHost, path_of
from shared.domain.errors import Absent
from shared.domain.pull_request import RepositoryRef
from shared.domain.text import clean_text
from shared.sources.convention_paths import LARGEST_CONVENTION_FILE
from shared.sources.convention_texts import (
    BINARY,
    TOO_LARGE,
    ConventionTexts,
    Unreadable,
    first_of_each_kind,
    text_of,
)
from shared.sources.github_api.asking import ask, current
from shared.sources.github_api.queries import CONVENTION_ALIASES, CONVENTIONS
from shared.sources.github_payloads import tree

_NO_TEXT = Unreadable("the host gives no text of it")
_CUT = Unreadable("it is so large that the host gives only a part of it")


def read_with_credential(host: CodeHost, repository: RepositoryRef) -> ConventionTexts:
    """Return the text of each convention file by its path, with one query; what is not there is left out.

    Parked or Absent when the credential does not see the content: null then does not mean that a file is not there.
    """
    found, _ = ask(host, CONVENTIONS, repository, {})
    if not tree(found.get("head")):
        raise Absent(f"{host.host} does not show the content of {repository.full_name}.")
    answered = {path: found.get(alias) for alias, path in CONVENTION_ALIASES.items()}
    return first_of_each_kind(lambda path: _of_blob(answered[path]))


def read_openly(host: CodeHost, repository: RepositoryRef) -> ConventionTexts:
    """Return the same over REST: up to seven requests, fewer where a file exists.

    Absent when the repository is not seen: each of its files is answered like one that is not there.
    """
    found = first_of_each_kind(lambda path: _content(host, repository, path))
    if not found and not found.unreadable:
        current(host, repository)
    return found


def _of_blob(answered: Any) -> str | Unreadable | None:
    blob = tree(answered)
    if not blob:
        # Null: nothing is there; without a field of a file: something else is there, as a folder.
        return None
    text = blob.get("text")
    if blob.get("isBinary") is True:
        return BINARY
    if not isinstance(text, str):
        return _NO_TEXT
    if blob.get("isTruncated") is True:
        return _CUT
    return TOO_LARGE if len(text) > LARGEST_CONVENTION_FILE else clean_text(text)


def _content(host: CodeHost, repository: RepositoryRef, path: str) -> str | Unreadable | None:
    try:
        body = host.read(f"{path_of(repository)}/contents/{path}", about=repository, conditional=True).body
    except Absent:
        return None
    if not isinstance(body, dict) or body.get("type") == "submodule":
        # A list is a folder's; neither is a file.
        return None
    size, content = body.get("size"), body.get("content")
    if isinstance(size, int) and size > LARGEST_CONVENTION_FILE:
        return TOO_LARGE
    if body.get("encoding") != "base64" or not isinstance(content, str):
        return _NO_TEXT
    try:
        return text_of(base64.b64decode(content))
    except (binascii.Error, ValueError):
        return _NO_TEXT
