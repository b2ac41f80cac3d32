"""The merge as the readers of facts see it: every changed file with both sides, as far as they are known."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from services.analyzer.facts.lexing import lexer_of
from services.analyzer.facts.outline import Declared, outline_of
from services.analyzer.facts.sides import EMPTY, Side, changed_lines, sides_of_patch, whole_side
from services.analyzer.reading.paths import FileKind
from services.analyzer.reading.reading import FileReading, Reading
from shared.domain.protocols import SourceTexts

MOST_PATCH_CHARACTERS = 300_000
"""Of one patch; more is the work of a machine."""
MOST_SOURCE_CHARACTERS = 1_000_000
"""Of one side of one file."""
MOST_OF_ONE_MERGE = 4_000_000
"""Characters of patches and sources together: keeps one merge under two seconds."""
_LONGEST_AVERAGE_LINE = 400
"""Minified code has lines of thousands of characters."""

TOO_LARGE = "too-large"
MINIFIED = "minified"
NOT_GIVEN = "not-given"

_NOT_OURS = frozenset({FileKind.TEST, FileKind.DOCS, FileKind.SAMPLE, FileKind.VENDORED, FileKind.GENERATED})


@dataclass(frozen=True, eq=False)
class FileChange:
    """One changed file; ``unread`` says why its content is not, or not wholly, known."""

    reading: FileReading
    texts: tuple[str | None, str | None] | None = None
    """The whole text before and after; None when only the patch is to be read."""
    unread: str | None = None

    @property
    def before(self) -> Side:
        """The file as it was."""
        return self._sides[0]

    @property
    def after(self) -> Side:
        """The file as it is now."""
        return self._sides[1]

    @cached_property
    def _sides(self) -> tuple[Side, Side]:
        """Taken apart when a reader asks: most readers ask for few files."""
        patch = self.reading.file.patch
        if patch is None or self.unread is not None:
            return EMPTY, EMPTY
        lexer = lexer_of(self.reading.path.folded, self.language)
        if self.texts is None:
            return sides_of_patch(patch, lexer)
        removed, added = changed_lines(patch)
        return whole_side(self.texts[0], removed, lexer), whole_side(self.texts[1], added, lexer)

    @property
    def path(self) -> str:
        """Where it is now (where it was, when it is gone)."""
        return self.reading.name

    @property
    def path_before(self) -> str:
        """Where it was."""
        return self.reading.file.previous_filename or self.reading.name

    @property
    def kind(self) -> FileKind:
        """What it mainly is."""
        return self.reading.kind

    @property
    def language(self) -> str | None:
        """The name of its programming language file, such as ``python`` or ``cpp``."""
        return self.reading.language.name if self.reading.language else None

    @property
    def product(self) -> bool:
        """Whether it is part of what people use: no test, page, sample, vendored or generated file."""
        return self.kind not in _NOT_OURS and not self.reading.path.test

    @property
    def whole(self) -> bool:
        """Whether both sides are known to the last line."""
        return self.texts is not None

    @cached_property
    def declared(self) -> tuple[tuple[Declared, ...], tuple[Declared, ...]]:
        """What it declared before and what it declares now, as far as it is known."""
        return outline_of(self.before, self.language), outline_of(self.after, self.language)

    @cached_property
    def names(self) -> tuple[frozenset[str], frozenset[str]]:
        """The names of what it declared before and of what it declares now, with those of their classes."""
        before, after = self.declared
        return frozenset(one.name for one in before), frozenset(one.name for one in after)

    @property
    def gone(self) -> bool:
        """Whether the merge removed it."""
        return self.reading.file.status == "removed"

    @property
    def new(self) -> bool:
        """Whether the merge brought it."""
        return self.reading.file.status == "added"


@dataclass(frozen=True, eq=False)
class Change:
    """All of it; share it between the readers."""

    reading: Reading
    files: tuple[FileChange, ...]

    @cached_property
    def product(self) -> tuple[FileChange, ...]:
        """The files that people use."""
        return tuple(file for file in self.files if file.product)

    @cached_property
    def documented(self) -> str:
        """What the changed pages and samples say after the merge, for the question whether a name is documented."""
        pages = [file for file in self.files if file.kind in (FileKind.DOCS, FileKind.SAMPLE)]
        return "\n".join(line.text for file in pages for side in (file.before, file.after) for line in side.lines)

    @property
    def unread(self) -> dict[str, int]:
        """How many files were not, or not wholly, read, by reason."""
        return dict(sorted(Counter(file.unread for file in self.files if file.unread).items()))


def change_of(reading: Reading, sources: SourceTexts | None = None) -> Change:
    """Return the change; whole texts are used for the files that ``sources`` has, patches for all others."""
    room = MOST_OF_ONE_MERGE
    files = []
    for file in reading.files:
        made = _file_change(file, (sources or {}).get(file.name), room)
        room -= sum(len(text or "") for text in made.texts or (file.file.patch,)) if made.unread is None else 0
        files.append(made)
    return Change(reading, tuple(files))


def _file_change(file: FileReading, texts: tuple[str | None, str | None] | None, room: int) -> FileChange:
    patch = file.file.patch
    if patch is None:
        return FileChange(file, unread=None if file.lines == 0 else str(file.file.unread or NOT_GIVEN))
    if len(patch) > min(MOST_PATCH_CHARACTERS, room):
        return FileChange(file, unread=TOO_LARGE)
    if len(patch) > _LONGEST_AVERAGE_LINE * (patch.count("\n") + 1):
        return FileChange(file, unread=MINIFIED)
    fits = texts is not None and all(len(text or "") <= min(MOST_SOURCE_CHARACTERS, room) for text in texts)
    return FileChange(file, texts if fits else None)
