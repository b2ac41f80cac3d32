"""Which repositories the host's API is asked about."""

from __future__ import annotations

from shared.domain.pull_request import RepositoryRef
from shared.settings.model import Settings
from shared.settings.repository import RepositorySettings


def asked_about(settings: Settings, repository: RepositoryRef) -> RepositorySettings | None:
    """Return the settings of a watched repository whose host is asked about it; None when it is not to be asked.

    With no list every repository is watched, on whatever host it is.
    """
    if not settings.watches(repository.full_name):
        return None
    listed = settings.repository(repository.full_name)
    if not settings.repositories:
        listed = listed.model_copy(update={"host": repository.host})
    return listed if listed.host == repository.host and settings.asks_host(listed) else None
