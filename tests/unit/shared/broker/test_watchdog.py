"""The watchdog ends a deaf worker, and no other: decided with a clock that is moved by hand."""

from __future__ import annotations

from datetime import timedelta

import pytest

from shared.broker.task_names import TaskName
from shared.broker.watchdog import Watch, Watchdog

PATIENCE = 120.0
STEP = 10.0


class World:
    """A worker with its database, broker and clock; ``unattended`` grows with the time while it is not None."""

    def __init__(self) -> None:
        self.seconds = 1000.0
        self.unattended: float | None = None
        self.database_is_away = False
        self.broker_is_away = False
        self.rung: list[TaskName] = []
        self.ended: list[float] = []
        watch = Watch(self.ask, TaskName.SWEEP_DELIVERIES, timedelta(seconds=PATIENCE))
        self.dog = Watchdog(
            watch, self.ping, self.rung.append, lambda: self.ended.append(self.seconds), lambda: self.seconds
        )

    def ask(self) -> timedelta | None:
        if self.database_is_away:
            raise ConnectionError
        return None if self.unattended is None else timedelta(seconds=self.unattended)

    def ping(self) -> None:
        if self.broker_is_away:
            raise ConnectionError

    def goes_on(self, seconds: float) -> None:
        """Look every ten seconds for so long, or until it has ended the process."""
        for _ in range(int(seconds / STEP)):
            self.seconds += STEP
            if self.unattended is not None:
                self.unattended += STEP
            try:
                self.dog.look()
            except ConnectionError:
                continue
            if self.ended:
                return


def test_r21_c65_a_worker_that_hears_nothing_for_two_minutes_is_ended():
    world = World()
    world.unattended = 0.0

    world.goes_on(110)
    assert world.ended == []
    world.goes_on(10)

    assert world.ended == [1120.0]


def test_r21_half_way_the_sweep_is_rung_once_so_that_a_missing_beat_is_no_deafness():
    world = World()
    world.unattended = 0.0
    world.goes_on(50)
    assert world.rung == []
    world.goes_on(50)
    assert world.rung == [TaskName.SWEEP_DELIVERIES]

    world.unattended = None  # somebody heard it
    world.goes_on(600)
    assert (world.rung, world.ended) == ([TaskName.SWEEP_DELIVERIES], [])


def test_r21_a_worker_that_has_just_started_is_given_its_time_whatever_waited_before():
    world = World()
    world.unattended = 86_400.0

    world.goes_on(110)

    assert world.ended == []


@pytest.mark.parametrize("away", ["broker", "database"])
def test_r21_while_broker_or_database_are_away_nobody_is_deaf_and_afterwards_the_time_counts_anew(away):
    world = World()
    world.unattended = 0.0
    setattr(world, f"{away}_is_away", True)
    world.goes_on(3600)
    setattr(world, f"{away}_is_away", False)

    world.goes_on(110)
    assert world.ended == []
    world.goes_on(10)
    assert len(world.ended) == 1


def test_r21_a_process_that_was_stopped_itself_is_given_its_time():
    world = World()
    world.goes_on(60)
    world.seconds += 600
    world.unattended = 600.0

    world.goes_on(100)

    assert world.ended == []


def test_nothing_due_is_no_silence():
    world = World()
    world.goes_on(3600)

    assert (world.rung, world.ended) == ([], [])
