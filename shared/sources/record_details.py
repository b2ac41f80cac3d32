"""Maps files, reviews, comments and commits between GitHub's REST field names and domain values; pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any, cast, get_args

from shared.domain.pull_request import ChangedFile, Comment, Commit, FileStatus, Person, Review, Unread
from shared.sources.commit_messages import without_addresses
from shared.sources.github_payloads import (
    Tree,
    Unfit,
    body_of,
    instant,
    items,
    object_id,
    person_of,
    string,
    tree,
    web_address,
    whole,
)

_STATUSES = frozenset(get_args(FileStatus))
_PENDING = "PENDING"
# The whole patch of a submodule pointer; a file that merely contains such words has more lines (C-44).
_POINTER = re.compile(
    r"@@ -[01](?:,0)? \+[01](?:,0)? @@"
    r"(?:\n-Subproject commit ([0-9a-f]{40,64}))?(?:\n\+Subproject commit ([0-9a-f]{40,64}))?\n?"
)
# File names whose content is never text; only asked when a record has neither patch nor changed lines.
_BINARY_NAME = re.compile(
    r".*\.(?:7z|a|avi|avif|bin|bmp|bz2|class|dll|dylib|eot|exe|flac|gif|gz|ico|jar|jpe?g|mov|mp[34]|np[yz]|ogg|onnx|otf"
    r"|parquet|pdf|png|pth?|pyc|safetensors|so|tar|tgz|tiff?|ttf|wasm|wav|web[mp]|whl|woff2?|xlsx?|xz|zip|zst)",
    re.IGNORECASE | re.DOTALL,
)


def files_of(value: Sequence[Any], *, patched: bool = False) -> tuple[ChangedFile, ...]:
    """Return the entries of a file list. Unfit when an entry has no filename or a status GitHub does not know.

    An entry without a patch (absent or null, C-41) gets the reason: a whole list without patches was made without
    them, unless ``patched`` says that its source always gives them; among patches, changed lines without a patch were
    too many, and no changed lines are binary content.
    """
    entries = [tree(item) for item in value]
    patched = patched or any(string(entry.get("patch")) for entry in entries)
    return tuple(_file_of(entry, patched) for entry in entries)


def is_binary_name(filename: str) -> bool:
    """Whether the content of such a file is never text."""
    return _BINARY_NAME.fullmatch(filename) is not None


def reviews_of(value: Any) -> tuple[Review, ...]:
    """Return submitted reviews; pending ones are left out, null users are the ghost, empty bodies None (C-02)."""
    return tuple(
        Review(
            user=person_of(review.get("user")),
            state=(string(review.get("state")) or "COMMENTED").upper(),
            body=body_of(review.get("body")),
            submitted_at=submitted_at,
            html_url=web_address(review.get("html_url")),
        )
        for review in map(tree, items(value))
        if (submitted_at := instant(review.get("submitted_at"))) is not None and review.get("state") != _PENDING
    )


def comments_of(value: Any) -> tuple[Comment, ...]:
    """Return comments of the conversation or, with ``path`` and ``line``, of the diff."""
    return tuple(
        Comment(
            user=person_of(comment.get("user")),
            body=body_of(comment.get("body")) or "",
            created_at=instant(comment.get("created_at")),
            html_url=web_address(comment.get("html_url")),
            path=string(comment.get("path")),
            line=whole(comment.get("line")),
        )
        for comment in map(tree, items(value))
    )


def commits_of(value: Any) -> tuple[Commit, ...]:
    """Return commits with their messages, addresses of trailers taken out; entries without an id are left out."""
    return tuple(
        Commit(sha=sha, message=without_addresses(message_of(commit)))
        for commit in map(tree, items(value))
        if (sha := object_id(commit.get("sha"))) is not None
    )


def message_of(commit: Tree) -> str:
    """Return the raw message of a REST commit object."""
    return string(tree(commit.get("commit")).get("message")) or string(commit.get("message")) or ""


def person_tree(person: Person) -> dict[str, Any]:
    """The inverse of ``person_of``."""
    return _filled({"login": person.login, "id": person.id, "name": person.name, "type": person.type}, keep={"login"})


def file_tree(file: ChangedFile) -> dict[str, Any]:
    """The inverse of one entry of ``files_of``; ``unread`` and ``submodule`` are our additions to GitHub's fields."""
    return _filled(file.model_dump(mode="json"), keep={"filename", "status", "additions", "deletions", "unread"})


def review_tree(review: Review) -> dict[str, Any]:
    """The inverse of one entry of ``reviews_of``."""
    shown = {"user": person_tree(review.user), "state": review.state, "body": review.body}
    return shown | _filled({"submitted_at": _time(review.submitted_at), "html_url": review.html_url})


def comment_tree(comment: Comment) -> dict[str, Any]:
    """The inverse of one entry of ``comments_of``."""
    shown = {"user": person_tree(comment.user), "body": comment.body, "created_at": _time(comment.created_at)}
    return shown | _filled({"html_url": comment.html_url, "path": comment.path, "line": comment.line})


def commit_tree(commit: Commit) -> dict[str, Any]:
    """The inverse of one entry of ``commits_of``."""
    return {"sha": commit.sha, "commit": {"message": commit.message}}


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def _filled(values: dict[str, Any], keep: frozenset[str] | set[str] = frozenset()) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None or name in keep}


def _file_of(entry: Tree, patched: bool) -> ChangedFile:
    filename, status = string(entry.get("filename")), entry.get("status", "modified")
    if filename is None:
        raise Unfit("an entry of 'files' has no filename")
    if status not in _STATUSES:
        raise Unfit(f"the file {filename} has a status that GitHub does not know")
    patch = string(entry.get("patch"))
    lines = (whole(entry.get("additions")) or 0, whole(entry.get("deletions")) or 0)
    given = next((reason for reason in Unread if reason == entry.get("unread")), None)
    return ChangedFile(
        filename=filename,
        status=cast("FileStatus", status),
        additions=lines[0],
        deletions=lines[1],
        previous_filename=string(entry.get("previous_filename")),
        patch=patch,
        unread=given if patch or "unread" in entry else _guessed_unread(filename, status, lines, patched),
        submodule=_submodule_of(entry, patch),
    )


def _guessed_unread(filename: str, status: str, lines: tuple[int, int], patched: bool) -> Unread | None:
    if any(lines):
        return Unread.TOO_LARGE if patched else Unread.NOT_GIVEN
    if status in {"renamed", "copied", "changed", "unchanged"}:
        return None
    if is_binary_name(filename) or (patched and status == "modified"):
        return Unread.BINARY
    return None if patched else Unread.NOT_GIVEN


def _submodule_of(entry: Tree, patch: str | None) -> tuple[str | None, str | None] | None:
    given = items(entry.get("submodule"))
    if len(given) == 2:
        return object_id(given[0]), object_id(given[1])
    matched = _POINTER.fullmatch(patch or "")
    return (matched[1], matched[2]) if matched and any(matched.groups()) else None
