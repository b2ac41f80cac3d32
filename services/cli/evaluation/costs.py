"""What reading merges with a model would take: tokens, money, what budgets leave; counted without any call; pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from services.analyzer.packing import pack
from services.analyzer.prompts import fixed_tokens
from services.analyzer.readings.answering import document_tokens
from services.analyzer.readings.wishes import wish
from shared.domain.analysis import Analysis
from shared.domain.pull_request import PullRequest
from shared.domain.value import Value
from shared.llm import cost_of
from shared.settings import Settings
from shared.settings.language_model import ModelSettings

LIKELY_PART = 0.75
"""Of the safe estimate: text and code have about four bytes to a token, of which it counts three."""
LIKELY_OUTPUT = 400
"""Tokens of an answer of a model that has something to say; the labels of the evaluation make about 160."""
CALLS_A_MERGE = 1.05
"""With repairs."""


@dataclass(frozen=True)
class Asked:
    """One merge that a model would read: ``safe`` tokens of input, no more."""

    model: str
    importance: int
    safe: int


class Tier(Value):
    """What one model would take for its merges; costs are US dollars, None when its price is not known."""

    model: str
    merges: int
    input_tokens: int
    """By the safe estimate, every request."""
    likely_input: int
    output_tokens: int
    """At most."""
    likely_output: int
    cost: float | None
    likely_cost: float | None
    batch_cost: float | None
    """The likely one through the Batch API."""


class Estimate(Value):
    """What a set of merges would take; ``left_to_rules`` says how many no model reads, and why."""

    merges: int
    tiers: tuple[Tier, ...]
    left_to_rules: dict[str, int]
    beyond_merge: int
    """Merges of which one request would go beyond ``merge_tokens`` or ``merge_cost``."""
    within_day: int
    """How many a day's budget lets through at once, the weightiest first."""
    within_week: int

    @property
    def asked(self) -> int:
        """How many a model would read."""
        return sum(tier.merges for tier in self.tiers)


def estimated(merges: Iterable[tuple[PullRequest, Analysis, bool]], settings: Settings) -> Estimate:
    """Return what reading these merges would take under ``settings``, whose model is on.

    Beside a merge stands its analysis by rules, and whether the model is switched on for its repository.
    """
    model = settings.model
    asked: list[Asked] = []
    left: Counter[str] = Counter()
    fixed, room = fixed_tokens(model.language), document_tokens(model, None)
    for pull_request, analysis, switched_on in merges:
        wished = wish(settings, analysis, switched_on=switched_on)
        if not wished.model:
            left[wished.why] += 1
            continue
        packed = pack(pull_request, analysis, room)
        asked.append(Asked(wished.model, analysis.importance.score, fixed + packed.tokens))
    asked.sort(key=lambda one: -one.importance)
    fitting = [one for one in asked if _fits_merge(one, model)]
    return Estimate(
        merges=len(asked) + left.total(),
        tiers=tuple(_tier(name, asked, model) for name in model.names if any(one.model == name for one in asked)),
        left_to_rules=dict(left.most_common()),
        beyond_merge=len(asked) - len(fitting),
        within_day=_within(fitting, model, model.day_tokens, model.day_cost),
        within_week=_within(fitting, model, model.week_tokens, model.week_cost),
    )


def _tier(name: str, asked: Sequence[Asked], model: ModelSettings) -> Tier:
    mine = [one.safe for one in asked if one.model == name]
    safe, most = sum(mine), len(mine) * model.output_tokens
    likely = round(safe * LIKELY_PART * CALLS_A_MERGE)
    output = round(len(mine) * min(LIKELY_OUTPUT, model.output_tokens) * CALLS_A_MERGE)
    return Tier(
        model=name,
        merges=len(mine),
        input_tokens=safe,
        likely_input=likely,
        output_tokens=most,
        likely_output=output,
        cost=cost_of(model.prices, name, safe, 0, most),
        likely_cost=cost_of(model.prices, name, likely, 0, output),
        batch_cost=cost_of(model.prices, name, likely, 0, output, batch=True),
    )


def _fits_merge(one: Asked, model: ModelSettings) -> bool:
    cost = cost_of(model.prices, one.model, one.safe, 0, model.output_tokens)
    too_dear = model.merge_cost is not None and cost is not None and cost > model.merge_cost
    return one.safe + model.output_tokens <= model.merge_tokens and not too_dear


def _within(asked: Sequence[Asked], model: ModelSettings, tokens: int, dollars: float | None) -> int:
    """How many requests a budget lets through: one is reserved in full, and counts what it likely took afterwards."""
    used, spent = 0.0, 0.0
    for through, one in enumerate(asked):
        reserved = cost_of(model.prices, one.model, one.safe, 0, model.output_tokens)
        too_dear = dollars is not None and reserved is not None and spent + reserved > dollars
        if used + one.safe + model.output_tokens > tokens or too_dear:
            return through
        likely = round(one.safe * LIKELY_PART), min(LIKELY_OUTPUT, model.output_tokens)
        used += sum(likely) * CALLS_A_MERGE
        spent += (cost_of(model.prices, one.model, likely[0], 0, likely[1]) or 0.0) * CALLS_A_MERGE
    return len(asked)
