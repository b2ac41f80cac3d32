"""What a title names and where the facts of the merge show it, for ``mergecast explain``."""

from __future__ import annotations

from collections.abc import Iterator

from shared.claims.facts import KnownFacts
from shared.claims.identifiers import MentionKind, mentioned
from shared.claims.support import Finding, Where, find
from shared.domain.pull_request import PullRequest

_LEFT_OUT = frozenset({MentionKind.ACRONYM, MentionKind.FIGURE, MentionKind.URL})
"""Capitals and numbers of a title seldom mean something that a diff must show."""
_PLACES = {
    Where.ADDED: "on an added line",
    Where.REMOVED: "on a removed line",
    Where.CONTEXT: "on a line beside the change",
    Where.PATH: "as the path of a changed file",
    Where.DESCRIPTION: "only in the description",
}


def title_names(pull_request: PullRequest) -> Iterator[str]:
    """Yield a line for every name, path, option, variable and version of the title: the strongest place that shows it.

    Nothing for a merge whose changed files are not known: there is no diff to look into.
    """
    if pull_request.files is None:
        return
    facts = KnownFacts(pull_request)
    for mention in mentioned(pull_request.title):
        if mention.kind not in _LEFT_OUT:
            yield f"{mention.text} ({mention.kind.value}): {_where(find(mention, facts))}"


def _where(finding: Finding) -> str:
    support = finding.support
    told = _PLACES.get(support.where, support.where.value)
    if support.found_as is not None:
        told = f"as {support.found_as} {told}"
    if not finding.in_diff:
        return told if finding.complete else f"{told}; {'; '.join(finding.gaps)}"
    place = support.place
    if place is None or place.path is None:
        return told
    return f"{told}, {place.path}{f':{place.line}' if place.line is not None else ''}"
