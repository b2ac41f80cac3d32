"""Lists commits of a clone with their people, times and messages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache

from shared.domain.text import clean_text
from shared.sources.git_history.commands import environment, run
from shared.sources.people import Identity, account_of

_FIELDS = ("%H", "%P", "%ct", "%an", "%ae", "%aN", "%aE", "%cn", "%ce", "%B")
_LOG = (
    "log",
    "-z",
    f"--format={'%x00'.join(_FIELDS)}",
    "--encoding=UTF-8",
    "--no-patch",
    "--no-notes",
    "--no-show-signature",
    "--no-color",
)
_FILTER_SINCE = (2, 37)
"""The git that brought ``--since-as-filter``."""

_EPOCH = datetime.fromtimestamp(0, UTC)


@dataclass(frozen=True)
class LoggedCommit:
    """One commit; ``committed_at`` is when it came onto its branch: the host sets the committer time of a merge."""

    sha: str
    parents: tuple[str, ...]
    committed_at: datetime
    author: Identity
    committer: Identity
    message: str


def first_parents(env: Mapping[str, str], tip: str, start: datetime, end: datetime) -> list[LoggedCommit]:
    """Return the commits of the branch itself with ``start <= committed_at < end``, newest first."""
    window = [f"--until=@{max(int(end.timestamp()), 1)} +0000"]
    if start > _EPOCH:
        # `--since` stops at the first older commit, wherever clocks were wrong; the filter looks at every one.
        option = "--since-as-filter" if _git_version() >= _FILTER_SINCE else "--since"
        window.append(f"{option}=@{int(start.timestamp())} +0000")
    found = _log(env, tip, ["--first-parent", *window, tip])
    return [commit for commit in found if start <= commit.committed_at < end]


def first_parents_before(env: Mapping[str, str], tip: str, count: int) -> list[LoggedCommit]:
    """Return ``tip`` and the ``count`` - 1 commits before it on the branch itself, newest first."""
    return _log(env, tip, ["--first-parent", f"--max-count={count}", tip])


def first_of_branch(env: Mapping[str, str], tip: str) -> LoggedCommit | None:
    """Return the commit with which the branch begins, or at which a shallow clone of it ends."""
    return next(iter(_log(env, tip, ["--first-parent", "--max-parents=0", tip])), None)


def brought_in(env: Mapping[str, str], tip: str, heads: Sequence[str], base: str) -> list[LoggedCommit]:
    """Return every commit that ``heads`` lead to and ``base`` does not, newest first; ``tip`` has the mailmap."""
    stdin = "".join([*(f"{head}\n" for head in heads), f"^{base}\n"])
    return _log(env, tip, ["--topo-order", "--stdin"], stdin.encode())


def _log(env: Mapping[str, str], tip: str, selection: Sequence[str], stdin: bytes = b"") -> list[LoggedCommit]:
    fields = run(("-c", f"mailmap.blob={tip}:.mailmap", *_LOG, *selection), env, stdin).split(b"\0")
    size = len(_FIELDS)
    rows = (fields[at : at + size] for at in range(0, len(fields) - size + 1, size))
    return [commit for row in rows if (commit := _commit_of(row)) is not None]


def _commit_of(row: Sequence[bytes]) -> LoggedCommit | None:
    """One commit, or None when its time is none that a calendar has."""
    sha, parents, seconds, *people, message = (clean_text(part.decode("utf-8", "replace")) for part in row)
    try:
        committed_at = datetime.fromtimestamp(int(seconds), UTC)
    except (ValueError, OverflowError, OSError):
        return None
    name, email, mapped_name, mapped_email, committer_name, committer_email = people
    # The repository's own mailmap knows the proper name; only the address as committed may tell the account.
    told = email if account_of(email)[0] else mapped_email
    return LoggedCommit(
        sha=sha,
        parents=tuple(parents.split()),
        committed_at=committed_at,
        author=Identity(name=mapped_name or name, email=told),
        committer=Identity(name=committer_name, email=committer_email),
        message=message,
    )


@cache
def _git_version() -> tuple[int, ...]:
    words = run(("version",), environment()).decode("ascii", "replace").split()
    numbers = (words[2] if len(words) > 2 else "0").split(".")
    return tuple(int(number) for number in numbers[:2] if number.isdigit())
