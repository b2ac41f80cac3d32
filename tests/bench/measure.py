"""One measurement and how processes are timed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import psutil

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Measurement:
    """Our figure beside the baseline's, in the same unit."""

    what: str
    ours: float
    baseline: float
    beside: str
    unit: str = "s"
    aim: str = ""

    @property
    def ratio(self) -> float:
        """Ours divided by the baseline."""
        return self.ours / self.baseline

    def shown(self, figure: float) -> str:
        """The figure with its unit."""
        return f"{figure:,.2f} {self.unit}" if figure < 100 else f"{figure:,.0f} {self.unit}"


def seconds_of(command: Sequence[str], **environment: str) -> float:
    """Run ``command`` with its output thrown away and return its wall time; a failing baseline still took its time."""
    started = time.perf_counter()
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    subprocess.run(command, **quiet, check=False, cwd=ROOT, env=os.environ | environment)
    return time.perf_counter() - started


def peak_megabytes(code: str, *arguments: str) -> float:
    """Run Python ``code`` in a fresh process and return the largest resident size seen, its children included."""
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments], cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    peak = 0
    watched = psutil.Process(process.pid)
    while process.poll() is None:
        try:
            family = [watched, *watched.children(recursive=True)]
            peak = max(peak, sum(member.memory_info().rss for member in family if member.is_running()))
        except psutil.NoSuchProcess:
            continue
        time.sleep(0.02)
    if process.returncode:
        raise RuntimeError(f"the measured process failed with {process.returncode}")
    return peak / 1024**2
