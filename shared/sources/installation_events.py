"""Reads the deliveries that tell of access: the App's installations, and what became of a repository; pure (C-13)."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Literal

from shared.domain.errors import Ignored
from shared.domain.pull_request import RepositoryRef
from shared.domain.value import Value
from shared.sources.github_events import UNKNOWN_ACTION, InvalidPayload
from shared.sources.github_payloads import Tree, Unfit, full_name_of, instant, items, repository_of, string, tree, whole
from shared.sources.json_bodies import decoded

ACCESS_EVENTS = frozenset({"installation", "installation_repositories", "repository"})
"""The events that ``parse`` reads."""

State = Literal["active", "suspended", "deleted"]

_LATEST = 253_402_300_799
"""The last second that a datetime can be."""
_GIVE_ACCESS = frozenset({"created", "unsuspend", "new_permissions_accepted"})
_INSTALLATION_ACTIONS = _GIVE_ACCESS | {"suspend", "deleted"}
_REPOSITORY_ACTIONS = frozenset(
    {"renamed", "transferred", "deleted", "privatized", "publicized", "edited", "archived", "unarchived"}
)


class InstallationEvent(Value):
    """What became of an installation; ``repositories`` are those of which the event says that they can be read now.

    ``told_at`` is the event's own time, None when it has none; ``state`` is None when the event does not tell it.
    """

    action: str
    installation_id: int
    account: str
    state: State | None
    told_at: datetime | None
    repositories: tuple[str, ...] = ()

    @property
    def gives_access(self) -> bool:
        """Whether something may be read now that could not be before."""
        return self.state == "active" or (self.state is None and bool(self.repositories))


class RepositoryEvent(Value):
    """What became of a repository; ``former_name`` is the full name that it had before a rename or a transfer.

    ``told_at`` is when that was so, by the host's clock: an event may be delivered again days later. None when the
    event has no such time.
    """

    action: str
    repository: RepositoryRef
    told_at: datetime | None = None
    former_name: str | None = None


def parse(event: str, body: bytes) -> InstallationEvent | RepositoryEvent:
    """Return what a delivery of one of ``ACCESS_EVENTS`` says; ``body`` are the raw bytes.

    Ignored for actions that change no access, InvalidPayload for what GitHub never sends. Unknown fields and missing
    optional ones never matter; text is cleaned (R-41).
    """
    try:
        payload = decoded(body)
        action = payload.get("action")
        if not isinstance(action, str):
            raise Unfit("it has no action")
        return _repository(action, payload) if event == "repository" else _installation(event, action, payload)
    except Unfit as error:
        raise InvalidPayload(f"The payload cannot be used: {error}.") from error


def _installation(event: str, action: str, payload: Tree) -> InstallationEvent:
    covers = event == "installation_repositories"
    if action not in ({"added"} if covers else _INSTALLATION_ACTIONS):
        raise Ignored(UNKNOWN_ACTION, "The action changes no access.")
    told = tree(payload.get("installation"))
    installation_id = whole(told.get("id"), least=1)
    if installation_id is None:
        raise Unfit("'installation.id' is missing or unusable")
    state = None if covers else _state(action, told)
    times = (_moment(told.get(name)) for name in ("updated_at", "suspended_at"))
    readable = action != "deleted" and not told.get("suspended_at")
    named = items(payload.get("repositories_added" if covers else "repositories")) if readable else []
    return InstallationEvent(
        action=action,
        installation_id=installation_id,
        account=_account(tree(told.get("account"))) or str(installation_id),
        state=state,
        told_at=max((time for time in times if time is not None), default=None),
        repositories=tuple(name for one in named if (name := full_name_of(tree(one).get("full_name")))),
    )


def _account(account: Tree) -> str | None:
    """An enterprise has a slug and no login."""
    return string(account.get("login")) or string(account.get("slug"))


def _state(action: str, told: Tree) -> State:
    """New permissions may be accepted for an installation that stays suspended."""
    if action == "deleted":
        return "deleted"
    return "suspended" if action == "suspend" or told.get("suspended_at") else "active"


def _moment(value: Any) -> datetime | None:
    """The events tell times as text or in seconds since 1970."""
    seconds = whole(value)
    if seconds is not None and seconds <= _LATEST:
        return datetime.fromtimestamp(seconds, UTC)
    return instant(value)


def _repository(action: str, payload: Tree) -> RepositoryEvent:
    if action not in _REPOSITORY_ACTIONS:
        raise Ignored(UNKNOWN_ACTION, "The action changes no access.")
    named = tree(payload.get("repository"))
    told = repository_of(named)
    if action in ("privatized", "publicized"):
        told = told.model_copy(update={"private": action == "privatized"})
    return RepositoryEvent(
        action=action,
        repository=told,
        told_at=_moment(named.get("updated_at")),
        former_name=_former_name(payload, told.full_name),
    )


def _former_name(payload: Tree, full_name: str) -> str | None:
    """``changes`` has the former name of a renamed repository, and the former owner of a transferred one."""
    changes = tree(payload.get("changes"))
    owner, _, name = full_name.rpartition("/")
    former_owner = tree(tree(changes.get("owner")).get("from"))
    logins = (string(tree(former_owner.get(kind)).get("login")) for kind in ("user", "organization"))
    before = string(tree(tree(tree(changes.get("repository")).get("name"))).get("from"))
    former = full_name_of(f"{next(filter(None, logins), owner)}/{before or name}")
    return None if former == full_name else former
