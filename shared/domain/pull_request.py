"""The merged pull request: what every source yields and every rule reads."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from typing import Literal

from pydantic import AwareDatetime, Field

from shared.domain.code_history import CodeHistory
from shared.domain.value import Value

FileStatus = Literal["added", "removed", "modified", "renamed", "copied", "changed", "unchanged"]
"""GitHub's words for what happened to a file."""

DEFAULT_HOST = "github.com"
GHOST = "ghost"
"""The login that GitHub shows for a deleted account."""


class Person(Value):
    """An account or, where only a commit is known, a name. E-mail addresses are never kept.

    ``login`` is None when only the name of a commit's author is known.
    """

    login: str | None = GHOST
    name: str | None = None
    id: int | None = None
    type: str = "User"

    @property
    def is_bot(self) -> bool:
        """True for apps and bot accounts; a human called ``robot-lover`` is none (C-23)."""
        return self.type == "Bot" or (self.login or "").endswith("[bot]")

    @property
    def shown(self) -> str:
        """The text that credits this person: the login, else the name, else ``ghost``."""
        return self.login or self.name or GHOST


class RepositoryRef(Value):
    """Which repository: the host's numeric id where the source knows it, else the full name."""

    full_name: str
    id: int | None = None
    host: str = DEFAULT_HOST
    private: bool | None = None
    default_branch: str | None = None

    @property
    def url(self) -> str:
        """The page of the repository on its host."""
        return f"https://{self.host}/{self.full_name}"


class Unread(StrEnum):
    """Why the content of a changed file was not read."""

    BINARY = "binary"
    TOO_LARGE = "too-large"
    MISSING_OBJECT = "missing-object"
    NOT_GIVEN = "not-given"


class ChangedFile(Value):
    """One entry of the file list, with GitHub's field names; ``patch`` is the unified diff without file headers."""

    filename: str
    status: FileStatus = "modified"
    additions: int = Field(default=0, ge=0)
    deletions: int = Field(default=0, ge=0)
    previous_filename: str | None = None
    patch: str | None = None
    unread: Unread | None = None
    submodule: tuple[str | None, str | None] | None = None
    """Old and new commit of a submodule pointer; None for an ordinary file."""


class Review(Value):
    """A submitted review; ``body`` may be None (C-02)."""

    user: Person = Person()
    state: str = "COMMENTED"
    body: str | None = None
    submitted_at: AwareDatetime | None = None
    html_url: str | None = None


class Comment(Value):
    """A comment of the conversation, or of the diff when ``path`` is set."""

    user: Person = Person()
    body: str = ""
    created_at: AwareDatetime | None = None
    html_url: str | None = None
    path: str | None = None
    line: int | None = None


class ReviewThread(Value):
    """A conversation about a place of the diff; ``resolved`` is None where the source cannot tell."""

    path: str | None = None
    line: int | None = None
    resolved: bool | None = None
    outdated: bool = False
    """The place was changed after it was begun."""
    resolved_by: Person | None = None
    comments: tuple[Comment, ...] = ()
    """In order; the first one began it."""


class CheckResult(Value):
    """One check run or commit status of the head commit, in GitHub's lower-case words.

    ``conclusion`` is ``success``, ``failure``, ``neutral``, ``cancelled``, ``skipped``, ``timed_out``,
    ``action_required``, ``startup_failure``, ``stale`` or, before it has ended, ``pending``.
    """

    name: str
    conclusion: str
    url: str | None = None


class LinkedIssue(Value):
    """An issue that the merge closed."""

    number: int
    title: str = ""
    url: str | None = None
    repository: str | None = None
    """Full name where it is an issue of another repository."""


class Cut(StrEnum):
    """Why a list of details was not read to its end."""

    HOST_LIMIT = "host-limit"
    """The host gives no more: 3,000 files, 250 commits."""
    OUR_LIMIT = "our-limit"
    NO_CREDENTIAL = "no-credential"
    """The host tells this only to those who have a credential, or the few requests without one did not suffice."""
    NOT_ALLOWED = "not-allowed"
    """The credential lacks the right to read it."""
    FAILED = "failed"
    """The host failed at it each time that it was asked for this merge, and gave what it gives otherwise."""


class Commit(Value):
    """One commit of the pull request: its id and whole message."""

    sha: str
    message: str = ""


