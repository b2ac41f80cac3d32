"""Maps objects in the field names of GitHub's REST API to domain values, forgiving what reality leaves out; pure."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Any, TypeVar
from urllib.parse import urlsplit

from shared.domain.pull_request import DEFAULT_HOST, GHOST, Person, RepositoryRef
from shared.sources.commit_messages import co_authors_of, without_addresses
from shared.sources.people import people_of, without

_FULL_NAME = re.compile(r"[A-Za-z0-9_.-]+(?:/[A-Za-z0-9_.-]+)+", re.ASCII)
_HOST = re.compile(r"[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?(?::[0-9]{1,5})?", re.ASCII)
_OBJECT_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?", re.ASCII)
_MAX_ID = 2**63 - 1

Found = TypeVar("Found")

Tree = dict[str, Any]
"""A decoded JSON object whose strings have been cleaned."""


class Unfit(ValueError):
    """An object lacks something that the product cannot do without, or has it in a form that it cannot use."""


def pull_request_fields(pull: Tree, repository: RepositoryRef) -> dict[str, Any]:
    """Return the ``PullRequest`` fields of a pull request object (no files, no review).

    Unfit when number, base ref or merge time is missing or unusable. Everything else may be null or absent:
    ``user``, ``head.repo``, ``merged_by`` (C-03, C-04), ``body`` (C-01: null, empty and blank are all None).
    """
    base, head, text = tree(pull.get("base")), tree(pull.get("head")), body_of(pull.get("body"))
    author = person_of(pull.get("user"))
    return {
        "repository": repository,
        "number": required(whole(pull.get("number"), least=1), "number"),
        "title": string(pull.get("title")) or "",
        "body": text,
        "user": author,
        "co_authors": without(people_of(co_authors_of(pull["body"] if text else "")), author),
        "merged_by": person_of(pull["merged_by"]) if isinstance(pull.get("merged_by"), dict) else None,
        "merged_at": required(instant(pull.get("merged_at")), "merged_at"),
        "created_at": instant(pull.get("created_at")),
        "updated_at": instant(pull.get("updated_at")),
        "author_association": string(pull.get("author_association")),
        "base_ref": required(string(base.get("ref")), "base.ref"),
        "base_sha": object_id(base.get("sha")),
        "head_ref": string(head.get("ref")),
        "head_sha": object_id(head.get("sha")),
        "merge_commit_sha": object_id(pull.get("merge_commit_sha")),
        "labels": labels_of(pull.get("labels")),
        "additions": whole(pull.get("additions")) or 0,
        "deletions": whole(pull.get("deletions")) or 0,
        "changed_files": whole(pull.get("changed_files")) or 0,
    }


def repository_of(repository: Tree) -> RepositoryRef:
    """Return the repository that an object tells of; Unfit without a usable ``full_name``.

    The host is that of ``html_url`` when it is an https address (GitHub Enterprise), else github.com.
    """
    return RepositoryRef(
        full_name=required(full_name_of(repository.get("full_name")), "repository.full_name"),
        id=whole(repository.get("id")),
        host=host_of(repository.get("html_url")) or DEFAULT_HOST,
        private=repository["private"] if isinstance(repository.get("private"), bool) else None,
        default_branch=string(repository.get("default_branch")),
    )


def full_name_of(value: Any) -> str | None:
    """Return ``owner/name`` when ``value`` is one; it becomes part of links and paths, so nothing else passes."""
    if not isinstance(value, str) or not _FULL_NAME.fullmatch(value):
        return None
    return None if {".", ".."} & set(value.split("/")) else value


def host_of(url: Any) -> str | None:
    """Return host (and port) of an https address, None for anything else."""
    if not isinstance(url, str) or not url.startswith("https://"):
        return None
    try:
        host = urlsplit(url).netloc.lower()
    except ValueError:
        return None
    return host if _HOST.fullmatch(host) else None


def person_of(value: Any) -> Person:
    """Return the account that an object tells of; null or empty is the ghost (C-04).

    ``{"login": null, "name": "…"}`` is a person of whom only the name of a commit is known.
    """
    account = tree(value)
    login, name = string(account.get("login")), string(account.get("name"))
    return Person(
        login=login or (None if name else GHOST),
        name=name,
        id=whole(account.get("id")),
        type=string(account.get("type")) or "User",
    )


def labels_of(value: Any) -> tuple[str, ...]:
    """Return label names, each once, of a list of strings or of objects with a ``name``."""
    names = (item if isinstance(item, str) else tree(item).get("name") for item in items(value))
    return tuple(dict.fromkeys(name for name in names if isinstance(name, str) and name))


def body_of(value: Any) -> str | None:
    """Return a description without the addresses of its trailers; null, empty and blank are None (C-01)."""
    return without_addresses(value) if isinstance(value, str) and value.strip() else None


def instant(value: Any) -> datetime | None:
    """Return the aware time that an ISO 8601 text with a zone tells, in UTC; None for anything else, naive ones too."""
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
        return moment.astimezone(UTC) if moment.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None


def whole(value: Any, least: int = 0) -> int | None:
    """Return ``value`` when it is an integer of at least ``least`` that fits 64 bits (C-46)."""
    if isinstance(value, bool) or not isinstance(value, int):
        return None
    return value if least <= value <= _MAX_ID else None


def object_id(value: Any) -> str | None:
    """Return a full git object id; it is handed to git and put into links, so nothing else passes."""
    return value if isinstance(value, str) and _OBJECT_ID.fullmatch(value) else None


def web_address(value: Any) -> str | None:
    """Return an https address on a proper host."""
    return value if isinstance(value, str) and host_of(value) else None


def string(value: Any) -> str | None:
    """Return a text that is not empty."""
    return value if isinstance(value, str) and value else None


def tree(value: Any) -> Tree:
    """Return an object, or an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def items(value: Any) -> list[Any]:
    """Return a list, or an empty one for anything else (a REST object has counts under the names of some lists)."""
    return value if isinstance(value, list) else []


def required(value: Found | None, field: str) -> Found:
    """Return ``value``; Unfit naming ``field`` when there is none."""
    if value is None:
        raise Unfit(f"'{field}' is missing or unusable")
    return value
