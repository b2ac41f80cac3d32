"""What the receiver works with, made once at the start of its process."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from shared.broker.task_names import TaskName
from shared.domain.protocols import Clock
from shared.settings.model import Settings
from shared.store.session import Database


class Bell(Protocol):
    """What rings for work that is committed; returns at once and never raises (``shared.broker.doorbell``)."""

    def ring(self, task: TaskName, argument: int | str) -> None:
        """Ask for ``task`` with this id."""


@dataclass(frozen=True)
class WebhookRuntime:
    """Settings, database, doorbell and clock of the receiver."""

    settings: Settings
    database: Database
    doorbell: Bell
    clock: Clock

    @property
    def secrets(self) -> tuple[bytes, ...]:
        """The secrets in force; an empty one is none, so that nothing is ever open by an oversight."""
        values = (secret.get_secret_value().encode() for secret in self.settings.webhook.secrets)
        return tuple(value for value in values if value)
