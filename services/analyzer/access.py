"""Parks deliveries whose installation gives no access, before the host is asked anything (C-13)."""

from __future__ import annotations

from shared.domain.errors import Parked
from shared.settings import Settings
from shared.store import installations
from shared.store.deliveries import Claim
from shared.store.installations import Installation
from shared.store.session import Session

_WAYS_OUT = {
    "suspended": "Unsuspend it in the settings of that account on GitHub: its deliveries go on by themselves.",
    "deleted": "Install the App there again: its deliveries go on by themselves.",
}


def refused(session: Session, settings: Settings, claim: Claim, full_name: str) -> Parked | None:
    """Return why the host may not be asked about this delivery, or None when it may.

    Where the host is not asked with the App's installations at all (a personal token, a source of another kind only)
    their state stops nothing.
    """
    if not (settings.github.app_id and settings.asks_host(settings.repository(full_name))):
        return None
    blocked = installations.blocked(session, claim.source)
    return None if blocked is None else _parked(blocked)


def _parked(blocked: Installation) -> Parked:
    since = f"{blocked.since:%Y-%m-%d %H:%M} UTC"
    told = f"The App's installation {blocked.id} for '{blocked.account}' is {blocked.state} since {since}."
    return Parked(told, _WAYS_OUT[blocked.state])
