"""One merge record: a line of JSON in GitHub's REST field names, and back; pure."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from shared.domain.code_history import CodeHistory
from shared.domain.errors import InvalidInput
from shared.domain.pull_request import DEFAULT_HOST, ChangedFile, DetailSource, Person, PullRequest, RepositoryRef
from shared.domain.text import clean_tree
from shared.sources.commit_messages import co_authors_of
from shared.sources.github_payloads import (
    Tree,
    Unfit,
    full_name_of,
    host_of,
    instant,
    items,
    person_of,
    pull_request_fields,
    required,
    string,
    tree,
    whole,
)
from shared.sources.people import people_of, without
from shared.sources.record_details import (
    comment_tree,
    comments_of,
    commit_tree,
    commits_of,
    file_tree,
    files_of,
    message_of,
    person_tree,
    review_tree,
    reviews_of,
)
from shared.sources.record_heads import decode, decode_head
from shared.sources.record_review import review_fields, thread_tree

_HEAD = frozenset({"repository", "number", "merged_at", "updated_at", "html_url", "base"})
_FORMAT = "Each line must be one JSON object with repository, number, title, merged_at and base.ref."


def parse_line(line: bytes, number: int, path: Path) -> PullRequest:
    """Return the merge that one line tells of. InvalidInput naming ``path``, line ``number`` and what is wrong."""
    record = _decoded(line, number, path, decode)
    try:
        return _pull_request(record)
    except Unfit as error:
        raise bad_line(path, number, str(error)) from error


def head_of_line(line: bytes, number: int, path: Path) -> Tree:
    """Return the members of a line's object that say which merge it is; the patches behind them are not decoded.

    InvalidInput naming the line when it is no JSON object as far as it was read.
    """
    return _decoded(line, number, path, lambda text: decode_head(text, _HEAD))


def _decoded(line: bytes, number: int, path: Path, decoder: Callable[[str], Any]) -> Tree:
    try:
        record = clean_tree(decoder(line.decode("utf-8-sig" if number == 1 else "utf-8")))
    except UnicodeDecodeError as error:
        raise bad_line(path, number, f"it is not UTF-8 (byte {error.start})") from error
    except (ValueError, RecursionError) as error:
        raise bad_line(path, number, "it is not JSON") from error
    if not isinstance(record, dict):
        raise bad_line(path, number, "it is not a JSON object")
    return record


def repository_in(record: Tree) -> RepositoryRef:
    """Return the repository that a record belongs to: ``repository``, completed by ``base.repo``; Unfit without one."""
    named = record.get("repository")
    repository = tree(named) | tree(tree(record.get("base")).get("repo"))
    address = repository.get("html_url") or record.get("html_url")
    given = named if isinstance(named, str) else repository.get("full_name")
    return RepositoryRef(
        full_name=required(full_name_of(given), "repository"),
        id=whole(repository.get("id")),
        host=host_of(address) or DEFAULT_HOST,
        private=repository["private"] if isinstance(repository.get("private"), bool) else None,
        default_branch=string(repository.get("default_branch")),
    )


def merged_at_of(record: Tree) -> datetime:
    """Return when the merge of a record happened; Unfit when it did not, or when the time has no zone."""
    given = record.get("merged_at")
    if given is None:
        raise Unfit("'merged_at' is missing: it tells of no merge")
    moment = instant(given)
    if moment is None:
        raise Unfit("'merged_at' is not a time with a zone, such as 2026-05-06T12:00:00Z")
    return moment


def bad_line(path: Path, number: int, what: str) -> InvalidInput:
    """Return the error for one line of a file."""
    return InvalidInput(f"Line {number} of {path} is no merge record: {what}.", _FORMAT)


def dump(pull_request: PullRequest) -> str:
    """Return the merge as one line of JSON (no line end); ``parse_line`` reads back everything but ``detail_source``.

    ``co_authors``, ``history``, ``review_threads``, ``checks``, ``linked_issues``, ``cut`` and the ``unread`` and
    ``submodule`` of files are our additions to GitHub's fields.
    """
    details = pull_request
    record: dict[str, Any] = {
        "repository": details.repository.full_name,
        "number": details.number,
        "html_url": details.url,
        **details.model_dump(mode="json", include={"title", "body"}),
        "user": person_tree(details.user),
        "merged_by": person_tree(details.merged_by) if details.merged_by else None,
        **details.model_dump(
            mode="json", include={"created_at", "merged_at", "updated_at", "merge_commit_sha", "author_association"}
        ),
        "base": {"ref": details.base_ref, "sha": details.base_sha, "repo": _repository_tree(details.repository)},
        "head": {"ref": details.head_ref, "sha": details.head_sha},
        "labels": [{"name": label} for label in details.labels],
        **details.model_dump(mode="json", include={"additions", "deletions", "changed_files"}),
        "files": None if details.files is None else [file_tree(file) for file in details.files],
        "co_authors": [person_tree(person) for person in details.co_authors],
        "commits": [commit_tree(commit) for commit in details.commits],
        "reviews": [review_tree(review) for review in details.reviews] if details.reviews_known else None,
        "review_comments": [comment_tree(comment) for comment in details.review_comments],
        "comments": [comment_tree(comment) for comment in details.comments],
        "review_threads": None if details.review_threads is None else list(map(thread_tree, details.review_threads)),
        **details.model_dump(mode="json", include={"checks", "linked_issues", "cut"}),
    }
    if details.history is not None:
        record["history"] = details.history.model_dump(mode="json")
    return json.dumps(clean_tree(record), ensure_ascii=False, separators=(",", ":"))


def _repository_tree(repository: RepositoryRef) -> dict[str, Any]:
    known = repository.model_dump(mode="json", include={"id", "full_name", "private", "default_branch"})
    return {name: value for name, value in known.items() if value is not None} | {"html_url": repository.url}


def _pull_request(record: Tree) -> PullRequest:
    merged_at_of(record)
    if not isinstance(record.get("title"), str):
        raise Unfit("'title' is missing or no text")
    if not isinstance(record.get("files"), list | None):
        raise Unfit("'files' is not a list")
    fields = pull_request_fields(record, repository_in(record))
    files = None if record.get("files") is None else files_of(record["files"])
    return PullRequest(
        **fields | _totals(record, files or ()) | {"co_authors": _co_authors(record, fields["user"])},
        files=files,
        commits=commits_of(record.get("commits")),
        reviews=reviews_of(record.get("reviews")),
        review_comments=comments_of(record.get("review_comments")),
        comments=comments_of(record.get("comments")),
        reviews_known=isinstance(record.get("reviews"), list),
        **review_fields(record),
        detail_source=DetailSource.PAYLOAD if files is None else DetailSource.RECORDS,
        history=_history(record.get("history")),
    )


def _history(given: Any) -> CodeHistory | None:
    """What a clone told once; of another shape it is left out, for it only adds to the rest."""
    try:
        return None if given is None else CodeHistory.model_validate_json(json.dumps(given))
    except (ValidationError, ValueError):
        return None


def _co_authors(record: Tree, author: Person) -> tuple[Person, ...]:
    """Those that the record states, else those of the trailers in its body and commits (C-24)."""
    if isinstance(record.get("co_authors"), list):
        return tuple(person_of(person) for person in items(record["co_authors"]))
    texts = [string(record.get("body")) or "", *(message_of(tree(commit)) for commit in items(record.get("commits")))]
    return without(people_of(co_authors_of("\n".join(texts))), author)


def _totals(record: Tree, files: Sequence[ChangedFile]) -> dict[str, int]:
    """The host's totals, which may exceed the list (C-40); where a record has none, the sums of the list."""
    sums = {
        "additions": sum(file.additions for file in files),
        "deletions": sum(file.deletions for file in files),
        "changed_files": len(files),
    }
    return {name: known if (known := whole(record.get(name))) is not None else total for name, total in sums.items()}
