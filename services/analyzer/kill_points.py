"""A hook of the tests: the process dies, freezes or bloats at a named point of its work (R-11, R-13, C-67).

Nothing happens unless the environment variable is set, and no settings file or option sets it. The tests set it to
``POINT[@NUMBER][=ACTION][:FILE]``, several separated by commas:

- ``POINT`` is one of ``POINTS``, ``READING_POINTS`` or ``BATCH_POINTS``; ``@NUMBER`` binds it to the work on one
  pull request;
- ``ACTION`` is ``KILL`` unless it says ``STOP``, the signal that the process sends itself, or ``MEMORY``: it takes
  memory until a limit or a killer stops it;
- ``FILE`` counts: each time takes one byte off it, and an empty one disarms the point.
"""

from __future__ import annotations

import fcntl
import os
import re
import signal
import time
from pathlib import Path
from typing import Literal, NoReturn, get_args

VARIABLE = "MERGECAST_TEST_KILL_POINT"

Point = Literal["after-claim", "after-load", "after-examine", "before-commit", "after-commit"]
POINTS: tuple[Point, ...] = get_args(Point)
"""Of the work on a delivery."""
ReadingPoint = Literal["before-send", "before-settle", "after-settle", "after-answer"]
READING_POINTS: tuple[ReadingPoint, ...] = get_args(ReadingPoint)
"""Of the work on a reading: its call is reserved, answered, settled, and looked at."""
BatchPoint = Literal["batch-reserved", "batch-sent", "batch-begun", "batch-answered", "batch-settled"]
BATCH_POINTS: tuple[BatchPoint, ...] = get_args(BatchPoint)
"""Of the work on a batch: its calls are reserved, its file is there, it is begun, answered, one answer is settled."""

_BITE, _CRUMB = 1024 * 1024, 1024
_CHEWED_AFTER = 0.002
"""About 400 MB a second: whoever watches over memory sees it grow."""

_ARMED = re.compile(r"(?P<point>[a-z-]+)(?:@(?P<number>\d+))?(?:=(?P<action>KILL|STOP|MEMORY))?(?::(?P<file>.+))?")


def reach(point: Point | ReadingPoint | BatchPoint, number: int | None) -> None:
    """Die, freeze or bloat if the tests armed ``point`` for pull request ``number``; otherwise do nothing."""
    armed = os.environ.get(VARIABLE)
    if not armed:
        return
    for part in armed.split(","):
        found = _ARMED.fullmatch(part)
        if found is None or found["point"] not in (*POINTS, *READING_POINTS, *BATCH_POINTS):
            raise ValueError(f"{VARIABLE} names no point: {part!r}")
        bound_to_another = found["number"] is not None and int(found["number"]) != number
        if found["point"] != point or bound_to_another:
            continue
        if found["file"] is None or _takes_one(Path(found["file"])):
            _act(found["action"])


def _act(action: str | None) -> None:
    if action == "MEMORY":
        _eat()
    os.kill(os.getpid(), signal.SIGSTOP if action == "STOP" else signal.SIGKILL)


def _eat() -> NoReturn:
    """Take memory until next to none is left, or this process is killed for it; the pages are written, thus real."""
    eaten = []
    bite = _BITE
    while True:
        try:
            eaten.append(b"." * bite)
        except MemoryError:
            if bite <= _CRUMB:
                raise
            bite //= 2
        else:
            time.sleep(_CHEWED_AFTER)


def _takes_one(file: Path) -> bool:
    """Whether the file still had a byte; processes that arrive together each take their own."""
    with file.open("r+b") as opened:
        fcntl.flock(opened, fcntl.LOCK_EX)
        left = opened.seek(0, os.SEEK_END)
        if left:
            opened.truncate(left - 1)
    return left > 0
