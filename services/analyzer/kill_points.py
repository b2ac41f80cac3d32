"""A hook of the tests: the process ends or freezes itself at a named point of the pipeline (R-11, R-13).

Nothing happens unless the environment variable is set, and no settings file or option sets it. The tests set it to
``POINT[@NUMBER][=SIGNAL][:FILE]``, several separated by commas:

- ``POINT`` is one of ``POINTS``; ``@NUMBER`` binds it to the deliveries of one pull request;
- ``SIGNAL`` is what the process sends itself: ``KILL`` unless it says ``STOP``;
- ``FILE`` counts: each time takes one byte off it, and an empty one disarms the point.
"""

from __future__ import annotations

import fcntl
import os
import re
import signal
from pathlib import Path
from typing import Literal, get_args

VARIABLE = "MERGECAST_TEST_KILL_POINT"

Point = Literal["after-claim", "after-load", "after-examine", "before-commit", "after-commit"]
POINTS: tuple[Point, ...] = get_args(Point)

_ARMED = re.compile(r"(?P<point>[a-z-]+)(?:@(?P<number>\d+))?(?:=(?P<signal>KILL|STOP))?(?::(?P<file>.+))?")


def reach(point: Point, number: int | None) -> None:
    """End or freeze this process if the tests armed ``point`` for pull request ``number``; otherwise do nothing."""
    armed = os.environ.get(VARIABLE)
    if not armed:
        return
    for part in armed.split(","):
        found = _ARMED.fullmatch(part)
        if found is None or found["point"] not in POINTS:
            raise ValueError(f"{VARIABLE} names no point: {part!r}")
        bound_to_another = found["number"] is not None and int(found["number"]) != number
        if found["point"] != point or bound_to_another:
            continue
        if found["file"] is None or _takes_one(Path(found["file"])):
            os.kill(os.getpid(), signal.SIGSTOP if found["signal"] == "STOP" else signal.SIGKILL)


def _takes_one(file: Path) -> bool:
    """Whether the file still had a byte; processes that arrive together each take their own."""
    with file.open("r+b") as opened:
        fcntl.flock(opened, fcntl.LOCK_EX)
        left = opened.seek(0, os.SEEK_END)
        if left:
            opened.truncate(left - 1)
    return left > 0
