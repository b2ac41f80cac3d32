"""The people of a merge: a model names nobody, credits and mentions are put in by code."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shared.domain.pull_request import Person, PullRequest
from shared.domain.text import fold

_TRAILER = re.compile(r"^[ \t]{0,3}(?:[a-z]{2,12}-){1,3}by:[ \t]{0,3}([^<\n]{2,80})", re.MULTILINE | re.IGNORECASE)
_AT = re.compile(r"(?<![\w.])@([A-Za-z0-9][A-Za-z0-9-]{2,38})")
_WORDS = re.compile(r"[^\W_](?:[\w]|-(?=\w))*")
_PARTS = re.compile(r"[\w-]+")
_CJK = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff]+")
"""Chinese, Japanese and Korean signs: names in them are short, and stand beside other words without a space."""
_LONGEST_FIELD = 65_536
_MOST_TEXTS = 500
_SHORTEST = 3
_SHORTEST_PART = 4
_SHORTEST_CJK = 2


class People:
    """The logins and names of everybody who wrote, reviewed, merged, or is named in a trailer or mention."""

    def __init__(self, pull_request: PullRequest) -> None:
        names = {fold(name.strip()) for name in _names(pull_request)}
        signs = {run for name in names for run in _CJK.findall("".join(name.split()))}
        self._signs = frozenset(run for run in signs if len(run) >= _SHORTEST_CJK)
        long = {name for name in names if len(name) >= _SHORTEST}
        self._logins = frozenset(name for name in long if " " not in name)
        self._names = frozenset(" ".join(name.split()) for name in long if " " in name)
        self._parts = frozenset(part for name in self._names for part in name.split() if len(part) >= _SHORTEST_PART)

    def named_in(self, words: str) -> bool:
        """Whether ``words`` name one of them: by login, by name, or by a part of the name with a capital letter.

        Names in Chinese, Japanese or Korean signs are found wherever they stand.
        """
        bare = "".join(fold(words).split())
        if any(name in bare for name in self._signs):
            return True
        words = _CJK.sub(" ", words)
        folded = fold(words)
        capitals = {fold(word) for word in _PARTS.findall(words) if word[0].isupper()}
        if not self._parts.isdisjoint(capitals):
            return True
        if not self._logins.isdisjoint(_WORDS.findall(folded)):
            return True
        spaced = f" {' '.join(_PARTS.findall(folded))} "
        return any(f" {name} " in spaced for name in self._names)


def _names(pull_request: PullRequest) -> Iterator[str]:
    for person in _persons(pull_request):
        if not person.is_bot:
            yield from (name for name in (person.login, person.name) if name and name != "ghost")
    for text in said_in(pull_request):
        yield from _AT.findall(text)
        yield from (name.strip() for name in _TRAILER.findall(text))


def _persons(pull_request: PullRequest) -> Iterator[Person]:
    yield from (pull_request.user, *pull_request.co_authors)
    if pull_request.merged_by is not None:
        yield pull_request.merged_by
    yield from (review.user for review in pull_request.reviews)
    yield from (comment.user for comment in (*pull_request.review_comments, *pull_request.comments))
    for thread in pull_request.review_threads or ():
        yield from (comment.user for comment in thread.comments)


def said_in(pull_request: PullRequest) -> Iterator[str]:
    """Yield what people wrote about the merge: title, description, messages, review; each cut to GitHub's own limit."""
    comments = (*pull_request.review_comments, *pull_request.comments)
    yield pull_request.title[:_LONGEST_FIELD]
    yield (pull_request.body or "")[:_LONGEST_FIELD]
    yield from (commit.message[:_LONGEST_FIELD] for commit in pull_request.commits[:_MOST_TEXTS])
    yield from ((review.body or "")[:_LONGEST_FIELD] for review in pull_request.reviews[:_MOST_TEXTS])
    yield from (comment.body[:_LONGEST_FIELD] for comment in comments[:_MOST_TEXTS])
