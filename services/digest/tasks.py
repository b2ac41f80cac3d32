"""The tasks of the digest: build what is due, or one week on demand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import structlog

from services.digest.build import seal
from services.digest.due import due_periods
from shared.broker.task_names import TaskName
from shared.domain.errors import InvalidInput
from shared.domain.period import Period, parse_week
from shared.domain.protocols import Clock
from shared.settings import Settings
from shared.store import repositories
from shared.store.convention_files import settings_in_force
from shared.store.session import Database, DatabaseUnavailable

_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class DigestRuntime:
    """What the tasks of the digest work with; ``clock`` is the database's unless a test gives another."""

    settings: Settings
    database: Database
    ring: Callable[[TaskName, int | str], None]
    clock: Clock


def make_runtime(settings: Settings, database: Database, ring: Callable[[TaskName, int | str], None]) -> DigestRuntime:
    """Return what the tasks work with; no connection is made yet."""
    return DigestRuntime(settings, database, ring, database.now)


def handlers(runtime: DigestRuntime) -> dict[TaskName, Callable[..., None]]:
    """Return the tasks of this service by name."""

    def due() -> None:
        build_due(runtime)

    def on_demand(what: str) -> None:
        build_digest(runtime, what)

    return {TaskName.BUILD_DUE: due, TaskName.BUILD_DIGEST: on_demand}


def build_due(runtime: DigestRuntime) -> int:
    """Build and seal each digest that is due, and return how many.

    Trigger: beat, every five minutes. Reads merges and analyses; writes digests and pending publications, which it
    rings for. A repository whose digest fails does not hold up the others; it is due again at the next tick, and its
    own later weeks wait for it.
    """
    built = 0
    failed: set[int] = set()
    for due in due_periods(runtime.database, runtime.settings, runtime.clock()):
        if due.repository_id in failed:
            continue
        try:
            _seal_and_ring(runtime, due.repository_id, due.period)
            built += 1
        except DatabaseUnavailable:
            raise
        except Exception:  # noqa: BLE001 - one repository's fault is not another's
            failed.add(due.repository_id)
            _log.exception("digest.failed", repository_id=due.repository_id, week=due.period.week)
    return built


def build_digest(runtime: DigestRuntime, what: str) -> None:
    """Build, seal and publish one week now: ``what`` is the repository's row and the week, as in ``12:2026-W19``.

    A sealed week stays as it is and is only rung for again. InvalidInput for a week that is not over, or when ``what``
    is neither.
    """
    repository, _, week = what.partition(":")
    if not repository.isascii() or not repository.isdigit():
        raise InvalidInput(f"'{what}' names no digest.", "Write it like 12:2026-W19 (repository row, week).")
    with runtime.database.reading() as session:
        try:
            ref = repositories.ref_of(session, int(repository))
        except KeyError as error:
            raise InvalidInput(f"There is no repository row {repository}.") from error
        listed = settings_in_force(session, runtime.settings, int(repository), ref.full_name)
    timezone = listed.timezone or runtime.settings.digest.timezone
    _seal_and_ring(runtime, int(repository), parse_week(week, timezone))


def _seal_and_ring(runtime: DigestRuntime, repository_id: int, period: Period) -> None:
    sealed = seal(runtime.database, runtime.settings, repository_id, period, runtime.clock())
    _log.info("digest.sealed", repository=sealed.digest.repository, week=period.week, merges=sealed.digest.merged_total)
    for publication_id in sealed.publication_ids:
        runtime.ring(TaskName.PUBLISH, publication_id)
