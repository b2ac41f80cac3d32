"""Fixtures of the tests of kept clones: a repository to clone, a clock, the program git found anew."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from shared.sources.git_history import commands
from tests.git_repository import MONDAY, GitRepository
from tests.integration.clones.remotes import SlowSsh


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    """A repository with a few merges, as the host has it."""
    made = GitRepository(tmp_path / "host" / "lumen")
    for number in range(1, 4):
        made.commit(f"Change (#{number})", {"a.py": f"x = {number}\n"}, at=MONDAY + timedelta(hours=number))
    return made


@pytest.fixture
def ssh(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> SlowSsh:
    """An ssh that serves this machine's repositories, and hangs when it is told to."""
    made = SlowSsh(tmp_path / "ssh")
    monkeypatch.setenv("GIT_SSH_COMMAND", str(made.program))
    return made


@pytest.fixture(autouse=True)
def _git_is_looked_for_again() -> Iterator[None]:
    commands.git.cache_clear()
    yield
    commands.git.cache_clear()
