"""``mergecast replay``: makes stored deliveries due again, whatever became of them."""

from __future__ import annotations

from typing import Annotated

import typer

from services.cli.console import complain, out
from services.cli.surroundings import ConfigOption, opened_database, read_settings
from shared.domain.errors import InvalidInput

ALL = 100_000


def replay(
    ids: Annotated[
        list[int] | None, typer.Argument(help="Ids as `mergecast deliveries` shows them.", metavar="ID…")
    ] = None,
    *,
    dead: Annotated[bool, typer.Option("--dead", help="All dead deliveries.")] = False,
    parked: Annotated[bool, typer.Option("--parked", help="All parked deliveries.")] = False,
    config: ConfigOption = None,
) -> None:
    """Run deliveries again.

    They become due at once, with all their tries; the running service takes
    them up within 30 seconds. A delivery whose payload was pruned cannot be
    replayed, and one whose access is still missing is parked again.

    [bold]Examples[/bold]

      mergecast replay 41 42
      mergecast replay --dead
    """
    if [bool(ids), dead, parked].count(True) != 1:
        raise InvalidInput(
            "Name the deliveries to run again, or --dead for all dead ones, or --parked for all parked ones.",
            "See mergecast deliveries.",
        )
    status = "dead" if dead else "parked"
    from shared.store import deliveries

    database = opened_database(read_settings(config))
    present = database.now()
    with database.transaction() as session:
        chosen = ids or [view.id for view in deliveries.listing(session, status=status, limit=ALL)]
        revived = [delivery for delivery in chosen if deliveries.replay(session, delivery, present)]
    out().print(f"{len(revived)} of {len(chosen)} deliveries are due again.")
    lost = [str(delivery) for delivery in chosen if delivery not in revived]
    if lost:
        complain(f"not there, or their payloads were pruned: {', '.join(lost)}")
        raise typer.Exit(2)
