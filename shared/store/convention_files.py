"""What watched repositories say of themselves: each convention file as it stands, and the last one without a fault."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Select, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.domain.text import clean_text
from shared.settings import RepositorySettings, Settings
from shared.settings.own_file import effective
from shared.store.columns import error_text
from shared.store.tables import ConventionFileRow, RepositoryRow
from shared.store.upserts import UNSYNCHRONISED, insert_new, one_at_a_time

Check = Callable[[str, str], str | None]
"""Given path and text: what is wrong with the file, in one line; None when it can be used."""

_Said = tuple[str | None, str | None, str | None]
"""Text, last good text, error."""
_LONGEST_BAD = 64 * 1024


@dataclass(frozen=True)
class ConventionFault:
    """A convention file that cannot be used; the last good one stays in force."""

    repository: str
    path: str
    error: str
    since: datetime
    last_good: bool
    """Whether there was a good one before."""


def take_in(
    session: Session, repository_id: int, texts: Mapping[str, str], now: datetime, check: Check
) -> dict[str, str]:
    """Keep the convention files as they were read at ``now`` (text by path) and return the faults that are news.

    A file that ``check`` finds wrong leaves the last good one in force; one that is not among ``texts`` is gone, and
    with it what it said. What was read earlier than what is kept changes nothing, and nothing is written twice.
    """
    one_at_a_time(session, f"conventions {repository_id}")
    known = {row.path: row for row in session.scalars(_rows(repository_id))}
    news: dict[str, str] = {}
    for path, read in texts.items():
        text, row = clean_text(read), known.get(path)
        fault = check(path, text)
        error = error_text(fault) if fault else None
        last_good = row.good if row else None
        said = (_kept(text, error), last_good if error else text, error)
        if _put(session, repository_id, path, row, said, now) and error:
            news[path] = error
    for path, row in known.items():
        if path not in texts:
            _put(session, repository_id, path, row, (None, None, None), now)
    return news


def good_texts(session: Session, repository_id: int) -> dict[str, str]:
    """Return the convention files in force, text by path: of each the last one without a fault."""
    return {row.path: row.good for row in session.scalars(_rows(repository_id)) if row.good is not None}


def settings_in_force(session: Session, settings: Settings, repository_id: int, full_name: str) -> RepositorySettings:
    """Return the settings of a repository with what its own file overrides."""
    return effective(settings, full_name, good_texts(session, repository_id))


def faults(session: Session) -> list[ConventionFault]:
    """Return the convention files that cannot be used, by repository and path."""
    rows = session.execute(
        select(ConventionFileRow, col(RepositoryRow.full_name))
        .join(RepositoryRow, col(RepositoryRow.id) == col(ConventionFileRow.repository_id))
        .where(col(ConventionFileRow.error).is_not(None), col(RepositoryRow.set_aside_at).is_(None))
        .order_by(col(RepositoryRow.full_name), col(ConventionFileRow.path))
    )
    return [
        ConventionFault(name, row.path, row.error or "", row.changed_at, last_good=row.good is not None)
        for row, name in rows
    ]


def _put(
    session: Session, repository_id: int, path: str, row: ConventionFileRow | None, said: _Said, now: datetime
) -> bool:
    """Keep what was said unless that is known, or something newer is; return whether it was kept."""
    values = dict(zip(("text", "good", "error"), said, strict=True)) | {"read_at": now}
    if row is None:
        key = {"repository_id": repository_id, "path": path}
        insert_new(session, ConventionFileRow, key | values | {"changed_at": now}, key=tuple(key))
        return True
    if (row.text, row.good, row.error) == said or row.read_at > now:
        return False
    if row.text != said[0]:
        values["changed_at"] = now
    session.execute(
        update(ConventionFileRow).where(col(ConventionFileRow.id) == row.id).values(**values),
        execution_options=UNSYNCHRONISED,
    )
    return True


def _kept(text: str, error: str | None) -> str:
    """A good text whole; of a bad one so much as shows it, and whether it changed."""
    if error is None or len(text) <= _LONGEST_BAD:
        return text
    return f"{text[:_LONGEST_BAD]}…{hashlib.sha256(text.encode('utf-8')).hexdigest()}"


def _rows(repository_id: int) -> Select[ConventionFileRow]:
    return select(ConventionFileRow).where(col(ConventionFileRow.repository_id) == repository_id)
