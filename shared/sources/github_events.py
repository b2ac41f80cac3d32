"""Reads the bodies of webhook deliveries: what is it, does it concern us, which merge does it tell of; pure."""

from __future__ import annotations

from typing import Any, Literal, cast, get_args

from shared.domain.errors import Ignored, InvalidInput
from shared.domain.landed import Landed, LandedOf, nothing_landed
from shared.domain.pull_request import DetailSource, PullRequest, RepositoryRef
from shared.domain.value import Value
from shared.redaction import redact_pull_request
from shared.sources.github_payloads import (
    Tree,
    Unfit,
    full_name_of,
    instant,
    items,
    labels_of,
    pull_request_fields,
    repository_of,
    string,
    tree,
    whole,
)
from shared.sources.json_bodies import decoded

Action = Literal["closed", "edited", "labeled", "unlabeled"]
"""The actions of ``pull_request`` that tell something about a merge."""

UNKNOWN_EVENT = "unknown-event"
UNKNOWN_ACTION = "unknown-action"
NOT_MERGED = "not-merged"
IGNORED_REASONS = (UNKNOWN_EVENT, UNKNOWN_ACTION, NOT_MERGED)
"""Every reason that ``parse`` ignores a delivery for."""

_ACTIONS = frozenset(get_args(Action))


class InvalidPayload(InvalidInput):
    """A delivery that is not what GitHub sends: bad UTF-8, bad JSON, a required field missing (HTTP 400)."""


class PingEvent(Value):
    """GitHub's greeting to a new hook; ``problems`` says in sentences what is wrong with the hook (C-05)."""

    hook_id: int | None = None
    zen: str = ""
    events: tuple[str, ...] = ()
    content_type: str | None = None
    repository: RepositoryRef | None = None
    problems: tuple[str, ...] = ()


class MergeEvent(Value):
    """Something happened to a merged pull request.

    ``action`` is ``closed`` for whatever makes a merge, so also for the label that says a closed one has landed.
    """

    action: Action
    pull_request: PullRequest
    installation_id: int | None = None

    @property
    def starts_work(self) -> bool:
        """True for the merge itself; the other actions update the facts of a stored merge (C-09)."""
        return self.action == "closed"


def parse(event: str, body: bytes, landed: LandedOf = nothing_landed) -> PingEvent | MergeEvent:
    """Return what a delivery says: ``event`` is the X-GitHub-Event header, ``body`` the raw bytes.

    ``landed`` knows the repositories whose bots merge by a push, where a closed pull request may be a merge: closed
    by such a bot or with such a label, or labelled so after it was closed. It was merged when it was closed.

    Ignored (with one of ``IGNORED_REASONS``) for authentic deliveries that do not concern us (R-05), InvalidPayload
    for what GitHub never sends. Unknown fields and missing optional ones never matter; text is cleaned (R-41).
    """
    if event == "ping":
        return _ping(_decode(body))
    if event != "pull_request":
        raise Ignored(UNKNOWN_EVENT, "The event is none that Mergecast acts on.")
    return _merge(_decode(body), landed)


def parse_stored(body: bytes, landed: LandedOf = nothing_landed) -> MergeEvent:
    """Return the merge that a stored ``pull_request`` delivery tells of, without secrets; errors as ``parse`` has them.

    The payload itself stays as it was received, and is never shown; everything else begins here (R-71).
    """
    event = _merge(_decode(body), landed)
    return event.model_copy(update={"pull_request": redact_pull_request(event.pull_request)})


def _decode(body: bytes) -> Tree:
    try:
        return decoded(body)
    except Unfit as error:
        raise InvalidPayload(f"The payload {str(error).removeprefix('it ')}.") from error


def _ping(payload: Tree) -> PingEvent:
    hook = tree(payload.get("hook"))
    content_type = string(tree(hook.get("config")).get("content_type"))
    events = tuple(name for name in items(hook.get("events")) if isinstance(name, str))
    return PingEvent(
        hook_id=whole(payload.get("hook_id")) or whole(hook.get("id")),
        zen=string(payload.get("zen")) or "",
        events=events,
        content_type=content_type,
        repository=_optional_repository(payload),
        problems=tuple(_problems(content_type, events)),
    )


def _problems(content_type: str | None, events: tuple[str, ...]) -> list[str]:
    problems = []
    if content_type not in {None, "json"}:
        problems.append(f"The hook sends content type '{content_type}': set it to application/json.")
    if events and not {"pull_request", "*"} & set(events):
        problems.append("The hook does not send pull_request events: tick «Pull requests» in its settings.")
    return problems


def _optional_repository(payload: Tree) -> RepositoryRef | None:
    repository = tree(payload.get("repository"))
    return repository_of(repository) if full_name_of(repository.get("full_name")) else None


def _merge(payload: Tree, landed: LandedOf) -> MergeEvent:
    action = payload.get("action")
    if not isinstance(action, str):
        raise InvalidPayload("The payload has no action.")
    if action not in _ACTIONS:
        raise Ignored(UNKNOWN_ACTION, "The action is none that changes what a merge is.")
    pull = payload.get("pull_request")
    if not isinstance(pull, dict):
        raise InvalidPayload("The payload has no pull_request.")
    if pull.get("merged") is not True and not pull.get("merged_at"):
        action = _landed(payload, pull, action, landed)
    try:
        pull_request = PullRequest(**_fields(payload, pull), detail_source=DetailSource.PAYLOAD)
    except Unfit as error:
        raise InvalidPayload(f"The payload cannot be used: {error}.") from error
    return MergeEvent(
        action=cast("Action", action),
        pull_request=pull_request,
        installation_id=whole(tree(payload.get("installation")).get("id")),
    )


def _landed(payload: Tree, pull: Tree, action: str, landed: LandedOf) -> str:
    """Return what an event of a closed one is when a bot merged it by a push; Ignored when none did (C-09)."""
    full_name = full_name_of(_base_repository(payload, pull).get("full_name"))
    how = landed(full_name) if full_name else Landed()
    if pull.get("state") == "closed" and instant(pull.get("closed_at")):
        if how.by_label(labels_of(pull.get("labels"))):
            said = how.by_label(labels_of([payload.get("label")]))
            return "closed" if action == "labeled" and said else action
        if action == "closed" and how.by_login(string(tree(payload.get("sender")).get("login"))):
            return action
    raise Ignored(NOT_MERGED, "The pull request is not merged.")


def _base_repository(payload: Tree, pull: Tree) -> Tree:
    return tree(payload.get("repository")) or tree(tree(pull.get("base")).get("repo"))


def _fields(payload: Tree, pull: Tree) -> dict[str, Any]:
    """The fields of the pull request; a merge without its own time was merged when it was closed."""
    repository = _base_repository(payload, pull)
    merged_at = next((pull[name] for name in ("merged_at", "closed_at") if instant(pull.get(name))), None)
    number = pull.get("number", payload.get("number"))
    # What GitHub calls the merge commit of one that was not merged is only its trial (C-16).
    trial = {} if instant(pull.get("merged_at")) or pull.get("merged") is True else {"merge_commit_sha": None}
    told = pull | {"merged_at": merged_at, "number": number} | trial
    return pull_request_fields(told, repository_of(repository))
