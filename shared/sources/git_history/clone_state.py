"""What is remembered of a kept clone beside it, and the lock that lets one process at a time work on it."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from pydantic import ValidationError

from shared.domain.value import Value
from shared.sources.git_history.commands import GitFailure

_LOOK_EVERY = 0.05


class CloneState(Value):
    """When what was last done with a clone; ``failure`` is why the last try failed, None when it did not."""

    tried_at: datetime | None = None
    fetched_at: datetime | None = None
    """When the last fetch that succeeded began: what was on the remote then is in the clone."""
    failure: str | None = None
    failing_since: datetime | None = None
    """Since when nobody has succeeded, or has waited for the clone to be made; None when the last try succeeded."""
    kept_at: datetime | None = None
    """When upkeep last began; a fetch before an analysis has less time than that, and must not put it off."""
    checked_at: datetime | None = None
    tidied_at: datetime | None = None

    def age(self, now: datetime) -> timedelta | None:
        """For how long the clone has not been fetched; None when it never was."""
        return None if self.fetched_at is None else max(now - self.fetched_at, timedelta(0))


def read_state(file: Path) -> CloneState:
    """Return what is remembered; nothing when the file is not there or broken: then it is done again."""
    try:
        return CloneState.model_validate_json(file.read_bytes())
    except (OSError, ValidationError):
        return CloneState()


def write_state(file: Path, state: CloneState) -> None:
    """Remember ``state``, whole or not at all; GitFailure on a full disk, since then nothing else works either."""
    fresh = file.with_name(f"{file.name}.new")
    try:
        fresh.write_text(state.model_dump_json(), "utf-8")
        fresh.replace(file)
    except OSError as error:
        raise GitFailure(f"{file.parent} cannot be written: {error.strerror}") from error


@contextmanager
def locked(file: Path, wait: float) -> Iterator[bool]:
    """Hold the lock ``file`` and give True, or give False after ``wait`` seconds; between threads as well.

    The system lets go of it when the process dies.
    """
    ends = time.monotonic() + wait
    with _opened(file) as handle:
        while not _taken(handle):
            if time.monotonic() >= ends:
                yield False
                return
            time.sleep(_LOOK_EVERY)
        yield True


@contextmanager
def _opened(file: Path) -> Iterator[int]:
    try:
        handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise GitFailure(f"{file.parent} cannot be written: {error.strerror}") from error
    try:
        yield handle
    finally:
        os.close(handle)


def _taken(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def told_age(age: timedelta) -> str:
    """Return an age in words that suit its size, such as ``12 min``."""
    seconds = age.total_seconds()
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds // size:.0f} {unit}"
    return f"{seconds:.0f} s"
