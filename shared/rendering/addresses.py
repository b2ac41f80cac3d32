"""Addresses on the code host, made from the facts of a digest alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from urllib.parse import quote

from shared.domain.digest import Digest


def repository_url(digest: Digest) -> str:
    """The page of the repository."""
    return f"https://{quote(digest.host, safe='.:-')}/{quote(digest.repository, safe='/._-')}"


def pull_request_url(digest: Digest, number: int) -> str:
    """The page of a pull request."""
    return f"{repository_url(digest)}/pull/{number}"


def search_url(digest: Digest) -> str:
    """The search whose result count is the digest's total.

    GitHub takes a merge time with seconds and includes both ends, so the half-open end is one second earlier.
    """
    branch = f'"{digest.branch}"' if " " in digest.branch else digest.branch
    start, end = _instant(digest.period.start), _instant(digest.period.end - timedelta(seconds=1))
    return f"{repository_url(digest)}/pulls?q={quote(f'is:pr is:merged base:{branch} merged:{start}..{end}', safe='')}"


def _instant(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y-%m-%dT%H:%M:%SZ}"
