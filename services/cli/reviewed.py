"""A clone whose merges are told with their review, asked of the host where a person wishes it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path

from services.cli.asked_host import WITHOUT_CREDENTIAL, api_of, asking, opened_host
from services.cli.surroundings import now, opened_database
from shared.domain.errors import Absent, Postponed
from shared.domain.protocols import MergeSource, Progress, SourceTexts
from shared.domain.pull_request import PullRequest, RepositoryRef
from shared.settings import Settings
from shared.sources.github_api import GitHubApi
from shared.sources.opening import open_source
from shared.store import analyses, pull_requests, repositories
from shared.store.session import Database

_STEP = 1.0
"""Seconds between two looks whether a wait is over, so that an interruption is heard at once."""


class Reviewed:
    """The merges of ``source``, each with its review as the host tells it; waits for the host's limits.

    Those that ``database`` has with their review are left out: a run that was stopped goes on after them.
    """

    def __init__(self, source: MergeSource, api: GitHubApi, database: Database, say: Callable[[str], None]) -> None:
        self._source = source
        self._api = api
        self._database = database
        self._say = say

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
        while True:
            try:
                return self._api.with_review(pull_request)
            except Absent:
                return pull_request
            except Postponed as error:
                self._say(f"{error.message} Going on at {error.until:%H:%M:%S} UTC.")
                while now() < error.until:
                    time.sleep(_STEP)


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
