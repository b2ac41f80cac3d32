"""``mergecast reanalyze``: asks the language model to read stored merges, beside the analyses that are there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from services.cli.console import complain, literal, out, progress
from services.cli.evaluation.chosen import chosen_model
from services.cli.surroundings import ConfigOption, WeekOption, opened_database, read_settings, stored_repository
from services.cli.weeks import chosen_week
from shared.domain.errors import InvalidInput

if TYPE_CHECKING:
    from services.analyzer.readings.wishes import Wish
    from shared.settings import Settings
    from shared.store.rules_analyses import ByRules
    from shared.store.session import Database

MOST_WITHOUT_YES = 50
"""Merges; more are only asked for with ``--yes``."""
_AT_ONCE = 50


def reanalyze(
    repository: Annotated[str, typer.Argument(help="The repository, as owner/name.", metavar="OWNER/NAME")],
    *,
    week: WeekOption = None,
    number: Annotated[
        list[int] | None, typer.Option("--number", "-n", help="Only this pull request; may be given again.")
    ] = None,
    unread: Annotated[bool, typer.Option("--unread", help="Only merges that no model has read.")] = False,
    model: Annotated[str | None, typer.Option("--model", help="The model to ask, other than by the settings.")] = None,
    yes: Annotated[bool, typer.Option("--yes", help="Go on, however many merges it is.")] = False,
    config: ConfigOption = None,
) -> None:
    """Have merges read by the language model, again or for the first time.

    Says what it may take, then asks: the running service reads them, within
    its budgets, the weightiest first. What is stored stays, and a new reading
    is in force once it is there. Can be interrupted and run again.

    [bold]Examples[/bold]

      mergecast reanalyze OWNER/NAME --unread
      mergecast reanalyze OWNER/NAME --week 2026-W19 --yes
      mergecast reanalyze OWNER/NAME --number 4821 --model a-larger-one
    """
    settings = _with_model(read_settings(config), model)
    if number and week is not None:
        raise InvalidInput("Give either --week or --number, not both.")
    with _closing_database(settings) as database:
        repository_id, ref = stored_repository(database, repository)
        chosen = _chosen(settings, database, repository_id, ref.full_name, week, number or [])
        chosen = [one for one in chosen if not (unread and one.read)]
        wished = _wished(settings, database, repository_id, chosen)
        out().print(literal(_preview(settings, ref.full_name, wished, len(chosen))))
        if len(wished) > MOST_WITHOUT_YES and not yes:
            raise InvalidInput(f"That is more than {MOST_WITHOUT_YES} merges.", "Add --yes to have them read.")
        made = _ask(database, wished)
    if wished:
        out().print(f"{made} readings are due; {len(wished) - made} were there already, or are waiting.")


def _with_model(settings: Settings, named: str | None) -> Settings:
    """The settings with the model that a person named; InvalidInput when there is none, or its price is missing."""
    if not settings.model.enabled:
        raise InvalidInput("No language model is set.", "Set model.name, and model.base_url where it is your own.")
    if named is None:
        return settings
    return settings.model_copy(update={"model": chosen_model(settings.model, named)})


@contextmanager
def _closing_database(settings: Settings) -> Iterator[Database]:
    """Yield the configured database and close its connections at the end; what ``opened_database`` raises passes."""
    database = opened_database(settings)
    try:
        yield database
    finally:
        database.dispose()


def _chosen(
    settings: Settings, database: Database, repository_id: int, full_name: str, week: str | None, numbers: list[int]
) -> list[ByRules]:
    """The merges that a person named, by default those of the present week, as rules know them; heaviest first."""
    from shared.store import pull_requests, rules_analyses

    timezone = settings.repository(full_name).timezone or settings.digest.timezone
    with database.reading() as session:
        if numbers:
            stored = pull_requests.of_numbers(session, repository_id, numbers, details=False)
        else:
            period = chosen_week(week, timezone, database.now(), so_far=True)
            stored = pull_requests.of_period(session, repository_id, period.start, period.end, details=False)
        found = rules_analyses.of_merges(session, [one.id for one in stored])
    missing = sorted(set(numbers) - {one.analysis.number for one in found.values()})
    if missing:
        told = ", ".join(f"#{one}" for one in missing)
        raise InvalidInput(f"No analysis of {told} is stored.", "Look at mergecast deliveries.")
    return sorted(found.values(), key=lambda one: (-one.analysis.importance.score, one.analysis.number))


def _wished(
    settings: Settings, database: Database, repository_id: int, chosen: list[ByRules]
) -> list[tuple[ByRules, Wish]]:
    """Each merge that may be read, with what reads it."""
    from services.analyzer.readings import wishes

    with database.reading() as session:
        on = wishes.switched_on(session, settings, repository_id)
    if not on:
        raise InvalidInput("The model is switched off for this repository.", "Look at model in its settings.")
    wished = ((one, wishes.wish(settings, one.analysis, switched_on=on)) for one in chosen)
    return [(one, wish) for one, wish in wished if wish.model]


def _preview(settings: Settings, full_name: str, wished: list[tuple[ByRules, Wish]], chosen: int) -> str:
    """What it may take at most, in words."""
    from shared.llm import cost_of

    left = f" {chosen - len(wished)} are left to rules." if chosen > len(wished) else ""
    if not wished:
        return f"{full_name}: nothing is left to be read.{left}"
    each = settings.model.input_tokens, settings.model.output_tokens
    costs = [cost_of(settings.model.prices, wish.model, each[0], 0, each[1]) for _, wish in wished]
    known = [cost for cost in costs if cost is not None]
    price = f"at most ${sum(known):,.2f}" if len(known) == len(costs) else "no price of it is known"
    names = ", ".join(dict.fromkeys(wish.model for _, wish in wished))
    return (
        f"{full_name}: {len(wished)} merges to be read by {names},"
        f" at most {len(wished) * sum(each):,} tokens at one call each, {price}.{left}"
    )


def _ask(database: Database, wished: list[tuple[ByRules, Wish]]) -> int:
    """Ask for the readings, some in each transaction, and return how many are due because of it."""
    made = 0
    try:
        with progress("Asking") as report:
            for place in range(0, len(wished), _AT_ONCE):
                made += _ask_some(database, wished[place : place + _AT_ONCE])
                report(min(place + _AT_ONCE, len(wished)), len(wished))
    except KeyboardInterrupt:
        complain(f"{made} readings are due. Run the command again to go on.")
        raise
    return made


def _ask_some(database: Database, some: list[tuple[ByRules, Wish]]) -> int:
    from services.analyzer.readings.wishes import ask

    present = database.now()
    with database.transaction() as session:
        asked = [ask(session, one.pull_request_id, one.analysis, wish, "reanalyze", present) for one, wish in some]
    return sum(reading is not None for reading in asked)
