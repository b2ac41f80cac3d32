"""``mergecast explain``: why one merge has its tags, and why it is, or is not, a key one."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer
from rich.table import Table
from rich.tree import Tree

from services.cli.console import literal, out, progress
from services.cli.fact_lines import fact_line
from services.cli.looking_back import find_merge
from services.cli.reading_lines import add_reading
from services.cli.surroundings import (
    ConfigOption,
    RepositoryOption,
    now,
    opened_database,
    read_settings,
    stored_repository,
)
from services.cli.title_names import title_names
from services.digest.gate import reason_is_judged
from shared.domain.analysis import Analysis, Evidence, Relation, Tag
from shared.domain.errors import InvalidInput
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import Namespace
from shared.settings import Settings

SHOWN_EVIDENCE = 5


def explain(
    number: Annotated[int, typer.Argument(help="Number of the pull request.", min=1, metavar="NUMBER")],
    *,
    repository: RepositoryOption = None,
    source: Annotated[
        str | None,
        typer.Option("--source", help="Merge records, a clone, or its URL; default: the store.", metavar="SOURCE"),
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Explain the analysis of one merge: each tag with its evidence, the importance with its sum.

    What a language model read of it is told with its quotations, and with what was dropped.

    [bold]Examples[/bold]

      mergecast explain 4911 --source merges.jsonl
      mergecast explain 4911 --repository owner/name
    """
    settings = read_settings(config)
    if source is None:
        pull_request, analysis = _from_store(settings, repository, number)
    else:
        pull_request, analysis = _from_source(settings, source, repository, number)
    show(pull_request, analysis)


def show(pull_request: PullRequest, analysis: Analysis) -> None:
    """Print the analysis as a tree, and the importance as a sum."""
    tree = Tree(literal(f"#{pull_request.number} {pull_request.title}", "bold"), guide_style="dim")
    tree.add(literal(f"{pull_request.url}, merged {pull_request.merged_at:%Y-%m-%d %H:%M} UTC"))
    tree.add(literal(f"by {', '.join(person.shown for person in pull_request.credited)} into {pull_request.base_ref}"))
    tree.add(literal(f"summary: {analysis.summary}"))
    for namespace, title in ((Namespace.TYPE, "type"), (Namespace.AREA, "areas"), (Namespace.RISK, "risks")):
        _add_tags(tree, title, [tag for tag in analysis.tags if tag.namespace is namespace])
    _add_tags(tree, "traits", [tag for tag in analysis.tags if tag.namespace is Namespace.TRAIT])
    _add_lines(tree, "names in the title", title_names(pull_request))
    if analysis.relations:
        branch = tree.add("relations")
        for relation in analysis.relations:
            branch.add(literal(_relation(relation)))
    _add_lines(tree, "facts of the diff", [fact_line(fact) for fact in analysis.facts])
    tree.add(literal(_coverage(pull_request, analysis)))
    add_reading(tree, analysis)
    console = out()
    console.print(tree)
    console.print(_importance(analysis))
    console.print(literal(_verdict(analysis), "bold"))
    console.print(literal(f"rules {analysis.ruleset_version}, model {analysis.model or 'none'}", "dim"))


def _add_tags(tree: Tree, title: str, tags: list[Tag]) -> None:
    if not tags:
        return
    branch = tree.add(title)
    for tag in tags:
        leaf = branch.add(literal(f"{tag.value}  ({tag.origin.value} {tag.rule})", "cyan"))
        for evidence in tag.evidence[:SHOWN_EVIDENCE]:
            leaf.add(literal(_evidence(evidence)))
        if len(tag.evidence) > SHOWN_EVIDENCE:
            leaf.add(f"and {len(tag.evidence) - SHOWN_EVIDENCE} more")


def _add_lines(tree: Tree, title: str, lines: Iterable[str]) -> None:
    branch: Tree | None = None
    for line in lines:
        branch = branch or tree.add(title)
        branch.add(literal(line))


def _evidence(evidence: Evidence) -> str:
    parts = [evidence.why]
    if evidence.path and evidence.path not in evidence.why:
        parts.append(f"in {evidence.path}")
    if evidence.quote and evidence.quote not in evidence.why:
        parts.append(f"“{evidence.quote}”")
    return " ".join(parts)


def _relation(relation: Relation) -> str:
    target = f"#{relation.target}" if relation.target else f"commit {(relation.target_commit or '?')[:12]}"
    label = f" ({relation.label})" if relation.label else ""
    sure = "" if relation.confidence == 1 else f", confidence {relation.confidence:.0%}"
    return f"{relation.kind.value} {target}{label}{sure}: {relation.evidence}"


def _coverage(pull_request: PullRequest, analysis: Analysis) -> str:
    coverage = analysis.coverage
    cut = ", ".join(f"{name} ({why})" for name, why in sorted(pull_request.cut.items()))
    unread = ", ".join(f"{count} {reason}" for reason, count in sorted(coverage.unread.items()))
    patches = max(coverage.files_read - coverage.files_whole, 0)
    return (
        f"read {coverage.files_read} of {coverage.files_changed} changed files from {coverage.source.value}"
        f"{f'; not read: {unread}' if unread else ''}{'; the file list is not whole' if coverage.partial else ''}"
        f"; facts from {_counted(coverage.files_whole, 'whole file')}, {_counted(patches, 'patch', 'patches')}"
        f"{f'; lists that are not whole: {cut}' if cut else ''}"
    )


def _counted(count: int, one: str, many: str | None = None) -> str:
    return f"{count} {one if count == 1 else many or f'{one}s'}"


def _importance(analysis: Analysis) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("points", justify="right")
    table.add_column("importance")
    table.add_column("why", overflow="fold")
    for factor in analysis.importance.factors:
        table.add_row(f"{factor.points:+d}", literal(factor.name), literal(factor.why))
    table.add_row(str(analysis.importance.score), "sum", "", style="bold")
    return table


def _verdict(analysis: Analysis) -> str:
    importance = analysis.importance
    if importance.reason is None:
        return "No candidate for key: no rule found a reason to choose it."
    judged = " by the judgement of the model" if reason_is_judged(importance, analysis.reading) else ""
    return f"A candidate for key{judged}, as {importance.reason.value}: {importance.reason_why}"


def _from_source(settings: Settings, source: str, repository: str | None, number: int) -> tuple[PullRequest, Analysis]:
    from services.analyzer.examine import examine
    from services.cli.source_context import context_of
    from shared.redaction import RedactedSource
    from shared.sources.opening import open_source

    with progress("Looking for the merge") as report:
        cache = settings.clones_folder
        found = open_source(source, repository=repository, branch=None, cache=cache, progress=report)
        opened = RedactedSource(found)
        pull_request = find_merge(opened, number, now(), report)
    context = context_of(settings, opened)
    return pull_request, examine(pull_request, context, opened.sources(pull_request) or None)


def _from_store(settings: Settings, repository: str | None, number: int) -> tuple[PullRequest, Analysis]:
    from shared.store import analyses, pull_requests

    database = opened_database(settings)
    repository_id, ref = stored_repository(database, repository)
    with database.reading() as session:
        stored = pull_requests.get(session, repository_id, number)
        analysis = analyses.latest(session, stored.id) if stored else None
    if stored is None:
        raise InvalidInput(f"{ref.full_name} has no merge #{number} in the store.", "Ingest it, or give --source.")
    if analysis is None:
        raise InvalidInput(f"#{number} is stored but not analysed yet.", "See mergecast deliveries for its state.")
    return stored.pull_request, analysis
