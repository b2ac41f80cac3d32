"""The command line in a process and a world of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from services.cli import main

ROOT = Path(__file__).parents[3]
Answer = subprocess.CompletedProcess[str]
Mergecast = Callable[..., Answer]


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """No setting of whoever runs the tests reaches the command."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("MERGECAST_", "XDG_", "GIT_"))}
    return kept | {
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "HOME": str(tmp_path),
        "PYTHONPATH": str(ROOT),
        "PYTHONWARNINGS": "error",
        "COLUMNS": "80",
    }


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """The folder that the command runs in: an empty one."""
    folder = tmp_path / "here"
    folder.mkdir()
    return folder


@pytest.fixture
def mergecast(
    here: Path, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Mergecast:
    """Run ``mergecast`` with these arguments inside this process, and return what it answered."""

    def run(*arguments: str | bytes | Path, **extra: str) -> Answer:
        words = [os.fsdecode(argument) for argument in arguments]
        with monkeypatch.context() as patch:
            patch.chdir(here)
            for name in os.environ:
                if name not in environment:
                    patch.delenv(name)
            for name, value in (environment | extra).items():
                patch.setenv(name, value)
            patch.setattr(sys, "argv", ["mergecast", *words])
            capsys.readouterr()
            with pytest.raises(SystemExit) as stop:
                main.run()
        told = capsys.readouterr()
        return subprocess.CompletedProcess(words, int(stop.value.code or 0), told.out, told.err)

    return run


@pytest.fixture
def mergecast_process(here: Path, environment: dict[str, str]) -> Mergecast:
    """Run ``mergecast`` with these arguments in a process of its own, and return what it answered."""

    def run(*arguments: str | bytes | Path, **extra: str) -> Answer:
        return subprocess.run(
            [sys.executable, "-m", "services.cli.main", *arguments],
            cwd=here,
            env=environment | extra,
            capture_output=True,
            text=True,
            errors="surrogateescape",
            timeout=100,
            check=False,
        )

    return run


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A small clone with two squash merges in week 2026-W19."""
    folder = tmp_path / "clone"
    git(folder.parent, "init", "-q", "-b", "main", str(folder))
    git(folder, "remote", "add", "origin", "https://github.com/some/where.git")
    for number, day in ((1, 5), (2, 6)):
        (folder / f"part{number}.py").write_text(f"value = {number}\n")
        git(folder, "add", ".")
        git(folder, "commit", "-q", "-m", f"Add part {number} (#{number})", at=f"2026-05-0{day}T12:00:00Z")
    return folder


def git(folder: Path, *arguments: str, at: str = "2026-05-04T12:00:00Z") -> None:
    """Run git with a fixed author and time, and no configuration of the machine."""
    environment = {
        "PATH": os.environ["PATH"],
        "HOME": str(folder),
        "GIT_CONFIG_NOSYSTEM": "1",
        **{
            f"GIT_{role}_{name}": value
            for role in ("AUTHOR", "COMMITTER")
            for name, value in (("NAME", "Ada"), ("EMAIL", "ada@example.org"), ("DATE", at))
        },
    }
    subprocess.run(["git", "-C", str(folder), *arguments], env=environment, check=True, capture_output=True)
