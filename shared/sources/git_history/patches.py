"""Cuts git's diff output into files and their patches as it streams by; pure."""

from __future__ import annotations

import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

PATCH_LIMIT = 1_000_000
"""Bytes of one patch that are kept; GitHub leaves out patches of about this size too."""

_BOUNDARY = b"\ndiff --git "
_HUNK = b"\n@@ "
_BINARY = b"\nBinary files "
_HEAD_LIMIT = 64 * 1024
_LINK = 0o160000


class Garbled(ValueError):
    """The output is not what was asked for."""


@dataclass(frozen=True)
class RawEntry:
    """One changed path: modes and object ids before and after, git's letter for the change, the names as bytes."""

    old_mode: int
    new_mode: int
    old_id: str
    new_id: str
    letter: str
    path: bytes
    previous: bytes | None = None

    @property
    def blobs(self) -> tuple[str, ...]:
        """The ids of the contents that a patch needs; none for unchanged content (a pure rename, a mode change)."""
        if self.old_id == self.new_id:
            return ()
        sides = ((self.old_mode, self.old_id), (self.new_mode, self.new_id))
        return tuple(oid for mode, oid in sides if mode not in {0, _LINK})

    @property
    def submodule(self) -> tuple[str | None, str | None] | None:
        """Old and new commit when the path is a submodule on either side (C-44)."""
        if _LINK not in {self.old_mode, self.new_mode}:
            return None
        old = self.old_id if self.old_mode == _LINK else None
        return old, self.new_id if self.new_mode == _LINK else None

    @property
    def sections(self) -> int:
        """How many parts the patch has: a change of kind (file to link) is shown as removal and addition."""
        kinds = [stat.S_IFMT(mode) for mode in (self.old_mode, self.new_mode) if mode]
        return len(set(kinds)) if len(kinds) == 2 else 1


@dataclass
class Section:
    """The patch of one file: hunks, counts of lines, and why there are no hunks."""

    hunks: bytes = b""
    additions: int = 0
    deletions: int = 0
    binary: bool = False
    too_large: bool = False


@dataclass
class _Growing:
    """A section of which more may come; keeps at most ``PATCH_LIMIT`` bytes but counts all lines."""

    head: bytes = b""
    pieces: list[bytes] | None = None
    size: int = 0
    last: bytes = b""
    section: Section = field(default_factory=Section)

    def feed(self, piece: bytes) -> None:
        if self.pieces is not None:
            self._feed_hunks(piece)
            return
        self.head += piece
        begin = self.head.find(_HUNK)
        if begin >= 0:
            self.pieces = []
            hunks, self.head = self.head[begin + 1 :], self.head[: begin + 1]
            self._feed_hunks(hunks)
        elif len(self.head) > _HEAD_LIMIT:
            raise Garbled("a file header without end")

    def _feed_hunks(self, piece: bytes) -> None:
        """Lines of hunks begin with a sign of their own, so counting line beginnings is exact."""
        assert self.pieces is not None
        seen = self.last + piece
        self.section.additions += seen.count(b"\n+")
        self.section.deletions += seen.count(b"\n-")
        self.last = piece[-1:] or self.last
        self.size += len(piece)
        if self.size > PATCH_LIMIT:
            self.section.too_large = True
            self.pieces.clear()
        else:
            self.pieces.append(piece)

    def done(self) -> Section:
        self.section.binary = _BINARY in self.head
        self.section.hunks = b"".join(self.pieces or ()).removesuffix(b"\n")
        return self.section


def raw_entries(listing: bytes) -> list[RawEntry]:
    """Return the entries of a ``--raw -z`` listing; Garbled when it is none."""
    fields = iter(listing.split(b"\0"))
    entries = []
    for meta in fields:
        if not meta:
            continue
        parts = meta.decode("ascii", "replace").lstrip(":").split(" ")
        if len(parts) != 5:
            raise Garbled("a raw entry of another shape")
        old_mode, new_mode, old_id, new_id, letter = parts
        path = next(fields, b"")
        previous, path = (path, next(fields, b"")) if letter[:1] in {"R", "C"} else (None, path)
        entries.append(RawEntry(int(old_mode, 8), int(new_mode, 8), old_id, new_id, letter[:1], path, previous))
    return entries


def cut(output: Iterable[bytes]) -> Iterator[list[RawEntry] | Section]:
    """Cut a ``--raw -p -z`` answer, given in pieces: first the list of entries, then each section as it is complete."""
    held = b""
    pieces = iter(output)
    for piece in pieces:
        held += piece
        if b"\0\0" in held:
            break
    listing, separator, rest = held.partition(b"\0\0")
    yield raw_entries(listing)
    if separator:
        yield from _sections(rest, pieces)


def _sections(first: bytes, pieces: Iterator[bytes]) -> Iterator[Section]:
    growing = _Growing()
    held = first
    overlap = len(_BOUNDARY) - 1
    while True:
        begin = 0
        while (end := held.find(_BOUNDARY, begin)) >= 0:
            growing.feed(held[begin : end + 1])
            yield growing.done()
            growing, begin = _Growing(), end + 1
        keep = max(begin, len(held) - overlap)
        growing.feed(held[begin:keep])
        piece = next(pieces, None)
        if piece is None:
            growing.feed(held[keep:])
            yield growing.done()
            return
        held = held[keep:] + piece
