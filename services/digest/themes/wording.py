"""The name of a theme in the words of its titles, and its key."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from zlib import crc32

from services.digest.headings import capitalised, shared_heading, shortened
from services.digest.themes.candidates import SMALLEST, Candidate
from services.digest.themes.features import Corpus, Features
from services.digest.titles import Word
from shared.domain.text import fold

_MOST = 0.6
_LONGEST = 60
_LONGEST_RUN = 6
_NAMING = frozenset(("refactor", "refactoring", "cleanup", "ci", "tests", "docs", "documentation", "dependencies"))
"""Words for a kind of change that may end the name of a theme; the other weak words may not."""


def name_of(corpus: Corpus, candidate: Candidate) -> str:
    """Return what most of the titles say together, with their scope before; where that is but a subject, its name.

    The name is the most telling run of neighbouring words that most titles share, as most of them write it. A theme of
    one kind of change says which.
    """
    members = _most_important_first(corpus.features[number] for number in candidate.numbers)
    heading = shared_heading([member.title for member in members], candidate.term)
    if heading is not None:
        return heading
    runs = [_runs(member) for member in members]
    shared = Counter(run for found in runs for run in found)
    common = {run for run, count in shared.items() if count >= max(SMALLEST, len(members) * _MOST)}
    best: tuple[int, int, tuple[str, ...]] | None = None
    for run in sorted(run for run in common if (joined := "".join(run)) in candidate.term or candidate.term in joined):
        words = next(found[run] for found in runs if run in found)
        telling = sum(not word.weak for word in words)
        best = max(best or (telling, len("".join(run)), run), (telling, len("".join(run)), run))
    name = _surface(members, runs, best[2]) if best else _surface_of_term(members, candidate.term)
    return f"{name}: {candidate.kind}" if candidate.kind and candidate.kind not in name.casefold() else name


def key_of_theme(kind: str, text: str) -> str:
    """Return a stable slug for ``text``; text without ASCII letters is named by its checksum."""
    slug = re.sub(r"[^a-z0-9]+", "-", text.casefold()).strip("-")[:_LONGEST]
    return f"{kind}-{slug or f'{crc32(text.encode()):08x}'}"


def _runs(member: Features) -> dict[tuple[str, ...], tuple[Word, ...]]:
    """Every run of neighbouring words that could be a name, by its keys."""
    found: dict[tuple[str, ...], tuple[Word, ...]] = {}
    words = member.words
    for start in range(len(words)):
        for end in range(start + 1, min(start + _LONGEST_RUN, len(words)) + 1):
            run = words[start:end]
            if run[0].segment != run[-1].segment:
                break
            last = fold(member.title[run[-1].start : run[-1].end])
            scope = all(word.proper for word in run)  # a bracket is a name as a whole, whatever it begins with
            if (scope or not run[0].weak) and (not run[-1].weak or last in _NAMING):
                found.setdefault(tuple(word.key for word in run), run)
    return found


def _surface(
    members: Sequence[Features], runs: Sequence[dict[tuple[str, ...], tuple[Word, ...]]], run: tuple[str, ...]
) -> str:
    """How most of the titles write the run, on a tie the most important of them."""
    written: Counter[str] = Counter()
    for member, found in zip(members, runs, strict=True):
        if words := found.get(run):
            written[_text(member, words)] += 1
    return written.most_common(1)[0][0]


def _surface_of_term(members: Sequence[Features], term: str) -> str:
    for member in members:
        if term in member.terms:
            return _text(member, member.terms[term].words)
    return term


def _text(member: Features, words: Sequence[Word]) -> str:
    """The words as the title has them: with a capital in front, but for scopes, which are names."""
    text = " ".join(re.sub(r"[\[\]`]+", " ", member.title[words[0].start : words[-1].end]).split()).strip(" :-")
    return shortened(text if words[0].segment else capitalised(text))


def _most_important_first(members: Iterable[Features]) -> list[Features]:
    return sorted(members, key=lambda one: (-one.merge.score, one.merge.number))
