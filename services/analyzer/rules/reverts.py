"""Reverts and re-lands: what a merge undoes, or does again (C-19)."""

from __future__ import annotations

from collections.abc import Iterable

from services.analyzer.reading.undoing import Undoing, UndoKind, read_undoing
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.tags import quoted, risk_tag, trait_tag
from shared.domain.analysis import Evidence, Relation, Tag
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import RelationKind, Risk, Trait

name = "reverts"


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag | Relation]:
    """Yield ``risk:revert`` or ``trait:reland`` and a relation to each number or commit that is named."""
    undoing = read_undoing(context.read(pull_request))
    if undoing is None:
        return
    evidence = (Evidence(why=f"says that it is a {undoing.kind}", quote=quoted(undoing.quote)),)
    if undoing.kind is UndoKind.REVERT:
        yield risk_tag(name, Risk.REVERT, evidence)
    else:
        yield trait_tag(name, Trait.RELAND, evidence)
    yield from _relations(pull_request.number, undoing)


def _relations(source: int, undoing: Undoing) -> Iterable[Relation]:
    kind = RelationKind.REVERTS if undoing.kind is UndoKind.REVERT else RelationKind.RELANDS
    for number in undoing.numbers:
        yield Relation(kind=kind, source=source, target=number, evidence=quoted(undoing.quote))
    if not undoing.numbers:
        for commit in undoing.commits:
            yield Relation(kind=kind, source=source, target_commit=commit, evidence=f"names commit {commit[:12]}")
    if not undoing.numbers and not undoing.commits and undoing.inner_title:
        yield Relation(
            kind=kind, source=source, label=quoted(undoing.inner_title), confidence=0.8, evidence=quoted(undoing.quote)
        )
