"""``mergecast deliveries``: what the receiver stored, counted and was pinged with."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from services.cli.console import literal, out, plain
from services.cli.surroundings import ConfigOption, RepositoryOption, opened_database, read_settings
from shared.domain.errors import InvalidInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from shared.store.deliveries import DeliveryView
    from shared.store.events import EventCount, Ping
    from shared.store.installations import Installation

STATUS_STYLES = {
    "new": "yellow",
    "claimed": "cyan",
    "parked": "magenta",
    "done": "green",
    "ignored": "dim",
    "dead": "bold red",
}


def deliveries(
    *,
    status: Annotated[
        str | None, typer.Option("--status", "-s", help=f"Only these: {', '.join(STATUS_STYLES)}.", metavar="STATUS")
    ] = None,
    repository: RepositoryOption = None,
    limit: Annotated[int, typer.Option("--limit", "-n", help="How many, newest first.", min=1, max=10_000)] = 20,
    config: ConfigOption = None,
) -> None:
    """List webhook deliveries with their states, ages and last errors.

    A parked one waits until access is given back that its last error names;
    it goes on by itself then. Shows also how many events were only counted and
    why, which installations of the App give no access, and the last ping of
    each webhook.

    [bold]Example[/bold]

      mergecast deliveries --status dead
    """
    if status is not None and status not in STATUS_STYLES:
        raise InvalidInput(f"There is no status '{status}'.", f"Choose from {', '.join(STATUS_STYLES)}.")
    from shared.store import deliveries as inbox
    from shared.store import events, installations

    database = opened_database(read_settings(config))
    present = database.now()
    with database.reading() as session:
        counted = inbox.counts(session)
        listed = inbox.listing(session, status=status, repository=repository, limit=limit)
        waiting = inbox.oldest_due_age(session, present)
        counts, pings = events.event_counts(session), events.last_pings(session)
        blind = installations.blind(session)
    console = out()
    console.print("  ".join(f"{name} {counted.get(name, 0)}" for name in STATUS_STYLES))
    if waiting is not None:
        console.print(f"The oldest due delivery waits for {age(waiting)}.")
    if listed:
        console.print(_deliveries_table(listed, present))
    _print_surroundings(blind, counts, pings, present)


def age(span: timedelta) -> str:
    """Return a span as people say it: the largest unit that fits."""
    seconds = max(int(span.total_seconds()), 0)
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= 2 * size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


def _print_surroundings(
    blind: Sequence[Installation], counts: Sequence[EventCount], pings: Sequence[Ping], present: datetime
) -> None:
    """What is not a delivery: installations without access, events that were only counted, pings."""
    console = out()
    for installation in blind:
        console.print(literal(_blind_line(installation, present)))
    if counts:
        console.print(_ignored_table(counts, present))
    for ping in pings:
        console.print(literal(_ping_line(ping, present)))


def _deliveries_table(listed: Sequence[DeliveryView], present: datetime) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("id", justify="right")
    table.add_column("status")
    table.add_column("age", justify="right")
    table.add_column("tries", justify="right")
    table.add_column("pull request", overflow="fold")
    table.add_column("action")
    table.add_column("last error or note", overflow="fold")
    for view in listed:
        told = view.last_error or view.note or ""
        if view.status == "new" and view.next_attempt_at > present:
            told = f"again in {age(view.next_attempt_at - present)}. {told}"
        table.add_row(
            str(view.id),
            literal(view.status, STATUS_STYLES.get(view.status, "")),
            age(present - view.received_at),
            str(view.tries),
            literal(f"{view.repository or '?'}#{view.number or '?'}"),
            literal(f"{view.event} {view.action or ''}".removeprefix("pull_request ")),
            literal(told),
        )
    return table


def _ignored_table(ignored: Sequence[EventCount], present: datetime) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False, title="Not stored, only counted", title_justify="left")
    for name in ("event", "action", "reason"):
        table.add_column(name)
    table.add_column("count", justify="right")
    table.add_column("last", justify="right")
    for row in ignored:
        last = f"{age(present - row.last_at)} ago"
        table.add_row(literal(row.event), literal(row.action), literal(row.reason), str(row.count), last)
    return table


def _blind_line(blind: Installation, present: datetime) -> str:
    told = f"Installation {blind.id} of the App for '{plain(blind.account)}' is {blind.state}"
    return f"{told} since {age(present - blind.since)}: no access to its repositories."


def _ping_line(ping: Ping, present: datetime) -> str:
    problems = f": {'; '.join(ping.problems)}" if ping.problems else ", set up well"
    return f"Last ping of {plain(ping.hook)} {age(present - ping.received_at)} ago{problems}"
