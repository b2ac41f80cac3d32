"""Reads what a merge changed, file by file, and copes with objects that the clone does not have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from itertools import islice
from types import TracebackType
from typing import Self

from shared.domain.pull_request import ChangedFile, FileStatus, Unread
from shared.domain.text import clean_text
from shared.sources.git_history.commands import Conversation, GitFailure, run
from shared.sources.git_history.patches import Garbled, RawEntry, Section, cut, raw_entries

MERGE_LIMIT = 16_000_000
"""Bytes of all patches of one merge that are kept."""

_LISTING = ("-r", "-z", "--root", "--no-commit-id", "--raw", "--no-abbrev", "--ignore-submodules=none", "-l1000")
_PATCH = (
    *_LISTING,
    "-p",
    "-M",
    "--no-ext-diff",
    "--no-textconv",
    "--no-color",
    "--submodule=short",
    "--src-prefix=a/",
    "--dst-prefix=b/",
    "--unified=3",
)
_STATUS: Mapping[str, FileStatus] = {
    "A": "added",
    "C": "copied",
    "D": "removed",
    "M": "modified",
    "R": "renamed",
    "T": "changed",
}
_BIG = 16 * 1024 * 1024
"""From this size on git takes content for binary (``core.bigFileThreshold``): a diff would take too much memory."""

_BATCH = 400
"""Object ids asked about at once: question and answer each fit a pipe."""

_ARGUMENTS = 100_000
"""Bytes of path names given to one git process; systems allow at least this much."""


class DiffReader:
    """Answers what changed between two commits; the git processes behind it live until the context ends.

    A whole clone needs one process for all merges. Where git stumbles over a missing object, the merge is read again
    in small steps: list the files, ask which contents are there, read the patches of those.
    """

    def __init__(self, env: Mapping[str, str]) -> None:
        self._env = env
        self._stack = ExitStack()
        self._patches = self._stack.enter_context(Conversation(("diff-tree", "--stdin", *_PATCH), env))
        self._names = self._stack.enter_context(Conversation(("diff-tree", "--stdin", *_LISTING, "-M100%"), env))
        self._objects = self._stack.enter_context(Conversation(("cat-file", "--batch-check"), env, echo=" missing"))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def files(self, commit: str, base: str | None) -> tuple[ChangedFile, ...] | None:
        """Return the files that differ from ``base`` (None: nothing) to ``commit``, with patches as GitHub has them.

        Contents that the clone lacks, binary ones and too large ones are told by ``unread``. None when the clone
        lacks even the list of files.
        """
        request = f"{commit} {base}\n".encode() if base else f"{commit}\n".encode()
        try:
            with closing(self._patches.ask(request)) as output:
                return self._merge_files(output)
        except (GitFailure, Garbled):
            return self._files_step_by_step(request, commit, base)

    def _files_step_by_step(self, request: bytes, commit: str, base: str | None) -> tuple[ChangedFile, ...] | None:
        try:
            entries = raw_entries(b"".join(self._names.ask(request)))
            missing = self._missing({blob for entry in entries for blob in entry.blobs})
        except (GitFailure, Garbled):
            return None
        readable, found = [], []
        for entry in entries:
            if missing.intersection(entry.blobs):
                found.append(_file(entry, Unread.MISSING_OBJECT))
            elif entry.old_id == entry.new_id:
                found.append(_file(entry, None))
            else:
                readable.append(entry)
        for portion in _portions(readable):
            found += self._limited([base, commit] if base else [commit], portion)
        return tuple(sorted(found, key=lambda file: file.filename))

    def _limited(self, ends: Sequence[str], entries: Sequence[RawEntry]) -> Sequence[ChangedFile]:
        paths = [path for entry in entries for path in (entry.previous, entry.path) if path is not None]
        try:
            return self._merge_files([run(("diff-tree", *_PATCH, *ends, "--", *paths), self._env)])
        except (GitFailure, Garbled):
            return [_file(entry, Unread.MISSING_OBJECT) for entry in entries]

    def _merge_files(self, output: Iterable[bytes]) -> tuple[ChangedFile, ...]:
        parts = cut(output)
        entries = next(parts)
        if not isinstance(entries, list):
            raise Garbled("no list of files")
        room = MERGE_LIMIT
        files = []
        for entry in entries:
            sections = [part for part in islice(parts, entry.sections) if isinstance(part, Section)]
            if len(sections) != entry.sections:
                raise Garbled("a file without its patch")
            file = self._read_file(entry, sections, room)
            room -= len(file.patch or "")
            files.append(file)
        if next(parts, None) is not None:
            raise Garbled("a patch without its file")
        return tuple(files)

    def _read_file(self, entry: RawEntry, sections: Sequence[Section], room: int) -> ChangedFile:
        hunks = b"\n".join(section.hunks for section in sections if section.hunks)
        unread = None
        if any(section.binary for section in sections):
            unread = Unread.TOO_LARGE if self._is_big(entry) else Unread.BINARY
        elif any(section.too_large for section in sections) or len(hunks) > room:
            unread = Unread.TOO_LARGE
        file = _file(entry, unread)
        return file.model_copy(
            update={
                "additions": sum(section.additions for section in sections),
                "deletions": sum(section.deletions for section in sections),
                "patch": clean_text(hunks.decode("utf-8", "replace")) if hunks and unread is None else None,
            }
        )

    def _is_big(self, entry: RawEntry) -> bool:
        """Whether git took the content for binary only because of its size."""
        try:
            sizes = [int(words[2]) for words in self._described(entry.blobs) if len(words) == 3 and words[2].isdigit()]
        except GitFailure:
            return False
        return max(sizes, default=0) >= _BIG

    def _missing(self, blobs: Iterable[str]) -> set[str]:
        return {words[0] for words in self._described(blobs) if words[-1] == "missing"}

    def _described(self, blobs: Iterable[str]) -> Iterator[list[str]]:
        """Ask for each object: ``ID type size``, or ``ID missing``."""
        asked = sorted(blobs)
        for at in range(0, len(asked), _BATCH):
            request = "".join(f"{blob}\n" for blob in asked[at : at + _BATCH]).encode()
            for line in b"".join(self._objects.ask(request)).decode("ascii", "replace").splitlines():
                yield line.split(" ")


def _file(entry: RawEntry, unread: Unread | None) -> ChangedFile:
    """The entry without content; a change of the mode alone is ``changed`` as on GitHub."""
    status = _STATUS.get(entry.letter, "changed")
    if status == "modified" and entry.old_id == entry.new_id:
        status = "changed"
    return ChangedFile(
        filename=_name(entry.path),
        status=status,
        previous_filename=_name(entry.previous) if entry.previous is not None else None,
        unread=unread,
        submodule=entry.submodule,
    )


def _name(path: bytes) -> str:
    """A path as text; bytes that are not UTF-8 show as U+FFFD (C-39)."""
    return clean_text(path.decode("utf-8", "surrogateescape"))


def _portions(entries: Sequence[RawEntry]) -> Iterator[list[RawEntry]]:
    """Cut a list of entries so that their names fit an argument list."""
    portion: list[RawEntry] = []
    size = 0
    for entry in entries:
        length = len(entry.path) + len(entry.previous or b"") + 2
        if portion and size + length > _ARGUMENTS:
            yield portion
            portion, size = [], 0
        portion.append(entry)
        size += length
    if portion:
        yield portion
