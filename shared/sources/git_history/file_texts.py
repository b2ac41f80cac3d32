"""Reads the whole texts of changed files, before and after a merge."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from shared.domain.protocols import SourceTexts
from shared.domain.pull_request import ChangedFile
from shared.domain.text import clean_text
from shared.sources.git_history.commands import GitFailure, run

LARGEST_TEXT = 1_000_000
"""Bytes of a text that is read; longer files are the work of a machine."""
MOST_TEXTS = 16_000_000
"""Bytes of all texts of one merge."""

_Wanted = tuple[str, int]
"""The path of a file after the merge, and its side: 0 before, 1 after."""


def file_texts(env: Mapping[str, str], commit: str, base: str | None, files: Iterable[ChangedFile]) -> SourceTexts:
    """Return (text before, text after) of each file that has a patch, by its path; None where there is no file.

    A file is left out when one of its sides is too large, is binary, or is not in the clone. GitFailure when git fails.
    """
    wanted: dict[bytes, _Wanted] = {}
    for file in files:
        if file.patch is None or any("\n" in name for name in (file.filename, file.previous_filename or "")):
            continue
        if base is not None and file.status != "added":
            wanted[_named(base, file.previous_filename or file.filename)] = (file.filename, 0)
        if file.status != "removed":
            wanted[_named(commit, file.filename)] = (file.filename, 1)
    texts: dict[str, list[str | None]] = {name: [None, None] for name, _ in wanted.values()}
    for (name, side), text in _read(env, wanted).items():
        if text is None:
            texts.pop(name, None)
        elif name in texts:
            texts[name][side] = text
    return {name: (before, after) for name, (before, after) in texts.items()}


def _named(commit: str, path: str) -> bytes:
    return f"{commit}:{path}".encode("utf-8", "surrogateescape")


def _read(env: Mapping[str, str], wanted: Mapping[bytes, _Wanted]) -> dict[_Wanted, str | None]:
    """The text of each wanted side, None for one that is not to be had; nothing too large is asked for."""
    found: dict[_Wanted, str | None] = dict.fromkeys(wanted.values())
    asked: list[tuple[_Wanted, bytes]] = []
    room = MOST_TEXTS
    for answer, key in zip(_sizes(env, list(wanted)), wanted.values(), strict=True):
        if answer is not None and answer[1] <= min(LARGEST_TEXT, room):
            asked.append((key, answer[0]))
            room -= answer[1]
    for key, content in _contents(env, asked):
        found[key] = None if b"\0" in content else clean_text(content.decode("utf-8", "replace"))
    return found


def _sizes(env: Mapping[str, str], names: Sequence[bytes]) -> list[tuple[bytes, int] | None]:
    """The object id and the size of each named file, None where the clone has no such text."""
    if not names:
        return []
    told = run(("cat-file", "--batch-check=%(objectname) %(objecttype) %(objectsize)"), env, b"\n".join(names) + b"\n")
    rows = [row.split(b" ") for row in told.removesuffix(b"\n").split(b"\n")]
    if len(rows) != len(names):
        raise GitFailure("git answered another number of questions")
    return [(row[0], int(row[2])) if len(row) == 3 and row[1] == b"blob" else None for row in rows]


def _contents(env: Mapping[str, str], asked: Sequence[tuple[_Wanted, bytes]]) -> Iterable[tuple[_Wanted, bytes]]:
    if not asked:
        return
    told = run(("cat-file", "--batch=%(objectsize)"), env, b"\n".join(oid for _, oid in asked) + b"\n")
    place = 0
    for key, _ in asked:
        end = told.index(b"\n", place)
        size = int(told[place:end])
        yield key, told[end + 1 : end + 1 + size]
        place = end + 1 + size + 1
