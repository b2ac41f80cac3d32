"""A long backfill that is killed twice: ``make soak``. Exit code 1 unless nothing is missing or doubled, within bounds."""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psutil
from sqlalchemy import func, select
from sqlmodel import col

from shared.store import repositories
from shared.store.session import Database
from shared.store.tables import AnalysisRow, DeliveryRow, PullRequestRow
from tests.faults.processes import ROOT
from tests.servers.github import GitHubServer, World
from tests.servers.github.conversation import FileSpec
from tests.servers.lifetime import end_with_parent

FULL_NAME = "acme/engine"
SINCE = datetime(2025, 6, 1, tzinfo=UTC)
UNTIL = datetime(2026, 6, 1, tzinfo=UTC)
MEMORY = 300_000_000
"""Bytes that the command may hold."""
MOST_REQUESTS = 4.0
"""Requests a merge, pages of the listing and repeated work after kills included."""
_SAMPLE = 0.2


@dataclass(frozen=True)
class Ledger:
    """What the host has, what the store has, and what it took."""

    merged: frozenset[int]
    captured: frozenset[int]
    with_details: int
    analyses_twice: int
    undone: int
    requests: int
    kills: int
    most_memory: int
    seconds: float
    told: str

    @property
    def whole(self) -> bool:
        """Whether nothing is missing, doubled, left over or out of bounds."""
        return (
            self.captured == self.merged
            and self.with_details == len(self.merged)
            and not self.analyses_twice
            and not self.undone
            and self.most_memory < MEMORY
            and self.requests <= MOST_REQUESTS * len(self.merged)
        )

    def lines(self) -> list[str]:
        """Say it for people."""
        return [
            (
                f"{len(self.captured & self.merged)} of {len(self.merged)} merges captured, "
                f"{len(self.captured - self.merged)} that are none, {self.with_details} with their files"
            ),
            f"{self.analyses_twice} analysed twice, {self.undone} left undone, {self.kills} kills",
            (
                f"{self.requests / max(len(self.merged), 1):.2f} requests a merge, "
                f"at most {self.most_memory / 1e6:.0f} MB, {self.seconds:.0f} s"
            ),
        ]


def run(merges: int, kills: int, folder: Path, within: float) -> Ledger:
    """Backfill ``merges`` merges, killing the command ``kills`` times on the way; TimeoutError after ``within`` s."""
    began = time.monotonic()
    world = invented(merges)
    repository = world.repository_named(FULL_NAME)
    assert repository is not None
    merged = frozenset(
        number for number, pull in repository.pulls.items() if pull.merged_at and SINCE <= pull.merged_at < UNTIL
    )
    with GitHubServer(world=world) as github:
        command = _Command(github.api_url, world.token("reader", limit=10**6, graphql_limit=10**6).value, folder)
        for kill in range(1, kills + 1):
            command.start()
            at = len(merged) * kill // (kills + 1)
            command.wait_for(lambda at=at: _asked_for(github) >= at, within)
            command.kill()
        command.start()
        command.wait_for(None, within)
        requests = len(github.log)
    return _ledger(folder, merged, command, requests, kills, time.monotonic() - began)


def invented(merges: int) -> World:
    """A repository whose year has so many merges, among others that were closed, or merged before and after it."""
    world = World()
    world.deliver_automatically = False
    repository = world.add_repository(FULL_NAME, id=5_000_000_001)
    step = (UNTIL - SINCE) / merges
    for place in range(merges):
        at = SINCE + step * place
        pull = repository.open_pull(
            f"[Core] Keep the order of queue {place}",
            author=f"dev{place % 97}",
            created_at=at - timedelta(hours=5),
            files=[FileSpec(f"src/part{place % 40}.py", patch=f"@@ -1 +1 @@\n-before {place}\n+after {place}")],
        )
        pull.review("alice", "APPROVED", "Good.", at=at - timedelta(hours=1))
        pull.merge(at=at)
        if place % 5 == 0:
            repository.open_pull("Never merged", created_at=at).close(at=at)
        if place % 50 == 0:
            repository.open_pull("Before it", created_at=SINCE - timedelta(days=9)).merge(at=SINCE - timedelta(days=2))
            pull.touch(at=UNTIL + timedelta(days=3))
    repository.open_pull("At the very end", created_at=UNTIL).merge(at=UNTIL)
    return world


