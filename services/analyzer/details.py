"""The detail source of each repository: where its files, its review and its own conventions come from."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Protocol

import structlog

from services.analyzer.kept_history import kept_history
from services.analyzer.rules.context import RuleContext, build_context
from shared.domain.errors import InvalidInput
from shared.domain.protocols import Clock, DetailDoor, SourceTexts
from shared.domain.pull_request import PullRequest
from shared.settings import RepositorySettings, Settings
from shared.sources.git_history import GitHistory
from shared.sources.merge_records import MergeRecords

CONVENTIONS_LAST = 600.0
"""Seconds for which a repository's conventions are kept before they are read again."""

_log = structlog.get_logger(__name__)


class DetailSource(DetailDoor, Protocol):
    """A detail door that also knows the repository's own convention files."""

    def conventions(self) -> Mapping[str, str]:
        """Return the convention files (labeler.yml, CODEOWNERS), text by path."""


def detail_door(settings: Settings, repository: RepositorySettings, clock: Clock) -> DetailSource | None:
    """Return the detail source that the settings name, or None; nothing is opened yet."""
    if repository.records is not None:
        return MergeRecords(repository.records, repository.full_name)
    if repository.clone is not None:
        return GitHistory(repository.clone, repository.full_name)
    return kept_history(settings, repository, clock) if repository in settings.kept else None


@dataclass(frozen=True)
class Details:
    """What a detail source said of one merge: None when it has none; ``note`` says what went wrong."""

    pull_request: PullRequest | None = None
    note: str | None = None


@dataclass
class _Known:
    context: RuleContext
    until: float


class DetailSources:
    """The detail source and the rule context of every repository, made once each; safe to share between threads."""

    def __init__(
        self,
        settings: Settings,
        opened: Callable[[RepositorySettings], DetailSource | None] | None = None,
        clock: Clock = lambda: datetime.now(UTC),
    ) -> None:
        """``opened`` says which source a repository has, other than by its settings."""
        self._settings = settings
        self._opened = opened or (lambda repository: detail_door(settings, repository, clock))
        self._guard = threading.Lock()
        self._doors: dict[str, DetailSource | None] = {}
        self._contexts: dict[str, _Known] = {}
        self._reading: dict[str, threading.Lock] = {}

    def details(self, facts: PullRequest) -> Details:
        """Return the details of one merge; a source that cannot be read is a note, not an error.

        Transient, Postponed and Permanent errors of a door pass: they say themselves when to try again.
        """
        try:
            door = self._door(facts.repository.full_name)
            if door is None:
                return Details()
            with self._lock(facts.repository.full_name):
                found = door.details(facts)
        except (InvalidInput, OSError) as error:
            _log.warning("details.unreadable", repository=facts.repository.full_name, error=str(error))
            return Details(note=f"The detail source could not be read: {error}")
        return Details(found, None if found is not None else "The detail source does not have this merge.")

    def texts(self, pull_request: PullRequest) -> SourceTexts | None:
        """Return the whole texts of the changed files, None where only patches are known (or the source is broken)."""
        try:
            door = self._door(pull_request.repository.full_name)
            if door is None or not pull_request.files:
                return None
            with self._lock(pull_request.repository.full_name):
                return door.sources(pull_request) or None
        except (InvalidInput, OSError) as error:
            _log.warning("texts.unreadable", repository=pull_request.repository.full_name, error=str(error))
            return None

    def context(self, full_name: str) -> RuleContext:
        """Return what the rules must know of this repository; its conventions are read again after ten minutes."""
        key = full_name.casefold()
        known = self._contexts.get(key)
        if known is None or known.until < time.monotonic():
            context = build_context(self._settings.repository(full_name), self._conventions(full_name))
            known = _Known(context, time.monotonic() + CONVENTIONS_LAST)
            self._contexts[key] = known
        return known.context

    def _conventions(self, full_name: str) -> Mapping[str, str]:
        try:
            door = self._door(full_name)
            if door is None:
                return {}
            with self._lock(full_name):
                return door.conventions()
        except (InvalidInput, OSError) as error:
            _log.warning("conventions.unreadable", repository=full_name, error=str(error))
            return {}

    def _door(self, full_name: str) -> DetailSource | None:
        key = full_name.casefold()
        with self._guard:
            if key not in self._doors:
                self._doors[key] = self._opened(self._settings.repository(full_name))
            return self._doors[key]

    def _lock(self, full_name: str) -> threading.Lock:
        """One reader at a time for each source: their indexes are built on first use."""
        with self._guard:
            return self._reading.setdefault(full_name.casefold(), threading.Lock())
