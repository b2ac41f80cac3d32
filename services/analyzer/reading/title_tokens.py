"""The telling words of a title, for asking whether two titles are about the same thing."""

from __future__ import annotations

import re

from shared.domain.text import fold

_WORD = re.compile(r"[^\W_]+(?:[_.-][^\W_]+){0,6}")
_PART = re.compile(r"[^\W_]+")
_SHORTEST = 3
_COMMON_WORDS = """
    the and for with from into when not use using used via per all any new old this that its are was has have only
    also more than fix fixes fixed fixing fixup bug bugs bugfix hotfix feat feature perf refactor refactoring core misc
    docs doc test tests testing build chore revert add adds added adding support supports supported remove removes
    removed update updates updated improve improved make makes enable enables enabled disable disables disabled allow
    allows avoid avoids skip handle handles handling change changes changed move moves moved rename set get run
    implement implementation initial error errors issue issues failure failures fail fails crash wrong incorrect
    correct missing restore regression broken break code model models file files path paths type types data value
    values case cases default function method class module part step clean cleanup minor wip main without after before
    during between instead properly correctly frontend backend python rust java
    typescript cpu gpu kernel kernels attention config
"""
_COMMON = frozenset(_COMMON_WORDS.split())
"""Words that any two titles may share by chance."""


def shared_words(title: str, other: str) -> frozenset[str]:
    """Return the folded words that say what both titles are about.

    A part of a compound (``seq`` of ``max_seq_len``) counts when it stands on its own in the other title.
    """
    words, parts = _words(title)
    other_words, other_parts = _words(other)
    return (words & other_words) | (words & other_parts) | (parts & other_words)


def _words(title: str) -> tuple[frozenset[str], frozenset[str]]:
    words = _WORD.findall(fold(title[:400]))
    parts = [part for word in words for part in _PART.findall(word)]
    return frozenset(filter(_is_telling, words)), frozenset(filter(_is_telling, parts))


def _is_telling(word: str) -> bool:
    return len(word) >= _SHORTEST and word not in _COMMON and not word.isdecimal()
