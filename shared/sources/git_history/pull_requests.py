"""Makes the pull request of a merge that was found in history; pure."""

from __future__ import annotations

from collections.abc import Sequence

from shared.domain.code_history import CodeHistory
from shared.domain.pull_request import ChangedFile, Commit, DetailSource, Person, PullRequest, RepositoryRef
from shared.sources.commit_messages import co_authors_of, without_addresses
from shared.sources.git_history.commits import LoggedCommit
from shared.sources.git_history.merges import FoundMerge
from shared.sources.people import credit, person_of

_COMMITS = 250
"""As many commits of a pull request as GitHub's API lists."""

_WEB_MERGE = "noreply@"
"""Mailbox of the committer of what was merged on the host's pages; the author then is whoever pressed the button."""


def pull_request_of(
    found: FoundMerge,
    files: Sequence[ChangedFile] | None,
    repository: RepositoryRef,
    branch: str,
    history: CodeHistory | None = None,
) -> PullRequest:
    """Return the pull request with its files (None: the clone cannot list them), people, commits and history."""
    author, co_authors = _people(found, repository)
    commits = found.merged or (found.commits if len(found.commits) > 1 else ())
    changed = files or ()
    return PullRequest(
        repository=repository,
        number=found.named.number,
        title=found.named.title,
        body=without_addresses(found.named.body) if found.named.body else None,
        user=author,
        co_authors=co_authors,
        merged_by=_merger(found.last) if found.is_merge_commit else None,
        merged_at=found.last.committed_at,
        base_ref=branch,
        base_sha=found.base,
        head_ref=_head(found.named.head)[1],
        head_sha=found.last.parents[1] if found.is_merge_commit else None,
        merge_commit_sha=found.last.sha,
        additions=sum(file.additions for file in changed),
        deletions=sum(file.deletions for file in changed),
        changed_files=len(changed),
        files=None if files is None else tuple(files),
        commits=tuple(Commit(sha=one.sha, message=without_addresses(one.message)) for one in commits[:_COMMITS]),
        detail_source=DetailSource.CLONE,
        history=history,
    )


def _people(found: FoundMerge, repository: RepositoryRef) -> tuple[Person, tuple[Person, ...]]:
    """Author and co-authors: of a squash the commit's, of a merge commit those of what it brought in."""
    written = [one for one in found.merged if len(one.parents) < 2] or list(found.merged) or list(found.commits)
    trailers = [identity for one in (*written, *found.commits) for identity in co_authors_of(one.message)]
    author, co_authors = credit(written[0].author, [*(one.author for one in written[1:]), *trailers])
    owner = _head(found.named.head)[0]
    if not owner or owner.casefold() == repository.full_name.partition("/")[0].casefold():
        return author, co_authors
    # The owner of a fork opened the pull request; an account that the commit itself tells is surer (forks of teams).
    if not found.merged:
        return Person(login=owner), co_authors
    return (author if author.login else author.model_copy(update={"login": owner})), co_authors


def _merger(commit: LoggedCommit) -> Person | None:
    return person_of(commit.author if commit.committer.email.startswith(_WEB_MERGE) else commit.committer)


def _head(label: str | None) -> tuple[str | None, str | None]:
    """Owner and branch of ``owner/branch`` (GitHub) or ``owner:branch`` (bors); a bare branch has no owner."""
    if label is None:
        return None, None
    for separator in (":", "/"):
        owner, found, branch = label.partition(separator)
        if found and owner and branch:
            return owner, branch
    return None, label
