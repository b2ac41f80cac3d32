"""What the parts of the house expect of each other; implemented by the services, the sources and the store."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Protocol

from shared.domain.pull_request import PullRequest, RepositoryRef

Clock = Callable[[], datetime]
"""Returns the present as an aware UTC instant; passed in wherever the time matters."""

Progress = Callable[[int, int | None], None]
"""Called with (done, total or None) while a long piece of work goes on."""

SourceTexts = Mapping[str, tuple[str | None, str | None]]
"""The whole text before and after a merge of its changed files, by the path after (before for removed files); None
where there is no file on that side."""


class MergeSource(Protocol):
    """Where whole merges come from: merge records, a clone, the host's API."""

    @property
    def repository(self) -> RepositoryRef:
        """The repository that this source tells of."""

    def merged_between(self, start: datetime, end: datetime, progress: Progress | None = None) -> Iterator[PullRequest]:
        """Yield each pull request with ``start <= merged_at < end``, on any branch the source knows, oldest first."""

    def merge_times(self, start: datetime, end: datetime) -> Iterator[tuple[int, datetime]]:
        """Yield number and merge time of what ``merged_between`` would yield, oldest first, without reading changes."""

    def conventions(self) -> dict[str, str]:
        """Return the repository's own convention files (labeler.yml, CODEOWNERS), text by path."""

    def sources(self, pull_request: PullRequest) -> SourceTexts:
        """Return the whole texts of the files that the merge changed; empty where only patches are known."""


class DetailDoor(Protocol):
    """Where the files and the review of one known merge come from."""

    def details(self, facts: PullRequest) -> PullRequest | None:
        """Return the merge with its files, or None when this source does not have it."""

    def sources(self, pull_request: PullRequest) -> SourceTexts:
        """Return the whole texts of the files that the merge changed; empty where only patches are known."""
