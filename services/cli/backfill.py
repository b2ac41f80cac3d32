"""``mergecast backfill``: a stretch of a repository's past, from the host or a clone, into the store and analysed."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from services.cli.console import complain, literal, out, progress
from services.cli.ingest import Span, span_of, take_in_all
from services.cli.surroundings import ConfigOption, now, opened_database, read_settings
from shared.domain.errors import InvalidInput
from shared.settings import Settings

if TYPE_CHECKING:
    from shared.store.backfills import Account

_FULL_NAME = re.compile(r"[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+", re.ASCII)


def backfill(
    repository: Annotated[str, typer.Argument(help="The repository on the host.", metavar="OWNER/NAME")],
    *,
    since: Annotated[str, typer.Option("--since", help="First day (UTC), such as 2026-01-01.", metavar="DATE")],
    until: Annotated[
        str | None,
        typer.Option("--until", help="First day not to take in any more (UTC); default: the present.", metavar="DATE"),
    ] = None,
    clone: Annotated[
        Path | None, typer.Option("--clone", help="Read the merges from this git clone.", metavar="FOLDER")
    ] = None,
    review: Annotated[
        bool, typer.Option("--review", help="With --clone: ask the host for the review of each merge, too.")
    ] = False,
    config: ConfigOption = None,
) -> None:
    """Take in the merges of a stretch of the past and analyse each one.

    Lists them at the host page by page (no search, so no limit of 1,000) and
    asks for the files and the review of each, within the host's limits. Can
    be interrupted, even killed, and run again: it goes on where it stopped.

    [bold]Examples[/bold]

      mergecast backfill acme/engine --since 2026-01-01
      mergecast backfill acme/engine --since 2026-01-01 --clone ~/src/engine
    """
    settings = read_settings(config)
    span = _span(settings, repository, since, until)
    if clone is not None:
        from services.cli.reviewed import open_reviewed

        with open_reviewed(settings, repository, clone, review=review, say=complain) as opened:
            told = take_in_all(settings, opened, span, by="backfill")
            out().print(literal(f"{opened.repository.full_name}: {told}"))
        return
    if review:
        raise InvalidInput("--review goes with --clone.", "Without a clone the review is asked for anyway.")
    out().print(literal(f"{repository}: {_told(_from_host(settings, repository, span, to_its_end=until is not None))}"))


def _span(settings: Settings, repository: str, since: str, until: str | None) -> Span:
    """The stretch that is meant; everything that is wrong with the words is said before anything is asked."""
    if not _FULL_NAME.fullmatch(repository):
        raise InvalidInput(f"'{repository}' is no repository.", "Write it like acme/engine.")
    span = span_of(settings, repository, since=since, until=until, week=None)
    if span.start >= now():
        raise InvalidInput(f"{since} has not come yet.", "Name a day of the past.")
    return span


def _from_host(settings: Settings, full_name: str, span: Span, *, to_its_end: bool) -> Account:
    """``to_its_end``: the end of the stretch was named; else it goes up to the present, whenever that is."""
    from services.cli.asked_host import open_listing
    from services.cli.backfilling import Backfilling
    from shared.telemetry import configure

    configure(settings, logging.ERROR)  # what waits, and for what, is said in its own words
    database = opened_database(settings)
    try:
        asked, listing = open_listing(settings, full_name, database, complain)
        with progress(f"Backfilling {full_name}") as report:
            until = span.end if to_its_end else None
            return Backfilling(asked, listing, database, complain).go(span.start, until, report)
    finally:
        database.dispose()


def _told(account: Account) -> str:
    lines = f"{account.done} merges taken in."
    if account.dead:
        lines += f" {account.dead} could not be analysed: see `mergecast deliveries --status dead`."
    if account.parked:
        lines += f" {account.parked} wait for access: see `mergecast deliveries --status parked`."
    return lines
