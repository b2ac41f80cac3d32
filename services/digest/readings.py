"""What models read of the merges of a week: the account of it, what it took, and what of it the digest tells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import TypeVar

from services.digest.frame import Frame
from services.digest.gate import claimed, readings_of, reason_is_judged
from services.digest.merges import Merge
from services.digest.review import points_of
from shared.domain.analysis import ReviewPoint
from shared.domain.digest import ToldReading
from shared.domain.provenance import ReadingAccount, Refusal, Unread, Usage
from shared.domain.reading import Claim, ContestedClaim, Reading
from shared.domain.text import fold

_MOST_LIMITS = 2
_MOST_CONTESTED = 2
_SAME_WORDS = 16
"""Characters from which on one quotation inside another is the same remark."""
_LANGUAGES = {"english": "en", "chinese": "zh"}
_TAG = re.compile(r"[a-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")

Said = TypeVar("Said", bound=Claim)


def account_of(window: Sequence[Merge], frame: Frame, refused: Refusal | None) -> ReadingAccount | None:
    """Return what was read of ``window`` before anything was refused; None when no model was to read any of it.

    ``frame`` says why a merge waits for its reading or got none; what it does not name was left out on purpose.
    """
    readings = {merge.number: merge.analysis.reading for merge in window if merge.analysis and merge.analysis.reading}
    numbers = sorted(merge.number for merge in window)
    if not readings and not any(number in frame.unread for number in numbers):
        return None
    models: dict[str, tuple[int, ...]] = {}
    for number in sorted(readings):
        models[readings[number].model] = (*models.get(readings[number].model, ()), number)
    unread: dict[Unread, tuple[int, ...]] = {}
    for number in numbers:
        if number not in readings:
            reason = frame.unread.get(number, "left-out")
            unread[reason] = (*unread.get(reason, ()), number)
    return ReadingAccount(
        read=tuple(sorted(readings)),
        models=dict(sorted(models.items())),
        unread=dict(sorted(unread.items())),
        away_since=frame.away_since,
        claims=sum(claimed(reading) for reading in readings.values()),
        kept=sum(len(reading.claims) for reading in readings.values()),
        dropped=_dropped(readings.values()),
        refused=refused,
        partial=tuple(number for number in sorted(readings) if readings[number].seen.partial),
        hidden=sum(sum(reading.seen.hidden.values()) for reading in readings.values()),
        redacted=sum(sum(reading.seen.redacted.values()) for reading in readings.values()),
    )


def _dropped(readings: Iterable[Reading]) -> dict[str, int]:
    counted: Counter[str] = Counter()
    for reading in readings:
        for one in reading.dropped:
            counted[one.reason] += one.count
    return dict(sorted(counted.items()))


def usage_of(window: Iterable[Merge]) -> Usage:
    """Return what the readings of ``window`` took; the cost is None as soon as that of one is not known."""
    taken = [reading.usage for reading in readings_of(window)]
    costs = [usage.cost_usd for usage in taken]
    known = [cost for cost in costs if cost is not None]
    return Usage(
        requests=sum(usage.requests for usage in taken),
        input_tokens=sum(usage.input_tokens for usage in taken),
        cached_tokens=sum(usage.cached_tokens for usage in taken),
        output_tokens=sum(usage.output_tokens for usage in taken),
        cost_usd=sum(known) if len(known) == len(costs) else None,
    )


def language_of(window: Iterable[Merge]) -> str | None:
    """Return the tag of the language that all readings of ``window`` are in; None when there is no such one."""
    found = {_tag_of(reading.language) for reading in readings_of(window)}
    return found.pop() if len(found) == 1 else None


def _tag_of(language: str) -> str | None:
    known = _LANGUAGES.get(language.casefold(), language)
    return known if _TAG.fullmatch(known) else None


def told_readings(merges: Iterable[Merge], key: Collection[int]) -> tuple[ToldReading, ...]:
    """Return what is told of the readings of ``merges``, those that the digest tells by name; by number.

    Of a key pull request everything; of another one the effect alone.
    """
    found = [_told(merge, whole=merge.number in key) for merge in sorted(merges, key=lambda merge: merge.number)]
    return tuple(told for told in found if told is not None and told.claims)


def _told(merge: Merge, *, whole: bool) -> ToldReading | None:
    if merge.analysis is None or merge.analysis.reading is None:
        return None
    reading = merge.analysis.reading
    effect = reading.effect or reading.change
    told = ToldReading(number=merge.number, model=reading.model, effect=without_stop(effect) if effect else None)
    if not whole:
        return told
    judged = reason_is_judged(merge.analysis.importance, reading)
    return told.model_copy(
        update={
            "why": without_stop(reading.why) if reading.why else None,
            "limits": tuple(without_stop(limit) for limit in reading.limits[:_MOST_LIMITS]),
            "contested": tuple(_contested(merge, reading)),
            "reason": without_stop(reading.reason) if judged and reading.reason else None,
        }
    )


def without_stop(claim: Said) -> Said:
    """Return ``claim`` without the full stop at its end: the sentence around it has its own."""
    return claim.model_copy(update={"text": claim.text.rstrip(" .。")})


def _contested(merge: Merge, reading: Reading) -> Iterator[ContestedClaim]:
    """What was contested, less what rules tell of the review already."""
    points = points_of(merge)
    fresh = [claim for claim in reading.contested if not any(_is_about(claim, point) for point in points)]
    yield from (without_stop(claim) for claim in fresh[:_MOST_CONTESTED])


def _is_about(claim: ContestedClaim, point: ReviewPoint) -> bool:
    """Whether the claim quotes what the rule quotes, or speaks of the same line."""
    said = [fold(words) for words in (point.quote, point.answer) if words]
    for quote in claim.quotes:
        if quote.line is not None and (quote.path, quote.line) == (point.path, point.line):
            return True
        if any(_overlap(fold(quote.text), words) for words in said):
            return True
    return False


def _overlap(first: str, second: str) -> bool:
    short, long = sorted((first.strip("…. "), second.strip("…. ")), key=len)
    return len(short) >= _SAME_WORDS and short in long
