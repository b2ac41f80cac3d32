"""Reads the bodies of webhook deliveries: what is it, does it concern us, which merge does it tell of; pure."""

from __future__ import annotations

import json
import re
from typing import Any, Literal, NoReturn, cast, get_args

from shared.domain.errors import Ignored, InvalidInput
from shared.domain.pull_request import DetailSource, PullRequest, RepositoryRef
from shared.domain.text import clean_tree
from shared.domain.value import Value
from shared.sources.github_payloads import (
    Tree,
    Unfit,
    full_name_of,
    instant,
    items,
    pull_request_fields,
    repository_of,
    string,
    tree,
    whole,
)

Action = Literal["closed", "edited", "labeled", "unlabeled"]
"""The actions of ``pull_request`` that tell something about a merge."""

UNKNOWN_EVENT = "unknown-event"
UNKNOWN_ACTION = "unknown-action"
NOT_MERGED = "not-merged"
IGNORED_REASONS = (UNKNOWN_EVENT, UNKNOWN_ACTION, NOT_MERGED)
"""Every reason that ``parse`` ignores a delivery for."""

_ACTIONS = frozenset(get_args(Action))
_ESCAPES_TO_CLEAN = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")
"""JSON has NUL and surrogates only as escapes: a body without these needs no cleaning, which costs most of reading."""


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
    """Something happened to a merged pull request."""

    action: Action
    pull_request: PullRequest
    installation_id: int | None = None

    @property
    def starts_work(self) -> bool:
        """True for the merge itself; the other actions update the facts of a stored merge (C-09)."""
        return self.action == "closed"


def parse(event: str, body: bytes) -> PingEvent | MergeEvent:
    """Return what a delivery says: ``event`` is the X-GitHub-Event header, ``body`` the raw bytes.

    Ignored (with one of ``IGNORED_REASONS``) for authentic deliveries that do not concern us (R-05), InvalidPayload
    for what GitHub never sends. Unknown fields and missing optional ones never matter; text is cleaned (R-41).
    """
    if event == "ping":
        return _ping(_decode(body))
    if event != "pull_request":
        raise Ignored(UNKNOWN_EVENT, "The event is none that Mergecast acts on.")
    return _merge(_decode(body))


def parse_stored(body: bytes) -> MergeEvent:
    """Return the merge that a stored ``pull_request`` delivery tells of; the same errors as ``parse``."""
    return _merge(_decode(body))


def _decode(body: bytes) -> Tree:
    try:
        decoded = json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
        if _ESCAPES_TO_CLEAN.search(body):
            decoded = clean_tree(decoded)
    except UnicodeDecodeError as error:
        raise InvalidPayload(f"The payload is not UTF-8 (byte {error.start}).") from error
    except (ValueError, RecursionError) as error:
        raise InvalidPayload("The payload is not JSON.") from error
    if not isinstance(decoded, dict):
        raise InvalidPayload("The payload is not a JSON object.")
    return decoded


def _refuse_constant(name: str) -> NoReturn:
    """NaN and the infinities, which Python reads but JSON does not have."""
    raise ValueError(name)


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


def _merge(payload: Tree) -> MergeEvent:
    action = payload.get("action")
    if not isinstance(action, str):
        raise InvalidPayload("The payload has no action.")
    if action not in _ACTIONS:
        raise Ignored(UNKNOWN_ACTION, "The action is none that changes what a merge is.")
    pull = payload.get("pull_request")
    if not isinstance(pull, dict):
        raise InvalidPayload("The payload has no pull_request.")
    if pull.get("merged") is not True and not pull.get("merged_at"):
        raise Ignored(NOT_MERGED, "The pull request is not merged.")
    try:
        pull_request = PullRequest(**_fields(payload, pull), detail_source=DetailSource.PAYLOAD)
    except Unfit as error:
        raise InvalidPayload(f"The payload cannot be used: {error}.") from error
    return MergeEvent(
        action=cast("Action", action),
        pull_request=pull_request,
        installation_id=whole(tree(payload.get("installation")).get("id")),
    )


def _fields(payload: Tree, pull: Tree) -> dict[str, Any]:
    """The fields of the pull request; a merge without its own time was merged when it was closed."""
    repository = tree(payload.get("repository")) or tree(tree(pull.get("base")).get("repo"))
    merged_at = next((pull[name] for name in ("merged_at", "closed_at") if instant(pull.get(name))), None)
    number = pull.get("number", payload.get("number"))
    return pull_request_fields(pull | {"merged_at": merged_at, "number": number}, repository_of(repository))
