"""Repositories by the host's numeric id, or by name until that is learned; renames are followed (D-05)."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, select, update
from sqlalchemy.orm import Session
from sqlmodel import col

from shared.domain.errors import InvalidInput
from shared.domain.pull_request import DEFAULT_HOST, RepositoryRef
from shared.store.columns import LARGEST_ID, name_key
from shared.store.joining import move_merges
from shared.store.renamed import move_unfinished
from shared.store.tables import RepositoryRow
from shared.store.upserts import UNSYNCHRONISED, insert_new, one_at_a_time

_ROWS = select(RepositoryRow).execution_options(populate_existing=True)
"""Rows as they are now, not as this session read them before."""
_NAMES = ("full_name", "name_key", "set_aside_at")


def ensure(session: Session, ref: RepositoryRef, told_at: datetime) -> int:
    """Return the row of the repository, made or brought up to date with ``ref``, which was true at ``told_at``.

    What is older than the row adds only what the row lacks: a delivery may be worked on long after a rename. Deliveries
    that are not finished follow a rename.

    Found by the numeric id, else by the name, which is compared without case. A row that was known by name only gets
    the id when it is learned; what two rows of one repository hold is joined. A name that belongs to another numeric
    id by now is taken from the earlier repository, which is set aside with its pull requests: numbers start anew
    after an import into a fresh repository. It comes back when it is told later that it has the name. A name that
    another repository was told to have after ``told_at`` stays with that. InvalidInput when the id cannot be stored.
    """
    if ref.id is not None and not 0 <= ref.id <= LARGEST_ID:
        raise InvalidInput(f"The repository id {ref.id} is not one that a host gives.")
    found = _find(session, ref)
    if found is not None and not _changes(found, ref, told_at):
        return found.id
    one_at_a_time(session, "repositories")
    found, overtaken = _find(session, ref), _overtaken(session, ref, told_at)
    if found is None:
        if not overtaken:
            _free_name(session, ref, told_at)
        return _insert(session, ref, told_at, aside=overtaken)
    changes = _changes(found, ref, told_at)
    if overtaken:
        changes = {name: value for name, value in changes.items() if name not in _NAMES}
    if changes:
        if "name_key" in changes:
            _rename(session, found, ref, told_at)
        _update(session, found.id, max(told_at, found.changed_at), **changes)
    return found.id


def known(session: Session, ref: RepositoryRef) -> bool:
    """Return whether there is a row of this repository: by the numeric id, else by the name."""
    return _find(session, ref) is not None


def find(session: Session, full_name: str, host: str = DEFAULT_HOST) -> int | None:
    """Return the row of the repository that has this name now, compared without case; None when there is none."""
    return session.scalar(select(col(RepositoryRow.id)).where(*_named(full_name, host)))


def ref_of(session: Session, repository_id: int) -> RepositoryRef:
    """Return the repository of a row, by its newest name; KeyError when there is no such row."""
    row = session.scalars(_ROWS.where(col(RepositoryRow.id) == repository_id)).one_or_none()
    if row is None:
        raise KeyError(repository_id)
    return _ref(row)


def all_repositories(session: Session) -> list[tuple[int, RepositoryRef]]:
    """Return every repository that still has its name, with its row, by name."""
    current = _ROWS.where(col(RepositoryRow.set_aside_at).is_(None))
    rows = session.scalars(current.order_by(col(RepositoryRow.host), col(RepositoryRow.name_key)))
    return [(row.id, _ref(row)) for row in rows]


def _find(session: Session, ref: RepositoryRef) -> RepositoryRow | None:
    """By id; else by name, if the row there has no other id."""
    if ref.id is not None:
        by_id = _ROWS.where(col(RepositoryRow.host) == ref.host, col(RepositoryRow.host_id) == ref.id)
        if (row := session.scalars(by_id).one_or_none()) is not None:
            return row
    by_name = _ROWS.where(*_named(ref.full_name, ref.host))
    if ref.id is not None:
        by_name = by_name.where(col(RepositoryRow.host_id).is_(None))
    return session.scalars(by_name).one_or_none()


def _changes(row: RepositoryRow, ref: RepositoryRef, told_at: datetime) -> dict[str, Any]:
    """What ``ref`` knows that the row does not, or knows otherwise and is not older."""
    changes: dict[str, Any] = {}
    outdated = told_at < row.changed_at
    names_it = ref.id is not None and not outdated
    comes_back = row.set_aside_at is not None and told_at > row.changed_at
    if names_it and (comes_back or name_key(row.full_name) != name_key(ref.full_name)):
        changes |= {"name_key": name_key(ref.full_name), "set_aside_at": None}
    if names_it and row.full_name != ref.full_name:
        changes["full_name"] = ref.full_name
    if ref.id is not None and row.host_id is None:
        changes["host_id"] = ref.id
    for name in ("private", "default_branch"):
        told, before = getattr(ref, name), getattr(row, name)
        if told is not None and told != before and not (outdated and before is not None):
            changes[name] = told
    return changes


def _overtaken(session: Session, ref: RepositoryRef, told_at: datetime) -> bool:
    """Whether the name of ``ref`` was told later to be another repository's."""
    holder = session.scalars(_ROWS.where(*_named(ref.full_name, ref.host))).one_or_none()
    if holder is None or ref.id is None or holder.host_id in (None, ref.id):
        return False
    return told_at < holder.changed_at


