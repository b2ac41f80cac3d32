"""``mergecast export``: merge records out of the store."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from services.cli.atomic_files import write_file
from services.cli.console import complain, progress
from services.cli.surroundings import (
    ConfigOption,
    RepositoryOption,
    WeekOption,
    opened_database,
    read_settings,
    stored_repository,
)
from services.cli.weeks import chosen_week


def export(
    *,
    repository: RepositoryOption = None,
    week: WeekOption = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="File to write; default: standard output.", metavar="FILE")
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Write stored merges as merge records, one JSON object a line, with the field names of GitHub's REST API.

    `mergecast ingest` and `mergecast digest` read them back.

    [bold]Example[/bold]

      mergecast export --repository owner/name --week 2026-W19 -o merges.jsonl
    """
    from shared.sources.merge_records import dump
    from shared.store import pull_requests
    from shared.store.convention_files import settings_in_force

    settings = read_settings(config)
    database = opened_database(settings)
    repository_id, ref = stored_repository(database, repository)
    with database.reading() as session:
        listed = settings_in_force(session, settings, repository_id, ref.full_name)
    timezone = listed.timezone or settings.digest.timezone
    period = chosen_week(week, timezone, database.now(), so_far=True) if week is not None else None
    start, end = (period.start, period.end) if period else (None, None)
    lines: list[str] = []
    with database.reading() as session, progress("Reading the store") as report:
        for pull_request in pull_requests.iterate(session, repository_id, start, end):
            lines.append(dump(pull_request))
            report(len(lines), None)
    text = "".join(f"{line}\n" for line in lines)
    if output is None:
        sys.stdout.write(text)
        return
    write_file(output, text)
    complain(f"{len(lines)} merges of {ref.full_name} written to {output}")
