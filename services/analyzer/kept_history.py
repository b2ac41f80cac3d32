"""The clone that the reconciler keeps, as a detail source: fetched before a merge that it does not have yet."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta

from shared.domain.errors import InvalidInput, Postponed
from shared.domain.protocols import Clock, SourceTexts
from shared.domain.pull_request import PullRequest
from shared.settings import RepositorySettings, Settings
from shared.sources.git_history import GitHistory
from shared.sources.git_history.upkeep import SPACING, CloneInUse, KeptClone
from shared.sources.github_payloads import object_id
from shared.sources.kept_clones import kept_clone

FETCH_WITHIN = 60.0
"""Seconds of a fetch before an analysis; one that takes longer is the reconciler's, which has more time."""
LOCK_WAIT = 30.0
"""Seconds to wait for another worker that fetches: what it brings is what this one wants."""
SETTLED = timedelta(minutes=2)
"""A fetch this long after a merge has it, unless it is gone: hosts show a merge to all of their machines in seconds."""


class KeptHistory:
    """Details of merges from a kept clone; see ``DetailSource``.

    A merge waits (Postponed, so no try is counted) for a remote that is away and for damage to be mended: until
    ``patience`` after it, or after the remote went away. Then InvalidInput says why the clone does not have it.
    """

    def __init__(self, clone: KeptClone, full_name: str, patience: timedelta, clock: Clock) -> None:
        """Touch nothing yet."""
        self._clone = clone
        self._history = GitHistory(clone.folder, full_name)
        self._patience = patience
        self._clock = clock

    def details(self, facts: PullRequest) -> PullRequest | None:
        """Return the merge with its files, fetched first when it is not there; None when the remote lost it too."""
        trouble = self._bring(facts)
        try:
            found = self._history.details(facts) if self._clone.made else None
        except InvalidInput as error:
            self._clone.suspect()
            if self._patient(facts):
                raise Postponed(error.message, self._clock() + SPACING, error.way_out) from error
            raise
        if found is None and trouble is not None:
            raise InvalidInput(trouble)
        return found

    def sources(self, pull_request: PullRequest) -> SourceTexts:
        """Return the whole texts of the files that the merge changed; empty when the clone does not have it."""
        try:
            return self._history.sources(pull_request) if self._clone.made else {}
        except InvalidInput:
            self._clone.suspect()
            raise

    def conventions(self) -> Mapping[str, str]:
        """Return the repository's own convention files; InvalidInput before there is a clone: it has not said any."""
        if not self._clone.made:
            raise InvalidInput("There is no clone yet.")
        return self._history.conventions()

    def _bring(self, facts: PullRequest) -> str | None:
        """Fetch when the merge is not there; return why it is not when there is no use in waiting."""
        if not self._lacks(facts):
            return None
        try:
            self._clone.fetch(FETCH_WITHIN, LOCK_WAIT, unless=lambda: not self._lacks(facts))
        except CloneInUse:
            if not self._clone.made or self._patient(facts):
                raise
            return "The clone that is kept does not have this merge, and another process works on it."
        except Postponed as error:
            if self._patient(facts):
                raise
            return f"The clone that is kept does not have this merge: {error.message}"
        if self._lacks(facts):
            raise Postponed("The remote does not show this merge yet.", self._clock() + SPACING)
        return None

    def _lacks(self, facts: PullRequest) -> bool:
        """Whether a fetch may bring it: it is not there, and no fetch was late enough to tell that it never will be."""
        commit = object_id(facts.merge_commit_sha)
        if commit is not None and self._clone.has(commit):
            return False
        fetched_at = self._clone.state().fetched_at if self._clone.made else None
        return fetched_at is None or fetched_at < facts.merged_at + SETTLED

    def _patient(self, facts: PullRequest) -> bool:
        """An old merge of a backlog waits as long as a new one: from the beginning of the outage on."""
        since = self._clone.state().failing_since or facts.merged_at
        return self._clock() < max(since, facts.merged_at) + self._patience


def kept_history(settings: Settings, repository: RepositorySettings, clock: Clock) -> KeptHistory:
    """Return the detail source of a repository whose clone is kept. InvalidInput for an address of another kind."""
    clone = kept_clone(settings, repository, clock)
    return KeptHistory(clone, repository.full_name, settings.clones.wait, clock)
