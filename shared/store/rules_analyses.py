"""Analyses by rules, and which of them no model was ever asked about."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import ColumnElement, Select, and_, func, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.domain.analysis import Analysis
from shared.domain.taxonomy import Trait
from shared.domain.value import Value
from shared.store.columns import key_text
from shared.store.tables import AnalysisRow, PullRequestRow, ReadingRow, TagRow
from shared.store.upserts import UNSYNCHRONISED

_BATCH = 200


class ByRules(Value):
    """The newest analysis of a merge by rules; ``read`` when the one in force is that of a model beside it."""

    pull_request_id: int
    backfilled: bool
    """Only a backfill has brought this merge."""
    analysis: Analysis
    read: bool


def never_asked(
    session: Session,
    repository_id: int,
    since: datetime,
    until: datetime,
    *,
    lowest: int,
    left_out: Iterable[frozenset[Trait]],
    limit: int,
) -> list[ByRules]:
    """Return at most ``limit`` captured merges with ``since <= merged_at < until`` that have no reading.

    One that was superseded is none. Only those of at least the importance ``lowest`` that do not have all the traits of
    one of ``left_out``; the weightiest first.
    """
    pull, analysis = PullRequestRow, AnalysisRow
    of_it = (col(ReadingRow.pull_request_id) == col(pull.id), col(ReadingRow.status) != "superseded")
    asked = select(col(ReadingRow.id)).where(*of_it).exists()
    week = (
        col(pull.repository_id) == repository_id,
        col(pull.captured),
        col(pull.merged_at) >= since,
        col(pull.merged_at) < until,
    )
    skipped = [~and_(*(_has(trait) for trait in sorted(traits))) for traits in left_out]
    newest = newest_ids(col(analysis.pull_request_id).in_(select(col(pull.id)).where(*week, ~asked)))
    rows = session.execute(
        select(col(pull.id), col(pull.captured_by), col(analysis.document))
        .join(analysis, col(analysis.pull_request_id) == col(pull.id))
        .where(col(analysis.id).in_(newest), col(analysis.importance) >= lowest, *skipped)
        .order_by(col(analysis.importance).desc(), col(pull.id))
        .limit(limit)
    )
    return [_by_rules(row, how, document, read=False) for row, how, document in rows]


def of_merges(session: Session, pull_request_ids: Iterable[int]) -> dict[int, ByRules]:
    """Return the newest analysis by rules of each of these pull request rows that has one."""
    wanted = sorted(set(pull_request_ids))
    found: dict[int, ByRules] = {}
    for place in range(0, len(wanted), _BATCH):
        some = col(AnalysisRow.pull_request_id).in_(wanted[place : place + _BATCH])
        in_force = dict(
            session.execute(
                select(col(AnalysisRow.pull_request_id), col(AnalysisRow.model)).where(
                    col(AnalysisRow.id).in_(newest_ids(some, by_rules=False))
                )
            ).all()
        )
        rows = session.execute(
            select(col(PullRequestRow.id), col(PullRequestRow.captured_by), col(AnalysisRow.document))
            .join(AnalysisRow, col(AnalysisRow.pull_request_id) == col(PullRequestRow.id))
            .where(col(AnalysisRow.id).in_(newest_ids(some)))
        )
        for row, how, document in rows:
            found[row] = _by_rules(row, how, document, read=in_force.get(row) is not None)
    return found


def read_before(session: Session, pull_request_id: int, fingerprint: str) -> str | None:
    """Return the fingerprint of the analysis with a reading that was added to this one by rules; None without one."""
    return session.scalar(
        select(col(ReadingRow.fingerprint))
        .where(
            col(ReadingRow.pull_request_id) == pull_request_id,
            col(ReadingRow.base_fingerprint) == key_text(fingerprint),
            col(ReadingRow.status) == "done",
        )
        .order_by(col(ReadingRow.done_at).desc(), col(ReadingRow.id).desc())
        .limit(1)
    )


def examined_at(session: Session, pull_request_id: int, fingerprint: str) -> datetime | None:
    """Return since when this analysis is in force, or was; None when it is not there.

    Its row is locked until the transaction ends: whoever puts it in force again meanwhile comes before or after. An
    analysis with a reading that is stored with the same time stands above it, and below whatever was examined since.
    """
    return session.scalar(
        select(col(AnalysisRow.examined_at))
        .where(
            col(AnalysisRow.pull_request_id) == pull_request_id,
            col(AnalysisRow.fingerprint) == key_text(fingerprint),
        )
        .with_for_update()
    )


def tell_why(session: Session, pull_request_id: int, fingerprint: str, why: str) -> None:
    """Write down why this analysis is by rules alone: not what was examined, only what came of a model since."""
    mine = (
        col(AnalysisRow.pull_request_id) == pull_request_id,
        col(AnalysisRow.fingerprint) == key_text(fingerprint),
    )
    document = session.scalar(select(col(AnalysisRow.document)).where(*mine))
    if document is None:
        return
    told = Analysis.model_validate_json(document)
    if told.source_why != why:
        changed = told.model_copy(update={"source_why": why}).model_dump_json()
        session.execute(update(AnalysisRow).where(*mine).values(document=changed), execution_options=UNSYNCHRONISED)


def newest_ids(condition: ColumnElement[bool], *, by_rules: bool = True) -> Select[int]:
    """Select the row of the newest analysis of each merge under ``condition``, of those by rules alone or of all."""
    row = AnalysisRow
    wanted = (condition, col(row.model).is_(None)) if by_rules else (condition,)
    order = (col(row.examined_at).desc(), col(row.id).desc())
    place = func.row_number().over(partition_by=col(row.pull_request_id), order_by=order).label("place")
    placed = select(col(row.id), place).where(*wanted).subquery()
    return select(placed.c.id).where(placed.c.place == 1)


def _has(trait: Trait) -> ColumnElement[bool]:
    return (
        select(col(TagRow.analysis_id))
        .where(
            col(TagRow.analysis_id) == col(AnalysisRow.id),
            col(TagRow.namespace) == "trait",
            col(TagRow.value) == str(trait),
        )
        .exists()
    )


def _by_rules(row: int, how: str | None, document: str, *, read: bool) -> ByRules:
    return ByRules(
        pull_request_id=row,
        backfilled=how == "backfill",
        analysis=Analysis.model_validate_json(document),
        read=read,
    )
