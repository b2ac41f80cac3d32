"""Finds pull requests and commits that a text names; references to other repositories never count."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shared.domain.pull_request import RepositoryRef

REFERENCE = (
    r"(?:https?://[\w.:-]{1,80}/[\w.-]{1,60}/[\w.-]{1,100}/(?:pull|issues)/\d{1,9}"
    r"|(?:[\w.-]{1,60}/[\w.-]{1,100})?#\d{1,9}\b|\bgh-\d{1,9}\b)"
)
"""A reference in any of its forms; ``local_number`` tells whether it is one of ours."""
_URL = re.compile(r"https?://([\w.:-]+)/([\w.-]+/[\w.-]+)/(?:pull|issues)/(\d+)")
_SHORT = re.compile(r"(?:([\w.-]+/[\w.-]+))?(?:#|gh-)(\d+)", re.IGNORECASE)
_ANY = re.compile(REFERENCE, re.IGNORECASE)
SHA = r"\b[0-9a-f]{7,40}\b"


def local_number(reference: str, repository: RepositoryRef) -> int | None:
    """Return the number when ``reference`` names something of ``repository``, else None."""
    if found := _URL.match(reference):
        same = found[1].casefold() == repository.host.casefold() and _same(found[2], repository)
        return int(found[3]) if same and int(found[3]) > 0 else None
    if found := _SHORT.fullmatch(reference):
        same = found[1] is None or _same(found[1], repository)
        return int(found[2]) if same and int(found[2]) > 0 else None
    return None


def local_numbers(text: str, repository: RepositoryRef) -> Iterator[int]:
    """Yield the numbers of all local references in ``text``, in order, each once."""
    seen: set[int] = set()
    for found in _ANY.finditer(text):
        number = local_number(found[0], repository)
        if number is not None and number not in seen and not _part_of_a_word(text, found.start()):
            seen.add(number)
            yield number


def _same(full_name: str, repository: RepositoryRef) -> bool:
    return full_name.casefold() == repository.full_name.casefold()


def _part_of_a_word(text: str, start: int) -> bool:
    """``C#7`` and ``a/b/c#1`` are no references."""
    return start > 0 and (text[start - 1].isalnum() or text[start - 1] in "/#&")
