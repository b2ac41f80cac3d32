"""How a digest was made: from how much of the changes, by which rules and which model, and what that took."""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime

from shared.domain.value import Value

Unread = Literal["waiting", "away", "budget", "gave-up", "left-out"]
"""Why a merge is told by rules alone: its turn has not come, the model does not serve, nothing may be spent, no usable
answer came, or the model is not to read it."""

MISSED: tuple[Unread, ...] = ("waiting", "away", "budget", "gave-up")
"""Reasons that are a loss to the reader."""

Refusal = Literal["claims", "rubric"]
"""Why nothing of what the model said is told: too little of it was supported, or the digest with it was not sound."""


class CoverageAccount(Value):
    """How much of the week's changes was seen, added up."""

    files_changed: int = 0
    files_seen: int = 0
    files_read: int = 0
    unread: dict[str, int] = {}
    patches_only: int = 0
    """Merges whose facts were read from patches alone: no whole file was at hand."""
    without_details: tuple[int, ...] = ()
    """Merges of which only the webhook payload is known."""
    partial: tuple[int, ...] = ()
    cut: dict[str, dict[str, int]] = {}
    """Merges whose list (``commits``, ``checks``, …) was not read whole: how many, by list and by reason."""


class ReadingAccount(Value):
    """What a language model read of the week, and what became of what it said."""

    read: tuple[int, ...] = ()
    models: dict[str, tuple[int, ...]] = {}
    """The merges that each model read, by its name."""
    unread: dict[Unread, tuple[int, ...]] = {}
    """The merges that rules alone tell of, by reason."""
    away_since: AwareDatetime | None = None
    """Since when the model does not serve; None while it does."""
    claims: int = 0
    """What the model claimed, without what says nothing new."""
    kept: int = 0
    """Claims that are supported by quotations."""
    dropped: dict[str, int] = {}
    """Claims that were not told, by reason."""
    refused: Refusal | None = None
    """Why this digest tells nothing of all that; None when it does."""
    partial: tuple[int, ...] = ()
    """Merges that the model was not shown whole."""
    hidden: int = 0
    """Pieces of hidden text that were taken out before the model saw a merge."""
    redacted: int = 0
    """Secrets that were blackened before the model saw a merge."""

    @property
    def unread_in_all(self) -> tuple[int, ...]:
        """Every merge that rules alone tell of."""
        return tuple(sorted(number for numbers in self.unread.values() for number in numbers))


class Provenance(Value):
    """How the digest was made."""

    mode: Literal["rules", "model"] = "rules"
    model: str | None = None
    prompt_version: str | None = None
    model_language: str | None = None
    """The tag of the language that the model's words are in, such as ``en``; None when it is not known."""
    ruleset_version: str
    generated_at: AwareDatetime
    degraded: tuple[str, ...] = ()
    so_far: bool = False
    """True when the week was not over yet."""
    readings: ReadingAccount | None = None
    """None when no model was to read anything of the week."""


class Usage(Value):
    """What models were asked for the merges of this digest."""

    requests: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    """Of the input, what the server had cached."""
    output_tokens: int = 0
    cost_usd: float | None = 0.0
    """None when the price of a model that was asked is not known."""
