"""``mergecast estimate``: what it would take to let a model read merges, without asking it anything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from services.cli.console import literal, out, progress
from services.cli.evaluation.chosen import ModelOption, chosen_model
from services.cli.ingest import Span, span_of
from services.cli.surroundings import (
    ConfigOption,
    RepositoryOption,
    WeekOption,
    opened_database,
    read_settings,
    stored_repository,
)
from shared.domain.analysis import Analysis
from shared.domain.errors import InvalidInput
from shared.domain.pull_request import PullRequest
from shared.settings import Settings

if TYPE_CHECKING:
    from services.cli.evaluation.costs import Estimate, Tier

NO_PRICE = "no price is known"
AT_ONCE = 100
"""Merges that are read from the store together: a whole store does not fit memory."""


def estimate(
    source: Annotated[
        str | None,
        typer.Argument(help="Merge records (JSONL), a git clone or its URL; without it: the store.", metavar="SOURCE"),
    ] = None,
    *,
    repository: RepositoryOption = None,
    week: WeekOption = None,
    since: Annotated[str | None, typer.Option("--since", help="First day (UTC).", metavar="DATE")] = None,
    until: Annotated[str | None, typer.Option("--until", help="First day not any more (UTC).", metavar="DATE")] = None,
    model: ModelOption = None,
    branch: Annotated[str | None, typer.Option("--branch", help="Branch to read; default: the main one.")] = None,
    config: ConfigOption = None,
) -> None:
    """Say what a model would take for merges: tokens, money, what budgets leave. Asks nothing.

    Every merge is packed as it would be shown. Prices are those of the
    settings (model.prices).

    [bold]Examples[/bold]

      mergecast estimate merges.jsonl --week 2026-W19 --model small
      mergecast estimate --repository owner/name --since 2026-05-01
    """
    from services.cli.evaluation.costs import estimated

    settings = read_settings(config)
    # A named model reads every merge; else the settings say which one reads which.
    chosen = chosen_model(settings.model, model) if model is not None else settings.model
    if not chosen.enabled:
        raise InvalidInput("No language model is set.", "Set model.name, or name one with --model.")
    settings = settings.model_copy(update={"model": chosen})
    span = span_of(settings, repository, since=since, until=until, week=week)
    if source is None:
        if branch:
            raise InvalidInput("A branch can only be chosen in a clone.", "Leave it out for the store.")
        merges = _of_store(settings, repository, span)
    else:
        merges = _of_source(settings, source, repository, branch, span)
    _show(estimated(merges, settings), settings)


def _of_source(
    settings: Settings, source: str, repository: str | None, branch: str | None, span: Span
) -> Iterator[tuple[PullRequest, Analysis, bool]]:
    from services.analyzer.examine import examine
    from services.cli.source_context import context_of
    from shared.redaction import RedactedSource
    from shared.settings.own_file import effective
    from shared.sources.opening import open_source

    with progress("Opening the source") as report:
        opened = RedactedSource(
            open_source(source, repository=repository, branch=branch, cache=settings.clones_folder, progress=report)
        )
    context = context_of(settings, opened)
    on = effective(settings, opened.repository.full_name, opened.conventions()).model
    with progress("Packing") as report:
        for pull_request in opened.merged_between(span.start, span.end, report):
            yield pull_request, examine(pull_request, context, opened.sources(pull_request) or None), on


def _of_store(settings: Settings, repository: str | None, span: Span) -> Iterator[tuple[PullRequest, Analysis, bool]]:
    from services.analyzer.readings.wishes import switched_on
    from shared.store import pull_requests, rules_analyses

    database = opened_database(settings)
    try:
        repository_id, _ref = stored_repository(database, repository)
        with database.reading() as session:
            on = switched_on(session, settings, repository_id)
            listed = pull_requests.of_period(session, repository_id, span.start, span.end, details=False)
        numbers = [one.pull_request.number for one in listed]
        with progress("Packing") as report:
            for place in range(0, len(numbers), AT_ONCE):
                with database.reading() as session:
                    some = pull_requests.of_numbers(session, repository_id, numbers[place : place + AT_ONCE])
                    known = rules_analyses.of_merges(session, [one.id for one in some])
                yield from ((one.pull_request, known[one.id].analysis, on) for one in some if one.id in known)
                report(place + len(some), len(numbers))
    finally:
        database.dispose()


def _show(made: Estimate, settings: Settings) -> None:
    console = out()
    console.print(f"{made.merges} merges: a model would read {made.asked}.")
    for why, count in made.left_to_rules.items():
        console.print(literal(f"{count} are left to rules: {why}."))
    if not made.asked:
        return
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in ("model", "merges", "tokens in", "likely", "tokens out", "likely"):
        table.add_column(name, justify="left" if name == "model" else "right", overflow="fold")
    for tier in made.tiers:
        counts = (tier.merges, tier.input_tokens, tier.likely_input, tier.output_tokens, tier.likely_output)
        table.add_row(literal(tier.model), *(f"{count:,}" for count in counts))
    console.print(table)
    for tier in made.tiers:
        console.print(literal(f"{tier.model}: {_priced(tier)}"))
    for line in _budgets(made, settings):
        console.print(literal(line))


def _priced(tier: Tier) -> str:
    if tier.cost is None or tier.likely_cost is None or tier.batch_cost is None:
        return f"{NO_PRICE}; set model.prices to see what it costs."
    return f"${tier.cost:.2f} at most, likely ${tier.likely_cost:.2f}; as a batch ${tier.batch_cost:.2f}."


def _budgets(made: Estimate, settings: Settings) -> Iterator[str]:
    model = settings.model
    if made.beyond_merge:
        yield f"{made.beyond_merge} would go beyond model.merge_tokens or model.merge_cost and stay with rules."
    fitting = made.asked - made.beyond_merge
    for name, through, tokens in (
        ("day", made.within_day, model.day_tokens),
        ("week", made.within_week, model.week_tokens),
    ):
        limit = f"The budget of a {name} (model.{name}_tokens {tokens:,})"
        if through < fitting:
            yield f"{limit} lets {through} of {fitting} through at once; the others wait for the next {name}."
        else:
            yield f"{limit} lets all of them through."
