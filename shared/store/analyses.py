"""Analyses: immutable, each once by the fingerprint of its input and rules; the one in force is the latest reached."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from sqlalchemy import ColumnElement, Select, Subquery, and_, func, insert, or_, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.domain.analysis import Analysis, Relation, Tag
from shared.domain.errors import InvalidInput
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import Namespace, Origin
from shared.store.columns import LARGEST_ID, key_text
from shared.store.pull_requests import assemble
from shared.store.repositories import ref_of
from shared.store.tables import AnalysisRow, PullRequestRow, RelationRow, TagRow
from shared.store.upserts import UNSYNCHRONISED, insert_new

_BATCH = 200


def save(session: Session, pull_request_id: int, analysis: Analysis, now: datetime) -> bool:
    """Store the analysis with its tags and relations; False when one with this fingerprint is there.

    Either way it is the latest from now on. Call it in the transaction that finishes the claim (R-13).
    """
    inserted = insert_new(
        session,
        AnalysisRow,
        {
            "pull_request_id": pull_request_id,
            "fingerprint": key_text(analysis.fingerprint),
            "ruleset_version": analysis.ruleset_version,
            "prompt_version": analysis.prompt_version,
            "model": analysis.model,
            "change_type": str(analysis.change_type),
            "importance": analysis.importance.score,
            "summary": analysis.summary,
            "document": analysis.model_dump_json(),
            "examined_at": now,
        },
        key=("pull_request_id", "fingerprint"),
    )
    if inserted is None:
        touch(session, pull_request_id, analysis.fingerprint, now)
        return False
    if tags := _tag_rows(inserted, analysis):
        session.execute(insert(TagRow), tags)
    if relations := _relation_rows(inserted, analysis.relations):
        session.execute(insert(RelationRow), relations)
    return True


def touch(session: Session, pull_request_id: int, fingerprint: str, now: datetime) -> bool:
    """Put the stored analysis with this fingerprint in force again; False when there is none.

    At the same ``now`` the one that was stored later wins: that with a reading over the one by rules below it.
    """
    touched = session.execute(
        update(AnalysisRow)
        .where(
            col(AnalysisRow.pull_request_id) == pull_request_id,
            col(AnalysisRow.fingerprint) == key_text(fingerprint),
        )
        .values(examined_at=now)
        .returning(col(AnalysisRow.id)),
        execution_options=UNSYNCHRONISED,
    )
    return touched.scalar_one_or_none() is not None


def latest(session: Session, pull_request_id: int) -> Analysis | None:
    """Return the analysis in force of one pull request row; None when it has none."""
    return latest_of(session, (pull_request_id,)).get(pull_request_id)


def latest_of(session: Session, pull_request_ids: Iterable[int]) -> dict[int, Analysis]:
    """Return the analysis in force of each of these pull request rows that has one."""
    wanted = sorted(set(pull_request_ids))
    found: dict[int, Analysis] = {}
    for place in range(0, len(wanted), _BATCH):
        newest = _newest(col(AnalysisRow.pull_request_id).in_(wanted[place : place + _BATCH]))
        rows = session.execute(
            select(col(AnalysisRow.pull_request_id), col(AnalysisRow.document)).join(
                newest, and_(newest.c.id == col(AnalysisRow.id), newest.c.place == 1)
            )
        )
        found |= {row: Analysis.model_validate_json(document) for row, document in rows}
    return found


def list_of_week(  # noqa: PLR0913 - a week of a repository, and every filter of the query string by its name
    session: Session,
    repository_id: int,
    start: datetime,
    end: datetime,
    *,
    area: str | None = None,
    tag: str | None = None,
    risk: str | None = None,
    after: int | None = None,
    limit: int = 100,
) -> list[tuple[PullRequest, Analysis | None]]:
    """Return the captured merges with ``start <= merged_at < end``, oldest first, with the analysis in force of each.

    ``area``, ``risk`` and ``tag`` (``namespace:value``) narrow the list to analyses that have all of them; ``after``
    continues behind the pull request of that number. Files are not read. InvalidInput when ``after`` is not stored or
    ``tag`` has no colon.
    """
    query = _of_week(repository_id, start, end).where(*_wanted_tags(area, tag, risk))
    if after is not None:
        query = query.where(_behind(session, repository_id, after))
    rows = session.execute(query.order_by(col(PullRequestRow.merged_at), col(PullRequestRow.number)).limit(limit)).all()
    if not rows:
        return []
    repository = ref_of(session, repository_id)
    return [
        (assemble(facts, None, repository), None if document is None else Analysis.model_validate_json(document))
        for facts, document in rows
    ]


def _of_week(repository_id: int, start: datetime, end: datetime) -> Select[str, str | None]:
    """Facts and analysis document of each captured merge, the latter NULL where there is none yet."""
    week = (
        col(PullRequestRow.repository_id) == repository_id,
        col(PullRequestRow.captured),
        col(PullRequestRow.merged_at) >= start,
        col(PullRequestRow.merged_at) < end,
    )
    newest = _newest(col(AnalysisRow.pull_request_id).in_(select(col(PullRequestRow.id)).where(*week)))
    return (
        select(col(PullRequestRow.facts), col(AnalysisRow.document))
        .outerjoin(newest, and_(newest.c.pull_request_id == col(PullRequestRow.id), newest.c.place == 1))
        .outerjoin(AnalysisRow, col(AnalysisRow.id) == newest.c.id)
        .where(*week)
    )


def _newest(condition: ColumnElement[bool]) -> Subquery:
    """Analyses numbered by age within their pull request: ``place`` 1 is in force."""
    order = (col(AnalysisRow.examined_at).desc(), col(AnalysisRow.id).desc())
    place = func.row_number().over(partition_by=col(AnalysisRow.pull_request_id), order_by=order).label("place")
    return select(col(AnalysisRow.id), col(AnalysisRow.pull_request_id), place).where(condition).subquery()


def _wanted_tags(area: str | None, tag: str | None, risk: str | None) -> list[ColumnElement[bool]]:
    wanted = [(Namespace.AREA, area), (Namespace.RISK, risk)]
    names = [(str(namespace), value) for namespace, value in wanted if value is not None]
    if tag is not None:
        namespace, colon, value = tag.partition(":")
        if not colon:
            raise InvalidInput(f"'{tag}' is not a tag.", "Write it as namespace:value, such as trait:bot.")
        names.append((namespace, value))
    return [
        select(col(TagRow.analysis_id))
        .where(
            col(TagRow.analysis_id) == col(AnalysisRow.id),
            col(TagRow.namespace) == namespace,
            col(TagRow.value) == key_text(value),
        )
        .exists()
        for namespace, value in names
    ]


def _behind(session: Session, repository_id: int, after: int) -> ColumnElement[bool]:
    merged_at, number = col(PullRequestRow.merged_at), col(PullRequestRow.number)
    known = 0 < after <= LARGEST_ID
    last = session.scalar(
        select(merged_at).where(col(PullRequestRow.repository_id) == repository_id, number == (after if known else 0))
    )
    if last is None:
        raise InvalidInput(f"The list cannot go on after #{after}: it is not stored.")
    return or_(merged_at > last, and_(merged_at == last, number > after))


def _tag_rows(analysis_id: int, analysis: Analysis) -> list[dict[str, object]]:
    """One row for each ``namespace:value``; the areas are among them however they were found."""
    rows: dict[tuple[str, str], dict[str, object]] = {}
    areas = (Tag(namespace=Namespace.AREA, value=area, rule="areas", origin=Origin.RULE) for area in analysis.areas)
    for tag in (*analysis.tags, *areas):
        key = (str(tag.namespace), key_text(tag.value))
        row = {"analysis_id": analysis_id, "namespace": key[0], "value": key[1]}
        rows.setdefault(key, row | {"origin": str(tag.origin), "rule": tag.rule})
    return list(rows.values())


def _relation_rows(analysis_id: int, relations: Iterable[Relation]) -> list[dict[str, object]]:
    rows: dict[tuple[str, int, str], dict[str, object]] = {}
    for relation in relations:
        target = relation.target if relation.target is not None and 0 < relation.target <= LARGEST_ID else None
        commit = relation.target_commit
        towards = f"#{target}" if target else key_text(f"commit:{commit}") if commit else ""
        key = (str(relation.kind), relation.source, towards)
        row = {"analysis_id": analysis_id, "kind": key[0], "source": key[1], "towards": towards}
        told = {
            "target": target,
            "target_commit": commit,
            "label": relation.label,
            "confidence": relation.confidence,
            "evidence": relation.evidence,
        }
        rows.setdefault(key, row | told)
    return list(rows.values())
