"""A source of merges whose texts are blackened as they come out of it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from shared.domain.protocols import MergeSource, Progress, SourceTexts
from shared.domain.pull_request import PullRequest, RepositoryRef
from shared.redaction.values import redact_pull_request, redact_texts


class RedactedSource:
    """The merges of ``source`` without secrets; for those who take merges in from elsewhere than the inbox."""

    def __init__(self, source: MergeSource) -> None:
        self._source = source

    @property
    def repository(self) -> RepositoryRef:
        """The repository that the source tells of."""
        return self._source.repository

    def merged_between(self, start: datetime, end: datetime, progress: Progress | None = None) -> Iterator[PullRequest]:
        """Yield each merge with ``start <= merged_at < end``, oldest first, without secrets."""
        return map(redact_pull_request, self._source.merged_between(start, end, progress))

    def merge_times(self, start: datetime, end: datetime) -> Iterator[tuple[int, datetime]]:
        """Yield number and merge time of each, oldest first."""
        return self._source.merge_times(start, end)

    def conventions(self) -> dict[str, str]:
        """Return the repository's own convention files as they are: patterns and names, which are not shown."""
        return self._source.conventions()

    def sources(self, pull_request: PullRequest) -> SourceTexts:
        """Return the whole texts that the source has, without secrets."""
        return redact_texts(self._source.sources(pull_request)) or {}
