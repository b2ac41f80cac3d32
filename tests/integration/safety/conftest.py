"""A database of their own for runs that several tests look at."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from itertools import count
from pathlib import Path

import pytest

_numbers = count(1)

Place = Callable[[], tuple[Path, str]]
"""Makes a folder with a migrated database in it, and returns both."""


@pytest.fixture(scope="module")
def place(sqlite_template: Path, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """Makes a place for one run of the service."""

    def made() -> tuple[Path, str]:
        folder = tmp_path_factory.mktemp(f"week{next(_numbers)}")
        shutil.copyfile(sqlite_template, folder / "mergecast.sqlite3")
        return folder, f"sqlite:///{folder / 'mergecast.sqlite3'}"

    return made
