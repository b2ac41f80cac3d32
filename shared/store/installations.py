"""What became of each installation of the GitHub App, by the time of the events that told it (C-13)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import datetime
from typing import Literal, cast

from sqlalchemy import ColumnElement, func, select, update
from sqlalchemy.orm import Session, aliased
from sqlmodel import col

from shared.domain.text import clean_text
from shared.domain.value import Value
from shared.store.tables import InstallationRow
from shared.store.upserts import UNSYNCHRONISED, insert_new, one_at_a_time

State = Literal["active", "suspended", "deleted"]

_SOURCE = re.compile(r"installation:([0-9]{1,19})", re.ASCII)
_BLIND = ("suspended", "deleted")


class Installation(Value):
    """One installation; ``since`` is the time of the event that told its state."""

    id: int
    account: str
    state: State
    since: datetime


def id_of(source: str) -> int | None:
    """Return the installation that the source of a delivery names, None for a hook and all others."""
    matched = _SOURCE.fullmatch(source)
    return int(matched[1]) if matched else None


def lock(session: Session) -> None:
    """Be the only transaction that changes installations; call it before anything else is locked."""
    one_at_a_time(session, "installations")


def note(session: Session, installation_id: int, account: str, state: State, told_at: datetime) -> State:
    """Remember what an event of ``told_at`` told, unless a newer one told otherwise; return the state in force.

    Of two events of the same second the one that gives access wins: GitHub dates ``unsuspend`` like the ``suspend``
    before it, and an installation that is thought active by mistake costs one refused request. ``deleted`` is final:
    GitHub gives a new installation a new id.
    """
    lock(session)
    table = InstallationRow
    told = {"account": clean_text(account), "state": state, "told_at": told_at}
    known = session.execute(
        select(col(table.state), col(table.told_at)).where(col(table.installation_id) == installation_id)
    ).one_or_none()
    if known is None:
        values = {"installation_id": installation_id, **told}
        insert_new(session, table, values, key=("installation_id",), returning="installation_id")
        return state
    newer = told_at > known.told_at or (told_at == known.told_at and state != "suspended")
    if state != "deleted" and (known.state == "deleted" or not newer):
        return cast("State", known.state)
    changed = update(table).where(col(table.installation_id) == installation_id).values(**told)
    session.execute(changed, execution_options=UNSYNCHRONISED)
    return state


def answered(session: Session, ids: Iterable[int], now: datetime) -> None:
    """Remember that the host has answered about repositories of these installations, whatever events told before.

    An ``unsuspend`` may be lost like every other delivery, and a repository may have moved to another installation.
    """
    changed = (
        update(InstallationRow)
        .where(col(InstallationRow.installation_id).in_(sorted(set(ids))), col(InstallationRow.state) != "active")
        .values(state="active", told_at=now)
    )
    session.execute(changed, execution_options=UNSYNCHRONISED)


def blocked(session: Session, source: str) -> Installation | None:
    """Return the installation of a delivery's source while it gives no access; None when it may be asked with.

    One that was deleted gives none until the App is installed anew for the same account, under another id.
    """
    installation_id = id_of(source)
    if installation_id is None:
        return None
    found = _blind(session, col(InstallationRow.installation_id) == installation_id)
    return found[0] if found else None


def blind(session: Session) -> list[Installation]:
    """Return every installation that gives no access to its account's repositories, by account."""
    return _blind(session)


def _blind(session: Session, *conditions: ColumnElement[bool]) -> list[Installation]:
    """Without those whose account has another, active one."""
    other, table = aliased(InstallationRow), InstallationRow
    replaced = select(col(other.installation_id)).where(
        func.lower(col(other.account)) == func.lower(col(table.account)), col(other.state) == "active"
    )
    rows = session.scalars(
        select(table)
        .where(col(table.state).in_(_BLIND), ~replaced.exists(), *conditions)
        .order_by(func.lower(col(table.account)), col(table.installation_id))
        .execution_options(populate_existing=True)
    )
    return [
        Installation(id=row.installation_id, account=row.account, state=cast("State", row.state), since=row.told_at)
        for row in rows
    ]
