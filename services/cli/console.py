"""What the commands print with: tables and progress for people, plain lines for pipes."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn
from rich.text import Text

from shared.domain.protocols import Progress as Report

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]+")


def out() -> Console:
    """The console of results; markup and emoji codes in strangers' words mean nothing."""
    return Console(markup=False, emoji=False, highlight=False)


def plain(text: str) -> str:
    """Return ``text`` as one line without control and direction characters, which could repaint a terminal."""
    return _CONTROL.sub(" ", text).strip()


def literal(text: str, style: str = "") -> Text:
    """Return strangers' words as a rich text that shows them as they are."""
    return Text(plain(text), style=style)


def complain(message: str) -> None:
    """Print one line on stderr."""
    print(f"mergecast: {plain(message)}", file=sys.stderr)


@contextmanager
def progress(what: str) -> Iterator[Report]:
    """Yield the callable that long work reports (done, total) to: a bar on a terminal, nothing in a pipe."""
    console = Console(stderr=True, markup=False)
    if not console.is_terminal:
        yield lambda _done, _total: None
        return
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
