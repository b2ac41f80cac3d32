"""The detail sources of each repository: where its files, its review and its own conventions come from."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Protocol

import structlog

from services.analyzer.kept_history import kept_history
from services.analyzer.own_settings import OwnSettings
from services.analyzer.rules.context import RuleContext
from shared.code_host import CodeHost
from shared.domain.errors import Absent, InvalidInput, MergecastError, Permanent
from shared.domain.protocols import Clock, DetailDoor, SourceTexts
from shared.domain.pull_request import PullRequest
from shared.settings import RepositorySettings, Settings
from shared.sources.git_history import GitHistory
from shared.sources.github_api import GitHubApi
from shared.sources.merge_records import MergeRecords
from shared.store.session import Database

CONVENTIONS_LAST = 600.0
"""Seconds for which a repository's conventions are kept before they are read again."""
CONVENTIONS_RETRY = 60.0
"""Seconds after which conventions that could not be read are asked for again."""

_log = structlog.get_logger(__name__)


class DetailSource(DetailDoor, Protocol):
    """A detail door that also knows the repository's own convention files."""

    def conventions(self) -> Mapping[str, str]:
        """Return the convention files (labeler.yml, CODEOWNERS), text by path."""


def detail_door(settings: Settings, repository: RepositorySettings, clock: Clock) -> DetailSource | None:
    """Return the source on this machine that the settings name, or None; nothing is opened yet."""
    if repository.records is not None:
        return MergeRecords(repository.records, repository.full_name)
    if repository.clone is not None:
        return GitHistory(repository.clone, repository.full_name)
    return kept_history(settings, repository, clock) if repository in settings.kept else None


@dataclass(frozen=True)
class Details:
    """What the detail sources said of one merge: None when they have none; ``note`` says what went wrong."""

    pull_request: PullRequest | None = None
    note: str | None = None


@dataclass(frozen=True)
class _Doors:
    """The sources of one repository: its own on this machine, its host's API, or both.

    One reader at a time for the own one: its indexes are built on first use. Nothing is locked while the host is asked.
    """

    own: DetailSource | None
    api: GitHubApi | None
    reading: threading.Lock = field(default_factory=threading.Lock)


@dataclass
class _Known:
    context: RuleContext
    until: float


class DetailSources:
    """The detail sources and the rule context of every repository, made once each; safe to share between threads."""

    def __init__(
        self,
        settings: Settings,
        opened: Callable[[RepositorySettings], DetailSource | None] | None = None,
        clock: Clock = lambda: datetime.now(UTC),
        host: CodeHost | None = None,
        database: Database | None = None,
    ) -> None:
        """``opened`` says which own source a repository has, other than by its settings; no ``host`` is never asked."""
        self._settings = settings
        self._opened = opened or (lambda repository: detail_door(settings, repository, clock))
        self._clock = clock
        self._host = host
        self._own_settings = OwnSettings(settings, database, clock)
        self._guard = threading.Lock()
        self._doors: dict[str, _Doors] = {}
        self._contexts: dict[str, _Known] = {}

    def details(self, facts: PullRequest) -> Details:
        """Return the details of one merge; a source that cannot be read is a note, not an error.

        Transient, Postponed, Parked and Permanent errors of the own source pass: they say themselves when to try again.
        Of the host's, what more asking does not change (Absent, Permanent) is a note: the analysis is made without it.
        """
        try:
            doors = self._of(facts.repository.full_name)
        except (InvalidInput, OSError) as error:
            return _unreadable(facts, error)
        own = _own_details(doors, facts)
        if doors.api is None or facts.repository.host != doors.api.host:
            # Numbers and names of one host mean something else on another.
            return own
        try:
            if own.pull_request is not None:
                return Details(doors.api.with_review(facts.with_details(own.pull_request)), own.note)
            return Details(doors.api.details(facts), own.note)
        except (Absent, Permanent) as error:
            _log.warning("details.unavailable", repository=facts.repository.full_name, error=str(error))
            return Details(own.pull_request, f"The source is unavailable: {error}")

    def texts(self, pull_request: PullRequest) -> SourceTexts | None:
        """Return the whole texts of the changed files, None where only patches are known (or the source is broken)."""
        try:
            doors = self._of(pull_request.repository.full_name)
            if doors.own is None or not pull_request.files:
                return None
            with doors.reading:
                return doors.own.sources(pull_request) or None
        except (InvalidInput, OSError) as error:
            _log.warning("texts.unreadable", repository=pull_request.repository.full_name, error=str(error))
            return None

    def context(self, full_name: str) -> RuleContext:
        """Return what the rules must know of this repository; its conventions are read again after ten minutes.

        While they cannot be read the last ones stay in force: an outage of the host changes no analysis but the first.
        """
        key = full_name.casefold()
        known = self._contexts.get(key)
        if known is None or known.until < time.monotonic():
            texts = self._conventions(full_name)
            if texts is not None or known is None:
                context = self._own_settings.context(full_name, texts)
            else:
                context = known.context
            last = CONVENTIONS_LAST if texts is not None else CONVENTIONS_RETRY
            known = _Known(context, time.monotonic() + last)
            self._contexts[key] = known
        return known.context

    def _conventions(self, full_name: str) -> Mapping[str, str] | None:
        """The convention files of the own source, else those that the host shows; None when they cannot be read."""
        try:
            doors = self._of(full_name)
            if doors.own is not None:
                with doors.reading:
                    texts = doors.own.conventions()
                if texts or doors.api is None:
                    return texts
            return {} if doors.api is None else doors.api.conventions()
        except (MergecastError, OSError) as error:
            _log.warning("conventions.unreadable", repository=full_name, error=str(error))
            return None

    def _of(self, full_name: str) -> _Doors:
        key = full_name.casefold()
        with self._guard:
            if key not in self._doors:
                self._doors[key] = self._open(self._settings.repository(full_name))
            return self._doors[key]

    def _open(self, repository: RepositorySettings) -> _Doors:
        own = self._opened(repository)
        asks = self._host is not None and self._settings.asks_host(repository)
        if self._host is None or not asks or (own is not None and not repository.api):
            return _Doors(own, None)
        return _Doors(own, GitHubApi(self._host, repository.full_name, repository, self._clock))


def _own_details(doors: _Doors, facts: PullRequest) -> Details:
    if doors.own is None:
        return Details()
    try:
        with doors.reading:
            found = doors.own.details(facts)
    except (InvalidInput, OSError) as error:
        return _unreadable(facts, error)
    return Details(found, None if found is not None else "The detail source does not have this merge.")


def _unreadable(facts: PullRequest, error: Exception) -> Details:
    _log.warning("details.unreadable", repository=facts.repository.full_name, error=str(error))
    return Details(note=f"The detail source could not be read: {error}")
