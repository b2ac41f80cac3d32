"""How often the files of a branch changed, from one pass over the names of its commits."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from shared.domain.code_history import FileHistory
from shared.domain.text import clean_text
from shared.sources.git_history.commands import GitFailure, run

BOUND = timedelta(days=90)
"""How far back files are looked at."""

BULK = 400
"""A commit of more files than this (a reformatting, a move of folders) tells nothing of any of them."""

_LOG = (
    "log",
    "-z",
    "--first-parent",
    "-m",
    "--raw",
    "--no-abbrev",
    "--format=%x01%H%x00%ct%x00%s%x00",
    "--encoding=UTF-8",
    "--ignore-submodules=none",
    "--no-notes",
    "--no-show-signature",
    "--no-color",
)
_FIXES = re.compile(
    r"\b(?:fix(?:e[sd]|ing)?|bug ?fix(?:e[sd])?|hot ?fix|bugs?|repairs?|regressions?|reverts?)\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Touch:
    """One commit of the branch at one file; ``at`` is its place in the history, the oldest first."""

    at: int
    moment: datetime
    fixes: bool
    added: bool
    sha: str


class Churn:
    """The touches of every file between ``since`` and a commit of the branch."""

    def __init__(self, since: datetime, order: Mapping[str, int], touches: Mapping[str, Sequence[_Touch]]) -> None:
        self.since = since
        self._order = order
        self._touches = touches

    def knows(self, sha: str, since: datetime) -> bool:
        """Whether the files before the commit ``sha`` can be told back to ``since``."""
        return sha in self._order and self.since <= since

    def of(self, path: str, sha: str, since: datetime, numbers: Mapping[str, int]) -> FileHistory:
        """Return the history of ``path`` from ``since`` up to, not including, the commit ``sha``.

        ``numbers`` gives the pull request of a commit.
        """
        touches = self._touches.get(path, ())
        end = bisect_left(touches, self._order[sha], key=lambda touch: touch.at)
        known = [touch for touch in touches[:end] if touch.moment >= since]
        created = next((touch for touch in reversed(known) if touch.added), None)
        return FileHistory(
            path=path,
            commits=len(known),
            fixes=sum(touch.fixes for touch in known),
            last_changed_at=known[-1].moment if known else None,
            created_at=created.moment if created else None,
            created_by=numbers.get(created.sha) if created else None,
        )


def read_churn(env: Mapping[str, str], tip: str, since: datetime, ends: Iterable[str] = ()) -> Churn:
    """Return the churn of the branch that ends at ``tip``; commits in ``ends`` (of a shallow clone) count for nothing.

    GitFailure when the clone cannot be read.
    """
    window = f"--since=@{max(int(since.timestamp()), 0)} +0000"
    try:
        output = run((*_LOG, "-M", "-l1000", window, tip, "--"), env)
    except GitFailure:  # contents that the clone lacks: files can only be told by their ids
        output = run((*_LOG, "-M100%", window, tip, "--"), env)
    skipped = frozenset(ends)
    order: dict[str, int] = {}
    touches: dict[str, list[_Touch]] = {}
    for at, (sha, moment, subject, files) in enumerate(reversed(list(_commits(output)))):
        order[sha] = at
        if sha in skipped or len(files) > BULK:
            continue
        fixes = is_fix(subject)
        for added, path, previous in files:
            if previous is not None and previous in touches:
                touches[path] = list(touches[previous])
            touches.setdefault(path, []).append(_Touch(at, moment, fixes, added, sha))
    return Churn(since, order, touches)


def is_fix(subject: str) -> bool:
    """Whether the subject of a commit says that it fixes something."""
    return _FIXES.search(subject[:400]) is not None


def _commits(output: bytes) -> Iterator[tuple[str, datetime, str, list[tuple[bool, str, str | None]]]]:
    """Cut the log: id, time, subject, and (added, path, previous path) for each file of every commit."""
    for record in output.split(b"\x01")[1:]:
        fields = iter(record.split(b"\0"))
        sha = next(fields, b"").decode("ascii", "replace")
        seconds, subject = next(fields, b""), next(fields, b"").decode("utf-8", "replace")
        try:
            moment = datetime.fromtimestamp(int(seconds), UTC)
        except (ValueError, OverflowError, OSError):
            continue
        yield sha, moment, subject, list(_files(fields))


def _files(fields: Iterator[bytes]) -> Iterator[tuple[bool, str, str | None]]:
    for meta in fields:
        words = meta.strip().split(b" ")
        if not meta.strip().startswith(b":") or len(words) != 5:
            continue
        letter = words[4][:1]
        name = _name(next(fields, b""))
        if letter in {b"R", b"C"}:
            yield False, _name(next(fields, b"")), name
        else:
            yield letter == b"A", name, None


def _name(path: bytes) -> str:
    return clean_text(path.decode("utf-8", "surrogateescape"))
