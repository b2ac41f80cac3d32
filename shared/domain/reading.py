"""What a language model read out of one merge, after code has checked that its quotations are really there."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from shared.domain.taxonomy import KeyReason, ReviewOutcome, Risk
from shared.domain.value import Value

LONGEST_CLAIM = 240
"""Characters of every text that a model may say, of a quotation as well (R-70)."""

LimitKind = Literal["up-to", "experimental", "off-by-default", "hardware", "model", "platform", "other"]
"""What kind of limit or condition a claim keeps."""

ActionKind = Literal[
    "breaking-change",
    "removal",
    "deprecation",
    "new-default",
    "environment-variable",
    "dependency",
    "migration",
]
"""What kind of thing a reader has to do or to know."""

DropReason = Literal[
    "no-quote",
    "quote-not-found",
    "figure-not-in-quotes",
    "limit-lost",
    "unrelated-to-quotes",
    "identifier-not-in-diff",
    "not-plain-text",
    "too-long",
    "empty",
    "echo",
    "not-for-models",
]
"""Why a claim of the model was dropped: a closed set, fit to be a metric label."""


class Quote(Value):
    """Words of the merge that a claim rests on, and where code found them.

    ``field`` is ``diff``, ``path``, ``title``, ``body``, ``commit``, ``label``, ``review`` or ``comment``; ``line``
    counts from 1 and is that of ``path`` after the merge (before it for removed lines).
    """

    text: str = Field(max_length=LONGEST_CLAIM)
    field: str
    path: str | None = None
    line: int | None = None


class Claim(Value):
    """One plain sentence of the model that its quotations support; ``announced`` when only the description shows it."""

    text: str = Field(max_length=LONGEST_CLAIM)
    quotes: tuple[Quote, ...] = Field(min_length=1)
    announced: bool = False


class LimitClaim(Claim):
    """A limit or condition under which the change holds."""

    kind: LimitKind = "other"


class ActionClaim(Claim):
    """Something that a reader has to do or to know; ``way_back`` is empty when the merge names none."""

    kind: ActionKind
    way_back: str = Field(default="", max_length=LONGEST_CLAIM)


class ContestedClaim(Claim):
    """A point that was contested in review, and how it ended."""

    outcome: ReviewOutcome = ReviewOutcome.ASKED


class RiskClaim(Claim):
    """A risk that the model judged: ``text`` is its mechanism."""

    risk: Risk


class ReasonClaim(Claim):
    """Why a reader should care, out of the named reasons."""

    reason: KeyReason


class Dropped(Value):
    """Claims of one field of the answer that were dropped for one reason."""

    field: str
    reason: DropReason
    count: int = Field(gt=0)


class Shown(Value):
    """How much of one part of a merge the model was shown, in characters and in pieces (files, comments, messages)."""

    part: Literal["title", "body", "commits", "review", "diff", "files", "facts"]
    characters: int = 0
    of_characters: int = 0
    pieces: int = 0
    of_pieces: int = 0


class Seen(Value):
    """What the model was shown of a merge: the rest of what it might have said is not known."""

    shown: tuple[Shown, ...] = ()
    estimated_tokens: int = 0
    """Of the whole request, by the safe estimate."""
    hidden: dict[str, int] = {}
    """How many pieces of hidden text were taken out, by kind (``html-comment``, ``invisible-characters`` …)."""
    redacted: dict[str, int] = {}
    """How many secrets were blackened, by kind."""

    @property
    def partial(self) -> bool:
        """True when anything of the merge was not shown."""
        return any(one.characters < one.of_characters or one.pieces < one.of_pieces for one in self.shown)


class CallUsage(Value):
    """What the calls for one reading took: tokens as the server counted them, seconds by the wall clock."""

    requests: int = 0
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float | None = None
    """None when no price is known for the model."""
    seconds: float = 0.0


class Reading(Value):
    """What a model read out of a merge, checked: every field holds only what quotations support."""

    model: str
    prompt_version: str
    language: str = "en"
    mode: Literal["json_schema", "json_object", "text"] = "json_schema"
    """How the answer was asked for; what the server takes is learned."""
    repaired: bool = False
    """Whether the first answer could not be read and was asked for once more."""
    effect: Claim | None = None
    """What is true now and for whom."""
    change: Claim | None = None
    """What was changed."""
    why: Claim | None = None
    limits: tuple[LimitClaim, ...] = ()
    actions: tuple[ActionClaim, ...] = ()
    contested: tuple[ContestedClaim, ...] = ()
    risks: tuple[RiskClaim, ...] = ()
    reason: ReasonClaim | None = None
    keywords: tuple[str, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    seen: Seen = Seen()
    usage: CallUsage = CallUsage()

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Every claim that was kept."""
        single = (self.effect, self.change, self.why, self.reason)
        return (
            *(claim for claim in single if claim is not None),
            *self.limits,
            *self.actions,
            *self.contested,
            *self.risks,
        )

    @property
    def dropped_in_all(self) -> int:
        """How many claims were dropped."""
        return sum(one.count for one in self.dropped)
