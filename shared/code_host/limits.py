"""What an answer says of limits: the budget in its headers, and whether it refuses for a limit until when (R-50)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

from shared.code_host.answers import RawAnswer
from shared.domain.errors import Postponed
from shared.domain.protocols import Allowance

ANONYMOUS = "anonymous"

LONGEST_WAIT = timedelta(hours=24)
"""No wait is longer, whatever the host names."""

_LARGEST_COUNT = 2**31
_REFUSING = (403, 429)
_WORDS = ("rate limit", "abuse detection")


def allowance_of(raw: RawAnswer, resource: str, now: datetime) -> Allowance:
    """Return the budget of ``resource`` that an answer's headers tell; an empty one when they are of another.

    A reset that is more than a day away is taken for one in a day: a broken header must not end all asking.
    """
    headers = raw.headers
    if headers.get("x-ratelimit-resource", resource) != resource:
        return Allowance()
    reset_at = _instant(headers.get("x-ratelimit-reset", ""))
    return Allowance(
        limit=_count(headers, "x-ratelimit-limit"),
        remaining=_count(headers, "x-ratelimit-remaining"),
        reset_at=None if reset_at is None else min(reset_at, now + LONGEST_WAIT),
    )


def refusal_of(raw: RawAnswer, resource: str, now: datetime) -> Allowance | None:
    """Return until when an answer forbids to ask, None when it is no refusal for a limit.

    ``Retry-After`` (seconds or an HTTP date) and the reset of a used up budget name the time; a refusal with neither
    is marked ``backoff``. Both statuses are used for both limits (docs.github.com, "Rate limits for the REST API");
    GraphQL refuses with a 200.
    """
    told = allowance_of(raw, resource, now)
    if not _refuses(raw, resource, told):
        return None
    used_up = told.remaining == 0
    times = [_retry_after(raw, now), told.reset_at if used_up else None]
    ahead = [min(time, now + LONGEST_WAIT) for time in times if time is not None and time > now]
    if not ahead:
        return told.model_copy(update={"backoff": True})
    return told.model_copy(update={"wait_until": max(ahead)})


def named_wait(raw: RawAnswer, now: datetime) -> datetime | None:
    """Return until when an answer of whatever kind asks to wait; None when it does not."""
    wait = _retry_after(raw, now)
    return min(wait, now + LONGEST_WAIT) if wait and wait > now else None


def limited(credential: str, until: datetime, why: str) -> Postponed:
    """Return the error of a request that must wait for a limit."""
    at = f"{until.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
    if credential == ANONYMOUS:
        return Postponed(
            f"Without a credential GitHub answers 60 requests an hour, which is about 15 merges; it goes on at {at}.",
            until,
            "A github.token or a GitHub App gives 5,000 requests an hour.",
        )
    return Postponed(f"{why.rstrip('.')}; it goes on at {at}.", until, "Nothing needs to be done.")


def _refuses(raw: RawAnswer, resource: str, told: Allowance) -> bool:
    if raw.status == 429:
        return True
    if raw.status in _REFUSING:
        return told.remaining == 0 or "retry-after" in raw.headers or _speaks_of_limits(raw.message)
    if resource != "graphql" or raw.status != 200:
        return False
    errors = raw.fields.get("errors")
    return any(_is_limit(error) for error in errors if isinstance(error, dict)) if isinstance(errors, list) else False


def _is_limit(error: Mapping[str, object]) -> bool:
    return error.get("type") == "RATE_LIMITED" or _speaks_of_limits(str(error.get("message")))


def _speaks_of_limits(message: str) -> bool:
    return any(words in message.lower() for words in _WORDS)


def _retry_after(raw: RawAnswer, now: datetime) -> datetime | None:
    value = raw.headers.get("retry-after", "").strip()
    if value.isascii() and value.isdigit():
        return now + timedelta(seconds=min(int(value[:9]), LONGEST_WAIT.total_seconds()))
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)


def _count(headers: Mapping[str, str], name: str) -> int | None:
    value = headers.get(name, "").strip()
    return min(int(value[:12]), _LARGEST_COUNT) if value.isascii() and value.isdigit() else None


def _instant(value: str) -> datetime | None:
    """Seconds since 1970, as a fraction at times; None for what is no moment."""
    try:
        return datetime.fromtimestamp(float(value), UTC)
    except (ValueError, OverflowError, OSError):
        return None
