"""Everything the rules read about one pull request, computed once."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from services.analyzer.languages import ProgrammingLanguage
from services.analyzer.reading.patches import MOST_CHARACTERS, NOTHING, PatchReading, read_patch
from services.analyzer.reading.paths import FileKind, PathReader, PathReading
from services.analyzer.reading.prose import Prose, read_prose
from services.analyzer.reading.title import TitleReading, read_title
from services.analyzer.vocabulary import TYPE_WORDS
from shared.domain.pull_request import ChangedFile, PullRequest
from shared.domain.text import fold

MOST_PATCH_CHARACTERS = 1_500_000
"""Of all patches of one pull request together: keeps one analysis within a few hundredths of a second."""
NO_PATCH = PatchReading()
_SIDE_KINDS = frozenset({FileKind.VENDORED, FileKind.GENERATED, FileKind.DATA, FileKind.SUBMODULE})


@dataclass(frozen=True)
class FileReading:
    """One changed file: its entry, what its path says, and its patch (empty when it was not given)."""

    file: ChangedFile
    path: PathReading
    patch: PatchReading

    @property
    def kind(self) -> FileKind:
        """What the file mainly is; a submodule pointer is known by its entry, never by words in a patch (C-44)."""
        return FileKind.SUBMODULE if self.file.submodule is not None else self.path.kind

    @property
    def name(self) -> str:
        """The path as the source gave it."""
        return self.file.filename

    @property
    def lines(self) -> int:
        """Lines added and removed."""
        return self.file.additions + self.file.deletions

    @property
    def language(self) -> ProgrammingLanguage | None:
        """The programming language by the ending of the path."""
        return self.path.language

    @property
    def moved_only(self) -> bool:
        """True for a rename or copy without any changed line (C-43)."""
        return self.file.status in {"renamed", "copied"} and self.lines == 0


@dataclass(frozen=True, eq=False)
class Reading:
    """A pull request as the rules see it; ``files_known`` is False when only the payload was at hand.

    A reading is itself and no other, so that what was found out about it can be remembered.
    """

    pull_request: PullRequest
    title: TitleReading
    files: tuple[FileReading, ...]
    files_known: bool

    @cached_property
    def prose(self) -> Prose:
        """The description without template, comments and code."""
        return read_prose(self.pull_request.body)

    @cached_property
    def source(self) -> tuple[FileReading, ...]:
        """Files of source code proper: no tests, samples, generated or vendored files."""
        return tuple(file for file in self.files if file.kind is FileKind.SOURCE)

    @cached_property
    def source_lines(self) -> int:
        """Lines of source code proper that changed; what the size of a change is measured by (C-45)."""
        return sum(file.lines for file in self.source)

    @cached_property
    def kinds(self) -> frozenset[FileKind]:
        """The kinds among the files."""
        return frozenset(file.kind for file in self.files)

    @cached_property
    def hand_made(self) -> tuple[FileReading, ...]:
        """Files that people wrote: no lock, generated, vendored or data file, no pointer; all when nothing else is."""
        return tuple(file for file in self.files if file.kind not in _SIDE_KINDS) or self.files

    @cached_property
    def labels(self) -> tuple[tuple[str, str], ...]:
        """The labels, each folded for comparison and as written (C-37)."""
        return tuple((fold(label).strip(), label) for label in self.pull_request.labels)

    @cached_property
    def commit_messages(self) -> str:
        """The messages of the commits, one after the other, as far as they are given."""
        return "\n".join(commit.message[:4_000] for commit in self.pull_request.commits[:100])

    def only(self, *kinds: FileKind) -> bool:
        """Whether files are known and every hand-made one is of these kinds."""
        return bool(self.files) and all(file.kind in kinds for file in self.hand_made)


def read_pull_request(pull_request: PullRequest, read_path: PathReader) -> Reading:
    """Return the reading; no patch is scanned twice, and of all of them at most 1.5 million characters."""
    files: list[FileReading] = []
    allowance = MOST_PATCH_CHARACTERS
    for file in pull_request.files or ():
        patch = read_patch(file.patch, allowance) if file.patch and allowance > 0 else NO_PATCH
        allowance -= min(patch.size, MOST_CHARACTERS)
        files.append(FileReading(file, read_path(file.filename), patch))
    return Reading(
        pull_request=pull_request,
        title=read_title(pull_request.title, frozenset(TYPE_WORDS)),
        files=tuple(files),
        files_known=pull_request.files is not None,
    )


def find_lines(
    files: Sequence[FileReading], pattern: re.Pattern[str], *, removed: bool = False
) -> list[tuple[FileReading, str]]:
    """Return (file, line) for every changed line in which ``pattern`` is found; at most twenty."""
    found: list[tuple[FileReading, str]] = []
    for file in files:
        lines = (file.patch.removed if removed else file.patch.added) or NOTHING
        if not pattern.search("\n".join(lines)):
            continue
        for line in lines:
            if pattern.search(line):
                found.append((file, line.strip()))
                if len(found) == 20:
                    return found
    return found
