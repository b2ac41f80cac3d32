"""Records the runs that the tests score again: ``python -m tests.evals.record fair`` (or ``obey``, ``small``)."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from services.cli import main
from services.cli.evaluation.labels import SET
from tests.evals.fair_answers import by_title
from tests.model.small_server import KEY, NAME, start_server
from tests.servers.model.server import ModelServer

RECORDED = Path(__file__).parent / "recorded"


@contextmanager
def _fair() -> Iterator[tuple[str, str]]:
    with ModelServer(answer=by_title) as server:
        yield "fair", server.url


@contextmanager
def _obey() -> Iterator[tuple[str, str]]:
    with ModelServer("obey") as server:
        yield "obey", server.url


@contextmanager
def _small() -> Iterator[tuple[str, str]]:
    server = start_server(slots=1)
    yield NAME, f"{server.listening_address}/v1"


RUNS: dict[str, Callable[[], AbstractContextManager[tuple[str, str]]]] = {"fair": _fair, "obey": _obey, "small": _small}
SMALL = {"INPUT_TOKENS": "3000", "OUTPUT_TOKENS": "900", "DEADLINE": "230", "CONCURRENCY": "1", "API_KEY": KEY}
SHORTEST = 4
"""Cases that the small model is asked about: without a graphics card each takes it minutes."""


def record(kind: str, *arguments: str) -> None:
    """Ask one of the models about every case, the small one about the shortest, and keep what it answers."""
    with tempfile.TemporaryDirectory() as folder, RUNS[kind]() as (name, url):
        settings = {"NAME": name, "BASE_URL": url, **(SMALL if kind == "small" else {})}
        os.environ |= {f"MERGECAST_MODEL__{setting}": value for setting, value in settings.items()}
        os.environ["MERGECAST_DATA_FOLDER"] = folder
        asked = _shortest(Path(folder)) if kind == "small" else SET
        sys.argv = ["mergecast", "eval", "--set", str(asked), "--output", str(RECORDED / f"{kind}.json"), *arguments]
        main.run()


def _shortest(folder: Path) -> Path:
    lines = sorted(SET.read_bytes().splitlines(keepends=True), key=len)[:SHORTEST]
    chosen = folder / "shortest.jsonl"
    chosen.write_bytes(b"".join(lines))
    return chosen


if __name__ == "__main__":
    record(*sys.argv[1:])
