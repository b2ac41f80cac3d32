"""Insert or keep, insert or change, one at a time: what the two engines do alike in words of their own."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.orm import Session

from shared.store.columns import Row

UNSYNCHRONISED = {"synchronize_session": False}
"""For updates by condition: no row objects are kept in the session that would have to follow."""


def insert_new(
    session: Session, table: type[Row], values: Mapping[str, Any], *, key: Sequence[str] | None, returning: str = "id"
) -> int | None:
    """Insert one row unless one with the same ``key`` is there (None: any unique key); return its id, else None.

    Only the named key counts as a duplicate: other faults still show (R-40).
    """
    statement = _insert(session, table).values(**values).on_conflict_do_nothing(index_elements=key)
    identity: int | None = session.execute(statement.returning(getattr(table, returning))).scalar_one_or_none()
    return identity


def insert_all_new(
    session: Session, table: type[Row], rows: Sequence[Mapping[str, Any]], *, key: Sequence[str], returning: str = "id"
) -> dict[tuple[Any, ...], int]:
    """Insert the rows whose ``key`` is not there yet, in one statement; return the id of each inserted one by its key.

    They are inserted in the order of their keys: two processes with the same ones cannot wait for each other.
    """
    ordered = sorted(rows, key=lambda row: tuple(row[name] for name in key))
    columns = table.__table__.c  # type: ignore[attr-defined]  # every mapped class has one
    statement = _insert(session, table).on_conflict_do_nothing(index_elements=key)
    inserted = session.connection().execute(
        statement.returning(columns[returning], *(columns[name] for name in key)), ordered
    )
    return {tuple(rest): identity for identity, *rest in inserted}


def insert_or_change(
    session: Session,
    table: type[Row],
    values: Mapping[str, Any],
    *,
    key: Sequence[str],
    changes: Mapping[str, Any],
) -> None:
    """Insert one row, or make ``changes`` to the one that has the same ``key``."""
    statement = _insert(session, table).values(**values)
    session.execute(statement.on_conflict_do_update(index_elements=key, set_=changes))


def one_at_a_time(session: Session, what: str) -> None:
    """Wait until no other transaction is doing ``what``, and keep others waiting until this one ends.

    On SQLite a transaction is alone anyway. Not a session lock: those break under transaction pooling (R-40).
    """
    if session.get_bind().dialect.name == "postgresql":
        session.execute(select(func.pg_advisory_xact_lock(zlib.crc32(f"mergecast {what}".encode()))))


def _insert(session: Session, table: type[Row]) -> postgresql.Insert | sqlite.Insert:
    return postgresql.insert(table) if session.get_bind().dialect.name == "postgresql" else sqlite.insert(table)
