"""The review of a pull request as the rules read it: who has the last word, threads of people, words as plain text."""

from __future__ import annotations

import re
from collections.abc import Iterator

from services.analyzer.reading.prose import read_prose
from shared.domain.pull_request import GHOST, Comment, Person, PullRequest, Review, ReviewThread

APPROVED = "APPROVED"
CHANGES_REQUESTED = "CHANGES_REQUESTED"
COMMENTED = "COMMENTED"
DISMISSED = "DISMISSED"
DECISIVE = frozenset({APPROVED, CHANGES_REQUESTED, DISMISSED})
"""The states that replace what a reviewer said before; GitHub turns a dismissed review itself into ``DISMISSED``."""
MOST_THREADS = 300
_LONGEST_REMARK = 4_000
"""Characters of one remark that are read: what is asked for and what is answered stands at its beginning."""
_LONGEST_NAME = 40
_IMAGE = re.compile(r"!\[[^\[\]]{0,200}\]\([^()\s]{0,500}\)")
_LINK = re.compile(r"\[([^\[\]]{1,300})\]\([^()\s]{0,500}\)")
_TAG = re.compile(
    r"</?(?:details|summary|br|hr|p|b|i|em|strong|sub|sup|kbd|img|a|div|span)\b[^<>]{0,500}>", re.IGNORECASE
)
_NO_NAME = re.compile(r"[@#;“”]")


def same_person(one: Person, other: Person) -> bool:
    """Whether both are one account: by id, else by login; of deleted accounts nothing can be said, so False."""
    if one.id is not None and other.id is not None:
        return one.id == other.id
    login = (one.login or "").casefold()
    return login not in {"", GHOST} and login == (other.login or "").casefold()


def is_other_person(person: Person, pull_request: PullRequest) -> bool:
    """Whether this is a human being other than the author."""
    return not person.is_bot and not same_person(person, pull_request.user)


def name_of(person: Person) -> str:
    """The person as plain words of a sentence: nothing in it notifies, links or ends a quotation."""
    return " ".join(_NO_NAME.sub("", person.shown).split())[:_LONGEST_NAME].strip() or GHOST


def day_of(review: Review) -> str | None:
    """The day (UTC) on which a review was submitted."""
    return f"{review.submitted_at:%Y-%m-%d}" if review.submitted_at else None


def after_the_merge(review: Review, pull_request: PullRequest) -> bool:
    """Whether a review came too late to count for the merge; False where its time is not known."""
    return review.submitted_at is not None and review.submitted_at > pull_request.merged_at


def reviews_in_order(pull_request: PullRequest) -> list[Review]:
    """The reviews, the oldest first; those without a time keep their place before the others."""
    return sorted(pull_request.reviews, key=lambda one: one.submitted_at.timestamp() if one.submitted_at else 0.0)


def last_words(pull_request: PullRequest, *, late: bool = True) -> list[Review]:
    """The last decisive review of each person and bot but the author, the oldest first; a comment decides nothing.

    Without ``late`` only what was said before the merge counts.
    """
    last: dict[str, Review] = {}
    for review in reviews_in_order(pull_request):
        counts = review.state in DECISIVE and not same_person(review.user, pull_request.user)
        if counts and (late or not after_the_merge(review, pull_request)):
            key = person_key(review.user)
            last.pop(key, None)
            last[key] = review
    return list(last.values())


def person_key(person: Person) -> str:
    """What one account is told by; all deleted accounts are one."""
    return f"id:{person.id}" if person.id is not None else f"login:{person.shown.casefold()}"


def threads_of(pull_request: PullRequest) -> Iterator[ReviewThread]:
    """Yield the threads that another person began, each with what people said in it.

    Where no source told of threads they are made of the comments on one and the same line; whether those are resolved
    or outdated is then not known.
    """
    threads = pull_request.review_threads
    for thread in (threads if threads is not None else _by_line(pull_request.review_comments))[:MOST_THREADS]:
        if thread.comments and is_other_person(thread.comments[0].user, pull_request):
            said = tuple(comment for comment in thread.comments if not comment.user.is_bot)
            yield thread.model_copy(update={"comments": said})


def _by_line(comments: tuple[Comment, ...]) -> tuple[ReviewThread, ...]:
    """A comment whose line the host no longer knows stands alone: others without one may be about another place."""
    found: dict[tuple[str, int], list[Comment]] = {}
    alone: list[list[Comment]] = []
    for comment in comments:
        if comment.path is None or comment.line is None:
            alone.append([comment])
        else:
            found.setdefault((comment.path, comment.line), []).append(comment)
    return tuple(
        ReviewThread(path=together[0].path, line=together[0].line, comments=tuple(together))
        for together in (*found.values(), *alone)
    )


def diff_comments(pull_request: PullRequest) -> tuple[Comment, ...]:
    """The comments on the diff, each once: sources tell of them alone, in threads, or both."""
    in_threads = tuple(comment for thread in pull_request.review_threads or () for comment in thread.comments)
    return max(pull_request.review_comments, in_threads, key=len)


def times_spoken(pull_request: PullRequest) -> int:
    """How many comments there are, on the diff and in the conversation."""
    return len(pull_request.comments) + len(diff_comments(pull_request))


def plain(text: str | None) -> str:
    """The words of a remark on one line: no quotation of others, no code block, no markup of links, images and HTML."""
    words = read_prose((text or "")[:_LONGEST_REMARK]).text
    words = _TAG.sub(" ", _LINK.sub(r"\1", _IMAGE.sub(" ", words)))
    return " ".join(words.replace("“", '"').replace("”", '"').split())


def cut(text: str, longest: int) -> str:
    """The beginning of ``text``, ended by dots between two words where it is longer than ``longest``."""
    if len(text) <= longest:
        return text
    head = text[: longest - 1]
    return (head[: head.rfind(" ")] if " " in head[longest // 2 :] else head).rstrip(" ,;:.") + "…"


def page_on_host(url: str | None, pull_request: PullRequest) -> str | None:
    """The address when it is one of the host of the repository: a digest links to nothing else."""
    return url if url and url.startswith(f"https://{pull_request.repository.host}/") else None