class DetailSource(StrEnum):
    """Where the file list and the review came from."""

    PAYLOAD = "payload"
    RECORDS = "records"
    CLONE = "clone"
    API = "api"


DETAILS = (
    "files",
    "commits",
    "reviews",
    "review_comments",
    "comments",
    "review_threads",
    "checks",
    "linked_issues",
    "reviews_known",
    "cut",
    "detail_source",
    "history",
)
"""The fields of ``PullRequest`` that only a detail source tells; the rest are its facts."""


class PullRequest(Value):
    """A merged pull request.

    ``files`` is None when no detail source was at hand (a webhook payload carries no files); an empty tuple is a pull
    request that changed none. ``additions``, ``deletions`` and ``changed_files`` are the host's totals and may exceed
    what ``files`` adds up to; where a source has no totals they are the sums. All times are aware and in UTC.
    """

    repository: RepositoryRef
    number: int = Field(gt=0)
    title: str
    body: str | None = None
    user: Person = Person()
    co_authors: tuple[Person, ...] = ()
    merged_by: Person | None = None
    merged_at: AwareDatetime
    created_at: AwareDatetime | None = None
    updated_at: AwareDatetime | None = None
    author_association: str | None = None
    """GitHub's word for what the author is to the repository, such as ``FIRST_TIME_CONTRIBUTOR``."""
    base_ref: str
    base_sha: str | None = None
    head_ref: str | None = None
    head_sha: str | None = None
    merge_commit_sha: str | None = None
    labels: tuple[str, ...] = ()
    additions: int = Field(default=0, ge=0)
    deletions: int = Field(default=0, ge=0)
    changed_files: int = Field(default=0, ge=0)
    files: tuple[ChangedFile, ...] | None = None
    commits: tuple[Commit, ...] = ()
    reviews: tuple[Review, ...] = ()
    review_comments: tuple[Comment, ...] = ()
    comments: tuple[Comment, ...] = ()
    review_threads: tuple[ReviewThread, ...] | None = None
    """None when no source told of them."""
    checks: tuple[CheckResult, ...] | None = None
    """Results on the head commit as last read; None when no source told of them."""
    linked_issues: tuple[LinkedIssue, ...] = ()
    reviews_known: bool = False
    """Whether a source told of the review: only then do no reviews mean that there were none."""
    cut: dict[str, Cut] = {}
    """Names of the lists that are not whole, such as ``files``, and why."""
    detail_source: DetailSource = DetailSource.PAYLOAD
    history: CodeHistory | None = None
    """Where the changed code came from; only a clone tells."""

    @property
    def url(self) -> str:
        """The page of the pull request; built from the base repository, which outlives any fork (C-03)."""
        return f"{self.repository.url}/pull/{self.number}"

    @property
    def credited(self) -> tuple[Person, ...]:
        """The author and the human co-authors, each once (C-24); a lone bot is credited as itself."""
        return unique_people((self.user, *(person for person in self.co_authors if not person.is_bot)))

    def without_details(self) -> PullRequest:
        """Return the facts alone, as an event tells them."""
        return self.model_copy(update={name: PullRequest.model_fields[name].default for name in DETAILS})

    def with_details(self, details: PullRequest) -> PullRequest:
        """Return these facts with the files, review and commits of ``details``.

        The host's own totals win; those of ``details`` fill in where this one has none. Title, body, labels and
        people stay: the newest delivery knows them best.
        """
        known_totals = self.changed_files > 0
        return self.model_copy(
            update={
                **{name: getattr(details, name) for name in DETAILS},
                "commits": details.commits or self.commits,
                "co_authors": details.co_authors or self.co_authors,
                "additions": self.additions if known_totals else details.additions,
                "deletions": self.deletions if known_totals else details.deletions,
                "changed_files": self.changed_files if known_totals else details.changed_files,
            }
        )


def unique_people(people: Sequence[Person]) -> tuple[Person, ...]:
    """Return ``people`` in order, each once: by numeric id, else by login, else by name, ignoring case (D-06)."""
    seen: set[str] = set()
    kept: list[Person] = []
    for person in people:
        keys = {f"id:{person.id}"} if person.id is not None else set()
        keys |= {f"login:{person.login.casefold()}"} if person.login else {f"name:{(person.name or GHOST).casefold()}"}
        if not keys & seen:
            kept.append(person)
        seen |= keys
    return tuple(kept)
