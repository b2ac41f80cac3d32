"""Chooses among sure candidates: what explains most first, each merge in one theme at most."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from services.digest.merges import Merge, by_importance
from services.digest.themes.candidates import KIND_OF, LARGEST, SMALLEST, Candidate, find_candidates, judge
from services.digest.themes.features import PLACE_WORD, Corpus
from services.digest.themes.odds import corrected
from shared.domain.taxonomy import ChangeType

_SURE = -2.3
"""Of what names its own folder: one false theme in two hundred weeks, after all candidates have been tried."""
_ELSEWHERE = -0.7
"""So many powers of ten surer must be what names something that lies in another folder."""
_REMAINING = 0.5
_ONE_KIND = 0.6
_NEARLY_ALL = 0.8
_DOUBTFUL = -2.7
"""And so many a plain word, which names nothing, and words without a place."""


def choose(corpus: Corpus, taken: Sequence[int]) -> list[Candidate]:
    """Return the themes found by shared terms among the merges that no other method has ``taken``."""
    candidates, judged = find_candidates(corpus)
    limit = _SURE - corrected(judged)
    used = set(taken)
    sure = [one for one in candidates if one.odds <= limit + _doubt(one)]
    wide = {(one.term, one.kind): one for one in sure if one.kind is not None}
    heap = [(candidate.order, candidate) for candidate in sure]
    heapq.heapify(heap)
    chosen: list[Candidate] = []
    while heap:
        _, candidate = heapq.heappop(heap)
        free = [number for number in candidate.numbers if number not in used]
        if len(free) == len(candidate.numbers):
            whole = _whole_of(corpus, candidate, wide, used)
            chosen.append(whole)
            used.update(whole.numbers)
        elif len(free) >= max(SMALLEST, len(candidate.numbers) * _REMAINING):
            again = judge(corpus, candidate.term, free, candidate.kind)
            if again is not None and again.odds <= limit + _doubt(again):
                heapq.heappush(heap, (again.order, again))
    return _grow(corpus, chosen, taken)


def _doubt(candidate: Candidate) -> float:
    if not candidate.proper or candidate.place is None:
        return _DOUBTFUL
    return 0.0 if candidate.place == f"{PLACE_WORD}{candidate.term}" else _ELSEWHERE


def _whole_of(
    corpus: Corpus, part: Candidate, wide: Mapping[tuple[str, ChangeType], Candidate], used: AbstractSet[int]
) -> Candidate:
    """The theme of all merges of one kind about a subject, where ``part`` is nearly all in it; else ``part``.

    ``[Parser rewrite] …`` is a part of all refactorings of the parser, however they are titled.
    """
    wholes = []
    for word in sorted(_subject(corpus, part)):
        for (term, kind), whole in wide.items():
            inside = set(whole.numbers) & set(part.numbers)
            if term == word and kind != part.kind and len(inside) >= len(part.numbers) * _NEARLY_ALL:
                free = tuple(number for number in whole.numbers if number not in used)
                wholes.append(replace(whole, numbers=free))
    return min(wholes, key=lambda whole: whole.order, default=part)


def _grow(corpus: Corpus, chosen: Sequence[Candidate], taken: Sequence[int]) -> list[Candidate]:
    """Let each theme take in what no theme has and what shares its subject, its place and its kind of change.

    So titles that tell the same story in other words come in as well; a theme at most doubles, up to its limit.
    """
    used = {number for candidate in chosen for number in candidate.numbers} | set(taken)
    grown: list[Candidate] = []
    for candidate in chosen:
        kinds = Counter(KIND_OF[corpus.features[number].merge.change_type] for number in candidate.numbers)
        kind, count = min(kinds.items(), key=lambda pair: (-pair[1], pair[0]))
        room = min(LARGEST - len(candidate.numbers), len(candidate.numbers))
        fit: list[Merge] = []
        if candidate.place is not None and count >= len(candidate.numbers) * _ONE_KIND:
            akin = {number for word in _subject(corpus, candidate) for number in corpus.holders.get(word, ())} - used
            fit = [
                corpus.features[number].merge
                for number in akin
                if candidate.place in corpus.features[number].places
                and KIND_OF[corpus.features[number].merge.change_type] == kind
            ]
        joining = [merge.number for merge in by_importance(fit)[:room]]
        used.update(joining)
        grown.append(replace(candidate, numbers=tuple(sorted((*candidate.numbers, *joining)))))
    return grown


def _subject(corpus: Corpus, candidate: Candidate) -> set[str]:
    """The words of the term that name something."""
    terms = [corpus.features[n].terms.get(candidate.term) for n in candidate.numbers]
    return {word.key for term in terms if term for word in term.words if word.proper and not word.weak}
