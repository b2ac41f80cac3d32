"""Answers of the code host with their ETags: with a credential, asking whether they still hold costs nothing (R-50)."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.domain.protocols import CachedAnswer, Clock
from shared.domain.text import clean_text
from shared.store.columns import key_text
from shared.store.session import Database
from shared.store.tables import CachedAnswerRow
from shared.store.upserts import UNSYNCHRONISED, insert_or_change


class StoredAnswers:
    """The answers that every process shares."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database, self._clock = database, clock

    def get(self, key: str) -> CachedAnswer | None:
        """Return the answer kept under ``key``, or None; DatabaseUnavailable."""
        with self._database.reading() as session:
            found = session.execute(
                select(col(CachedAnswerRow.etag), col(CachedAnswerRow.body)).where(
                    col(CachedAnswerRow.key) == key_text(key)
                )
            ).one_or_none()
        return None if found is None else CachedAnswer(etag=found.etag, body=found.body)

    def put(self, key: str, answer: CachedAnswer) -> None:
        """Keep ``answer`` in place of the one before; DatabaseUnavailable."""
        changes = {"etag": clean_text(answer.etag), "body": clean_text(answer.body), "kept_at": self._clock()}
        with self._database.transaction() as session:
            values = {"key": key_text(key)} | changes
            insert_or_change(session, CachedAnswerRow, values, key=("key",), changes=changes)


def prune(session: Session, before: datetime) -> int:
    """Drop the answers that were kept before ``before``, and return how many: they are asked for anew."""
    pruned = session.execute(
        delete(CachedAnswerRow).where(col(CachedAnswerRow.kept_at) < before).returning(col(CachedAnswerRow.key)),
        execution_options=UNSYNCHRONISED,
    )
    return len(pruned.all())
