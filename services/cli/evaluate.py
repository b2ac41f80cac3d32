"""``mergecast eval``: how well a model reads merges, on the labelled set."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from services.cli.console import complain, literal, out, progress
from services.cli.evaluation.chosen import ModelOption, chosen_model
from services.cli.surroundings import ConfigOption, opened_database, read_settings
from shared.domain.errors import InvalidInput, Postponed
from shared.settings.language_model import ModelSettings

if TYPE_CHECKING:
    from services.cli.evaluation.asking import Asker
    from services.cli.evaluation.labels import Case
    from services.cli.evaluation.runs import Kept, Run
    from shared.store.session import Database

ServerOption = Annotated[
    str | None, typer.Option("--base-url", help="Its server; no other server's key is sent to it.", metavar="URL")
]
SetOption = Annotated[
    Path | None,
    typer.Option("--set", help="Labelled merges (JSONL).", show_default="that of the checkout", metavar="FILE"),
]
OutputOption = Annotated[
    Path | None, typer.Option("--output", "-o", help="Keep the answers here, and go on from them.", metavar="FILE")
]
CompareOption = Annotated[
    list[Path] | None, typer.Option("--compare", help="A kept run to show beside it; may be repeated.", metavar="FILE")
]
ConcurrencyOption = Annotated[
    int | None, typer.Option("--concurrency", help="Questions at a time.", min=1, max=64, metavar="N")
]


def eval(  # noqa: A001 - the name of the command
    *,
    model: ModelOption = None,
    base_url: ServerOption = None,
    labelled: SetOption = None,
    output: OutputOption = None,
    compare: CompareOption = None,
    concurrency: ConcurrencyOption = None,
    limit: Annotated[int | None, typer.Option("--limit", help="Only the first N cases.", min=1, metavar="N")] = None,
    config: ConfigOption = None,
) -> None:
    """Let a model read labelled merges and score what it says; no model is the judge.

    Asks as merges are asked about, within the budgets, and counts in the
    ledger. With --output it can be interrupted and run again: what is answered
    is not asked again, only scored anew.

    [bold]Examples[/bold]

      mergecast eval --output eval/small.json
      mergecast eval --model large --output eval/large.json --compare eval/small.json
    """
    from services.cli.evaluation.labels import SET, load_cases

    settings = read_settings(config)
    chosen = chosen_model(settings.model, model, base_url)
    cases = load_cases(labelled or SET, limit)
    others = {path.stem: _compared(path) for path in compare or ()}
    earlier = _earlier(output, chosen)
    database = opened_database(settings)
    try:
        asker = _asker(chosen, database)
        run, waits = _completed(asker, earlier, cases, output, concurrency or chosen.concurrency)
    finally:
        database.dispose()
    _show(run, cases, others, output)
    if waits is not None:
        complain(f"{waits} {run.scores.cases} of {len(cases)} cases are asked; run the command again to go on.")
        raise typer.Exit(1)


def _compared(path: Path) -> Run:
    from services.cli.evaluation.runs import read_run

    run = read_run(path)
    if run is None:
        raise InvalidInput(f"There is no file {path}.", "Make it with mergecast eval --output.")
    return run


def _earlier(output: Path | None, chosen: ModelSettings) -> Run:
    """The run to go on with: an empty one where nothing is kept yet."""
    from services.cli.evaluation.runs import Run, read_run

    earlier = read_run(output) if output is not None else None
    if earlier is not None and (earlier.model, earlier.language) != (chosen.name, chosen.language):
        raise InvalidInput(
            f"{output} holds answers of {earlier.model} in {earlier.language}.", "Name another file with --output."
        )
    return earlier or Run(model=chosen.name, language=chosen.language)


def _asker(chosen: ModelSettings, database: Database) -> Asker:
    from services.cli.evaluation.asking import Asker
    from shared.llm import open_language_model
    from shared.store.model_calls import StoredMeter
    from shared.store.model_states import StoredModelMemory

    memory = StoredModelMemory(database, database.now, chosen.base_url)
    return Asker(
        chosen,
        open_language_model(chosen, memory, database.now),
        memory,
        lambda: StoredMeter(database, database.now, chosen, chosen.base_url),
        database.now,
    )


def _completed(
    asker: Asker, earlier: Run, cases: list[Case], output: Path | None, concurrency: int
) -> tuple[Run, str | None]:
    """Ask what is not answered yet, writing each answer down; return the run, and why it had to end too early."""
    from services.analyzer.prompts import PROMPT_VERSION
    from services.cli.evaluation.runs import finished, scored, write_run

    missing = [case for case in cases if not finished(earlier, case)]
    names = {case.name for case in missing}
    answers: dict[str, Kept] = {name: kept for name, kept in earlier.cases.items() if name not in names}
    waits: str | None = None
    try:
        with progress("Asking the model") as report:
            report(len(cases) - len(missing), len(cases))
            for done, (case, kept) in enumerate(asker.ask_all(missing, concurrency), start=1):
                answers[case.name] = kept
                if output is not None:
                    write_run(output, earlier, answers)
                report(len(cases) - len(missing) + done, len(cases))
    except Postponed as error:
        waits = str(error)
    made = earlier.model_copy(update={"cases": dict(sorted(answers.items())), "prompt_version": PROMPT_VERSION})
    made = made.model_copy(update={"scores": scored(made, cases)})
    if output is not None:
        write_run(output, made)
    return made, waits


def _show(run: Run, cases: list[Case], others: dict[str, Run], output: Path | None) -> None:
    from services.cli.evaluation.runs import scored, scored_by_rules
    from services.cli.evaluation.table import print_scores

    compared = {name: scored(other, cases) for name, other in others.items()}
    print_scores({"rules": scored_by_rules(cases), run.model: run.scores} | compared)
    if output is not None:
        out().print(literal(str(output)))
