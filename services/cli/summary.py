"""The short table that a person sees after a digest was made."""

from __future__ import annotations

from collections.abc import Iterator

from rich.table import Table

from services.cli.console import literal, out, plain
from shared.domain.digest import Digest


def print_summary(made: Digest, seconds: float | None = None) -> None:
    """Print what the digest holds: totals, ledger, themes, risks, key pull requests and how long it took."""
    zone = made.period.timezone
    unfinished = " (so far)" if made.provenance.so_far else ""
    console = out()
    console.print(literal(f"{made.repository} {made.branch} {made.period.week} {zone}{unfinished}", "bold"))
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in _rows(made):
        table.add_row(name, literal(value))
    if seconds is not None:
        table.add_row("took", f"{seconds:.1f} s")
    console.print(table)


def _rows(made: Digest) -> Iterator[tuple[str, str]]:
    yield "merged", _merged(made)
    ledger = made.ledger
    yield (
        "told",
        (
            f"{len(ledger.featured)} featured, {len(ledger.grouped)} grouped, "
            f"{len(ledger.condensed)} condensed, {len(ledger.failed)} failed"
        ),
    )
    elsewhere = sum(len(numbers) for numbers in made.elsewhere.values())
    if elsewhere:
        yield "elsewhere", f"{elsewhere} into other branches"
    for label, titles in (
        ("themes", [f"{theme.title} ({len(theme.pull_requests)})" for theme in made.themes]),
        ("key", [f"#{key.number} {key.reason.value}: {key.title}" for key in made.key_pull_requests]),
    ):
        for index, title in enumerate(titles[:8]):
            yield label if index == 0 else "", _short(title)
    if made.risks:
        yield "risks", ", ".join(f"{risk.tag.removeprefix('risk:')} {len(risk.pull_requests)}" for risk in made.risks)
    yield from _model(made)
    unread = sum(made.coverage.unread.values())
    yield (
        "read",
        f"{made.coverage.files_read} of {made.coverage.files_changed} changed files"
        + (
            f" ({', '.join(f'{count} {reason}' for reason, count in sorted(made.coverage.unread.items()))})"
            if unread
            else ""
        ),
    )


def _model(made: Digest) -> Iterator[tuple[str, str]]:
    """What a model read of the week; nothing where none was to."""
    account = made.provenance.readings
    if account is None:
        return
    alone = ", ".join(f"{len(numbers)} {why}" for why, numbers in account.unread.items())
    told = f"{len(account.read)} of {made.merged_total} merges read{f' (by rules alone: {alone})' if alone else ''}"
    yield "model", f"{told}; not told: {account.refused}" if account.refused else told


def _merged(made: Digest) -> str:
    text = f"{made.merged_total} pull request{'' if made.merged_total == 1 else 's'}"
    if made.previous is not None:
        text += f" ({made.previous.merged_total} the week before)"
    return text


def _short(text: str, limit: int = 66) -> str:
    line = plain(text)
    return line if len(line) <= limit else f"{line[: limit - 1]}…"
