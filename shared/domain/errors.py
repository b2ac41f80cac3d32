"""The errors that tasks, the CLI and the API know; doors translate vendor errors into these."""

from __future__ import annotations

from datetime import datetime


class MergecastError(Exception):
    """Base of every error that is shown to a person: one line that says what is wrong, one that says how to mend it."""

    def __init__(self, message: str, way_out: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.way_out = way_out

    def __str__(self) -> str:
        return f"{self.message} {self.way_out}".strip()


class InvalidInput(MergecastError):
    """What a person gave cannot be used as it is: an option, a file, a setting (CLI exit code 2, API 4xx)."""


class Transient(MergecastError):
    """May succeed later: the row is tried again on the ladder and the try is counted."""


class Postponed(MergecastError):
    """An outage or a limit of somebody else: tried again at ``until``, and not counted as a try."""

    def __init__(self, message: str, until: datetime, way_out: str = "") -> None:
        super().__init__(message, way_out)
        self.until = until


class HostAway(Postponed):
    """The code host does not serve: an error of its own, no connection, no answer in time."""


class Parked(MergecastError):
    """Access is missing until a person gives it back: the row waits without tries and is shown with this text."""


class Absent(MergecastError):
    """The host says that what was asked for is not there, and more asking will not change that."""


class Permanent(MergecastError):
    """Will not succeed however often it is tried: the row is dead at once and shown with this text."""


class Ignored(MergecastError):
    """Authentic, understood and of no interest: counted under ``reason`` and not stored.

    ``reason`` is a short slug of a closed set, fit to be a metric label.
    """

    def __init__(self, reason: str, message: str = "") -> None:
        super().__init__(message or reason)
        self.reason = reason


def described(error: BaseException) -> str:
    """Return the error as one text: ours in its own words, any other with its kind.

    Never empty: ``MemoryError()`` and ``TimeoutError()`` have no words, and a row that is dead says what it died of.
    """
    kind, words = type(error).__name__, str(error)
    if isinstance(error, MergecastError):
        return words or kind
    return f"{kind}: {words}" if words else kind
