"""The words by which a merge is to be found: only those that stand in it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from services.analyzer.checking.claims import unfit
from services.analyzer.checking.evidence import Evidence
from services.analyzer.checking.plain_text import plain_words, without_code_marks
from services.analyzer.prompts.answer import LONGEST_KEYWORD, MOST_KEYWORDS
from shared.claims.haystack import RUN
from shared.domain.text import fold

_MOST_WORDS = 4
_LONGEST_LOOK = 200_000
"""Characters of each part in which keywords are looked for."""


def kept_keywords(given: Sequence[str], evidence: Evidence) -> tuple[str, ...]:
    """Return at most eight of ``given``, each once, that are plain and whose words all stand in title, text or diff."""
    kept: dict[str, str] = {}
    for keyword in given[: 2 * MOST_KEYWORDS]:
        words = without_code_marks(plain_words(keyword))
        if len(words) <= LONGEST_KEYWORD and unfit(words, evidence) is None and _stands(words, evidence):
            kept.setdefault(fold(words), words)
    return tuple(kept.values())[:MOST_KEYWORDS]


def _stands(keyword: str, evidence: Evidence) -> bool:
    words = RUN.findall(fold(keyword))
    if "/" in keyword or not 0 < len(words) <= _MOST_WORDS or all(word.isdigit() for word in words):
        return False
    return any(set(words) <= runs for runs in _runs(evidence))


def _runs(evidence: Evidence) -> Iterator[frozenset[str]]:
    """The words of the description, then those of paths and changed lines, folded."""
    facts = evidence.facts
    for hay in (facts.description, facts.paths, facts.added, facts.removed):
        yield frozenset(RUN.findall(fold(hay.text[:_LONGEST_LOOK])))
