"""``mergecast doctor``: checks what the service stands on and says how to mend each thing."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.table import Table

from services.cli.console import literal, out
from services.cli.surroundings import ConfigOption, read_settings
from shared.settings import Settings
from shared.settings.loading import DEFAULT_FILE, FILE_VARIABLE

if TYPE_CHECKING:
    from services.cli.checks import Finding

MARKS = {"good": ("✓", "green"), "warning": ("!", "yellow"), "wrong": ("✗", "bold red")}


def doctor(*, config: ConfigOption = None) -> None:
    """Check settings, database, broker, secrets, folders, sources, GitHub and the model, and say how to mend each.

    Changes nothing, there and here; a language model is asked one small question, which
    is counted. Exit code 0: all is well (warnings may remain), 1: something is wrong, 2:
    the settings themselves cannot be read.

    [bold]Example[/bold]

      mergecast doctor --config mergecast.toml
    """
    from shared.telemetry import configure

    settings = read_settings(config)
    configure(settings, logging.WARNING)  # the answers are the table; log lines would stand between them
    findings = _examined(settings, _told_of(config))
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for finding in findings:
        mark, style = MARKS[finding.state]
        table.add_row(literal(mark, style), literal(finding.name), literal(finding.told))
        if finding.mend:
            table.add_row("", "", literal(f"→ {finding.mend}", "dim"))
    out().print(table)
    if any(finding.state == "wrong" for finding in findings):
        raise typer.Exit(1)


def _examined(settings: Settings, told: str) -> list[Finding]:
    from services.cli.checks import Finding, examine_house
    from services.cli.clone_checks import kept_clones
    from services.cli.github_checks import github
    from services.cli.inbox_checks import current_database, inbox
    from services.cli.model_checks import language_model
    from services.cli.secret_checks import access

    findings = [Finding("settings", "good", told), *access(settings), *examine_house(settings)]
    findings += kept_clones(settings)
    with current_database(settings) as database:
        if database is not None:
            findings += inbox(settings, database)
        findings += github(settings, database)
        findings += language_model(settings, database)
    return findings


def _told_of(config: Path | None) -> str:
    named = config or os.environ.get(FILE_VARIABLE)
    if named:
        return f"{named} can be read"
    return f"{DEFAULT_FILE} can be read" if DEFAULT_FILE.is_file() else "no settings file: defaults and environment"
