"""What an answer without a completion means: a form that is not taken, too long a request, or no service now (R-60)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from functools import cached_property
from typing import Any, Literal

from shared.llm.answers import RawAnswer

LONGEST_WAIT = timedelta(days=1)
"""No wait is longer, whatever the server names."""
WAIT_FOR_A_PERSON = timedelta(minutes=15)
"""Where nothing changes until somebody changes a setting or pays."""

_MOST_READ = 600
_SLUG = re.compile(r"[A-Za-z][A-Za-z0-9_.-]{1,50}")
_TOO_LONG = re.compile(r"context[ _-]?(?:length|size|window)|exceed_context|too many tokens|prompt is too long")
_CONTEXT = re.compile(r"context (?:length|size|window)[^0-9]{0,40}([0-9]{3,8})\b")
_QUOTA = re.compile(r"insufficient_quota|insufficient balance|exceeded your current quota|billing|payment|credit")
_FILTERED = re.compile(r"content_filter|content_policy|responsible ?ai")
_CUT = re.compile(r"(?:max_tokens|output limit) (?:or [a-z ]{1,30} )?(?:was )?reached")
_MODE = re.compile(r"response_format|json_schema|json_object|grammar")
_MODE_IN_WORDS = re.compile(r"structured output|guided")
_NOT_TAKEN = re.compile(
    r"unsupported|not support|unrecogni[sz]ed|unknown|unexpected|not permitted|not allowed|extra|instead|invalid"
)
_OUTPUT = re.compile(r"max_completion_tokens|max_tokens")
_TOO_LARGE = re.compile(r"too large|at most|maximum")

_PASSING = frozenset({408, 409, 425})
_REFUSING = {
    401: ("does not accept the key", "Set a valid model.api_key."),
    403: ("does not allow the request", "Look at what model.api_key may do, and at model.name."),
    404: (
        "knows no such model or address",
        "Look at model.name, and at model.base_url, which mostly ends in /v1.",
    ),
    429: ("wants fewer requests", "It is asked again by itself."),
}

Matter = Literal["mode", "output_parameter", "temperature"]


@dataclass(frozen=True)
class Refusal:
    """An answer without a completion, told apart by status and by what the server says."""

    raw: RawAnswer

    @property
    def status(self) -> int:
        """The answer's status; that of the error in it, where the answer pretends to be a good one."""
        if self.raw.status != 200:
            return self.raw.status
        code = self._error.get("code")
        return code if isinstance(code, int) and 400 <= code < 600 else 500

    @cached_property
    def code(self) -> str:
        """The server's own short name of the error, fit to be shown; empty for none."""
        for name in ("code", "type"):
            value = self._error.get(name)
            if isinstance(value, str) and _SLUG.fullmatch(value):
                return value
        return ""

    @property
    def too_long(self) -> bool:
        """Whether the request is longer than the model takes."""
        return self.status == 413 or (self._of_the_request and _TOO_LONG.search(self._said) is not None)

    @property
    def context_tokens(self) -> int | None:
        """How much the model takes, where the server says so (llama.cpp: ``n_ctx``; OpenAI, vLLM: in the message)."""
        stated = self._error.get("n_ctx")
        if isinstance(stated, int) and not isinstance(stated, bool) and stated > 0:
            return min(stated, 10**8)
        found = _CONTEXT.search(self._said)
        return int(found[1]) if found else None

    @property
    def filtered(self) -> bool:
        """Whether the request's content is refused; asking again would not change it."""
        return self.status in {400, 403} and _FILTERED.search(self._said) is not None

    @property
    def cut(self) -> bool:
        """Whether the limit of output was used up before anything was written (models that think first)."""
        return self.status == 400 and _CUT.search(self._said) is not None

    @property
    def out_of_money(self) -> bool:
        """Whether the account has nothing left, which is not a limit of rate."""
        return self.status == 402 or (self.status in {403, 429} and _QUOTA.search(self._said) is not None)

    @property
    def matter(self) -> Matter | None:
        """Which part of the request's form the server does not take, where it names one."""
        if not self._of_the_request:
            return None
        if _MODE.search(self._said) or (self.status < 500 and _MODE_IN_WORDS.search(self._said)):
            return "mode"
        named_a_limit = _OUTPUT.search(self._said) and not _TOO_LARGE.search(self._said)
        if self.status < 500 and _NOT_TAKEN.search(self._said):
            if named_a_limit:
                return "output_parameter"
            if "temperature" in self._said:
                return "temperature"
        return None

    @property
    def takes_objects(self) -> bool:
        """Whether it names plain JSON mode among what it would take."""
        return "json_object" in self._said

    def wait_until(self, now: datetime) -> datetime | None:
        """Until when not to ask: what the server asks for (at most a day), or longer where a person has to act."""
        named = _retry_after(self.raw.headers.get("retry-after", ""), now)
        needs_a_person = self.out_of_money or self.status in {401, 403, 404} or 300 <= self.status < 400
        own = now + WAIT_FOR_A_PERSON if needs_a_person else None
        waits = [min(wait, now + LONGEST_WAIT) for wait in (named, own) if wait is not None and wait > now]
        return max(waits, default=None)

    @property
    def _of_the_request(self) -> bool:
        return self.status in {400, 413, 422, 500, 501}

    @cached_property
    def _error(self) -> Mapping[str, Any]:
        error = (self.raw.fields or {}).get("error")
        return error if isinstance(error, dict) else {}

    @cached_property
    def _said(self) -> str:
        """What the server says, in lower case and not much of it: some repeat the request in their errors."""
        fields = self.raw.fields
        if fields is None:
            return self.raw.text[:_MOST_READ].lower()
        said = [self._error.get(name) for name in ("param", "code", "type", "message")]
        said += [fields.get(name) for name in ("error", "message", "detail") if isinstance(fields.get(name), str)]
        detail = fields.get("detail")
        for one in detail[:5] if isinstance(detail, list) else []:
            said += [str(one.get("loc")), one.get("msg")] if isinstance(one, dict) else []
        return " ".join(text[:_MOST_READ] for text in said if isinstance(text, str)).lower()


def explained(refusal: Refusal, secret: str) -> tuple[str, str]:
    """Return what is wrong and the way out, each in a sentence; nothing of the server's own words but a short code."""
    status, code = refusal.status, refusal.code
    shown = f", {code}" if code and not (secret and secret in code) else ""
    if refusal.out_of_money:
        why, way_out = "has no money left in its account", "Look at the account's billing."
    elif status in _REFUSING:
        why, way_out = _REFUSING[status]
    elif status >= 500 or status in _PASSING:
        why, way_out = "does not serve", "It is asked again by itself."
    elif status < 400:
        why, way_out = "sends requests elsewhere", "Set model.base_url to its own address."
    else:
        why, way_out = "does not accept the request", "Look at model.name, model.mode and model.extra."
    return f"The model's server {why} (status {refusal.raw.status}{shown})", way_out


def _retry_after(value: str, now: datetime) -> datetime | None:
    """Seconds, a fraction of them too, or a date (RFC 9110, 10.2.3)."""
    value = value.strip()
    try:
        return now + timedelta(seconds=min(float(value), LONGEST_WAIT.total_seconds()))
    except (ValueError, OverflowError):
        pass
    try:
        date = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    return date if date.tzinfo else date.replace(tzinfo=UTC)
