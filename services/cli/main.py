"""The ``mergecast`` command: wires the commands and turns every error into one clear line."""

from __future__ import annotations

import io
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Annotated

import typer

from services.cli.backfill import backfill
from services.cli.console import complain
from services.cli.deliver import deliver
from services.cli.deliveries import deliveries
from services.cli.demo import demo
from services.cli.digest import digest
from services.cli.doctor import doctor
from services.cli.estimate import estimate
from services.cli.evaluate import eval as evaluate
from services.cli.explain import explain
from services.cli.export import export
from services.cli.ingest import ingest
from services.cli.migrate import migrate
from services.cli.reanalyze import reanalyze
from services.cli.replay import replay
from services.cli.serve import serve
from shared.domain.errors import MergecastError, described

COMMANDS: tuple[Callable[..., None], ...] = (
    demo,
    digest,
    serve,
    ingest,
    backfill,
    reanalyze,
    export,
    explain,
    deliver,
    deliveries,
    replay,
    estimate,
    evaluate,
    migrate,
    doctor,
)
"""In the order in which a newcomer needs them; the name of the function is the name of the command."""

WRONG_INPUT = 2
FAILED = 1
INTERRUPTED = 130
INTERRUPTION = "interrupted."


@dataclass
class Invocation:
    """What the options before the command said."""

    debug: bool = False


def installed_version() -> str:
    """The version of the installed distribution; ``unknown`` in a bare source tree."""
    try:
        return version("mergecast")
    except PackageNotFoundError:
        return "unknown"


def build_app(invocation: Invocation) -> typer.Typer:
    """Return the command line; what stands before the command is noted in ``invocation``."""
    app = typer.Typer(
        name="mergecast",
        help="Captures every merge, examines each one once, and publishes a weekly digest.",
        epilog="New here? Run: mergecast demo",
        no_args_is_help=True,
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    )

    @app.callback()
    def options(
        *,
        debug: Annotated[bool, typer.Option("--debug", help="Show the whole traceback when something fails.")] = False,
        show_version: Annotated[
            bool, typer.Option("--version", help="Print the version and exit.", is_eager=True, callback=_print_version)
        ] = False,
    ) -> None:
        del show_version  # its callback has ended the program
        invocation.debug = debug

    for command in COMMANDS:
        app.command(command.__name__)(command)
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        print(f"mergecast {installed_version()}")
        raise typer.Exit


def run() -> None:
    """Console entry: exit 0 done, 1 failed, 2 wrong input, 130 interrupted; errors are one line on stderr."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A terminal that cannot show a character shows another one instead of a traceback.
            stream.reconfigure(errors="replace")
    invocation = Invocation()
    try:
        build_app(invocation)(prog_name="mergecast")
    except (Exception, KeyboardInterrupt) as error:
        if invocation.debug:
            raise
        sys.exit(_told(error))
    except SystemExit as stop:
        if stop.code == INTERRUPTED:
            complain(INTERRUPTION)
        raise


def _told(error: BaseException) -> int:
    """Say in one line what went wrong, and return the exit code."""
    if isinstance(error, MergecastError):
        complain(str(error))
        return WRONG_INPUT
    if isinstance(error, KeyboardInterrupt):
        complain(INTERRUPTION)
        return INTERRUPTED
    complain(f"{described(error)} (run `mergecast --debug …` for the whole story)")
    return FAILED


if __name__ == "__main__":
    run()
