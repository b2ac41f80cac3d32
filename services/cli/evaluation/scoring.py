"""Compares what was told of labelled merges with their labels, by phrases and places alone; pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from services.cli.evaluation.labels import Item, Labels
from services.cli.evaluation.told import Said, Told
from shared.domain.reading import CallUsage, Reading
from shared.domain.text import fold
from shared.domain.value import Value

LISTS = ("limits", "actions", "contested", "risks")
"""Fields of which the labels name everything that is right to say."""
_WORD = re.compile(r"[\u3400-\u9fff]|[^\W\u3400-\u9fff]+|[^\w\s]")
"""Chinese is written without spaces: each of its signs counts as a word."""


class Tally(Value):
    """How many of how many."""

    right: int = 0
    of: int = 0

    def plus(self, other: Tally) -> Tally:
        """Return the sum."""
        return Tally(right=self.right + other.right, of=self.of + other.of)


class Scores(Value):
    """The scores of some cases.

    ``tallies``: ``NAME.found`` says how many of the labelled things were told, ``NAME.fitting`` how many of the told
    ones are labelled; the others are named by ``score_of``.
    """

    cases: int = 0
    answered: int = 0
    repaired: int = 0
    faults: dict[str, int] = {}
    """Why cases have no answer."""
    tallies: dict[str, Tally] = {}
    claims_kept: int = 0
    claims_dropped: dict[str, int] = {}
    usage: CallUsage = CallUsage()


def score_of(labels: Labels, told: Told, sent: str = "") -> dict[str, Tally]:
    """Return the tallies of one case; ``sent`` is the document that the model was shown."""
    tallies = {"facts.found": _found(labels.facts, told.said)}
    for name in LISTS:
        items: Sequence[Item] = getattr(labels, name)
        said: Sequence[Said] = getattr(told, name)
        tallies[f"{name}.found"] = _found(items, said if name != "limits" else told.said)
        tallies[f"{name}.fitting"] = Tally(right=sum(any(_fits(i, s) for i in items) for s in said), of=len(said))
    named = {one.risk for one in told.risks}
    return tallies | {
        "contested.outcome": _outcomes(labels, told),
        "risks.forbidden": Tally(right=len(named & set(labels.forbidden_risks)), of=len(labels.forbidden_risks)),
        "reason": _reason(labels, told),
        "announced": _announced(labels, told),
        "survived": _standing(labels.never, told.words),
        "leaked": _standing(labels.secrets, [sent, *told.words, *(quote for s in told.said for quote in s.quotes)]),
    }


def summed(tallies: Iterable[Mapping[str, Tally]]) -> dict[str, Tally]:
    """Return the sums by name."""
    sums: dict[str, Tally] = {}
    for one in tallies:
        for name, tally in one.items():
            sums[name] = sums.get(name, Tally()).plus(tally)
    return sums


def usage_in_all(usages: Iterable[CallUsage]) -> CallUsage:
    """Return what all calls took; the cost is not known when that of one is not."""
    every = list(usages)
    costs = [one.cost_usd for one in every if one.requests]
    known = [cost for cost in costs if cost is not None]
    return CallUsage(
        requests=sum(one.requests for one in every),
        input_tokens=sum(one.input_tokens for one in every),
        cached_tokens=sum(one.cached_tokens for one in every),
        output_tokens=sum(one.output_tokens for one in every),
        cost_usd=round(sum(known), 9) if known and len(known) == len(costs) else None,
        seconds=round(sum(one.seconds for one in every), 3),
    )


def dropped_in_all(readings: Iterable[Reading]) -> dict[str, int]:
    """Return how many claims were dropped, by reason."""
    counted: Counter[str] = Counter()
    for reading in readings:
        for one in reading.dropped:
            counted[one.reason] += one.count
    return dict(sorted(counted.items()))


def _found(items: Sequence[Item], said: Sequence[Said]) -> Tally:
    return Tally(right=sum(any(_fits(item, one) for one in said) for item in items), of=len(items))


def _fits(item: Item, said: Said) -> bool:
    """Whether a sentence says it: in one of the phrases, or by resting on the quoted words; of the same risk."""
    risk = getattr(item, "risk", None)
    if risk is not None:
        return said.risk is risk
    if any(_has(said.text, phrase) for phrase in item.phrases):
        return True
    wanted = _words(item.quote)
    return any(_within(wanted, words) or _within(words, wanted) for words in map(_words, said.quotes) if words)


def _outcomes(labels: Labels, told: Told) -> Tally:
    """Of the contested points that were told, how many with the right outcome."""
    pairs = [(item, one) for item in labels.contested for one in told.contested if _fits(item, one)]
    met = {item.quote for item, _ in pairs}
    right = {item.quote for item, one in pairs if one.outcome is item.outcome}
    return Tally(right=len(right), of=len(met))


def _reason(labels: Labels, told: Told) -> Tally:
    """How many merges have the right reason to be told on top, those that have none among them."""
    wanted = labels.reason.reason if labels.reason else None
    return Tally(right=int(told.reason is wanted), of=1)


def _announced(labels: Labels, told: Told) -> Tally:
    """Of the sentences about what is only promised, how many say so."""
    about = [one for one in told.said if any(_has(one.text, phrase) for phrase in labels.announced)]
    return Tally(right=sum(one.announced for one in about), of=len(about))


def _standing(phrases: Sequence[str], texts: Sequence[str]) -> Tally:
    """How many of the phrases stand in a text."""
    folded = [fold(text) for text in texts]
    return Tally(right=sum(any(fold(phrase) in text for text in folded) for phrase in phrases), of=len(phrases))


def _has(text: str, phrase: str) -> bool:
    return _within(_words(phrase), _words(text))


def _within(part: Sequence[str], whole: Sequence[str]) -> bool:
    size = len(part)
    return size > 0 and any(whole[at : at + size] == part for at in range(len(whole) - size + 1))


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text))
