"""The hourly limits: what each caller has used of which resource, and what every answer says about it (R-50)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from tests.servers.github.exchange import Refusal

if TYPE_CHECKING:
    from tests.servers.github.credentials import Credential
    from tests.servers.github.world import World

WINDOW = timedelta(hours=1)


@dataclass
class Window:
    """One caller's hour of one resource."""

    limit: int
    used: int
    reset: int

    @property
    def remaining(self) -> int:
        """What is left until the reset."""
        return max(0, self.limit - self.used)

    @property
    def reset_at(self) -> datetime:
        """The moment of the reset."""
        return datetime.fromtimestamp(self.reset, UTC)

    def headers(self, resource: str) -> dict[str, str]:
        """Return the five headers."""
        return {
            "X-RateLimit-Limit": str(self.limit),
            "X-RateLimit-Remaining": str(self.remaining),
            "X-RateLimit-Used": str(self.used),
            "X-RateLimit-Reset": str(self.reset),
            "X-RateLimit-Resource": resource,
        }

    def shape(self) -> dict[str, int]:
        """Return the form of ``GET /rate_limit``."""
        return {"limit": self.limit, "used": self.used, "remaining": self.remaining, "reset": self.reset}


class Limits:
    """The windows of all callers."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._windows: dict[tuple[str, str], Window] = {}

    def window(self, credential: Credential, resource: str) -> Window:
        """Return the running hour of a caller, a new one when the last has ended."""
        now = int(self._world.now.timestamp())
        limit = credential.graphql_limit if resource == "graphql" else credential.limit
        found = self._windows.get((credential.name, resource))
        if found is None or found.reset <= now:
            found = self._windows[credential.name, resource] = Window(limit, 0, now + int(WINDOW.total_seconds()))
        found.limit = limit
        return found

    def check(self, credential: Credential) -> None:
        """Refuse a caller that has used up its REST requests."""
        window = self.window(credential, "core")
        if window.remaining == 0:
            whom = "127.0.0.1" if credential.name == "anonymous" else credential.name.replace(":", " ID ")
            raise Refusal(self._world.limit_status, f"API rate limit exceeded for {whom}.")
