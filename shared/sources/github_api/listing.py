"""Lists what was merged in a repository, the newest update first, and makes deliveries of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from shared.code_host import CodeHost, path_of
from shared.domain.errors import Transient
from shared.domain.landed import Landed
from shared.domain.pull_request import RepositoryRef
from shared.settings import RepositorySettings
from shared.sources.github_api.asking import ask
from shared.sources.github_api.queries import LISTING, LISTING_WITH_CLOSER
from shared.sources.github_api.shapes import account_object, nodes, pull_object
from shared.sources.github_payloads import Tree, instant, items, labels_of, string, tree

_PAGE = "page:"
"""What a cursor of the REST listing begins with; those of GraphQL have no colon."""
_KEPT = (
    *("number", "title", "body", "merged_at", "created_at", "updated_at", "closed_at", "author_association"),
    *("merge_commit_sha", "additions", "deletions", "changed_files"),
)


@dataclass(frozen=True)
class ListedPage:
    """One page of the listing: ``merges`` are objects in REST names with ``merged_at`` and ``updated_at`` set."""

    merges: tuple[dict[str, Any], ...]
    """Merged pull requests, or landed ones by the repository's settings."""
    listed: int
    """Pull requests on the page, merged or not."""
    oldest_update: datetime | None
    """The smallest ``updated_at`` on the page."""
    cursor: str | None
    """Where to go on; None at the end."""
    left_out: int = 0
    """Entries that cannot be read: null, or nothing like a pull request."""


@dataclass(frozen=True)
class _Listed:
    """A pull request in REST names, and the account that closed it where the host tells."""

    pull: Tree
    closer: Any = None
    commit: Any = None
    """The commit whose push closed it."""


def list_with_credential(
    host: CodeHost, repository: RepositoryRef, settings: RepositorySettings, cursor: str | None, keep: int
) -> ListedPage:
    """Return a page of the GraphQL listing. Its cursors are places in the order, so nothing is skipped between pages.

    A ``cursor`` of the REST listing begins at the head again. Errors are those of the host.
    """
    lands = bool(settings.landed_labels or settings.landed_by)
    document = LISTING_WITH_CLOSER if settings.landed_by else LISTING
    after = None if cursor is None or cursor.startswith(_PAGE) else cursor
    variables = {"states": ["MERGED", "CLOSED"] if lands else ["MERGED"], "after": after}
    found, _ = ask(host, document, repository, variables, keep=keep)
    connection = tree(found.get("pullRequests"))
    page_info = tree(connection.get("pageInfo"))
    goes_on = page_info.get("hasNextPage") is True
    listed = [_from_node(node) for node in nodes(connection)]
    left_out = len(items(connection.get("nodes"))) - len(listed)
    return _page(listed, settings, string(page_info.get("endCursor")) if goes_on else None, left_out)


def list_openly(
    host: CodeHost, repository: RepositoryRef, settings: RepositorySettings, cursor: str | None, keep: int
) -> ListedPage:
    """Return a page of the REST listing, which needs no credential.

    An update between two pages moves entries from one to the other: the reader looks at the head again. Nothing tells
    who closed a pull request, so ``landed_by`` is of no use here.
    """
    place = cursor.removeprefix(_PAGE) if cursor is not None and cursor.startswith(_PAGE) else "1"
    parameters = {"state": "closed", "sort": "updated", "direction": "desc", "per_page": "100", "page": place}
    path = f"{path_of(repository)}/pulls"
    answer = host.read(path, parameters, about=repository, keep=keep, conditional=place == "1")
    if not isinstance(answer.body, list):
        raise Transient(f"{host.host} answered no list of pull requests for {repository.full_name}.")
    following = None if answer.next is None else answer.next.get("page")
    listed = [_Listed(pull) for pull in answer.body if isinstance(pull, dict)]
    left_out = len(answer.body) - len(listed)
    return _page(listed, settings, None if following is None else f"{_PAGE}{following}", left_out)


def delivery_payload(repository: RepositoryRef, pull: dict[str, Any]) -> bytes:
    """Return the ``pull_request`` ``closed`` payload of a listed merge, with no more than is read of one."""
    small = {
        **{name: pull[name] for name in _KEPT if pull.get(name) is not None},
        "merged": True,
        "user": _account(pull.get("user")),
        "merged_by": _account(pull.get("merged_by")),
        **{side: _branch(pull.get(side)) for side in ("base", "head")},
        "labels": [{"name": name} for name in labels_of(pull.get("labels"))],
    }
    known = repository.model_dump(include={"id", "full_name", "private", "default_branch"}, exclude_none=True)
    payload = {
        "action": "closed",
        "number": pull.get("number"),
        "pull_request": small,
        "repository": known | {"html_url": repository.url},
    }
    return json.dumps(payload, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _from_node(node: Tree) -> _Listed:
    event = next(iter(nodes(node.get("timelineItems"))), {})
    return _Listed(pull_object(node), account_object(event.get("actor")), tree(event.get("closer")).get("oid"))


def _page(listed: list[_Listed], settings: RepositorySettings, cursor: str | None, left_out: int) -> ListedPage:
    landed = Landed.of(settings.landed_labels, settings.landed_by)
    merges = (_merge_of(each, landed) for each in listed)
    updates = [at for each in listed if (at := instant(each.pull.get("updated_at"))) is not None]
    return ListedPage(
        merges=tuple(merge for merge in merges if merge is not None),
        listed=len(listed),
        oldest_update=min(updates, default=None),
        cursor=cursor,
        left_out=left_out,
    )


def _merge_of(listed: _Listed, landed: Landed) -> Tree | None:
    """The pull request with its time of merging: for a landed one that of its closing."""
    pull = listed.pull
    if instant(pull.get("merged_at")) is None:
        if instant(pull.get("closed_at")) is None or not _has_landed(listed, landed):
            return None
        # The merge commit of one that is not merged is GitHub's trial of a merge, which is on no branch.
        pull = pull | {"merged_at": pull["closed_at"], "merge_commit_sha": listed.commit}
    return pull | {"merged": True, "updated_at": pull.get("updated_at") or pull["merged_at"]}


def _has_landed(listed: _Listed, landed: Landed) -> bool:
    return landed.by_label(labels_of(listed.pull.get("labels"))) or landed.by_login(tree(listed.closer).get("login"))


def _account(value: Any) -> dict[str, Any] | None:
    account = tree(value)
    return {name: account[name] for name in ("login", "id", "type") if name in account} or None


def _branch(value: Any) -> dict[str, Any]:
    branch = tree(value)
    return {name: branch.get(name) for name in ("ref", "sha")}
