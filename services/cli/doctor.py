"""``mergecast doctor``: checks what the service stands on and says how to mend each thing."""

from __future__ import annotations

import os
from pathlib import Path

import typer
from rich.table import Table

from services.cli.console import literal, out
from services.cli.surroundings import ConfigOption, read_settings
from shared.settings.loading import DEFAULT_FILE, FILE_VARIABLE

MARKS = {"good": ("✓", "green"), "warning": ("!", "yellow"), "wrong": ("✗", "bold red")}


def doctor(*, config: ConfigOption = None) -> None:
    """Check settings, database, broker, secrets, folders and sources, and say how to mend each.

    Changes nothing. Exit code 0: all is well (warnings may remain), 1:
    something is wrong, 2: the settings themselves cannot be read.

    [bold]Example[/bold]

      mergecast doctor --config mergecast.toml
    """
    from services.cli.checks import Finding, examine_house
    from services.cli.clone_checks import kept_clones
    from services.cli.secret_checks import access

    settings = read_settings(config)
    findings = [Finding("settings", "good", _told_of(config)), *access(settings), *examine_house(settings)]
    findings += kept_clones(settings)
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


def _told_of(config: Path | None) -> str:
    named = config or os.environ.get(FILE_VARIABLE)
    if named:
        return f"{named} can be read"
    return f"{DEFAULT_FILE} can be read" if DEFAULT_FILE.is_file() else "no settings file: defaults and environment"
