"""Words that authors use, and the Conventional Commits type that each stands for."""

from __future__ import annotations

from difflib import get_close_matches
from functools import lru_cache

from shared.domain.taxonomy import ChangeType


def words_of(text: str) -> frozenset[str]:
    """Return the words of ``text`` as a set: long lists read better as text."""
    return frozenset(text.split())


_WORDS: dict[ChangeType, str] = {
    ChangeType.FEAT: "feat feature features feats enhancement enh improvement new add newmodel",
    ChangeType.FIX: "fix fixes fixed bug bugfix bugfixes hotfix bug-fix bugs regression",
    ChangeType.PERF: "perf performance optimization optimisation optimize optimise opt speedup",
    ChangeType.REFACTOR: "refactor refactoring cleanup clean-up clean simplify rewrite tech-debt",
    ChangeType.DOCS: "docs doc documentation readme typo typos",
    ChangeType.TEST: "test tests testing ut unittest e2e",
    ChangeType.BUILD: "build deps dep dependencies dependency bump packaging release wheel docker",
    ChangeType.CI: "ci ci/cd cicd workflow workflows gha",
    ChangeType.STYLE: "style lint format formatting mypy typing ruff pre-commit",
    ChangeType.CHORE: "chore misc maint maintenance housekeeping minor meta internal trivial nfc cosmetic",
    ChangeType.REVERT: "revert reverts",
}
TYPE_WORDS: dict[str, ChangeType] = {word: kind for kind, words in _WORDS.items() for word in words.split()}
"""Folded word → type; read from prefixes, from brackets and from labels."""

NO_SUBJECT = frozenset(TYPE_WORDS) | words_of(
    """
    wip draft rfc urgent critical easy nit do-not-merge dnm backport cherry-pick cherrypick reland security
    breaking deprecate deprecation deprecated removal remove important experimental stable public private n part
    last final step phase pr the a of and for new initial more small big update upgrade ready skip-ci skip ci-skip
    no-ci auto automated bot be
    """
)
"""Words of brackets and scopes that name no part of the project."""


@lru_cache(maxsize=2_000)
def close_word(word: str) -> str | None:
    """Return the type word that a slip such as ``bugifx`` stands for; short words have too many neighbours."""
    if not 5 <= len(word) <= 16 or word in TYPE_WORDS:
        return None
    return next(iter(get_close_matches(word, list(TYPE_WORDS), n=1, cutoff=0.83)), None)
