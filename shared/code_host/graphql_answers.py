"""What a GraphQL answer gives: its data, with the parts that are not allowed left out, or the error that it means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shared.code_host.answers import RawAnswer, decoded
from shared.domain.errors import Absent, MergecastError, Parked, Permanent, Transient

_AWAY = "SERVICE_UNAVAILABLE"
_GAVE_UP = "Something went wrong while executing your query"
"""How GitHub tells of a timeout or a fault of its own where the status is 200: without a type."""
_FORBIDDEN = ("FORBIDDEN", "INSUFFICIENT_SCOPES", "UNAUTHORIZED")
_REFUSED = ("MAX_NODE_LIMIT_EXCEEDED", "RESOURCE_LIMITS_EXCEEDED", "EXCESSIVE_PAGINATION", "UNPROCESSABLE")
_THING = 2
"""A path of so many names (``repository.pullRequest``) is what was asked about; a longer one is a part of it."""


def data_of(raw: RawAnswer, whose: str | None) -> dict[str, Any]:
    """Return ``data`` of a good answer; parts that the credential may not see are null in it.

    Absent when what was asked about is not there, Parked when it may not be seen, Permanent for a query that this host
    does not take, Transient for everything else that goes wrong. An outage (``gave_up``) never comes here.
    """
    of = f" about {whose}" if whose else ""
    answer = decoded(raw, f"a query{of}")
    if not isinstance(answer, dict):
        raise Transient(f"The answer to a query{of} is no GraphQL answer.", "It is asked again.")
    data = answer.get("data")
    for error in _errors(raw):
        failure = _failure(error, data, of)
        if failure is not None:
            raise failure
    if not isinstance(data, dict):
        raise Transient(f"The answer to a query{of} holds no data.", "It is asked again.")
    return data


def gave_up(raw: RawAnswer) -> bool:
    """Return whether the host failed at a query, or does not serve, and says so with a good status."""
    return any(
        error.get("type") == _AWAY or (not error.get("type") and str(error.get("message")).startswith(_GAVE_UP))
        for error in _errors(raw)
    )


def _errors(raw: RawAnswer) -> list[Mapping[str, Any]]:
    listed = raw.fields.get("errors")
    return [error for error in listed if isinstance(error, dict)] if isinstance(listed, list) else []


def _failure(error: Mapping[str, Any], data: Any, of: str) -> MergecastError | None:
    kind, said = error.get("type"), _said(error)
    if kind == "NOT_FOUND":
        return None if _is_part(error) else Absent(f"GitHub knows nothing{of}.{said}", "Nothing can be done here.")
    if kind in _FORBIDDEN:
        if _is_part(error) or (error.get("path") is None and _holds_something(data)):
            return None
        return Parked(
            f"GitHub does not allow a query{of} with this credential.{said}",
            "Give the token or the App the right that is missing; then what waits goes on.",
        )
    if kind in _REFUSED or _is_mistake(error, data):
        return Permanent(f"GitHub does not take the query{of}.{said}", "It is not sent again as it is.")
    return Transient(f"GitHub could not answer a query{of}.{said}", "It is asked again.")


def _is_part(error: Mapping[str, Any]) -> bool:
    path = error.get("path")
    return isinstance(path, Sequence) and len(path) > _THING


def _is_mistake(error: Mapping[str, Any], data: Any) -> bool:
    """The query itself is wrong here, as for an older server that does not know a field: it says where, and no more."""
    return data is None and error.get("type") is None and "locations" in error


def _holds_something(data: Any) -> bool:
    if not isinstance(data, dict):
        return False
    return any(value is not None for name, value in data.items() if name != "rateLimit")


def _said(error: Mapping[str, Any]) -> str:
    message = error.get("message")
    return f' GitHub says: "{" ".join(message.split())[:200]}".' if isinstance(message, str) and message else ""
