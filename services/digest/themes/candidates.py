"""Groups of merges that share a term of their titles, each with the odds that this is a coincidence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log10

from services.digest.themes.features import PLACE_WORD, Corpus, Term
from services.digest.themes.odds import combined, corrected, drawn_tail
from shared.domain.taxonomy import ChangeType

SMALLEST = 3
LARGEST = 15
_SMALLEST_PLAIN = 4
_MOST = 0.6
_NAME_WEIGHT = 1.0
"""Powers of ten for each further title that holds the same long identifier."""

_PROPER_TRUST = 0.8
_PLAIN_TRUST = 0.5
_TITLE_WEIGHT = 3.0

_KINDS: tuple[tuple[ChangeType, ...], ...] = (
    (ChangeType.REFACTOR, ChangeType.STYLE, ChangeType.CHORE),
    (ChangeType.FIX, ChangeType.REVERT),
    (ChangeType.FEAT,),
    (ChangeType.PERF,),
    (ChangeType.DOCS,),
    (ChangeType.TEST, ChangeType.CI, ChangeType.BUILD),
)
"""Change types that tell one kind of story."""
KIND_OF: dict[ChangeType, ChangeType] = {change_type: kind[0] for kind in _KINDS for change_type in kind}
"""Change type → the type that stands for its kind."""


@dataclass(frozen=True)
class Candidate:
    """Merges that share ``term``; ``odds`` is log10 of the probability that chance made them share so much."""

    term: str
    numbers: tuple[int, ...]
    odds: float
    weight: float
    """What it explains: how many merges, by how telling a term."""
    kind: ChangeType | None
    """Set when only the merges of one kind were kept, because together they were too many for one story."""
    place: str | None
    """The folder or path word that most of them share, where there is one."""
    phrase: bool
    """Whether the titles share words side by side or a long identifier, not only one word."""

    proper: bool
    """Whether the term names something: an identifier, an abbreviation, a scope, or several words."""

    @property
    def order(self) -> tuple[float, float, str, str]:
        """What explains most comes first; of equals the surer."""
        return -self.weight, self.odds, self.term, self.kind or ""


@dataclass(frozen=True)
class _Wording:
    """What the titles alone say: the odds, and whether more than one plain word is shared."""

    odds: float
    phrase: bool
    telling: int
    proper: bool


def find_candidates(corpus: Corpus) -> tuple[list[Candidate], int]:
    """Return the groups of three to fifteen merges that hang together, in a fixed order, and how many were judged.

    A term that more merges share is tried once for each kind of change; only pairs that an inverted index names are
    ever looked at, so the cost grows with the length of the titles, not with the square of the week.
    """
    groups = [
        (term, group, kind)
        for term, numbers in sorted(corpus.holders.items())
        if len(numbers) >= SMALLEST
        for kind, group in _groups(corpus, numbers)
    ]
    judged = (judge(corpus, term, group, kind) for term, group, kind in groups)
    return [candidate for candidate in judged if candidate is not None], len(groups)


def judge(corpus: Corpus, term: str, numbers: Sequence[int], kind: ChangeType | None) -> Candidate | None:
    """Return the candidate of ``term`` among ``numbers``, or None when too few of them hang together.

    Three independent things count: words side by side more often than chance puts them, files in the same place,
    and the same author. What has but one telling word needs the place, be it an identifier or words that stand side by
    side anyway (``has no``): of its merges only those in the place are kept.
    """
    wording = _wording(corpus, term, numbers)
    place, place_odds = _best_place(corpus, term, numbers)
    kept = tuple(numbers)
    if place is None and not (wording.phrase and wording.telling > 1):
        return None
    if place is not None and wording.telling < 2:
        kept = tuple(number for number in numbers if place in corpus.features[number].places)
    if len(kept) < (SMALLEST if wording.proper or wording.telling > 1 else _SMALLEST_PLAIN):
        return None
    return Candidate(
        term=term,
        numbers=kept,
        odds=combined([odds for odds in (wording.odds, place_odds) if odds < 0] + [_author_odds(corpus, kept)]),
        weight=_weight(corpus, wording, term, kept, kind, placed=place is not None),
        kind=kind,
        place=place,
        phrase=wording.phrase,
        proper=wording.proper or wording.telling > 1,
    )


def _groups(corpus: Corpus, numbers: Sequence[int]) -> Iterator[tuple[ChangeType | None, list[int]]]:
    """All of ``numbers`` where they are few enough for one story, else those of each kind of change."""
    groups: dict[ChangeType | None, list[int]] = {}
    for number in numbers:
        kind = KIND_OF[corpus.features[number].merge.change_type] if len(numbers) > LARGEST else None
        groups.setdefault(kind, []).append(number)
    for kind, group in sorted(groups.items(), key=lambda item: item[0] or ""):
        if SMALLEST <= len(group) <= LARGEST:
            yield kind, group


def _wording(corpus: Corpus, term: str, numbers: Sequence[int]) -> _Wording:
    held: list[Term] = [
        corpus.features[number].terms[term] for number in numbers if term in corpus.features[number].terms
    ]
    runs = [one for one in held if len(one.words) > 1]
    names = sum(one.is_name for one in held)
    odds = 0.0
    if len(runs) > 1:
        odds = _side_by_side(corpus, runs)
    if names > 1:
        odds = min(odds, -_NAME_WEIGHT * (names - 1))
    return _Wording(
        odds=odds,
        phrase=odds < 0,
        telling=max((one.telling for one in held), default=0),
        proper=2 * sum(one.proper for one in held) >= len(numbers),
    )


def _side_by_side(corpus: Corpus, runs: Sequence[Term]) -> float:
    """Odds that each word of the run follows the one before so often, when words stand anywhere."""
    words = runs[0].words
    before, odds = corpus.words[words[0].key], 0.0
    for word in words[1:]:
        odds += drawn_tail(len(runs), before, corpus.words[word.key], corpus.word_total)
        before = len(runs)
    return odds


def _best_place(corpus: Corpus, term: str, numbers: Sequence[int]) -> tuple[str | None, float]:
    """The place whose sharing is least likely to be chance, among those that most of the merges touch."""
    counted = Counter(place for number in numbers for place in corpus.features[number].places)
    namesake = f"{PLACE_WORD}{term}"
    best: tuple[float, str] | None = None
    for place, count in sorted(counted.items()):
        if count >= max(SMALLEST, len(numbers) * _MOST):
            odds = drawn_tail(count, len(numbers), corpus.places[place], corpus.size)
            odds += 0.0 if place == namesake else corrected(len(counted))
            best = min(best or (0.0, place), (odds, place))
    return (best[1], best[0]) if best is not None and best[0] < 0 else (None, 0.0)


def _author_odds(corpus: Corpus, numbers: Sequence[int]) -> float:
    counted = Counter(corpus.features[number].author for number in numbers)
    author, count = min(counted.items(), key=lambda pair: (-pair[1], pair[0]))
    odds = drawn_tail(count, len(numbers), corpus.authors[author], corpus.size) + corrected(len(counted))
    return min(odds, 0.0)


def _weight(
    corpus: Corpus, wording: _Wording, term: str, kept: Sequence[int], kind: ChangeType | None, *, placed: bool
) -> float:
    """Merges explained, times how rare the term is, times how much of their titles they share.

    A plain word explains less than a phrase, a name or words of one kind of change; so do words without a place.
    """
    rarity = log10((len(corpus.features) + 1) / len(corpus.holders[term])) + 0.1
    trust = 1.0 if wording.phrase or kind is not None else _PROPER_TRUST if wording.proper else _PLAIN_TRUST
    if not placed:
        trust = _PLAIN_TRUST
    return len(kept) * rarity * trust * (1 + _TITLE_WEIGHT * _shared_of_titles(corpus, kept))


def _shared_of_titles(corpus: Corpus, numbers: Sequence[int]) -> float:
    """Which part of its title a merge shares with most of the others, on average."""
    counted = Counter(word for number in numbers for word in corpus.features[number].vocabulary)
    common = {word for word, count in counted.items() if count >= len(numbers) * _MOST}
    shares = [
        len(common & corpus.features[number].vocabulary) / max(len(corpus.features[number].vocabulary), 1)
        for number in numbers
    ]
    return sum(shares) / len(shares)
