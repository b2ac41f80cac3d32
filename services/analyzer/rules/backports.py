"""Backports and cherry-picks: where a change was first made, and to which branch it was taken (C-20)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from services.analyzer.reading.reading import Reading
from services.analyzer.reading.references import REFERENCE, SHA, local_numbers
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.tags import quoted, trait_tag
from shared.domain.analysis import Evidence, Relation, Tag
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import RelationKind, Trait

name = "backports"

_BRANCH = r"(?P<branch>[\w./-]{0,40}?\d[\w./-]{0,20}|stable\S{0,30}|(?:release|maintenance)\S{0,40})"
_BRACKET = re.compile(
    rf"(?:auto(?:mated|matic)?[\s-]*)?(?:back-?port|cherry[\s-]?pick)(?:[\s:/-]+(?:to\s+)?{_BRANCH})?", re.IGNORECASE
)
_TITLE = re.compile(
    (
        r"^(?:auto(?:mated|matic)?|manual)?\s*(?:back-?port(?:ed|ing)?|cherry[\s-]?pick(?:ed|"
        r"ing)?)\b(?!\s+(?:bot|script|tool|action|label|workflow))"
    ),
    re.IGNORECASE,
)
_TO = re.compile(rf"\b(?:to|into|onto|for|branch)\s+[`\"']?{_BRANCH}(?=[\s`\"'.,;:)\]]|$)", re.IGNORECASE)
_PICKED = re.compile(rf"cherry[\s-]?picked from (?:commit\s+)?[`(]?({SHA})", re.IGNORECASE)
_BODY = re.compile(
    r"^\W{0,6}(?:this\s+(?:pr\s+)?is\s+an?\s+)?(?:auto(?:mated|matic)?\s+|manual\s+)?(?:clean\s+)?"
    rf"(?:back-?port|cherry[\s-]?pick)(?:ed|s)?\s+(?:of|from)?[\s:]*(?:pr\s+|pull request\s+|"
    rf"the pull request\s+)?(?:{REFERENCE})[^\n]{{0,200}}",
    re.IGNORECASE | re.MULTILINE,
)


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag | Relation]:
    """Yield ``trait:backport`` and a relation to each original that is named by number, else by commit."""
    reading = context.read(pull_request)
    bracket = next((f for mark in reading.title.brackets if (f := _BRACKET.fullmatch(mark.strip()))), None)
    titled = (
        bracket is not None or _TITLE.match(reading.title.words) or (reading.title.scope or "").casefold() == "backport"
    )
    sentences = [found[0].strip() for found in _BODY.finditer(reading.prose.text)]
    picked = list(dict.fromkeys(_PICKED.findall(f"{reading.prose.text}\n{reading.commit_messages}")))[:20]
    if not (titled or sentences or picked):
        return
    quote = reading.title.raw if titled else sentences[0] if sentences else f"cherry picked from commit {picked[0]}"
    yield trait_tag(
        name, Trait.BACKPORT, [Evidence(why="says that it is a backport or cherry-pick", quote=quoted(quote))]
    )
    yield from _relations(reading, _branch(reading, bracket), sentences, picked, titled=bool(titled))


def _branch(reading: Reading, bracket: re.Match[str] | None) -> str:
    """The branch by the title, else the one it was merged into."""
    named = bracket["branch"] if bracket else None
    found = _TO.search(reading.title.raw)
    return named or (found["branch"] if found else None) or reading.pull_request.base_ref


def _relations(
    reading: Reading, branch: str, sentences: list[str], picked: list[str], *, titled: bool
) -> Iterable[Relation]:
    pull_request = reading.pull_request
    texts = [reading.title.raw] if titled else []
    texts += sentences or ([reading.prose.text[:2_000]] if titled else [])
    numbers = dict.fromkeys(
        number
        for text in texts
        for number in local_numbers(text, pull_request.repository)
        if number != pull_request.number
    )
    evidence = quoted((sentences or [reading.title.raw])[0])
    for number in list(numbers)[:20]:
        yield Relation(
            kind=RelationKind.BACKPORTS, source=pull_request.number, target=number, label=branch, evidence=evidence
        )
    for commit in picked if not numbers else ():
        yield Relation(
            kind=RelationKind.BACKPORTS,
            source=pull_request.number,
            target_commit=commit,
            label=branch,
            evidence=f"cherry picked from commit {commit}",
        )