class _Command:
    """``mergecast backfill`` in a process of its own, started again after each kill."""

    def __init__(self, api_url: str, token: str, folder: Path) -> None:
        self.most_memory = 0
        self.output = folder / "backfill.log"
        self._process: subprocess.Popen[bytes] | None = None
        self._environment = {name: value for name, value in os.environ.items() if not name.startswith("MERGECAST_")} | {
            "MERGECAST_DATA_FOLDER": str(folder / "data"),
            "MERGECAST_GITHUB__HOST": "github.example",
            "MERGECAST_GITHUB__API_URL": api_url,
            "MERGECAST_GITHUB__TOKEN": token,
            "MERGECAST_WORKER__LEASE": "4",
            "MERGECAST_WORKER__RENEW_EVERY": "1",
        }

    def start(self) -> None:
        arguments = [sys.executable, "-m", "services.cli.main", "backfill", FULL_NAME]
        with self.output.open("ab") as log:
            self._process = subprocess.Popen(
                [*arguments, "--since", f"{SINCE:%Y-%m-%d}", "--until", f"{UNTIL:%Y-%m-%d}"],
                env=self._environment,
                cwd=ROOT,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                preexec_fn=end_with_parent,  # noqa: PLW1509 - one call to the kernel, no lock is taken
            )

    def wait_for(self, reached: Callable[[], bool] | None, within: float) -> None:
        """Watch its memory until ``reached``, or until it ends; AssertionError when it ends otherwise than with 0."""
        assert self._process is not None
        deadline = time.monotonic() + within
        watched = psutil.Process(self._process.pid)
        pause = threading.Event()
        while self._process.poll() is None:
            if reached is not None and reached():
                return
            if time.monotonic() > deadline:
                self.kill()
                raise TimeoutError(f"The backfill did not get there within {within:.0f} s:\n{self.said()}")
            try:
                self.most_memory = max(self.most_memory, watched.memory_info().rss)
            except psutil.NoSuchProcess:
                break
            pause.wait(_SAMPLE)
        if self._process.wait() or reached is not None:
            raise AssertionError(f"The backfill ended with {self._process.returncode}:\n{self.said()}")

    def kill(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGKILL)
        self._process.wait()

    def said(self) -> str:
        return self.output.read_text("utf-8", "replace")[-4000:]


def _asked_for(github: GitHubServer) -> int:
    return sum(request.path.endswith("/files") for request in list(github.log))


def _ledger(
    folder: Path, merged: frozenset[int], command: _Command, requests: int, kills: int, seconds: float
) -> Ledger:
    database = Database(f"sqlite:///{folder / 'data' / 'mergecast.sqlite3'}")
    row = PullRequestRow
    with database.reading() as session:
        repository_id = repositories.find(session, FULL_NAME, "github.example")
        rows = session.execute(
            select(col(row.number), col(row.details).is_not(None)).where(
                col(row.repository_id) == repository_id, col(row.captured)
            )
        ).all()
        analysed = Counter(session.scalars(select(col(AnalysisRow.pull_request_id))))
        undone = session.scalar(select(func.count()).where(col(DeliveryRow.status) != "done"))
    database.dispose()
    return Ledger(
        merged=merged,
        captured=frozenset(number for number, _ in rows),
        with_details=sum(detailed for _, detailed in rows),
        analyses_twice=sum(count > 1 for count in analysed.values()),
        undone=undone or 0,
        requests=requests,
        kills=kills,
        most_memory=command.most_memory,
        seconds=seconds,
        told=command.said(),
    )


def main() -> int:
    """Run it at full size; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults.backfill", description=__doc__)
    parser.add_argument("--merges", type=int, default=17_000)
    parser.add_argument("--kills", type=int, default=2)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mcbf-", ignore_cleanup_errors=True) as folder:
        ledger = run(chosen.merges, chosen.kills, Path(folder), within=7200)
    sys.stdout.write("\n".join([*ledger.lines(), "whole" if ledger.whole else f"not whole:\n{ledger.told}"]) + "\n")
    return 0 if ledger.whole else 1


if __name__ == "__main__":
    sys.exit(main())
