"""Whether what an error refuses failed before, too, by what title, description, commits and tests say."""

from __future__ import annotations

import re

from services.analyzer.facts.change import Change
from services.analyzer.facts.raising import Guard

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_MOST_SENTENCES = 400
_FAILED = re.compile(
    r"\b(?:instead of (?:an? )?(?:\w+ ){0,3}(?:crash\w*|traceback|assert\w*|panic\w*|segfault\w*|hang\w*|\w*Error|"
    r"\w*Exception)\b|"
    r"(?:current(?:ly)?|previously|before|today|used to|would|will|otherwise)\b[^.]{0,80}\b(?:crash\w*|fail\w*|"
    r"assert\w*|panic\w*|"
    r"segfault\w*|throws?|raises?|hang\w*)\b|"
    r"(?:clearer|clear|better|friendl\w+|helpful|descriptive|actionable|readable|meaningful|nicer|"
    r"improve\w*)[^.]{0,30}\b(?:errors?|messages?)\b|"
    r"fail(?:s|ing)?[- ](?:early|fast|earlier)|crash(?:es|ed|ing)? (?:with|when|if|on|for|in|at)\b|"
    r"(?:\w{2,40}Error|\w{2,40}Exception)\b[^.]{0,60}\b(?:when|if|on|for|with)\b|(?:segfault|traceback|core dump)\w*)",
    re.IGNORECASE,
)
_FIX = re.compile(r"\b(?:fix(?:e[sd])?|bug(?:fix)?|hotfix|resolve[sd]?|repair\w*)\b", re.IGNORECASE)
_REFUSES = re.compile(
    r"\b(?:reject\w*|refus\w*|disallow\w*|forbid\w*|block\w*|prohibit\w*|den(?:y|ies)|validat\w*|guard\w*|rais(?:e|"
    r"es|ing)|throws?|"
    r"error(?: out)?|prevent\w*|disabl\w*|requir\w*|restrict\w*|enforc\w*|check\w*|not allow\w*|ban(?:s|ned)?|"
    r"limit\w*|silent\w*|accept\w*|"
    r"ignor\w*|unsupported|wrong|incorrect|corrupt\w*|accuracy|security|vulnerab\w*|cve)\b",
    re.IGNORECASE,
)
_WORD = re.compile(r"[a-z][a-z0-9]{2,}")
_STOP = frozenset(
    [
        "the",
        "and",
        "for",
        "not",
        "with",
        "when",
        "must",
        "should",
        "only",
        "are",
        "was",
        "has",
        "have",
        "been",
        "this",
        "that",
        "but",
        "can",
        "cannot",
        "error",
        "invalid",
        "value",
        "got",
        "does",
        "set",
        "use",
        "bug",
        "fix",
        "bugfix",
        "fixed",
        "fixes",
        "support",
        "supported",
        "unsupported",
        "mode",
        "model",
        "models",
        "data",
    ]
)
_RAISES = re.compile(r"(?:raises|assertRaises|toThrow|should_panic|assertThrows)\w{0,10}\s?\(\s?(?P<error>[\w.]{1,80})")
_FEW = 2


def failed_before(guard: Guard, change: Change, rivals: int) -> str | None:
    """Return the evidence that the same input failed before the merge, or None; ``rivals``: new errors of the merge."""
    return _tests_say(guard, change) or _prose_says(guard, change, rivals) or _title_says(guard, change)


def _tests_say(guard: Guard, change: Change) -> str | None:
    """A test that expected one error and expects this one now."""
    error = guard.error.rsplit(".", 1)[-1]
    for file in change.files:
        if not file.reading.path.test:
            continue
        expected = {found["error"] for line in file.after.changed if (found := _RAISES.search(line.bare))}
        if error not in {one.rsplit(".", 1)[-1] for one in expected}:
            continue
        for line in file.before.changed:
            found = _RAISES.search(line.bare)
            if found and found["error"] not in expected:
                return f"a test expected {found['error']} before"
    return None


def _prose_says(guard: Guard, change: Change, rivals: int) -> str | None:
    reading = change.reading
    text = f"{reading.title.raw}\n{reading.prose.text}\n{reading.commit_messages}"
    about = _words(f"{guard.message} {guard.condition or ''}")
    for sentence in _SENTENCE.split(text[:60_000])[:_MOST_SENTENCES]:
        found = _FAILED.search(sentence[:600])
        if found and (len(about & _words(sentence[:600])) >= 2 or (rivals <= _FEW and about & _words(sentence[:600]))):
            return f"failed before, by the words '{' '.join(found[0].split())[:100]}'"
    return None


def _title_says(guard: Guard, change: Change) -> str | None:
    """A title that calls the very thing a bug and speaks of no refusal: it did not work before."""
    title = change.reading.title.raw[:300]
    if not _FIX.search(title) or _REFUSES.search(title):
        return None
    shared = _words(title) & _words(guard.message)
    if len(shared) < 2:
        return None
    return f"the title calls it a bug that is fixed ({', '.join(sorted(shared)[:4])}), so it did not work before"


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.casefold())) - _STOP
