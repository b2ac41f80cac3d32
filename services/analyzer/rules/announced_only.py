"""What the title announces and the merged diff does not show: a version, an option, a variable, a name in backticks.

Fired only when every changed file was read whole and the token stands nowhere in the diff, in none of its spellings,
upper or lower case. A title may well name what its diff need not show (``Fix `parse` on CUDA 12.9``), so a token counts
only as the object of a verb that puts it into the diff: what is added, removed or renamed, what is upgraded to. A
version counts only when an added line shows another one in its place, for a pin may be written as a commit.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from services.analyzer.reading.reading import MOST_PATCH_CHARACTERS
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.tags import quoted, trait_tag
from shared.claims.diffs import DiffLine, Side
from shared.claims.facts import KnownFacts
from shared.claims.identifiers import Mention, MentionKind, mentioned
from shared.claims.support import find
from shared.domain.analysis import Evidence, Tag
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import Trait

name = "announced-only"
_NAMES = (MentionKind.FLAG, MentionKind.VARIABLE, MentionKind.NAME)
_PUTS_IN = re.compile(
    r"\b(?:add|introduc|remov|delet|drop|renam)(?:e|es|ed|s|ing)?\s+(?:[\w-]{1,30}\s+){0,3}`{0,2}$", re.IGNORECASE
)
_RAISES = re.compile(
    r"\b(?:bump|upgrad|updat|pin|downgrad|rais)(?:e|es|ed|s|ing|ning|ned)?\s+(?:\S{1,60}\s+){0,8}?"
    r"(?:(?:to|=>|->|→)\s+)?[\w.-]{0,40}`{0,2}$",
    re.IGNORECASE,
)
_ANOTHER_OBJECT = re.compile(
    r"\b(?:for|in|on|of|at|with|by|from|to|via|after|before|since|under|when|if|as|like|using|against|between|and|not|pre)\s",
    re.IGNORECASE,
)
_BEHIND = re.compile(
    r"`{0,2}(?:(?:\s?,\s?(?:and\s)?|\sand\s|\s?[/&+]\s?)`[^`]{1,80}`){0,8}\s{0,2}(?:$|[.;:()|]|(?:to|from|in|into|for|on|as|with|of|by|if|when|via|that|which)\b|"
    r"(?:(?:cli|env|environment|config|feature|keyword|command|line|class|static|build)[- ]){0,2}"
    r"(?:option|flag|variable|var|argument|arg|param|parameter|setting|field|attribute|property|key|method|function|helper|class|struct|trait|type|enum|"
    r"module|macro|command|subcommand|metric|endpoint|header|label|hook|decorator|constant)\b)",
    re.IGNORECASE,
)
"""What may follow a name, or a list of names, that is itself the object; ``Add `a` docs`` adds no ``a``."""
_FROM = re.compile(r"\bfrom\s+\S{1,40}\s+(?=(?:to|=>|->|→)\s)", re.IGNORECASE)
_TO = re.compile(r"(?:\bto|=>|->|→)\s+`{0,2}$", re.IGNORECASE)
_JOINTS = re.compile(r"[-_\s()]+")
_WORD = re.compile(r"[a-z@][a-z0-9_+./@-]{1,120}[a-z0-9+]")
_NO_PRODUCT = re.compile(
    r"(?:bump|upgrad|updat|pin|downgrad|rais)\w{0,6}|from|to|the|version|release|requirement|deps?|v\d.*"
)
_VERSION = re.compile(r"(?<![\d.])v?(\d{1,6}(?:\.\d{1,10}){1,4})[\w.+-]{0,30}")


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag]:
    """Yield ``trait:announced-only`` with each token of the title that the merged diff does not show."""
    title = context.read(pull_request).title.raw
    candidates = [mention for mention in mentioned(title) if _announced(mention, title)]
    if candidates and pull_request.files:
        facts = KnownFacts(pull_request, most_characters=MOST_PATCH_CHARACTERS)
        if not facts.gaps and (evidence := list(_evidence(candidates, title, facts))):
            yield trait_tag(name, Trait.ANNOUNCED_ONLY, evidence)


def _announced(mention: Mention, title: str) -> bool:
    """Whether the token is the object of a verb that puts it into the diff."""
    before = title[: mention.start]
    if mention.kind is MentionKind.VERSION:
        return _is_target(before)
    if mention.kind not in _NAMES or not (mention.quoted or mention.kind is not MentionKind.NAME):
        return False
    found = _PUTS_IN.search(before)
    if found is None or _ANOTHER_OBJECT.search(found[0]):
        return False
    return _BEHIND.match(title, mention.end) is not None


def _is_target(before: str) -> bool:
    found = _RAISES.search(before)
    if found is None:
        return False
    return not _ANOTHER_OBJECT.search(_TO.sub("", _FROM.sub("", found[0])))


def _evidence(candidates: Iterable[Mention], title: str, facts: KnownFacts) -> Iterator[Evidence]:
    for mention in candidates:
        finding = find(mention, facts)
        if not finding.announced_only or _in_another_case(mention, facts):
            continue
        why = f"the title names {quoted(mention.text)}, which the merged diff does not show"
        if mention.kind is not MentionKind.VERSION:
            yield Evidence(why=why, quote=quoted(title))
        elif line := _another_version(mention, _product(title[: mention.start]), facts):
            yield Evidence(why=why, path=line.path, quote=quoted(line.text))


def _in_another_case(mention: Mention, facts: KnownFacts) -> bool:
    """Whether the diff has the same letters, whatever their case and what joins them: ``tide-table``, ``TideTable``."""
    word = _JOINTS.sub("", mention.text).casefold()
    hays = (facts.added, facts.removed, facts.context, facts.paths)
    return any(word in _JOINTS.sub("", hay.text).casefold() for hay in hays)


def _another_version(mention: Mention, product: re.Pattern[str] | None, facts: KnownFacts) -> DiffLine | None:
    """The added line that names what the title upgrades and has most parts of the version, at least the first."""
    found = _VERSION.search(mention.text)
    wanted = found[1].split(".") if found else []
    best: DiffLine | None = None
    most = 0
    for line in facts.diff.lines:
        if line.side is Side.ADDED and product is not None and product.search(_plain(line.text[:400])):
            for other in _VERSION.finditer(line.text[:400]):
                common = _common(wanted, other[1].split("."))
                if common > most:
                    best, most = line, common
    return best


def _product(before: str) -> re.Pattern[str] | None:
    """What is upgraded: the last word before the version that is no word of the sentence."""
    words = [word for word in _WORD.findall(_plain(before)) if not _NO_PRODUCT.fullmatch(word)]
    return re.compile(rf"(?<![a-z0-9]){re.escape(words[-1])}(?![a-z0-9])") if words else None


def _plain(text: str) -> str:
    return text.casefold().replace("_", "-")


def _common(wanted: list[str], other: list[str]) -> int:
    """How many first parts are the same."""
    for at, (one, two) in enumerate(zip(wanted, other, strict=False)):
        if one != two:
            return at
    return min(len(wanted), len(other))
