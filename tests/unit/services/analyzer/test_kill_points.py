"""The hook of the tests does nothing unless the environment arms exactly this point."""

from __future__ import annotations

import os
import signal

import pytest

from services.analyzer import kill_points
from services.analyzer.kill_points import BATCH_POINTS, POINTS, READING_POINTS, VARIABLE, reach
from shared.settings import load_settings


@pytest.fixture
def sent(monkeypatch) -> list[int]:
    """The signals that the process would have sent itself."""
    signals: list[int] = []
    monkeypatch.setattr(kill_points.os, "kill", lambda pid, number: signals.append(number if pid == os.getpid() else 0))
    return signals


def test_r11_without_the_variable_no_point_does_anything(sent, monkeypatch):
    monkeypatch.delenv(VARIABLE, raising=False)
    for point in (*POINTS, *READING_POINTS, *BATCH_POINTS):
        reach(point, 1)
    assert sent == []


@pytest.mark.parametrize(
    ("armed", "point", "number", "expected"),
    [
        ("after-load", "after-load", 7, [signal.SIGKILL]),
        ("after-load", "after-claim", 7, []),
        ("after-load@7", "after-load", 7, [signal.SIGKILL]),
        ("after-load@7", "after-load", 8, []),
        ("after-load@7", "after-load", None, []),
        ("before-send@7", "before-send", 7, [signal.SIGKILL]),
        ("batch-begun", "batch-begun", None, [signal.SIGKILL]),
        ("after-load@7=STOP", "after-load", 7, [signal.SIGSTOP]),
        ("after-claim@1,after-load@7", "after-load", 7, [signal.SIGKILL]),
    ],
)
def test_r11_a_point_strikes_where_it_is_armed(sent, monkeypatch, armed, point, number, expected):
    monkeypatch.setenv(VARIABLE, armed)
    reach(point, number)
    assert sent == expected


def test_c67_a_point_may_take_memory_until_there_is_none(sent, monkeypatch):
    """Here the 30th bite is one too many; no process ends by its own hand."""
    left = iter(range(29))

    def chew(_seconds: float) -> None:
        if next(left, None) is None:
            raise MemoryError

    monkeypatch.setattr(kill_points, "_BITE", 1)
    monkeypatch.setattr(kill_points.time, "sleep", chew)
    monkeypatch.setenv(VARIABLE, "after-load@7=MEMORY")
    reach("after-load", 8)
    with pytest.raises(MemoryError):
        reach("after-load", 7)
    assert sent == []
    assert list(left) == []


def test_r11_a_file_counts_the_times_down(sent, monkeypatch, tmp_path):
    file = tmp_path / "times"
    file.write_bytes(b"..")
    monkeypatch.setenv(VARIABLE, f"before-commit:{file}")
    for _ in range(5):
        reach("before-commit", 1)
    assert sent == [signal.SIGKILL] * 2
    assert file.read_bytes() == b""


def test_an_unknown_point_is_an_error_and_not_a_test_that_proves_nothing(sent, monkeypatch):
    monkeypatch.setenv(VARIABLE, "after-lunch")
    with pytest.raises(ValueError, match="after-lunch"):
        reach("after-claim", 1)


def test_no_settings_file_can_arm_a_point(sent, monkeypatch, tmp_path):
    monkeypatch.delenv(VARIABLE, raising=False)
    settings = tmp_path / "mergecast.toml"
    settings.write_text("")
    load_settings(settings, {VARIABLE: "after-claim"})
    reach("after-claim", 1)
    assert sent == []
