"""The verb that a title begins with, in whatever form, and the change type that it speaks for."""

from __future__ import annotations

import re

from services.analyzer.vocabulary import words_of
from shared.domain.taxonomy import ChangeType

_VERBS: dict[ChangeType, str] = {
    ChangeType.FIX: """
        fix prevent avoid disable handle correct restore respect guard ensure resolve repair mitigate tolerate preserve
        stop validate escape reject clamp honour honor catch retry sanitize sanitise retain keep ignore skip reset wake
        flush suppress align normalize normalise propagate disambiguate treat recover unbreak address bound cap quote
        parenthesize parenthesise drain mask degrade fail forbid refuse deny check verify distinguish exclude populate
        trim strip encode decode unescape persist account terminate complete tighten silence filter hide block await
        specialize specialise match mirror expand insert wait initialize initialise advance
    """,
    ChangeType.FEAT: """
        add support enable implement introduce allow expose provide integrate extend create new initial let publish ship
        include accept show display offer register detect emit opt improve enhance diagnose recognize recognise suggest
        warn report print log synthesize synthesise stabilize stabilise permit teach model understand generate export
        surface annotate highlight autofix autodetect configure upload track monitor record instrument collect announce
        trigger infer better send return notify customize customise
    """,
    ChangeType.PERF: """
        optimize optimise accelerate memoize memoise prefetch preallocate pool cache tune vectorize vectorise
        parallelize parallelise
    """,
    ChangeType.REFACTOR: """
        refactor cleanup simplify move rename extract remove delete drop consolidate unify split reorganize reorganise
        restructure deduplicate dedupe replace convert migrate inline rewrite decouple deprecate reuse merge combine
        standardize standardise port delegate bundle isolate hoist tidy minor separate centralize centralise modernize
        modernise factor share reorder rework flatten encapsulate abstract generalize generalise unexport privatize
        colocate prefer streamline refine relocate lift rearrange
    """,
    ChangeType.DOCS: "document clarify describe explain mention",
    ChangeType.TEST: "test deflake testing benchmark exercise",
    ChangeType.BUILD: "bump roll vendor upgrade pin unpin downgrade lock",
    ChangeType.STYLE: "reformat format lint",
}
_TYPE_OF_VERB: dict[str, ChangeType] = {verb: kind for kind, verbs in _VERBS.items() for verb in verbs.split()}

_AMBIGUOUS = words_of("use make change switch update adjust set apply pass require tweak")
"""Verbs that say that something differs but not to what end: the shape of the change decides."""

_ADVERBS: dict[str, ChangeType | None] = (
    dict.fromkeys(("correctly", "properly", "gracefully", "safely", "always", "only", "never"), ChangeType.FIX)
    | dict.fromkeys(("automatically", "optionally"), ChangeType.FEAT)
    | dict.fromkeys(("lazily", "incrementally"), ChangeType.PERF)
    | dict.fromkeys(
        ("also", "just", "consistently", "explicitly", "eagerly", "partially", "conditionally", "temporarily",
         "contextually", "universally", "fully", "further", "really", "please"), None
    )
)  # fmt: skip
"""Words before the verb; some tell more than the verb does."""

_LEADING_CODE = re.compile(r"(?:`[^`]{1,100}`[\s:,]+)+")
_LOOSE_SCOPE = re.compile(r"[^:,]{2,30}[:,]\s+")
"""A place in more than one word before the deed: ``docker SD: add labels``."""
_WORD = re.compile(r"[A-Za-z][A-Za-z-]{1,30}")


def type_by_verb(words: str) -> tuple[ChangeType, str] | None:
    """Return the type that the title's first verb speaks for and that verb as written, or None."""
    begun = _LEADING_CODE.match(words)
    scope = _LOOSE_SCOPE.match(words)
    return _verb_at(words, begun.end() if begun else 0) or (_verb_at(words, scope.end()) if scope else None)


def _verb_at(words: str, position: int) -> tuple[ChangeType, str] | None:
    for _ in range(3):
        found = _WORD.match(words, position)
        if found is None:
            return None
        word = found[0].casefold()
        if word not in _ADVERBS:
            return next(((_TYPE_OF_VERB[b], found[0]) for b in base_forms(word) if b in _TYPE_OF_VERB), None)
        told = _ADVERBS[word]
        if told is not None:
            return told, found[0]
        position = found.end() + 1
    return None


def is_ambiguous(words: str) -> bool:
    """Whether the title begins with a verb that tells nothing of the purpose."""
    found = _WORD.match(words)
    return found is not None and any(base in _AMBIGUOUS for base in base_forms(found[0].casefold()))


def base_forms(word: str) -> tuple[str, ...]:
    """Return what ``word`` may be a form of: ``handles``, ``caching``, ``dropped`` and ``unified`` included."""
    forms = [word, word.replace("-", "")]
    for ending in ("ing", "ed", "es", "s", "d"):
        if word.endswith(ending) and len(word) > len(ending) + 2:
            stem = word[: -len(ending)]
            forms += [stem, stem + "e"]
            if len(stem) > 3 and stem[-1] == stem[-2]:
                forms.append(stem[:-1])
            if stem.endswith("i"):
                forms.append(stem[:-1] + "y")
    return tuple(forms)
