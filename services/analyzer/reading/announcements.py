"""What a description announces to those who upgrade: steps to take, sections for them, new variables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from services.analyzer.reading.reading import Reading

_HEADING = re.compile(
    r"^(?:#{1,6}\s+|\*\*)\W{0,4}(?P<what>breaking(?: api)? changes?|upgrad(?:e|ing)(?: (?:notes?|guide|instructions|"
    r"steps))|"
    r"migration(?: (?:notes?|guide|steps|path|instructions))|action required)\W{0,6}$",
    re.IGNORECASE,
)
_ANY_HEADING = re.compile(r"^(?:#{1,6}\s|\*\*[^*]{1,80}\*\*\W{0,3}$)")
_NONE = re.compile(
    r"^\W{0,6}(?:none|no\b|not\b|n/?a\b|nothing|-+$|tbd\b|todo\b|this (?:pr|change) (?:does not|doesn't|has no)|"
    r"there (?:are|is) no\b|yes\s*/\s*no)",
    re.IGNORECASE,
)
_STEP = re.compile(
    r"\b(?:migration|manual (?:action|intervention|step)|action) (?:is |are )?(?:needed|required)\b|"
    r"\b(?:you|users?|operators?|clients?|callers?|admin(?:istrator)?s?|consumers?|everyone|everybody|deployments?|"
    r"plugins?)\s+"
    r"(?:who [^.]{1,60}\s)?(?:must|will (?:have|need) to|have to|need to|should now)\s+(?:now |also |first "
    r")?(?:update|upgrade|"
    r"migrate|set|change|replace|rename|re-?\w{3,12}|run|pass|switch|adjust|move|delete|remove|pin|rotate)\b|"
    r"\b(?:must|need to|have to|then|please|to upgrade,?|before upgrading,?|after upgrading,?)\s+(?:now "
    r")?run\s+`?[\w./ -]{0,40}\bmigrat\w*|"
    r"^\W{0,4}run\s+`[\w./ -]{0,60}\bmigrat\w*|"
    r"\brequires? (?:an? )?(?:re-?index(?:ing)?|(?:schema|data|database) migration|manual migration|full rebuild of)\b",
    re.IGNORECASE,
)
_NEGATED = re.compile(
    r"\?|\b(?:no|not|none|without|never|nothing|neither|previously|used to|before this)\b|n't\b|"
    r"\bif (?:you|we)\b|\bno longer\b",
    re.IGNORECASE,
)
_RELEASE_NOTE = re.compile(r"```release-note[^\n]{0,20}\n(?P<note>.{0,600}?\bACTION REQUIRED\b.{0,600}?)```", re.DOTALL)
_VARIABLE = re.compile(
    r"\b(?:new|adds?|added|adding|introduc\w+)\b[^.\n]{0,60}?\benv(?:ironment)?[- ](?:var(?:iable)?s?)\b[^.\n]{0,60}?"
    r"\b[A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,8}\b|"
    r"\b(?:new|adds?|added|adding|introduc\w+)"
    r"\b[^.\n]{0,40}?\b[A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,8}`?\s+env(?:ironment)?[- ]var"
)


def announced_steps(reading: Reading) -> Iterator[str]:
    """Yield the sentences that ask readers for something, at most three: a section for them, a step, a note."""
    found = [*_sections(reading.prose.text), *_steps(reading.prose.text)]
    if note := _RELEASE_NOTE.search((reading.pull_request.body or "")[:65_536].replace("\r", "")):
        found.insert(0, note["note"].strip())
    yield from list(dict.fromkeys(found))[:3]


def announced_variable(reading: Reading) -> str | None:
    """Return the line of the description that tells of a new environment variable by name, or None."""
    return next((line.strip() for line in reading.prose.text.split("\n") if _VARIABLE.search(line)), None)


def _sections(text: str) -> Iterator[str]:
    """The first line under each heading for those who upgrade, unless it says that there is nothing."""
    heading: str | None = None
    for line in text.split("\n"):
        stripped = line.strip()
        if found := _HEADING.match(stripped):
            heading = found["what"]
        elif _ANY_HEADING.match(stripped):
            heading = None
        elif heading is not None and stripped:
            if not _NONE.match(stripped):
                yield f"{heading}: {stripped}"
            heading = None


def _steps(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        if len(line) > 5 and not line.lstrip().startswith("#"):
            for sentence in re.split(r"(?<=[.!])\s+", line[:1_000]):
                if _STEP.search(sentence) and not _NEGATED.search(sentence):
                    yield sentence.strip()
