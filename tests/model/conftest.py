"""The real model of this folder: asked only by ``make test-model``, for it needs packages that no other test does."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.model.small_server import start_server

MARK = "local_llm"
_FOLDER = Path(__file__).parent


def pytest_configure(config: pytest.Config) -> None:
    """Make the mark known where this folder is collected."""
    config.addinivalue_line("markers", f"{MARK}: asks a real small model on this machine; see make test-model")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave these tests out unless they are asked for by their mark."""
    if MARK in config.option.markexpr:
        return
    ours = [item for item in items if _FOLDER in item.path.parents]
    if ours:
        config.hook.pytest_deselected(items=ours)
        items[:] = [item for item in items if item not in ours]


@pytest.fixture(scope="session")
def small_server() -> Any:
    """One server for the session; it ends with the process."""
    return start_server()
