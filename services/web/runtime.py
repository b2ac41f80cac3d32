"""What the API works with, made once at the start of its process."""

from __future__ import annotations

from dataclasses import dataclass

from shared.domain.errors import InvalidInput
from shared.domain.period import Period, parse_week
from shared.domain.protocols import Clock
from shared.problems import Fault, Problem
from shared.settings.model import Settings
from shared.store import repositories
from shared.store.convention_files import settings_in_force
from shared.store.session import Database


@dataclass(frozen=True)
class WebRuntime:
    """Settings, database and clock of the API."""

    settings: Settings
    database: Database
    clock: Clock

    def week(self, repository: str, week: str, host: str) -> Period:
        """Return the week in the zone of the repository's digests; Problem 422 when it is no ISO week."""
        with self.database.reading() as session:
            row = repositories.find(session, repository, host)
            listed = settings_in_force(session, self.settings, row, repository) if row is not None else None
        zone = (listed or self.settings.repository(repository)).timezone or self.settings.digest.timezone
        try:
            return parse_week(week, zone)
        except InvalidInput as error:
            fault = Fault(field="path.week", message=error.message)
            raise Problem(422, "invalid-request", error.message, error.way_out, faults=[fault]) from error
