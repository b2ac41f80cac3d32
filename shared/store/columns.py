"""Column types, constraint names and limits that hold on SQLite and PostgreSQL alike."""

from __future__ import annotations

import hashlib

from sqlalchemy import BigInteger, Integer, MetaData
from sqlmodel import SQLModel

from shared.domain.text import clean_text, fold

BIG_ID = BigInteger().with_variant(Integer(), "sqlite")
"""A 64-bit key that numbers itself: SQLite does that only for a column declared INTEGER, which holds 64 bits there."""

LARGEST_ID = 2**63 - 1
"""The largest value of a BIGINT column; both databases refuse larger numbers with an error (C-46)."""

_LONGEST_KEY_BYTES = 800
_LONGEST_ERROR = 2000

NAMES = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}
"""Constraint names are fixed, so that migrations can name what they change on both engines."""


class Row(SQLModel):
    """Base of every table of the store; rows do not validate, the modules of the store convert domain values."""

    metadata = MetaData(naming_convention=NAMES)


def key_text(text: str) -> str:
    """Return ``text`` as an index can hold it: PostgreSQL refuses entries above 2,700 bytes.

    A longer text is cut and ends in its own digest, so that different texts stay different.
    """
    cleaned = clean_text(text)  # before anything is measured: a replaced character takes more room
    encoded = cleaned.encode("utf-8")
    if len(encoded) <= _LONGEST_KEY_BYTES:
        return cleaned
    return f"{cleaned[:100]}…{hashlib.sha256(encoded).hexdigest()}"


def name_key(full_name: str) -> str:
    """Return the name of a repository as it is compared: the host does not tell upper from lower case."""
    return key_text(fold(full_name))


def error_text(text: str) -> str:
    """Return an error as it is kept beside the row: what a vendor or a stranger wrote into it is made storable."""
    return clean_text(text if len(text) <= _LONGEST_ERROR else text[: _LONGEST_ERROR - 1] + "…")
