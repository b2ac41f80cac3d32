"""The stored document of a digest by its row, for whoever publishes it."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.store.tables import DigestRow


def document_of(session: Session, digest_id: int) -> str | None:
    """Return ``digest.json`` of the row byte for byte; None when there is no such digest."""
    return session.scalar(select(col(DigestRow.document)).where(col(DigestRow.id) == digest_id))
