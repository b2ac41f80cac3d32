"""The work of one reconciliation, step by step; each step is committed with its place, and the next one goes on."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import AwareDatetime

from services.reconciler.listed_merges import read, take_in
from services.reconciler.redeliveries import all_arrived, ask_for_failed
from services.reconciler.runtime import Fenced, Holding, OutOfTime, ReconciliationRuntime
from services.reconciler.stretch import due_after, floor_of
from services.reconciler.walk import Walk, begin, step
from shared.broker.task_names import TaskName
from shared.code_host import CodeHost
from shared.domain.errors import Parked
from shared.domain.pull_request import RepositoryRef
from shared.domain.value import Value
from shared.settings.repository import RepositorySettings
from shared.sources.github_api import GitHubApi
from shared.store import deliveries, reconciliations, repositories
from shared.store.reconciliations import ReconciliationClaim
from shared.store.session import Session


class Progress(Value):
    """How far a reconciliation has come, as it is kept in the row."""

    looked_at: AwareDatetime | None = None
    """When failed deliveries were last looked at."""
    asked_at: AwareDatetime | None = None
    """When that look was over, if it is this reconciliation's: the walk comes next, whatever became of the look."""
    walk: Walk | None = None


class Comparison:
    """One repository compared with its host, under a claim."""

    def __init__(self, runtime: ReconciliationRuntime, claim: ReconciliationClaim, listed: RepositorySettings) -> None:
        self._runtime = runtime
        self._claim = claim
        self._listed = listed
        self._holding = Holding(runtime, claim)
        kept = claim.known.progress
        self._progress = Progress() if kept is None else Progress.model_validate_json(kept)

    def go(self, repository: RepositoryRef) -> Literal["done", "asked"]:
        """Ask for failed deliveries, walk down the list, move the watermark; ``asked`` when the walk is to wait.

        The host's errors pass: Postponed and OutOfTime leave the place where the next task goes on. Fenced when
        somebody else holds the row by now.
        """
        host = self._runtime.open_host()
        api = GitHubApi(host, repository, self._listed, self._runtime.clock)
        current = self._refreshed(api)
        if self._progress.walk is None and self._progress.asked_at is None and not self._ask(host, current):
            return "asked"
        self._walk(host, api, current)
        self._finish(current)
        return "done"

    def _refreshed(self, api: GitHubApi) -> RepositoryRef:
        """The repository as it is called now, in the store too; Parked when that is another row's."""
        current = api.refresh()
        now = self._runtime.clock()
        with self._runtime.database.transaction() as session:
            row = repositories.ensure(session, current, now)
        if row != self._claim.known.repository_id:
            raise Parked(
                f"The repository is called {current.full_name} by now.", "Write its new name into the settings."
            )
        return current

    def _ask(self, host: CodeHost, repository: RepositoryRef) -> bool:
        """Ask for what failed; False when something is on its way that the walk is to wait for.

        That it was looked is saved here: a look that took long is not repeated by the task that goes on.
        """
        began = self._runtime.clock()
        asked = ask_for_failed(self._runtime, self._holding, host, repository, self._progress.looked_at)
        now = self._runtime.clock()
        self._progress = Progress(looked_at=began, asked_at=now)
        with self._runtime.database.transaction() as session:
            self._save(session, self._progress, now)
        return not asked.deliveries or all_arrived(self._runtime, asked)

    def _walk(self, host: CodeHost, api: GitHubApi, repository: RepositoryRef) -> None:
        walk = self._progress.walk
        if walk is None:
            now = self._runtime.clock()
            with self._runtime.database.reading() as session:
                floor = floor_of(session, self._runtime.settings, self._listed, self._claim.known, now)
            walk = begin(now, floor)
        while not walk.done:
            if self._holding.out_of_time:
                raise OutOfTime
            self._holding.keep()
            walk = self._page(walk, api, repository, stable=host.can_query)

    def _page(self, walk: Walk, api: GitHubApi, repository: RepositoryRef, *, stable: bool) -> Walk:
        """Read one page; what it brings and the place after it are committed together."""
        page = api.merges(walk.cursor)
        merges = read(repository, page.merges)
        left_out = page.left_out + len(page.merges) - len(merges)
        updates = {one.facts.number: one.facts.updated_at or one.facts.merged_at for one in merges}
        now = self._runtime.clock()
        after = step(walk.without(left_out), page, updates, now, stable=stable)
        progress = self._progress.model_copy(update={"walk": after})
        with self._runtime.database.transaction() as session:
            self._save(session, progress, now)
            row, since = self._claim.known.repository_id, self._covered_since(walk)
            work = take_in(session, row, repository, merges, since, now)
        self._progress = progress
        for delivery_id in work:
            self._runtime.ring(TaskName.ANALYZE_DELIVERY, delivery_id)
        return after

    def _finish(self, repository: RepositoryRef) -> None:
        """Move the watermark, and make due what was parked while the repository could not be read (C-13)."""
        walk = self._progress.walk
        assert walk is not None
        known, now = self._claim.known, self._runtime.clock()
        with self._runtime.database.transaction() as session:
            held = reconciliations.finish(
                session,
                self._claim,
                now,
                covered_since=self._covered_since(walk),
                watermark=walk.began if known.watermark is None else max(known.watermark, walk.began),
                progress=Progress(looked_at=self._progress.looked_at).model_dump_json(),
                again_at=max(now, due_after(self._runtime.settings, self._listed, walk.began)),
                left_out_since=self._left_out_since(walk),
            )
            if not held:
                raise Fenced
            deliveries.resume(session, repository=repository.full_name, now=now)

    def _save(self, session: Session, progress: Progress, now: datetime) -> None:
        lease = self._runtime.settings.worker.lease
        if not reconciliations.advance(session, self._claim, progress.model_dump_json(), now, lease):
            raise Fenced

    def _left_out_since(self, walk: Walk) -> datetime | None:
        """From where on something is not known that the list has; None once it could all be read."""
        if not walk.left_out:
            return None
        return min(self._claim.known.left_out_since or walk.floor, walk.floor)

    def _covered_since(self, walk: Walk) -> datetime:
        """From where on every merge is known once the walk is done; what was merged before is a backfill's."""
        known = self._claim.known.covered_since
        return walk.floor if known is None else min(known, walk.floor)
