"""A clone whose merges are told with their review, asked of the host where a person wishes it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from services.cli.asked_host import WITHOUT_CREDENTIAL, api_of, asking, opened_host
from services.cli.surroundings import now, opened_database
from shared.domain.errors import Absent, Permanent, Postponed, Transient
from shared.domain.protocols import Clock, MergeSource, Progress, SourceTexts
from shared.domain.pull_request import PullRequest, RepositoryRef
from shared.settings import Settings
from shared.sources.github_api import GitHubApi
from shared.sources.opening import open_source
from shared.store import analyses, pull_requests, repositories
from shared.store.session import Database

_STEP = 1.0
"""Seconds between two looks whether a wait is over, so that an interruption is heard at once."""
RETRIES = (5.0, 30.0, 120.0)
"""Seconds to wait before an answer that is not the API's is asked for again; then the merge goes on without review."""


class Reviewed:
    """The merges of ``source``, each with its review as the host tells it; waits for the host's limits.

    Those that ``database`` has with their review are left out: a run that was stopped goes on after them. A merge whose
    review the host refuses for good, or does not give in four tries, is told without it, and said so once.
    """

    def __init__(
        self,
        source: MergeSource,
        api: GitHubApi,
        database: Database,
        say: Callable[[str], None],
        *,
        clock: Clock = now,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        """``clock`` and ``pause`` are how waits are made."""
        self._source = source
        self._api = api
        self._database = database
        self._say = say
        self._clock, self._pause = clock, pause

    @property
    def repository(self) -> RepositoryRef:
        """The repository that the clone tells of."""
        return self._source.repository

    def merged_between(self, start: datetime, end: datetime, progress: Progress | None = None) -> Iterator[PullRequest]:
        """Yield each merge with ``start <= merged_at < end``, oldest first, with its review."""
        for pull_request in self._source.merged_between(start, end, progress):
            if not self._is_known(pull_request):
                yield self._with_review(pull_request)

    def merge_times(self, start: datetime, end: datetime) -> Iterator[tuple[int, datetime]]:
        """Yield number and merge time of each, oldest first; nothing is asked of the host."""
        return self._source.merge_times(start, end)

    def conventions(self) -> dict[str, str]:
        """Return the clone's own."""
        return self._source.conventions()

    def sources(self, pull_request: PullRequest) -> SourceTexts:
        """Return the whole texts that the clone has."""
        return self._source.sources(pull_request)

    def _is_known(self, merge: PullRequest) -> bool:
        ref = merge.repository
        with self._database.reading() as session:
            row = repositories.find(session, ref.full_name, ref.host)
            stored = None if row is None else pull_requests.get(session, row, merge.number)
            if stored is None or not (stored.captured and stored.pull_request.reviews_known):
                return False
            return analyses.latest(session, stored.id) is not None

    def _with_review(self, pull_request: PullRequest) -> PullRequest:
        waits = iter(RETRIES)
        while True:
            try:
                return self._api.with_review(pull_request)
            except Absent:
                return pull_request
            except Permanent as error:
                return self._without(pull_request, error.message)
            except Postponed as error:
                self._wait(error.message, error.until)
            except Transient as error:
                seconds = next(waits, None)
                if seconds is None:
                    return self._without(pull_request, error.message)
                self._wait(error.message, self._clock() + timedelta(seconds=seconds))

    def _without(self, pull_request: PullRequest, why: str) -> PullRequest:
        self._say(f"#{pull_request.number} is taken in without its review. {why}")
        return pull_request

    def _wait(self, why: str, until: datetime) -> None:
        self._say(f"{why} Going on at {until:%H:%M:%S} UTC.")
        while self._clock() < until:
            self._pause(_STEP)


@contextmanager
def open_reviewed(
    settings: Settings, full_name: str, clone: Path, *, review: bool, say: Callable[[str], None]
) -> Iterator[MergeSource]:
    """Yield the clone as a source of merges, with ``review`` told by the host.

    InvalidInput when the folder is no clone of that repository.
    """
    source = open_source(str(clone), repository=full_name, branch=None, cache=settings.clones_folder)
    if not review:
        yield source
        return
    asked = asking(settings, full_name)
    if not asked.github.has_credential:
        say(WITHOUT_CREDENTIAL)
    database = opened_database(asked)
    try:
        api = api_of(opened_host(asked, database), asked.repository(full_name), database)
        yield Reviewed(source, api, database, say)
    finally:
        database.dispose()
