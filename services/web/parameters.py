"""Path and query parameters of the API, and the look-up that its routes begin with."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Annotated

from fastapi import Path, Query
from pydantic import BaseModel, ConfigDict, Field

from shared.domain.pull_request import DEFAULT_HOST
from shared.domain.taxonomy import Namespace, Risk
from shared.problems import Fault, Problem
from shared.store import repositories
from shared.store.session import Session

_NAME = r"^[A-Za-z0-9_.-]{1,100}$"
_HOST_NAME = r"^[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?(?::[0-9]{1,5})?$"
_TAG = rf"^(?:{'|'.join(Namespace)}):[^\x00]{{1,200}}$"
_CURSOR = re.compile(r"after:([0-9]{1,19})", re.ASCII)
LARGEST_PAGE = 500

Owner = Annotated[str, Path(pattern=_NAME, description="The account or organization.", examples=["lumen-labs"])]
Name = Annotated[str, Path(pattern=_NAME, description="The name of the repository.", examples=["lumen"])]
Number = Annotated[int, Path(ge=1, lt=2**63, description="The number of the pull request.")]
Week = Annotated[str, Path(max_length=20, description="An ISO week of the digest's zone.", examples=["2026-W19"])]
Host = Annotated[str, Query(pattern=_HOST_NAME, description="The host of the repository.")]
Language = Annotated[
    str | None,
    Query(
        pattern=r"^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,3}$",
        description="The language of Markdown and HTML; goes before Accept-Language.",
        examples=["en", "zh-CN"],
    ),
]
GITHUB = DEFAULT_HOST


class WeekQuery(BaseModel):
    """The query of the list of a week; a name that is not among these is an error, not a filter without effect."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    area: Annotated[str | None, Field(min_length=1, max_length=200, description="Only merges of this area.")] = None
    tag: Annotated[
        str | None, Field(pattern=_TAG, description="Only merges with this tag.", examples=["trait:deprecation"])
    ] = None
    risk: Annotated[Risk | None, Field(description="Only merges with this risk.")] = None
    limit: Annotated[
        int | None, Field(ge=1, le=LARGEST_PAGE, description="How many at most; else the setting api.page_size.")
    ] = None
    after: Annotated[str | None, Field(max_length=100, description="The `next` of the page before.")] = None
    host: Annotated[str, Field(pattern=_HOST_NAME, description="The host of the repository.")] = GITHUB


def cursor_of(number: int) -> str:
    """Return the cursor of the page behind pull request ``number``."""
    return base64.urlsafe_b64encode(f"after:{number}".encode()).decode().rstrip("=")


def number_in(cursor: str | None) -> int | None:
    """Return the number that ``cursor_of`` was given; Problem 422 for a text that it never made."""
    if cursor is None:
        return None
    try:
        text = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)).decode("ascii")
        matched = _CURSOR.fullmatch(text)
    except (binascii.Error, UnicodeError, ValueError):
        matched = None
    if matched is None or cursor_of(int(matched[1])) != cursor:
        raise Problem(
            422,
            "invalid-request",
            "Not valid: query.after.",
            "Take it from the field `next` of the page before.",
            faults=[Fault(field="query.after", message="Not a cursor of this API.")],
        )
    return int(matched[1])


def repository_row(session: Session, full_name: str, host: str) -> int:
    """Return the row of a repository; Problem 404 when nothing of it was captured."""
    row = repositories.find(session, full_name, host)
    if row is None:
        raise unknown_repository(full_name, host)
    return row


def unknown_repository(full_name: str, host: str) -> Problem:
    """Return the problem of a repository that nothing was captured of."""
    return Problem(
        404,
        "unknown-repository",
        f"Nothing was captured of the repository {full_name} on {host}.",
        "Check the name; GET /api/v1/repositories lists the known ones.",
    )
