"""One line of the timetable: which task is rung, and how often."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from shared.broker.task_names import TaskName


@dataclass(frozen=True)
class Periodic:
    """A task without arguments that beat rings every ``every``; what is due is decided by the database, not by beat."""

    task: TaskName
    every: timedelta
