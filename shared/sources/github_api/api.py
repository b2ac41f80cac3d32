"""One repository as its host's API tells of it: details of merges, listings, convention files."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import structlog

from shared.code_host import CodeHost, path_of
from shared.domain.errors import Absent, HostAway, Permanent, Postponed
from shared.domain.protocols import Clock, SourceTexts
from shared.domain.pull_request import Cut, DetailSource, PullRequest, RepositoryRef
from shared.settings import RepositorySettings
from shared.sources.github_api import conventions, listing
from shared.sources.github_api.asking import current
from shared.sources.github_api.failing import FailingQueries
from shared.sources.github_api.files import MOST_FILES, FilesRead, read_files
from shared.sources.github_api.listing import ListedPage
from shared.sources.github_api.open_review import read_openly
from shared.sources.github_api.review import read_told
from shared.sources.github_api.told import Told, Totals, totals_of
from shared.sources.github_payloads import tree, whole

SETTLED = timedelta(minutes=2)
"""So long after a merge the host may not show it, or not all of it, on each of its machines (C-12)."""
LOOK_AGAIN = timedelta(seconds=30)
REQUESTS_WITHOUT_QUERY = 4
"""For one merge of up to a hundred files, of the sixty an hour without a credential; more files take what they need."""
REQUESTS_WITH_CREDENTIAL = 40
"""For one merge where a credential gives thousands an hour, and GraphQL does not answer."""
CONVENTIONS_LAST = timedelta(hours=1)
"""How long convention files are kept without a credential, in each process."""

_log = structlog.get_logger(__name__)


class GitHubApi:
    """One repository; nothing is asked before the first question. Safe to share between threads.

    Every method raises what the host raises: Postponed (a limit, an outage), Parked (no right), Absent (not there),
    Transient. Without a credential details are read over REST with few requests, and ``cut`` says what was left out.
    """

    def __init__(
        self, host: CodeHost, repository: RepositoryRef | str, settings: RepositorySettings, clock: Clock
    ) -> None:
        """``repository`` may be a full name; its id is taken over from the first merge that has one."""
        self._host = host
        self._settings = settings
        self._clock = clock
        named = RepositoryRef(full_name=repository, host=host.host) if isinstance(repository, str) else repository
        self._repository = named
        self._conventions: tuple[datetime, dict[str, str]] | None = None
        self._failing = FailingQueries()

    @property
    def host(self) -> str:
        """The host that is asked, as a repository names its own."""
        return self._host.host

    def details(self, facts: PullRequest) -> PullRequest:
        """Return the merge with its files, its review, its checks and its commits.

        Postponed while a merge of the last two minutes is not shown yet, or with fewer files than it changed; an older
        one that is not shown is Absent. HostAway while the host fails at it; after three failures over ten minutes what
        REST tells has to do.
        """
        repository = self._known(facts.repository)
        try:
            told, read = self._read(repository, facts)
        except Absent as error:
            self._wait_for(facts, error.message)
            raise
        totals = told.totals or totals_of(facts)
        if len(read.files) < min(totals.changed_files, MOST_FILES):
            self._wait_for(facts, "The list of files is shorter than the number of changed files.")
        self._failing.over(facts.number)
        return self._joined(facts, told, read, totals)

    def with_review(self, pull_request: PullRequest) -> PullRequest:
        """Return details that came from elsewhere with what the host alone knows: review, threads, checks, issues."""
        repository = self._known(pull_request.repository)
        try:
            told = self._queried(repository, pull_request)
            if isinstance(told, Cut):
                told = read_openly(self._host, repository, pull_request, _requests(told), told)
        except Absent as error:
            self._wait_for(pull_request, error.message)
            raise
        self._failing.over(pull_request.number)
        kept = pull_request.commits
        cut = {name: reason for name, reason in told.cut.items() if name != "commits" or not kept}
        return pull_request.model_copy(
            update={
                **told.review(),
                "commits": kept or told.commits,
                "co_authors": told.co_authors or pull_request.co_authors,
                "cut": pull_request.cut | cut,
            }
        )

    def sources(self, pull_request: PullRequest) -> SourceTexts:  # noqa: ARG002 - the shape of every source
        """Return nothing: the API gives patches."""
        return {}

    def conventions(self) -> dict[str, str]:
        """Return the repository's own convention files, text by path.

        Without a credential they are read once an hour by each process that analyses merges of the repository: up to
        seven of its sixty requests, as what is not there is asked for as well and a confirmed answer is not free.
        """
        if self._host.can_query:
            return conventions.read_with_credential(self._host, self._repository)
        known, now = self._conventions, self._clock()
        if known is None or now >= known[0] + CONVENTIONS_LAST:
            known = (now, conventions.read_openly(self._host, self._repository))
            self._conventions = known
        return known[1]

    def merges(self, cursor: str | None = None, *, keep: int = 0) -> ListedPage:
        """Return a page of what was merged, the newest update first; ``keep`` requests are left to others."""
        read = listing.list_with_credential if self._host.can_query else listing.list_openly
        return read(self._host, self._repository, self._settings, cursor, keep)

    def refresh(self) -> RepositoryRef:
        """Return the repository as it is called now, with its id, its default branch and whether it is private."""
        self._repository = current(self._host, self._repository)
        return self._repository

    def _known(self, told: RepositoryRef) -> RepositoryRef:
        """The repository as an event tells of it, for later questions too; what has no id tells less than we know."""
        if told.id is not None:
            self._repository = told
        return self._repository

    def _read(self, repository: RepositoryRef, facts: PullRequest) -> tuple[Told, FilesRead]:
        told = self._queried(repository, facts)
        if isinstance(told, Told):
            return told, read_files(self._host, repository, facts.number, told.totals or totals_of(facts))
        why, totals, left = told, totals_of(facts), _requests(told)
        if totals.changed_files == 0:
            totals, left = self._totals(repository, facts.number, keep=left - 1), left - 1
        read = read_files(self._host, repository, facts.number, totals, keep=left - 1)
        left = max(left - read.requests, 1)
        told = read_openly(self._host, repository, facts, left, why)
        return replace(told, totals=totals), read

    def _queried(self, repository: RepositoryRef, facts: PullRequest) -> Told | Cut:
        """What GraphQL tells; why not, where it may not be used, does not take the question (old servers) or fails.

        One heavy pull request times out however often it is asked for: in the end REST is, which asks for less at once.
        Until REST has answered, the query is not sent again: where many are as heavy, each failure closes the host.
        """
        if not self._host.can_query:
            return Cut.NO_CREDENTIAL
        if self._failing.is_given_up(facts.number):
            return Cut.FAILED
        try:
            told = read_told(self._host, repository, facts)
        except Permanent as error:
            _log.warning("github_api.query_refused", repository=repository.full_name, error=str(error))
            return Cut.HOST_LIMIT
        except Postponed as error:
            # A limit of ours that is closed meanwhile is no failure, and no reason to wait for one more either.
            now = self._clock()
            if isinstance(error, HostAway):
                self._failing.failed(facts.number, now)
            if not self._failing.give_up(facts.number, now):
                raise
            _log.warning("github_api.query_given_up", number=facts.number, error=str(error))
            return Cut.FAILED
        self._failing.over(facts.number)
        return told

    def _totals(self, repository: RepositoryRef, number: int, keep: int) -> Totals:
        pull = tree(self._host.read(f"{path_of(repository)}/pulls/{number}", about=repository, keep=keep).body)
        return Totals(*(whole(pull.get(name)) or 0 for name in ("additions", "deletions", "changed_files")))

    def _joined(self, facts: PullRequest, told: Told, read: FilesRead, totals: Totals) -> PullRequest:
        is_cut = MOST_FILES <= len(read.files) < totals.changed_files
        return facts.model_copy(
            update={
                **told.review(),
                "files": read.files,
                "commits": told.commits or facts.commits,
                "co_authors": told.co_authors or facts.co_authors,
                "additions": totals.additions,
                "deletions": totals.deletions,
                "changed_files": max(totals.changed_files, len(read.files)),
                "cut": told.cut | ({"files": Cut.HOST_LIMIT} if is_cut else {}),
                "detail_source": DetailSource.API,
                "history": None,
            }
        )

    def _wait_for(self, facts: PullRequest, why: str) -> None:
        """Postponed while the merge is so young that the host may yet show it."""
        now = self._clock()
        if now < facts.merged_at + SETTLED:
            raise Postponed(f"The code host does not show this merge yet: {why}", now + LOOK_AGAIN)


def _requests(why: Cut) -> int:
    return REQUESTS_WITHOUT_QUERY if why is Cut.NO_CREDENTIAL else REQUESTS_WITH_CREDENTIAL
