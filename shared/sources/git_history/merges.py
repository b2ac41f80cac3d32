"""Recognises pull requests in the history of a branch: squash, merge and rebase merges; pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace

from shared.sources.commit_messages import split
from shared.sources.git_history.commits import LoggedCommit

_SQUASH = re.compile(r"(?P<title>.*\S)\s*\(#(?P<number>[1-9][0-9]{0,9})\)\s*", re.ASCII)
_MERGE = re.compile(r"Merge pull request #(?P<number>[1-9][0-9]{0,9}) from (?P<label>\S+)\s*", re.ASCII)
_GITEA = re.compile(
    r"Merge pull request ['\"](?P<title>.*)['\"] \(#(?P<number>[1-9][0-9]{0,9})\) from (?P<label>\S+)( into \S+)?",
    re.ASCII,
)
_BORS = re.compile(r"Auto merge of #(?P<number>[1-9][0-9]{0,9}) - (?P<label>[^\s,]+).*", re.ASCII)
_BATCH = re.compile(r"Merge(?P<numbers>(?: #[1-9][0-9]{0,9})+)\s*", re.ASCII)
_BATCH_ITEM = re.compile(r"(?P<number>[1-9][0-9]{0,9}): (?P<title>.*?)(?: r=\S+)?(?: a=\S+)?", re.ASCII)


@dataclass(frozen=True)
class Named:
    """What a commit says of a pull request: number, title, words, head (``owner:branch`` or ``owner/branch``)."""

    number: int
    title: str
    body: str | None
    head: str | None = None


@dataclass(frozen=True)
class FoundMerge:
    """One pull request and its commits on the branch, oldest first: one for a squash or merge commit."""

    named: Named
    commits: tuple[LoggedCommit, ...]
    merged: tuple[LoggedCommit, ...] = field(default=())
    """The commits that a merge commit brought in, oldest first."""

    @property
    def last(self) -> LoggedCommit:
        """The commit that ended the merge: its time and its id are the merge's."""
        return self.commits[-1]

    @property
    def base(self) -> str | None:
        """The branch as it was before; None for the first commit of all."""
        parents = self.commits[0].parents
        return parents[0] if parents else None

    @property
    def is_merge_commit(self) -> bool:
        """True when the commits of the head came in as they were."""
        return len(self.last.parents) > 1


def pull_requests_named(message: str) -> list[Named]:
    """Return what a commit message says of the pull requests that the commit merges; none for other commits.

    Known are GitHub's squash and merge messages, those of the bors family (which may merge several at once) and
    Gitea's. Of several numbers in a squash subject the one at the end is the pull request: ``Revert "X (#12)" (#34)``.
    """
    said = split(message)
    if matched := _GITEA.fullmatch(said.subject):
        return [Named(int(matched["number"]), matched["title"].strip(), said.body, matched["label"])]
    if matched := _MERGE.fullmatch(said.subject) or _BORS.fullmatch(said.subject):
        title, _, body = (said.body or "").partition("\n")
        title = _without_number(title.strip(), int(matched["number"])) or matched["label"]
        return [Named(int(matched["number"]), title, body.strip("\n") or None, matched["label"])]
    if matched := _BATCH.fullmatch(said.subject):
        return _batch(matched["numbers"], said.body or "")
    if matched := _SQUASH.fullmatch(said.subject):
        return [Named(int(matched["number"]), _without_number(said.subject, int(matched["number"])), said.body)]
    return []


def find_merges(history: Sequence[LoggedCommit]) -> list[FoundMerge]:
    """Return the pull requests of ``history`` (commits of a branch, newest first), oldest first, each number once.

    Consecutive commits with one number are one rebase merge. A number that comes again later is no second merge (a
    pull request merges once) but a follow-up pushed under its name.
    """
    found: dict[int, FoundMerge] = {}
    for group, named in _groups(history):
        for one in named:
            found.setdefault(one.number, FoundMerge(named=one, commits=group))
    return list(found.values())


def with_merged(
    found: Sequence[FoundMerge], branch: Collection[str], commits: Sequence[LoggedCommit]
) -> list[FoundMerge]:
    """Return ``found`` (oldest first) with the commits that each merge commit brought in, out of ``commits``.

    ``branch`` holds the ids of the branch itself: a head that took in the branch does not bring it back.
    """
    known = {commit.sha: (at, commit) for at, commit in enumerate(commits)}
    claimed: set[str] = set(branch)
    filled = []
    for one in found:
        taken: list[tuple[int, LoggedCommit]] = []
        ahead = list(one.last.parents[1:])
        while ahead:
            sha = ahead.pop()
            if sha in known and sha not in claimed:
                claimed.add(sha)
                taken.append(known[sha])
                ahead.extend(known[sha][1].parents)
        taken.sort(key=lambda place: -place[0])
        filled.append(replace(one, merged=tuple(commit for _, commit in taken)))
    return filled


def _groups(history: Sequence[LoggedCommit]) -> Iterator[tuple[tuple[LoggedCommit, ...], list[Named]]]:
    """Runs of neighbouring commits with the same numbers, oldest first, with what the first of them says."""
    group: list[LoggedCommit] = []
    said: list[Named] = []
    for commit in reversed(history):
        named = pull_requests_named(commit.message)
        if group and _continues(group[-1], commit, said, named):
            group.append(commit)
            continue
        if said:
            yield tuple(group), said
        group, said = [commit], named
    if said:
        yield tuple(group), said


def _continues(previous: LoggedCommit, commit: LoggedCommit, said: list[Named], named: list[Named]) -> bool:
    if len(previous.parents) > 1 or commit.parents != (previous.sha,) or not said:
        return False
    return [one.number for one in said] == [one.number for one in named]


def _batch(numbers: str, body: str) -> list[Named]:
    titles = {
        matched["number"]: matched["title"].strip()
        for line in body.split("\n")
        if (matched := _BATCH_ITEM.fullmatch(line.strip()))
    }
    found = numbers.replace("#", "").split()
    return [Named(int(number), titles.get(number) or f"#{number}", body or None) for number in dict.fromkeys(found)]


def _without_number(title: str, number: int) -> str:
    """The title without ``(#number)`` at its end, however often it is there."""
    ending = f"(#{number})"
    while title.endswith(ending) and title != ending:
        title = title.removesuffix(ending).rstrip()
    return title