def _rename(session: Session, row: RepositoryRow, ref: RepositoryRef, told_at: datetime) -> None:
    _free_name(session, ref, told_at, heir=row.id)
    if row.set_aside_at is None:  # else what waits under the old name is of the repository that took it
        move_unfinished(session, row.full_name, ref.full_name)


def _free_name(session: Session, ref: RepositoryRef, now: datetime, heir: int | None = None) -> None:
    """Take the name of ``ref`` from the row that has it.

    A row without an id is the same repository as ``heir``, learned from another source: what it holds is moved there.
    """
    by_name = _ROWS.where(*_named(ref.full_name, ref.host))
    holder = session.scalars(by_name).one_or_none()
    if holder is None:
        return
    if holder.host_id is None and heir is not None:
        move_merges(session, holder.id, heir, now)
    _set_aside(session, holder.id, holder.full_name, now)


def _set_aside(session: Session, row: int, full_name: str, now: datetime) -> None:
    # A '#' is in no repository name, so the set-aside key never meets a real one.
    _update(session, row, now, name_key=f"{name_key(full_name)}#{row}", set_aside_at=now)


def _insert(session: Session, ref: RepositoryRef, now: datetime, *, aside: bool) -> int:
    values = {
        "host": ref.host,
        "host_id": ref.id,
        "full_name": ref.full_name,
        "name_key": f"{name_key(ref.full_name)}#" if aside else name_key(ref.full_name),
        "private": ref.private,
        "default_branch": ref.default_branch,
        "created_at": now,
        "changed_at": now,
    }
    inserted = insert_new(session, RepositoryRow, values, key=None)
    if inserted is None:
        raise AssertionError("nobody else inserts repositories while this transaction has the lock")
    if aside:
        _set_aside(session, inserted, ref.full_name, now)
    return inserted


def _update(session: Session, repository_id: int, now: datetime, **values: Any) -> None:
    session.execute(
        update(RepositoryRow).where(col(RepositoryRow.id) == repository_id).values(changed_at=now, **values),
        execution_options=UNSYNCHRONISED,
    )


def _named(full_name: str, host: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return col(RepositoryRow.host) == host, col(RepositoryRow.name_key) == name_key(full_name)


def _ref(row: RepositoryRow) -> RepositoryRef:
    return RepositoryRef(
        full_name=row.full_name, id=row.host_id, host=row.host, private=row.private, default_branch=row.default_branch
    )
