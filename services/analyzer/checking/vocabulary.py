"""Names and options that a sentence brings along: those of strangers stand nowhere in the merge."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from shared.claims.facts import KnownFacts
from shared.claims.haystack import RUN, Haystack
from shared.claims.spelling import WORD, word_set
from shared.claims.support import Where
from shared.domain.text import fold

_OPTION = re.compile(r"(?<![A-Za-z0-9_-])-[A-Za-z][A-Za-z0-9_-]*")
"""Of one dash; those of two are found as flags."""
_KEBAB = re.compile(r"(?<![A-Za-z0-9_-])[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)+(?![A-Za-z0-9_-])")
_ORDINARY = word_set(
    "ahead-of-time back-to-back case-by-case compare-and-swap copy-on-write day-to-day end-to-end first-in-first-out "
    "just-in-time last-in-first-out least-recently-used left-to-right line-by-line many-to-many man-in-the-middle "
    "off-by-default off-by-one on-by-default one-by-one one-to-many one-to-one out-of-band out-of-bounds out-of-date "
    "out-of-memory out-of-order out-of-range peer-to-peer point-in-time proof-of-concept read-after-write "
    "read-modify-write right-to-left round-trip-time side-by-side state-of-the-art step-by-step stop-the-world "
    "time-of-check time-to-live top-to-bottom up-to-date use-after-free word-for-word work-in-progress "
    "write-after-read"
)
_FIRST = frozenset({"allow", "disable", "enable", "max", "min", "num", "skip", "use"})
_LAST = frozenset({"count", "dir", "file", "level", "limit", "mode", "path", "size", "timeout"})
"""Words with which names of settings of two parts begin or end."""
_COMPOUND = 3

_WORD = re.compile(rf"(?<![{WORD}])[{WORD.replace('0-9', '').replace('_', '')}]+(?:['’]s(?![A-Za-z]))?")
_START = re.compile(r"(?:^|(?<!\.[a-z])[.!?。！？][\"'”’)\]]{0,2}\s{0,3})[\"'“‘(\[]{0,2}$")
_OPENERS = word_set(
    "a access add adds after all also an and any as at because before both but by calls check checks code data default "
    "during each either every few first fix fixes for from given here how if in instead into it its keep keeps last "
    "later like makes many more most moves moving neither new no non none not now of off old on once one only open "
    "opening or other otherwise our over own per read reads remove removes run runs same set sets since so some still "
    "stops such support supports than that the their then there these they this those through to two under unlike "
    "until up upgrade use users uses using via what when where which while who whole why with within without you your"
)
"""What a sentence may begin with before a name: ``The Kafka …``, ``Set Foo …``."""
_GENERAL = word_set(
    "ascii boolean chinese english internet linux unicode monday tuesday wednesday thursday friday saturday sunday "
    "january february march april may june july august september october november december"
)
_LONGEST_ACRONYM = 12
_LONGEST_LOOK = 1_000_000
"""Characters of each part of a merge that are looked at."""
_WITH_CAPITALS = frozenset({"german", "deutsch", "de", "luxembourgish"})


class Vocabulary:
    """The words of one merge; ``language`` is that of the answers, whose nouns may all have capitals."""

    def __init__(self, facts: KnownFacts, language: str = "") -> None:
        self._facts = facts
        self._nouns_have_capitals = fold(language).split("-")[0].strip() in _WITH_CAPITALS

    def lacks_option(self, words: str) -> bool:
        """Whether ``words`` hold an option of one dash (``-k``) that the diff does not show."""
        return not self._options.issuperset(_OPTION.findall(words))

    def lacks_name(self, words: str) -> bool:
        """Whether ``words`` hold a name with a capital that stands nowhere in the merge.

        A word at the beginning of a sentence counts where another one with a capital follows it.
        """
        return any(not self._stands(name) for name in self._names(words))

    def compounds(self, words: str) -> Iterator[Where]:
        """Yield where each of the compounds of ``words`` that look like the name of a setting stands."""
        for found in _KEBAB.finditer(words):
            parts = RUN.findall(fold(found[0]))
            if _is_setting(parts):
                yield self._place(parts)

    def _names(self, words: str) -> Iterator[str]:
        """What is taken for a name: of the words with capitals those that no sentence, and no noun, has to have."""
        found = [one for one in _WORD.finditer(words) if one[0][0].isupper() and len(one[0]) > 1]
        beginnings = [_START.search(words, max(0, one.start() - 8), one.start()) is not None for one in found]
        for at, one in enumerate(found):
            behind = found[at + 1] if at + 1 < len(found) and words[one.end() : found[at + 1].start()] == " " else None
            if beginnings[at]:
                named = not self._nouns_have_capitals and fold(one[0]) not in _OPENERS
                if named and behind is not None and not behind[0].isupper():
                    yield one[0]
                continue
            follows = at > 0 and not beginnings[at - 1] and words[found[at - 1].end() : one.start()] == " "
            if not self._nouns_have_capitals or behind is not None or follows:
                yield one[0]

    def _stands(self, name: str) -> bool:
        bare = re.sub(r"['’]s$", "", name)
        acronym = bare.removesuffix("s")
        if (acronym.isupper() and 1 < len(acronym) <= _LONGEST_ACRONYM) or fold(bare) in _GENERAL:
            return True
        folded = fold(bare)
        return not self._words.isdisjoint({folded, folded.removesuffix("s"), f"{folded}s"})

    def _place(self, parts: list[str]) -> Where:
        spaced, joined = f" {' '.join(parts)} ", f" {''.join(parts)} "
        for where, words in ((Where.ADDED, self._shown), (Where.DESCRIPTION, self._told), (Where.REVIEW, self._asked)):
            if spaced in words or joined in words:
                return where
        return Where.NOWHERE

    @cached_property
    def _options(self) -> frozenset[str]:
        hays = (self._facts.added, self._facts.removed, self._facts.context)
        return frozenset(option for hay in hays for option in _OPTION.findall(hay.text[:_LONGEST_LOOK]))

    @cached_property
    def _words(self) -> frozenset[str]:
        repository = RUN.findall(fold(self._facts.pull_request.repository.full_name))
        return frozenset({*repository, *self._shown.split(), *self._told.split(), *self._asked.split()})

    @cached_property
    def _shown(self) -> str:
        facts = self._facts
        return _spaced(facts.added, facts.removed, facts.context, facts.paths)

    @cached_property
    def _told(self) -> str:
        return _spaced(self._facts.description)

    @cached_property
    def _asked(self) -> str:
        return _spaced(self._facts.review)


def _is_setting(parts: list[str]) -> bool:
    if "-".join(parts) in _ORDINARY:
        return False
    return len(parts) >= _COMPOUND or parts[0] in _FIRST or parts[-1] in _LAST


def _spaced(*hays: Haystack) -> str:
    """The runs of letters and digits, folded, with a space around each: ``max_batch_size`` is ``max batch size``."""
    runs = (run for hay in hays for run in RUN.findall(fold(hay.text[:_LONGEST_LOOK])))
    return f" {' '.join(runs)} "
