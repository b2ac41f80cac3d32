"""What is known of one merge, made ready for many checks: built once, and each part only when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from shared.claims.diffs import MOST_CHARACTERS, Diff, Side, read_diff
from shared.claims.haystack import Haystack, Origin, haystack
from shared.domain.pull_request import PullRequest

LONGEST_FIELD = 65_536
"""Characters of one description, message or comment that are looked at; GitHub's own limit."""
MOST_MESSAGES = 250

Tree = Callable[[str], str | None]
"""Says in which file of the repository's tree a token stands, or None."""


@dataclass(frozen=True, eq=False)
class KnownFacts:
    """The facts of ``pull_request``, by identity; ``tree`` is a lookup that the caller brings, None when there is none.

    ``most_characters`` limits how much of the patches is read; ``gaps`` says what was left out.
    """

    pull_request: PullRequest
    tree: Tree | None = None
    most_characters: int = MOST_CHARACTERS

    @cached_property
    def diff(self) -> Diff:
        """The lines of the patches."""
        return read_diff(self.pull_request.files, self.pull_request.changed_files, self.most_characters)

    @property
    def gaps(self) -> tuple[str, ...]:
        """What of the diff was not read; only when there are none is absence evidence."""
        return self.diff.gaps

    @cached_property
    def added(self) -> Haystack:
        """The added lines."""
        return self._side(Side.ADDED)

    @cached_property
    def removed(self) -> Haystack:
        """The removed lines."""
        return self._side(Side.REMOVED)

    @cached_property
    def context(self) -> Haystack:
        """The lines around, and what git repeats behind a hunk's header."""
        return self._side(Side.CONTEXT, Side.HEAD)

    @cached_property
    def paths(self) -> Haystack:
        """The paths of the changed files, new and old."""
        files = self.pull_request.files or ()
        names = [(file.filename, name) for file in files for name in (file.filename, file.previous_filename) if name]
        return haystack((name, Origin("path", path=path)) for path, name in names)

    @cached_property
    def description(self) -> Haystack:
        """What the author says: title, body, messages of the commits, labels."""
        return haystack(self._described())

    @cached_property
    def review(self) -> Haystack:
        """What was said in review and conversation."""
        return haystack(self._reviewed())

    def _side(self, *sides: Side) -> Haystack:
        lines = (line for line in self.diff.lines if line.side in sides)
        return haystack((line.text, Origin("diff", path=line.path, line=line.number)) for line in lines)

    def _described(self) -> Iterator[tuple[str, Origin]]:
        facts = self.pull_request
        yield from _field("title", facts.title)
        yield from _field("body", facts.body)
        for commit in facts.commits[:MOST_MESSAGES]:
            yield from _field("commit", commit.message)
        for label in facts.labels:
            yield from _field("label", label)

    def _reviewed(self) -> Iterator[tuple[str, Origin]]:
        facts = self.pull_request
        for review in facts.reviews[:MOST_MESSAGES]:
            yield from _field("review", review.body)
        for note in facts.review_comments[:MOST_MESSAGES]:
            yield from _field("review", note.body, path=note.path, line=note.line)
        for comment in facts.comments[:MOST_MESSAGES]:
            yield from _field("comment", comment.body)


def _field(
    name: str, text: str | None, path: str | None = None, line: int | None = None
) -> Iterator[tuple[str, Origin]]:
    """The lines of one field; they share one origin, by which it is told from the next field of the same kind."""
    origin = Origin(name, path=path, line=line)
    for words in (text or "")[:LONGEST_FIELD].split("\n"):
        yield words, origin
