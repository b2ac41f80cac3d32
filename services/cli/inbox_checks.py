"""What ``doctor`` reads from the store about GitHub: pings, refused deliveries, repositories out of sight."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from services.cli.checks import Finding
from services.cli.deliveries import age
from shared.domain.errors import MergecastError
from shared.settings import Settings

if TYPE_CHECKING:
    from shared.store.session import Database, Session

RECENT = timedelta(days=7)
_LATE = 4
"""So many missed comparisons are worth a warning."""
_MOST_PINGS = 10
_REFUSED = {
    "unsupported-content-type": "On GitHub, open the hook's settings and set the content type to application/json.",
    "invalid-payload": "See the hook's Recent Deliveries on GitHub, and what stands before the receiver.",
    "missing-headers": "Something on the way drops GitHub's headers: let the proxy pass them.",
}


@contextmanager
def current_database(settings: Settings) -> Iterator[Database | None]:
    """Yield the database when it is there with the tables of this program, else None; makes none.

    What is wrong with it is said by the check of the database itself.
    """
    from shared.store.session import Database

    try:
        database = Database(settings.database_url)
    except MergecastError:
        yield None
        return
    try:
        yield database if _is_current(database) else None
    finally:
        database.dispose()


def inbox(settings: Settings, database: Database) -> list[Finding]:
    """Return what receiver and reconciler have noticed."""
    present = database.now()
    with database.reading() as session:
        return [finding for check in CHECKS for finding in check(session, settings, present)]


def pings(session: Session, _settings: Settings, present: datetime) -> Iterator[Finding]:
    """The last ping of each hook, and what it told of the hook's settings (C-05)."""
    from shared.store import events

    for ping in events.last_pings(session, _MOST_PINGS):
        hook = f"hook {ping.hook_id}" if ping.hook_id is not None else "a hook"
        whose = f"{hook} of {ping.repository}" if ping.repository else hook
        told = f"{whose}, {age(present - ping.received_at)} ago"
        if not ping.problems:
            yield Finding("last ping", "good", f"{told}, with nothing to mend")
        for problem in ping.problems:
            mend = "Mended by now? Redeliver the ping (Recent Deliveries on GitHub), and this line goes."
            yield Finding("last ping", "warning", f"{told}: {problem}", mend)


def refused(session: Session, _settings: Settings, present: datetime) -> Iterator[Finding]:
    """Signed deliveries that could not be used: only GitHub or somebody with the secret sends those."""
    from shared.store import events

    for count in events.event_counts(session):
        if count.reason in _REFUSED and present - count.last_at < RECENT:
            told = f"{count.count} × {count.event} ({count.reason}), the last {age(present - count.last_at)} ago"
            yield Finding("refused deliveries", "warning", told, _REFUSED[count.reason])


def parked(session: Session, _settings: Settings, _present: datetime) -> Iterator[Finding]:
    """Deliveries that wait until somebody gives access back."""
    from shared.store import deliveries

    if waiting := deliveries.counts(session).get("parked", 0):
        mend = "`mergecast deliveries --status parked` says what each lacks; they go on when access is back."
        yield Finding("parked deliveries", "warning", f"{waiting} wait for access", mend)


def installations(session: Session, _settings: Settings, present: datetime) -> Iterator[Finding]:
    """Installations of the App that give no access (C-13)."""
    from shared.store import installations

    for one in installations.blind(session):
        told = f"{one.account}: {one.state} {age(present - one.since)} ago, nothing of it is read"
        mend = (
            "Unsuspend the App at the account's installed GitHub Apps, or install it again; the rest goes on by itself."
        )
        yield Finding("installation", "warning", told, mend)


def convention_faults(session: Session, settings: Settings, present: datetime) -> Iterator[Finding]:
    """Files of watched repositories that cannot be used: CODEOWNERS, labeler.yml, .github/mergecast.toml."""
    from shared.store import convention_files

    for fault in convention_files.faults(session):
        if settings.watches(fault.repository):
            kept = "the last good one stays in force" if fault.last_good else "it is not used"
            told = f"{fault.path}: {fault.error} ({kept}, since {age(present - fault.since)})"
            yield Finding(f"files of {fault.repository}", "warning", told, "Mend the file in the repository.")


def comparisons(session: Session, settings: Settings, present: datetime) -> Iterator[Finding]:
    """How long ago each repository was compared with what GitHub knows."""
    from shared.store import reconciliations, repositories

    if not settings.github.enabled:
        return
    names = dict(repositories.all_repositories(session))
    for known in reconciliations.listing(session):
        ref = names.get(known.repository_id)
        if ref is None or not settings.watches(ref.full_name):
            continue
        name = f"comparison of {ref.full_name}"
        if known.blind_since is not None:
            told = f"not seen since {known.blind_since:%Y-%m-%d %H:%M} UTC: {known.blind_reason}"
            yield Finding(name, "warning", told, "Give access back; GitHub is asked again at every comparison.")
        elif known.checked_at is None:
            yield Finding(name, "good", "not compared yet", "The reconciler does it: a worker of the queue upkeep.")
        else:
            old = present - known.checked_at
            told = f"compared with GitHub {age(old)} ago"
            late = old > settings.github.reconcile_every * _LATE
            mend = "See that the reconciler runs: a worker of the queue upkeep, and beat." if late else ""
            yield Finding(name, "warning" if late else "good", told, mend)


def _is_current(database: Database) -> bool:
    from shared.store import migrate

    if database.dialect == "sqlite" and not Path(database.url.split("///", 1)[-1]).exists():
        return False
    try:
        migrate.check(database)
    except MergecastError:
        return False
    return True


CHECKS: tuple[Callable[[Session, Settings, datetime], Iterator[Finding]], ...] = (
    pings,
    refused,
    parked,
    installations,
    convention_faults,
    comparisons,
)
