"""Whether a sentence speaks of what its quotations speak of at all: no claim stands beside words it has no word of."""

from __future__ import annotations

import re
from collections.abc import Iterable

from shared.claims.spelling import word_set
from shared.domain.text import fold

LONGEST_LOOK = 20_000
"""Characters of the texts that are looked at."""
_STEM = 4
"""Letters: ``retries`` and ``retried``, ``cache`` and ``caching`` begin alike."""
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WORD = re.compile(r"[^\W\d_]+")
_LITTLE = word_set(
    "a about after again all also an and any are as at be been before being both but by can could did do does done "
    "each either else even ever every few for from get gets goes got had has have how if in instead into is it its "
    "just less like made make makes many may more most much must need needs new no none nor not now of off old on "
    "once one only or other others our out over own per same set sets should since so some still such than that the "
    "their them then there these they this those through to too two under until up upon use used user users uses "
    "using very via was were what when where which while who whose why will with within without would you your"
)
"""What every sentence has, whatever it speaks of."""
_ENGLISH = frozenset({"and", "are", "for", "from", "is", "of", "that", "the", "this", "to", "when", "with"})
_ENOUGH_WORDS = 8


def is_unrelated(claim: str, texts: Iterable[str]) -> bool:
    """Return whether ``claim``, in English, has no word that means something in common with any of ``texts``.

    Words count as the same when their first four letters are, a plural's ``s`` left aside; names are taken apart
    (``maxBatchSize``, ``max_batch``).
    False where it cannot be told: the claim has no such word, or one of them is in another language.
    """
    said = _stems(claim)
    whole = "\n".join(texts)[:LONGEST_LOOK]
    if not said or _is_foreign(claim) or _is_foreign(whole):
        return False
    return said.isdisjoint(_stems(whole))


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(_HUMP.sub(" ", text)).replace("_", " "))


def _stems(text: str) -> set[str]:
    return {word.removesuffix("s")[:_STEM] for word in _words(text) if len(word) > 1 and word not in _LITTLE}


def _is_foreign(text: str) -> bool:
    words = _words(text)
    foreign_script = any(word[0] > "\u024f" for word in words)
    return foreign_script or (len(words) >= _ENOUGH_WORDS and _ENGLISH.isdisjoint(words) and not text.isascii())
