"""Makes the digest of one week from the store, seals it, and hands it to the publisher."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from glob import escape

from services.digest.completeness import with_completeness
from services.digest.frame import Frame
from services.digest.seams import joined
from services.digest.stored_merges import StoredWeek, load_week
from services.digest.telling import tell
from shared.domain.digest import Digest, State
from shared.domain.errors import InvalidInput
from shared.domain.period import Period
from shared.redaction import redact_value
from shared.settings import RepositorySettings, Settings
from shared.settings.targets import publication_targets
from shared.sources.landed import landed_of
from shared.store import digests, publications
from shared.store.convention_files import settings_in_force
from shared.store.session import Database, Session


@dataclass(frozen=True)
class Sealed:
    """A digest that does not change any more, and the publications that were asked for it."""

    digest: Digest
    publication_ids: tuple[int, ...]


def build(
    database: Database, settings: Settings, repository_id: int, period: Period, now: datetime, so_far: bool = False
) -> Digest:
    """Return the digest of the week: a finished one sealed and on its way to the channels, or, ``so_far``, unstored.

    InvalidInput when the week is not over at ``now`` and ``so_far`` was not asked for; KeyError when there is no such
    repository row.
    """
    if so_far:
        return compose(database, settings, repository_id, period, now)
    return seal(database, settings, repository_id, period, now).digest


def compose(database: Database, settings: Settings, repository_id: int, period: Period, now: datetime) -> Digest:
    """Return the digest of the week as the store knows it now, and store nothing; marked when the week is not over."""
    with database.reading() as session:
        period = joined(session, repository_id, period)
        week = load_week(session, repository_id, period, landed_of(settings), settings.model.base_url)
        listed = settings_in_force(session, settings, repository_id, week.repository.full_name)
        frame = with_completeness(
            session,
            settings,
            repository_id,
            _frame(settings, listed, week, period, now),
            {merge.number for merge in week.merges},
        )
    languages = listed.languages or settings.digest.languages
    made = tell(week.merges, frame, languages, earlier=week.earlier, late=week.late, previous_digest=week.previous)
    return redact_value(made)


def _frame(settings: Settings, listed: RepositorySettings, week: StoredWeek, period: Period, now: datetime) -> Frame:
    return Frame(
        repository=week.repository,
        branch=week.branch,
        branches=(*listed.branches, *(escape(name) for name in week.former)),
        period=period,
        generated_at=now,
        so_far=now < period.end,
        featured=listed.featured or settings.digest.featured,
        key_pull_requests=listed.key_pull_requests or settings.digest.key_pull_requests,
        switched_off=listed.switched_off,
        unread=dict(week.readings.standing),
        away_since=week.readings.away_since,
        usage=week.usage,
    )


def seal(database: Database, settings: Settings, repository_id: int, period: Period, now: datetime) -> Sealed:
    """Make and seal the digest of a finished week, with a pending publication for each target, in one transaction.

    A week has one digest, whoever asks and however often: a sealed one is returned as it is (R-30, R-32).
    """
    if now < period.end:
        raise InvalidInput(f"Week {period.week} is not over.", f"It ends at {period.end:%Y-%m-%d %H:%M} UTC.")
    with database.reading() as session:
        stored = digests.get(session, repository_id, period.week)
    made = None
    if stored is None or stored.sealed_at is None:
        made = compose(database, settings, repository_id, period, now)
    with database.transaction() as session:
        if made is not None:
            digests.save(
                session, repository_id, made.branch, made.period, made.to_json(), _entries(made), now, seal=True
            )
        return _handed_over(session, settings, repository_id, period, now)


def _handed_over(session: Session, settings: Settings, repository_id: int, period: Period, now: datetime) -> Sealed:
    """The digest in force, which may be that of another builder who was first, and its publications."""
    stored = digests.get(session, repository_id, period.week)
    assert stored is not None
    wanted = tuple(
        publications.ensure(session, stored.id, target.channel, target.name, now)
        for target in publication_targets(settings)
    )
    return Sealed(Digest.model_validate_json(stored.document), wanted)


def _entries(digest: Digest) -> dict[int, State]:
    return {listed.number: listed.state for listed in digest.pull_requests}
