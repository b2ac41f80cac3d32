"""``mergecast serve``: the whole service in one process."""

from __future__ import annotations

from typing import Annotated

import typer

from services.cli.surroundings import ConfigOption, read_settings


def serve(
    *,
    host: Annotated[
        str, typer.Option("--host", help="Address to listen on; 0.0.0.0 for all.", metavar="ADDRESS")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option("--port", "-p", help="Port to listen on.", min=0, max=65_535, metavar="PORT")
    ] = 8080,
    config: ConfigOption = None,
) -> None:
    """Run the service: webhook, API, worker, beat and published files in one process.

    Needs no settings, no Redis and no other server. The first start makes a
    webhook secret and an API token, keeps them in the data folder and shows
    them once. Stop it with Ctrl-C; nothing that was answered is lost.

    [bold]Examples[/bold]

      mergecast serve
      mergecast serve --host 0.0.0.0 --port 9000 --config mergecast.toml
    """
    from services.cli.embedded import EmbeddedService

    EmbeddedService(read_settings(config), host, port).run(lambda line: print(line, flush=True))
