"""What a refusal of the host means for us: gone, access missing, or never to be asked again."""

from __future__ import annotations

from http import HTTPStatus

from shared.code_host.answers import RawAnswer
from shared.domain.errors import Absent, MergecastError, Parked, Permanent

SUSPENDED = "suspended"

_GONE = (HTTPStatus.NOT_FOUND, HTTPStatus.GONE, HTTPStatus.UNAVAILABLE_FOR_LEGAL_REASONS)


def refused(raw: RawAnswer, what: str, whose: str | None = None) -> MergecastError:
    """Return the error for an answer of status 3xx or 4xx that is neither a limit nor a redirect to follow.

    ``what`` is the request, ``whose`` the repository it is about. Limits never come here: a 403 of theirs would be
    taken for missing rights.
    """
    of = f"{what} of {whose}" if whose else what
    said = f' GitHub says: "{raw.message}".' if raw.message else ""
    if raw.status in _GONE or "block" in raw.fields:
        return Absent(f"GitHub has nothing at {of} (status {raw.status}).{said}", "Nothing can be done here.")
    if _too_large(raw):
        return Permanent(f"GitHub does not give {of}: it is too large.{said}", "It is not asked for again.")
    if raw.status == HTTPStatus.UNAUTHORIZED:
        return unaccepted(whose)
    if raw.status == HTTPStatus.FORBIDDEN:
        return _forbidden(raw, of, said, whose)
    if raw.status < HTTPStatus.BAD_REQUEST:
        return Permanent(
            f"GitHub sends {of} elsewhere (status {raw.status}), and nothing was done.",
            "Ask for the repository again by its id: it may have been renamed.",
        )
    return Permanent(f"GitHub does not accept {of} (status {raw.status}).{said}", "It is not sent again as it is.")


def unaccepted(whose: str | None) -> Parked:
    """Return the error for a credential that the host does not accept."""
    of = f" for {whose}" if whose else ""
    return Parked(
        f"GitHub does not accept the credential{of} (status 401).",
        "Give a valid github.token, or the App's id and private key; then what waits goes on.",
    )


def suspended(whose: str | None) -> Parked:
    """Return the error for an installation of the App that its owner has suspended."""
    of = f" for {whose}" if whose else ""
    return Parked(
        f"The installation of the GitHub App{of} is suspended.",
        "Its owner can unsuspend it in GitHub's settings; then what waits goes on.",
    )


def removed(whose: str | None) -> Parked:
    """Return the error for a repository that the App is not installed on."""
    of = whose or "the repository"
    return Parked(
        f"The GitHub App is not installed on {of}, or the repository is gone.",
        "Install it there, or take the repository out of mergecast.toml.",
    )


def withheld(whose: str | None) -> Parked:
    """Return the error for an installation that gives no token with the rights that it says it has."""
    of = f" for {whose}" if whose else ""
    return Parked(
        f"GitHub gives the App no token{of} with the rights that it was granted (status 422).",
        "Look at the App's permissions in GitHub's settings, and accept new ones; then what waits goes on.",
    )


def _forbidden(raw: RawAnswer, of: str, said: str, whose: str | None) -> Parked:
    if SUSPENDED in raw.message.lower():
        return suspended(whose)
    needed = raw.headers.get("x-accepted-github-permissions", "")
    rights = f" ({needed[:100]})" if needed.isascii() and needed.isprintable() and needed else ""
    return Parked(
        f"GitHub does not allow {of} with this credential (status 403).{said}",
        f"Give the token or the App the right that is missing{rights}; then what waits goes on.",
    )


def _too_large(raw: RawAnswer) -> bool:
    errors = raw.fields.get("errors")
    if raw.status == HTTPStatus.NOT_ACCEPTABLE:
        return True
    return isinstance(errors, list) and any(isinstance(one, dict) and one.get("code") == "too_large" for one in errors)
