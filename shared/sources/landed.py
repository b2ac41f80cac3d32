"""How landed pull requests are told in each repository, from the settings."""

from __future__ import annotations

from shared.domain.landed import Landed, LandedOf
from shared.settings import Settings


def landed_of(settings: Settings) -> LandedOf:
    """Return the function that answers for every repository of these settings."""

    def landed(full_name: str) -> Landed:
        listed = settings.repository(full_name)
        return Landed.of(listed.landed_labels, listed.landed_by)

    return landed
