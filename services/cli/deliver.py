"""``mergecast deliver``: posts signed deliveries in GitHub's shape to a running service."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from services.cli import sample
from services.cli.console import complain, literal, out, progress
from services.cli.first_start import stored_credentials
from services.cli.posting import Answer, Poster
from services.cli.sample.payloads import SampleDelivery, closed, sample_deliveries
from services.cli.surroundings import ConfigOption, read_settings
from shared.domain.errors import InvalidInput

SECRET_VARIABLE = "MERGECAST_DELIVER_SECRET"  # noqa: S105 - the name of a variable, not a secret
SHOWN_FAILURES = 10


def deliver(
    records: Annotated[
        Path | None,
        typer.Argument(help="Merge records (JSONL); without it: the bundled sample of two weeks.", metavar="RECORDS"),
    ] = None,
    *,
    url: Annotated[str, typer.Option("--url", "-u", help="Where the service listens.")] = "http://127.0.0.1:8080",
    secret_file: Annotated[
        Path | None, typer.Option("--secret-file", help="File that holds the webhook secret.", metavar="FILE")
    ] = None,
    config: ConfigOption = None,
) -> None:
    """Post signed webhook deliveries to a running service.

    Each merge becomes the delivery that GitHub would send. The secret comes
    from --secret-file, from $MERGECAST_DELIVER_SECRET, from the settings, or
    from the data folder of `mergecast serve`; it is never shown. Posting the
    same records twice makes no second merge.

    [bold]Examples[/bold]

      mergecast deliver --url http://127.0.0.1:8080
      mergecast deliver merges.jsonl --secret-file webhook.secret
    """
    deliveries = deliveries_of(records)
    with Poster(url, secret_of(secret_file, config)) as poster:
        answers = post_all(poster, deliveries)
        show_answers(answers, poster.url)
    if not all(answer.accepted for answer in answers):
        raise typer.Exit(1)


def deliveries_of(records: Path | None) -> list[SampleDelivery]:
    """Return the deliveries of a record file, or those of the bundled sample; InvalidInput names a bad line."""
    lines = _decoded(records or sample.RECORDS)
    return list(sample_deliveries(lines)) if records is None else [closed(line) for line in lines]


def post_all(poster: Poster, deliveries: Sequence[SampleDelivery]) -> list[Answer]:
    """Post them in order and return the answers; stops at the first when nobody listens at all."""
    answers = []
    with progress("Posting deliveries") as report:
        for done, delivery in enumerate(deliveries, start=1):
            answers.append(poster.post(delivery))
            if done == 1 and answers[0].status is None:
                raise InvalidInput(
                    f"Nobody answers at {poster.url}: {answers[0].outcome}.", "Start `mergecast serve`, or mend --url."
                )
            report(done, len(deliveries))
    return answers


def show_answers(answers: Sequence[Answer], url: str) -> None:
    """Print how many were answered in which way, and the first of those that were refused."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("status")
    table.add_column("answer", overflow="fold")
    table.add_column("count", justify="right")
    counted = Counter((answer.status, answer.outcome) for answer in answers)
    for (status, outcome), count in sorted(counted.items(), key=lambda item: (-item[1], str(item[0]))):
        table.add_row(str(status or "none"), literal(outcome), str(count))
    out().print(literal(f"{len(answers)} deliveries posted to {url}"))
    out().print(table)
    for answer in [answer for answer in answers if not answer.accepted][:SHOWN_FAILURES]:
        complain(f"refused: {answer.delivery.event} #{answer.delivery.number}: {answer.status} {answer.outcome}")


def secret_of(secret_file: Path | None, config: Path | None) -> bytes:
    """Return the secret to sign with; InvalidInput when there is none."""
    if secret_file is not None:
        try:
            secret = secret_file.read_bytes().strip()
        except OSError as error:
            raise InvalidInput(f"The secret file {secret_file} cannot be read: {error.strerror}.") from error
    else:
        secret = os.environ.get(SECRET_VARIABLE, "").encode() or _configured_secret(config)
    if not secret:
        raise InvalidInput(
            "There is no webhook secret to sign with.",
            f"Give --secret-file, or set {SECRET_VARIABLE} or webhook.secrets.",
        )
    return secret


def _configured_secret(config: Path | None) -> bytes:
    settings = stored_credentials(read_settings(config))
    if settings.webhook.secrets:
        return settings.webhook.secrets[0].get_secret_value().encode()
    return b""


def _decoded(path: Path) -> list[dict[str, Any]]:
    """Return the lines as GitHub's own field names, each checked as a merge record first."""
    from shared.sources.merge_records import parse_line

    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}.", "Check the path.") from error
    decoded = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            parse_line(line, number, path)
            decoded.append(json.loads(line))
    return decoded
