"""The merge as its model was shown it: what nobody sees, and what was blackened, is no evidence for anything."""

from __future__ import annotations

from collections import Counter
from typing import TypeVar

from services.analyzer.packing.invisible import without_invisible
from services.analyzer.packing.wording import Wording
from shared.domain.pull_request import ChangedFile, Comment, Commit, PullRequest, Review
from shared.redaction import redact

_MOST_ENTRIES = 250
_Said = TypeVar("_Said", Review, Comment)


def visible(pull_request: PullRequest) -> PullRequest:
    """Return the merge with its texts cleaned as they were for the model: by the same functions, but none left out.

    Patches keep their lines; of what they hold only invisible signs and secrets go.
    """
    wording = Wording(redact, pull_request.repository.host)
    return pull_request.model_copy(
        update={
            "title": wording.line(pull_request.title),
            "body": wording.prose(pull_request.body),
            "labels": (),
            "commits": tuple(_message(commit, wording) for commit in pull_request.commits[:_MOST_ENTRIES]),
            "reviews": _said(pull_request.reviews, wording),
            "review_comments": _said((*pull_request.review_comments, *_threads(pull_request)), wording),
            "comments": _said(pull_request.comments, wording),
            "files": None if pull_request.files is None else tuple(_file(file) for file in pull_request.files),
        }
    )


def _message(commit: Commit, wording: Wording) -> Commit:
    return commit.model_copy(update={"message": wording.prose(commit.message)})


def _said(entries: tuple[_Said, ...], wording: Wording) -> tuple[_Said, ...]:
    return tuple(entry.model_copy(update={"body": wording.prose(entry.body)}) for entry in entries[:_MOST_ENTRIES])


def _threads(pull_request: PullRequest) -> tuple[Comment, ...]:
    """What was said in threads, where the source tells it nowhere else."""
    told = {comment.body for comment in pull_request.review_comments}
    return tuple(
        comment.model_copy(update={"path": thread.path, "line": thread.line})
        for thread in pull_request.review_threads or ()
        for comment in thread.comments
        if comment.body not in told
    )


def _file(file: ChangedFile) -> ChangedFile:
    if file.patch is None:
        return file
    seen = without_invisible(file.patch, Counter())
    return file.model_copy(update={"patch": redact(seen).text})
