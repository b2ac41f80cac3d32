"""Of a very large diff, the hunks that an answer can rest on: the rest need not be read to check it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence

from shared.claims.haystack import RUN
from shared.claims.identifiers import mentioned
from shared.claims.matching import forms_of
from shared.domain.pull_request import ChangedFile, PullRequest

MOST_READ = 600_000
"""Characters of patches that are read to check one answer."""
_RUNS = 3
_MOST_NEEDLES = 400
_LONGEST = 1_000

Needle = tuple[str, ...]
"""Words that all stand in a hunk which holds a quotation or a name, the longest first."""


def relevant(pull_request: PullRequest, texts: Sequence[str], quotes: Sequence[str]) -> PullRequest:
    """Return the merge without the hunks in which nothing of ``texts`` and ``quotes`` can stand, likeliest files first.

    A merge with no more than 600,000 characters of patches is returned as it is. Otherwise files count as not read
    whole, so that absence is no evidence.
    """
    files = pull_request.files or ()
    if sum(len(file.patch or "") for file in files) <= MOST_READ:
        return pull_request
    wanted = list(dict.fromkeys([*map(_needle, quotes), *_needles_of_names(texts)]))
    needles = [needle for needle in wanted if needle][:_MOST_NEEDLES]
    ranked = sorted((_reduced(file, needles) for file in files), key=lambda found: -found[0])
    return pull_request.model_copy(update={"files": tuple(_within_room(file for _, file in ranked))})


def _within_room(files: Iterable[ChangedFile]) -> Iterator[ChangedFile]:
    """All files, with the patches of the first of them that make up what is read."""
    room = MOST_READ
    for file in files:
        patch = (file.patch or "")[: max(0, room)]
        room -= len(file.patch or "")
        yield file.model_copy(update={"patch": patch or None})


def _needle(text: str) -> Needle:
    runs = dict.fromkeys(RUN.findall(unicodedata.normalize("NFC", text[:_LONGEST])))
    return tuple(sorted(runs, key=len, reverse=True)[:_RUNS])


def _needles_of_names(texts: Sequence[str]) -> Iterator[Needle]:
    for text in texts:
        for mention in mentioned(text[:_LONGEST]):
            yield from (_needle(form.needle) for form in forms_of(mention))


def _reduced(file: ChangedFile, needles: Sequence[Needle]) -> tuple[int, ChangedFile]:
    """How many needles stand in a file, and the file with the hunks that hold one."""
    if not file.patch:
        return 0, file
    patch = file.patch if file.patch.isascii() else unicodedata.normalize("NFC", file.patch)
    here = [needle for needle in needles if all(run in patch for run in needle)]
    hunks = patch.replace("\n@@ ", "\n\0@@ ").split("\n\0") if here else []
    kept = [hunk for hunk in hunks if any(all(run in hunk for run in needle) for needle in here)]
    return len(here), file.model_copy(update={"patch": "\n".join(kept) or None})
