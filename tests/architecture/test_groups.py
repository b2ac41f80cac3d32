"""Tests of one group run in one process: else servers fight for the cores, and weeks are made twice."""

from __future__ import annotations

import os

import pytest


@pytest.mark.xdist_group("groups")
def test_the_processes_of_a_parallel_run_are_told_of_groups(request: pytest.FixtureRequest) -> None:
    """pytest-xdist tells them by the end of a test's name; with pytest 9.2 it silently does not."""
    assert request.node.nodeid.endswith("@groups") == ("PYTEST_XDIST_WORKER" in os.environ)
