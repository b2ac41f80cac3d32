"""Fetches what a person names by its URL into a folder of clones; the same clone that the reconciler keeps."""

from __future__ import annotations

from datetime import UTC, datetime
from math import inf
from pathlib import Path

from shared.domain.errors import InvalidInput, Postponed
from shared.domain.protocols import Progress
from shared.sources.git_history.remote import STALL, remote_of
from shared.sources.git_history.upkeep import KeptClone


def fetch_clone(url: str, cache: Path, progress: Progress | None = None) -> Path:
    """Return a bare clone of ``url`` under ``cache``, made or brought up to date now.

    A new clone is made beside its place and moved there when it is whole, so an interruption leaves none behind.
    InvalidInput for an address that may not be fetched and for whatever git refuses; credentials in the address are
    used, but neither stored nor shown.
    """
    clone = KeptClone(remote_of(url), cache, lambda: datetime.now(UTC))
    try:
        clone.keep(inf, STALL, progress)
    except Postponed as error:
        raise InvalidInput(error.message, "Check the address, the network and your access.") from error
    return clone.folder
