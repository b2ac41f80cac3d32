"""What one merge can share with others: terms of its title, places of its files, its author."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache

from services.digest.merges import Merge
from services.digest.paths import main_files
from services.digest.place_names import telling_name
from services.digest.titles import Word, bare, key_of, pieces_of, words_of

PLACE_WORD = "word:"
"""Before a place that is a word of a path, not a folder."""

_LONGEST_TERM = 4
_SHORTEST_KEY = 2
_LONG_NAME = 8
_EVERYWHERE = 15
_EVERYWHERE_SHARE = 0.3
_VERB_AT_LEAST = 3
_VERB_SHARE = 0.8


@dataclass(frozen=True)
class Term:
    """A run of words as one title has it; ``words`` stand side by side there."""

    words: tuple[Word, ...]

    @property
    def is_name(self) -> bool:
        """A single long identifier: that names one thing, so to share it is no coincidence."""
        return len(self.words) == 1 and self.words[0].identifier and len(self.words[0].key) >= _LONG_NAME

    @property
    def telling(self) -> int:
        """How many of its words say what it is about."""
        return sum(not word.weak for word in self.words)

    @property
    def proper(self) -> bool:
        """Whether a word of it names something."""
        return any(word.proper and not word.weak for word in self.words)


@dataclass(frozen=True)
class Features:
    """One merge, read for comparison."""

    merge: Merge
    title: str
    words: tuple[Word, ...]
    terms: dict[str, Term]
    pieces: frozenset[str]
    """Keys of the parts of the title's identifiers; meaningful only where they occur as words somewhere."""
    places: frozenset[str]
    """Folders of its main files, as ``folder/…``, and the words of their paths, as ``word:…``."""
    author: str
    vocabulary: frozenset[str]
    """The keys of all words of the title."""


def features_of(merge: Merge, hollow: AbstractSet[str] = frozenset()) -> Features:
    """Return the features of ``merge``; without files it has no places. The words ``hollow`` tell nothing here."""
    title = bare(merge.pull_request.title)
    words = tuple(replace(word, weak=True) if word.key in hollow else word for word in words_of(title))
    pieces: set[str] = set()
    for word in words:
        text = title[word.start : word.end]
        if word.identifier or "-" in text:
            pieces |= pieces_of(text)
    return Features(
        merge=merge,
        title=title,
        words=words,
        terms=_terms(words),
        pieces=frozenset(pieces),
        places=_places(main_files(merge)),
        author=merge.pull_request.user.shown,
        vocabulary=frozenset(word.key for word in words),
    )


@dataclass(frozen=True)
class Corpus:
    """The merges that are compared, with what is common among them and in the week before."""

    features: dict[int, Features]
    holders: dict[str, tuple[int, ...]]
    """Term → merges of the window that hold it, as words or as a part of an identifier."""
    words: Counter[str]
    word_total: int
    places: Counter[str]
    authors: Counter[str]
    size: int
    """Merges of both weeks."""


def read_corpus(window: Sequence[Merge], earlier: Sequence[Merge]) -> Corpus:
    """Read both weeks; only merges of ``window`` become holders of terms."""
    plain = [features_of(merge) for merge in window]
    before = [features_of(merge) for merge in earlier]
    hollow = _everywhere(plain) | _verbs([*plain, *before]) | {_own_name(one.merge) for one in plain}
    read = {one.merge.number: features_of(one.merge, hollow) for one in plain}
    everything = [*read.values(), *(one for one in before if one.merge.number not in read)]
    words = Counter(word.key for features in everything for word in features.words)
    return Corpus(
        features=read,
        holders=_holders(read.values()),
        words=words,
        word_total=sum(words.values()),
        places=Counter(place for features in everything for place in features.places),
        authors=Counter(features.author for features in everything),
        size=len(everything),
    )


def _everywhere(features: Sequence[Features]) -> set[str]:
    """Words of so many titles of the week that to share them tells no story, such as the name of the main part."""
    counted = Counter(word for one in features for word in one.vocabulary)
    return {word for word, count in counted.items() if count > max(_EVERYWHERE, len(features) * _EVERYWHERE_SHARE)}


def _own_name(merge: Merge) -> str:
    """The name of the repository, which every title could hold."""
    return key_of(telling_name(merge.pull_request.repository.full_name))


def _verbs(features: Iterable[Features]) -> set[str]:
    """Plain words that nearly always begin the text of a title: what is done, not what it is done to."""
    first: Counter[str] = Counter()
    anywhere: Counter[str] = Counter()
    for one in features:
        text = [word for word in one.words if not word.segment]
        anywhere.update(word.key for word in text)
        first.update(word.key for word in text[:1] if not word.proper)
    return {word for word, count in first.items() if count >= max(_VERB_AT_LEAST, anywhere[word] * _VERB_SHARE)}


def _holders(features: Iterable[Features]) -> dict[str, tuple[int, ...]]:
    found: dict[str, set[int]] = {}
    for one in features:
        for key in one.terms:
            found.setdefault(key, set()).add(one.merge.number)
    for one in features:
        for piece in one.pieces:
            if piece in found:
                found[piece].add(one.merge.number)
    return {key: tuple(sorted(numbers)) for key, numbers in found.items()}


def _terms(words: Sequence[Word]) -> dict[str, Term]:
    terms: dict[str, Term] = {}
    for place in range(len(words)):
        for length in range(1, _LONGEST_TERM + 1):
            run = tuple(words[place : place + length])
            key = "".join(word.key for word in run)
            together = len({word.segment for word in run}) == 1
            if together and len(run) == length and len(key) >= _SHORTEST_KEY and _tells_something(run):
                terms.setdefault(key, Term(words=run))
    return terms


def _tells_something(run: Sequence[Word]) -> bool:
    return any(not word.weak and not word.key.isdigit() for word in run)


def _places(paths: Iterable[str]) -> frozenset[str]:
    places: set[str] = set()
    for path in paths:
        parts = path.split("/")
        places.update("/".join(parts[:depth]) + "/" for depth in range(1, len(parts)))
        for part in parts:
            places |= _words_of_name(part)
    return frozenset(places)


@lru_cache(maxsize=20_000)
def _words_of_name(name: str) -> frozenset[str]:
    stem = name.partition(".")[0]
    return frozenset(f"{PLACE_WORD}{key}" for key in (key_of(stem), *pieces_of(stem)) if len(key) >= _SHORTEST_KEY)
