"""A made-up repository of squash merges, written through ``git fast-import``."""

from __future__ import annotations

import random
import subprocess
from datetime import datetime, timedelta
from pathlib import Path

from shared.domain.period import parse_week

AREAS = ("engine", "storage", "network", "console", "query", "codec")
VERBS = ("Fix", "Add", "Refactor", "Speed up", "Remove", "Document")


def make_clone(path: Path, *, merges: int, week: str) -> Path:
    """Make a bare repository with ``merges`` squash merges in ``week`` and as many in the week before; return its path."""
    subprocess.run(["git", "init", "--quiet", "--bare", "--initial-branch=main", str(path)], check=True)
    subprocess.run(["git", "-C", str(path), "fast-import", "--quiet"], input=_stream(merges, week).encode(), check=True)
    return path


def _stream(merges: int, week: str) -> str:
    chance = random.Random(20260504)  # a fixed seed: each run measures the same repository
    period = parse_week(week)
    step = timedelta(days=14) / (2 * merges)
    files = {f"src/{area}/module_{index}.py": _lines(chance, 400) for area in AREAS for index in range(12)}
    parts = [_commit("Begin", 0, period.previous().start - timedelta(days=1), files)]
    for number in range(1, 2 * merges + 1):
        changed = {}
        for name in chance.sample(sorted(files), chance.randint(1, 9)):
            lines = files[name].splitlines()
            at = chance.randrange(len(lines))
            lines[at : at + chance.randint(0, 6)] = _lines(chance, chance.randint(1, 40)).splitlines()
            changed[name] = files[name] = "\n".join(lines) + "\n"
        title = f"[{chance.choice(AREAS)}] {chance.choice(VERBS)} part {chance.randint(1, 99)} (#{number})"
        parts.append(_commit(title, number, period.previous().start + number * step - timedelta(seconds=1), changed))
    return "".join(parts)


def _lines(chance: random.Random, count: int) -> str:
    return "".join(f"value_{chance.randrange(10**6)} = compute({chance.randrange(10**4)})\n" for _ in range(count))


def _commit(title: str, number: int, at: datetime, files: dict[str, str]) -> str:
    stamp = f"Ada Example <ada@example.invalid> {int(at.timestamp())} +0000"
    parts = [f"commit refs/heads/main\nmark :{number + 1}\ncommitter {stamp}\ndata {len(title.encode())}\n{title}\n"]
    if number:
        parts.append(f"from :{number}\n")
    for name, text in files.items():
        parts.append(f"M 100644 inline {name}\ndata {len(text.encode())}\n{text}\n")
    return "".join(parts)
