"""The deliveries of a webhook as the host remembers them, and asking for one again; by itself it repeats none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, get_args

from shared.code_host import CodeHost, path_of
from shared.domain.pull_request import DEFAULT_HOST, RepositoryRef
from shared.domain.value import Value
from shared.sources.github_events import Action
from shared.sources.github_payloads import instant, items, string, tree, whole

_KEPT = timedelta(days=3)
_KEPT_BY_SERVER = timedelta(days=7)
_TELLS = frozenset(get_args(Action))
"""Actions of ``pull_request`` that may tell of a merge; the others are answered and forgotten."""
_PAGE = "100"


class HookDelivery(Value):
    """One attempt to deliver an event; every attempt of one event has the same ``guid``."""

    id: int
    guid: str
    source: str
    """Who sent it, as the inbox names it."""
    delivered_at: datetime
    arrived: bool
    """Whether it was answered with a 2xx."""
    repeated: bool
    """Whether somebody had asked for it to be delivered again."""


@dataclass(frozen=True)
class HookLog:
    """Where the deliveries of one hook are listed: that of the App, or one of the repository's own."""

    path: str
    hook: int | None = None
    """The repository's own hook; None: the App's."""

    @property
    def as_app(self) -> bool:
        """Whether the App itself has to ask."""
        return self.hook is None


APP_LOG = HookLog("/app/hook/deliveries")


def kept_for(host: str) -> timedelta:
    """Return for how long a host lists and repeats deliveries, by its name.

    Three days on github.com and on GHE.com, seven on a GitHub Enterprise Server (docs.github.com, "Redelivering
    webhooks" of each; R-07).
    """
    cloud = host == DEFAULT_HOST or host.endswith(".ghe.com")
    return _KEPT if cloud else _KEPT_BY_SERVER


def hook_log(repository: RepositoryRef, hook: int) -> HookLog:
    """Return the log of one of the repository's own hooks."""
    return HookLog(f"{path_of(repository)}/hooks/{hook}/deliveries", hook)


def failed_deliveries(
    host: CodeHost, log: HookLog, repository: RepositoryRef, since: datetime, go_on: Callable[[], bool]
) -> list[HookDelivery]:
    """Return the last attempt, where that failed, of each event of ``repository`` delivered after ``since``.

    Oldest first; only events that tell of merges or of the repository itself, and none that was repeated already: the
    listing has its merge. ``go_on`` is asked before each page, newest first: when it says no, what was listed so far
    has to do. The host's errors pass: Absent and Parked say that the credential may not look.
    """
    last: dict[str, HookDelivery] = {}
    for delivery in _listed(host, log, repository, since, go_on):
        last.setdefault(delivery.guid, delivery)
    failed = [one for one in last.values() if not (one.arrived or one.repeated)]
    return sorted(failed, key=lambda one: (one.delivered_at, one.id))


def ask_again(host: CodeHost, log: HookLog, delivery: HookDelivery, repository: RepositoryRef) -> None:
    """Ask the host to deliver it again: once, with the same GUID; Absent when the host has forgotten it."""
    host.act(f"{log.path}/{delivery.id}/attempts", about=repository, as_app=log.as_app)


def _listed(
    host: CodeHost, log: HookLog, repository: RepositoryRef, since: datetime, go_on: Callable[[], bool]
) -> Iterator[HookDelivery]:
    """Newest first, page by page, until they are older than ``since``."""
    parameters: Mapping[str, str] | None = {"per_page": _PAGE}
    while parameters is not None and go_on():
        answer = host.read(log.path, parameters, about=repository, as_app=log.as_app)
        oldest = None
        for item in items(answer.body):
            oldest = instant(tree(item).get("delivered_at")) or oldest
            delivery = _delivery(tree(item), log, repository)
            if delivery is not None and delivery.delivered_at >= since:
                yield delivery
        parameters = answer.next if oldest is not None and oldest >= since else None


def _delivery(item: dict[str, Any], log: HookLog, repository: RepositoryRef) -> HookDelivery | None:
    """None for what tells nothing of this repository, and for what cannot be read."""
    ours = item.get("repository_id") == repository.id or (item.get("repository_id") is None and not log.as_app)
    event = string(item.get("event"))
    if not ours or not (event == "repository" or (event == "pull_request" and item.get("action") in _TELLS)):
        return None
    identity, guid, at = whole(item.get("id")), string(item.get("guid")), instant(item.get("delivered_at"))
    if identity is None or guid is None or at is None:
        return None
    installation = whole(item.get("installation_id"))
    source = f"installation:{installation}" if installation is not None else f"hook:{log.hook}"
    status = whole(item.get("status_code")) or 0
    return HookDelivery(
        id=identity,
        guid=guid,
        source=source,
        delivered_at=at,
        arrived=200 <= status < 300,
        repeated=item.get("redelivery") is True,
    )
