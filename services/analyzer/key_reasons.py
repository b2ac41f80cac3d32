"""Why a pull request may be a key one: the closed set of reasons, each from evidence."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from services.analyzer.effects import HIDDEN_FAILURES, named_effects
from services.analyzer.marks import reformed_data, rewritten_tests
from services.analyzer.reading.reading import Reading
from services.analyzer.reading.reviews import times_spoken
from services.analyzer.rules.tags import quoted
from shared.domain.analysis import Tag
from shared.domain.taxonomy import ChangeType, KeyReason, Risk, Trait

LOWEST_SCORE = 14
"""Below this nothing is key, whatever it is called."""
LARGE_SUBSYSTEM = 800
"""Lines of new source files from which on a feature is a choice with a cost."""
LARGE_WITH_DEPENDENCY = 200
WIDE_CHANGE = 300
FAST_PATH_LINES = 250
CONTESTED_COMMENTS = 15
_NEVER = frozenset({ChangeType.DOCS, ChangeType.TEST, ChangeType.CI, ChangeType.STYLE})
_STRICT_DEFAULT = re.compile(r"\bby default\b|\bdefault(?:s|ed|ing)?\s+to\b|\bdefault:?\s+[\w-]+=", re.IGNORECASE)
_FASTER = re.compile(
    (
        r"\b(?:fus(?:ion|ed|e|es|ing)|kernels?|cach(?:e|es|ing)|prefetch\w*|zero-copy|jit|simd|vectori[sz]\w+|"
        r"parallel\w*|batch(?:ed|ing)|stream(?:ed|ing)|lazy|overlap\w*)\b"
    ),
    re.IGNORECASE,
)
_NEW_VARIABLE = re.compile(r"environment variable (?P<name>\S+) is new")
_FAULT = re.compile(
    r"\b(?:fix\w*|crash\w*|hang\w*|bugs?|errors?|fail\w*|leak\w*|race|dead ?locks?|corrupt\w*|wrong|incorrect\w*|"
    r"tests?|docs?|logging|config\w*|invalidat\w+)\b",
    re.IGNORECASE,
)
"""Beside these, a cache or a stream is where something happened, and no work for speed."""
_EXPERIMENTAL = re.compile(r"\b(?:experimental|prototype|preview|alpha|opt-in)\b", re.IGNORECASE)

Found = tuple[KeyReason, str] | None


@dataclass(frozen=True)
class _Case:
    """What the questions below are asked about."""

    reading: Reading
    change_type: ChangeType
    tags: dict[str, Tag]
    effects: dict[str, str]

    def why(self, value: Risk | Trait) -> str:
        """The first evidence of a tag, in words."""
        evidence = self.tags[value].evidence
        if not evidence:
            return str(value)
        return f"{evidence[0].why}: “{evidence[0].quote}”" if evidence[0].quote else evidence[0].why

    def words(self, value: Risk | Trait) -> str:
        """What the first evidence of a tag quotes, else what it says."""
        evidence = self.tags[value].evidence
        return (evidence[0].quote or evidence[0].why) if evidence else str(value)


def key_reason(
    reading: Reading, change_type: ChangeType, tags: Sequence[Tag], score: int
) -> tuple[KeyReason | None, str]:
    """Return the strongest reason with its evidence in plain words, or (None, '').

    Bots and version bumps never are; documentation, tests and CI only for security or when tests hid failures.
    """
    effects = {effect.name: words for effect, words in named_effects(reading, change_type).items()}
    case = _Case(reading, change_type, {tag.value: tag for tag in tags}, effects)
    if {Trait.BOT, Trait.VERSION_BUMP} & set(case.tags):
        return None, ""
    for question in (_security, _hidden_failures) if _routine(case) else _QUESTIONS:
        found = question(case)
        if found is not None and (score >= LOWEST_SCORE or found[0] is KeyReason.SECURITY):
            return found
    return None, ""


def says_new_default(tag: Tag) -> bool:
    """Whether the title itself says that something is now the default."""
    return any(evidence.path is None and _STRICT_DEFAULT.search(evidence.quote or "") for evidence in tag.evidence)


def _routine(case: _Case) -> bool:
    marks = {Trait.DOCS_ONLY, Trait.TESTS_ONLY, Trait.GENERATED_ONLY, Trait.BACKPORT}
    return case.change_type in _NEVER or bool(marks & set(case.tags)) or "small-matter" in case.effects


def _security(case: _Case) -> Found:
    if Trait.SECURITY_FIX not in case.tags:
        return None
    return KeyReason.SECURITY, case.why(Trait.SECURITY_FIX)


def _hidden_failures(case: _Case) -> Found:
    found = HIDDEN_FAILURES.search(case.reading.title.words)
    if found is None:
        return None
    return KeyReason.ASSUMPTION, f"failures were hidden until now: “{quoted(found[0])}”"


def _must_act(case: _Case) -> Found:
    if Risk.BREAKING_CHANGE in case.tags:
        return KeyReason.MUST_ACT, case.why(Risk.BREAKING_CHANGE)
    default = case.tags.get(Trait.NEW_DEFAULT)
    if default is not None and (says_new_default(default) or "environment" in default.evidence[0].why):
        return KeyReason.MUST_ACT, f"a default changes, {case.why(Trait.NEW_DEFAULT)}"
    if Trait.DEPRECATION in case.tags:
        return KeyReason.MUST_ACT, f"something is deprecated, {case.why(Trait.DEPRECATION)}"
    return None


def _assumption(case: _Case) -> Found:
    words = case.effects.get("assumption-broken")
    return (KeyReason.ASSUMPTION, f"what people rely on did not hold: “{quoted(words)}”") if words else None


def _measured(case: _Case) -> Found:
    words = case.effects.get("gain-measured")
    return (KeyReason.PERFORMANCE, f"a measured effect: “{quoted(words)}”") if words else None


def _taken_back(case: _Case) -> Found:
    if Risk.REVERT in case.tags and case.reading.source_lines >= 20:
        return KeyReason.DECISION, f"takes back what was merged: “{case.words(Risk.REVERT)}”"
    if Trait.REMOVAL in case.tags and case.reading.source_lines >= 50:
        return KeyReason.DECISION, f"takes something away: “{case.words(Trait.REMOVAL)}”"
    return None


def _contested(case: _Case) -> Found:
    pull_request = case.reading.pull_request
    refused = any(review.state == "CHANGES_REQUESTED" for review in pull_request.reviews)
    said = times_spoken(pull_request)
    if Trait.LONG_CONTESTED in case.tags:
        return KeyReason.DECISION, f"long contested in review, {case.words(Trait.LONG_CONTESTED)}"
    if refused and said >= CONTESTED_COMMENTS:
        return KeyReason.DECISION, f"contested: changes were requested, {said} comments"
    return None


def _contract(case: _Case) -> Found:
    reading, lines = case.reading, case.reading.source_lines
    gone = [file.name for file in reading.source if file.file.status in {"removed", "renamed"}]
    public = [file.name for file in reading.files if file.path.public and file.lines >= 5 and not file.path.test]
    data, tests = reformed_data(reading), rewritten_tests(reading)
    choices = (
        (bool(data) and lines >= 50, f"the form of stored data changes, such as {data[0].name}" if data else ""),
        (bool(public), f"an interface file changes: {public[0]}" if public else ""),
        (
            "structure-rebuilt" in case.effects and lines >= WIDE_CHANGE and case.change_type is not ChangeType.PERF,
            f"{lines} lines of source are rebuilt: “{case.effects.get('structure-rebuilt')}”",
        ),
        (bool(gone) and lines >= WIDE_CHANGE, f"a module moves or goes: {gone[0]}" if gone else ""),
        (
            "interface-named" in case.effects and lines >= 100,
            f"an interface is named: “{case.effects.get('interface-named')}”",
        ),
        (len(tests) >= 3 and lines >= 100, f"{len(tests)} existing test files had to change" if tests else ""),
    )
    why = next((why for holds, why in choices if holds), None)
    return (KeyReason.CONTRACT, why) if why else None


def _costly(case: _Case) -> Found:
    new = sum(file.file.additions for file in case.reading.source if file.file.status == "added")
    if case.change_type in {ChangeType.FEAT, ChangeType.PERF, ChangeType.CHORE} and new >= LARGE_SUBSYSTEM:
        return KeyReason.DECISION, f"a new part of {new} lines to be kept from now on"
    if (
        Risk.DEPENDENCY_CHANGE in case.tags
        and case.change_type is ChangeType.FEAT
        and case.reading.source_lines >= LARGE_WITH_DEPENDENCY
    ):
        return (
            KeyReason.DECISION,
            (
                f"a feature of {case.reading.source_lines} lines of source that leans on a dependency, "
                f"{case.tags[Risk.DEPENDENCY_CHANGE].evidence[0].why}"
            ),
        )
    found = _EXPERIMENTAL.search(f"{case.reading.title.text}\n{case.reading.prose.text[:2_000]}")
    if found and case.change_type is ChangeType.FEAT and case.reading.source_lines >= WIDE_CHANGE:
        return KeyReason.DECISION, f"a trial by its own words: “{found[0]}”"
    return None


def _fast_path(case: _Case) -> Found:
    lines = case.reading.source_lines
    if case.change_type is ChangeType.PERF and lines >= FAST_PATH_LINES // 2:
        return KeyReason.PERFORMANCE, f"{lines} lines of source are reworked for speed"
    title = case.reading.title.words
    found = _FASTER.search(title) if case.change_type is ChangeType.FEAT and not _FAULT.search(title) else None
    if found and lines >= FAST_PATH_LINES:
        return KeyReason.PERFORMANCE, f"a new part that bears on speed: “{found[0]}”, {lines} lines of source"
    return None


def _new_variable(case: _Case) -> Found:
    """A new environment variable that the title or the description names: worth knowing when nothing weightier is."""
    tag = case.tags.get(Risk.CONFIGURATION_CHANGE)
    if tag is None:
        return None
    text = f"{case.reading.title.raw}\n{case.reading.prose.text}"
    for evidence in tag.evidence:
        found = _NEW_VARIABLE.match(evidence.why)
        if found and found["name"] in text:
            return KeyReason.MUST_ACT, f"{evidence.why}, and the author tells of it"
    return None


_QUESTIONS: tuple[Callable[[_Case], Found], ...] = (
    _security,
    _must_act,
    _hidden_failures,
    _assumption,
    _measured,
    _taken_back,
    _contested,
    _contract,
    _costly,
    _fast_path,
    _new_variable,
)
