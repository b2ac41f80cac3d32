"""Servers for tests do not outlive the test run, even one that is killed."""

from __future__ import annotations

import ctypes
import signal
import sys

_PR_SET_PDEATHSIG = 1


def end_with_parent() -> None:
    """Ask the kernel to end this process when its parent is gone; runs in the child, between fork and exec."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGQUIT)
