"""What people said of a merge, contested points first: requests for changes, long threads, the author's answers."""

from __future__ import annotations

from typing import Any, NamedTuple

from services.analyzer.packing.room import cost, fitted
from services.analyzer.packing.wording import Wording
from services.analyzer.reading.reviews import (
    CHANGES_REQUESTED,
    is_other_person,
    person_key,
    reviews_in_order,
    same_person,
    threads_of,
)
from shared.domain.analysis import Analysis
from shared.domain.pull_request import Person, PullRequest, ReviewThread
from shared.domain.reading import Shown
from shared.domain.taxonomy import Risk

LONGEST_REMARK = 4_000
"""Characters of a remark that are looked at: what is asked for and answered stands at its beginning."""
MOST_ENTRIES = 40
"""Threads, reviews and comments that are looked at in all: beyond them nothing would fit."""
FEWEST_WORDS = 3
FEWEST_WORDS_OF_A_COMMENT = 8
"""Shorter comments of the conversation are thanks, pings and commands."""
LAST_REMARKS = 3
"""Of a thread, behind its opening: how it began and how it ended."""
_MOST_OF_OPENING = 540
_MOST_OF_ANSWER = 360
_MISSES = 3


class Talk(NamedTuple):
    """The entries that fit, as JSON values, and how much of all that was said they are."""

    entries: list[dict[str, Any]]
    shown: Shown


class _Remark(NamedTuple):
    by: Person
    body: str
    verdict: str = ""


class _Topic(NamedTuple):
    """Remarks about one thing; ``place`` and ``state`` are empty where it is about the whole."""

    remarks: tuple[_Remark, ...]
    place: str = ""
    state: str = ""
    fewest_words: int = FEWEST_WORDS
    passed_over: tuple[int, ...] = ()
    """How long the remarks in the middle of a thread are, which are not shown."""


def talk(pull_request: PullRequest, analysis: Analysis, wording: Wording, room: int) -> Talk:
    """Return as much of the review as costs at most ``room``; bots are left out, people are roles without names."""
    topics = _topics(pull_request, analysis)
    said = [len(remark.body) for topic in topics for remark in topic.remarks if remark.body]
    passed_over = [length for topic in topics for length in topic.passed_over]
    speakers = _Speakers(pull_request)
    entries: list[dict[str, Any]] = []
    characters = pieces = misses = 0
    for topic in topics[:MOST_ENTRIES]:
        entry, whole = _entry(topic, speakers, wording, room)
        price = cost(entry) if entry else 0
        if entry is None or price > room:
            misses += entry is not None
            if misses == _MISSES:
                break
            continue
        entries.append(entry)
        room -= price
        pieces += len(entry["remarks"])
        characters += whole
    shown = Shown(
        part="review",
        characters=characters,
        of_characters=max(characters, sum(said) + sum(passed_over)),
        pieces=pieces,
        of_pieces=len(said) + len(passed_over),
    )
    return Talk(entries, shown)


class _Speakers:
    """Gives everybody a role: the author, and reviewers by the order in which they are shown."""

    def __init__(self, pull_request: PullRequest) -> None:
        self._author = pull_request.user
        self._names: dict[str, str] = {}

    def role(self, person: Person) -> str:
        if same_person(person, self._author):
            return "author"
        return self._names.setdefault(person_key(person), f"reviewer {len(self._names) + 1}")


def _topics(pull_request: PullRequest, analysis: Analysis) -> list[_Topic]:
    core = {evidence.path for tag in analysis.tags if tag.value == Risk.CORE_PATH for evidence in tag.evidence}
    demanding = {person_key(one.user) for one in pull_request.reviews if one.state == CHANGES_REQUESTED}
    threads = sorted(
        threads_of(pull_request),
        key=lambda thread: (
            person_key(thread.comments[0].user) not in demanding,
            -len(thread.comments),
            thread.resolved is not False,
            thread.path not in core,
        ),
    )
    reviews = [one for one in reviews_in_order(pull_request) if is_other_person(one.user, pull_request) and one.body]
    asked = [one for one in reviews if one.state == CHANGES_REQUESTED]
    rest = [one for one in reviews if one.state != CHANGES_REQUESTED]
    comments = [one for one in pull_request.comments if not one.user.is_bot and not one.body.startswith("/")]
    return [
        *(_Topic((_Remark(one.user, one.body or "", "changes requested"),)) for one in asked),
        *map(_of_thread, threads),
        *(
            _Topic((_Remark(one.user, one.body or "", one.state.lower()),), fewest_words=FEWEST_WORDS_OF_A_COMMENT)
            for one in rest
        ),
        *(
            _Topic((_Remark(one.user, one.body),), fewest_words=FEWEST_WORDS_OF_A_COMMENT)
            for one in sorted(comments, key=lambda one: -min(len(one.body), LONGEST_REMARK))
        ),
    ]


def _of_thread(thread: ReviewThread) -> _Topic:
    state = "resolved" if thread.resolved else "open" if thread.resolved is False else ""
    place = (thread.path or "") + (f":{thread.line}" if thread.path and thread.line else "")
    telling = (thread.comments[0], *thread.comments[1:][-LAST_REMARKS:])
    passed_over = tuple(len(one.body) for one in thread.comments[1:-LAST_REMARKS])
    return _Topic(tuple(_Remark(one.user, one.body) for one in telling), place, state, passed_over=passed_over)


def _entry(topic: _Topic, speakers: _Speakers, wording: Wording, room: int) -> tuple[dict[str, Any] | None, int]:
    """The topic as a JSON value with the characters of it that are shown; None when its opening says nothing."""
    remarks: list[dict[str, str]] = []
    characters = 0
    longest = min(_MOST_OF_OPENING, max(room // 3, 120))
    for remark in topic.remarks:
        words = _said(remark.body, wording)
        if not remarks and len(words.split()) < topic.fewest_words:
            return None, 0
        says = fitted(words, longest)
        longest = min(longest, _MOST_OF_ANSWER)
        if says:
            verdict = {"verdict": remark.verdict} if remark.verdict else {}
            remarks.append({"by": speakers.role(remark.by), **verdict, "says": says})
            characters += len(remark.body) if says == words else len(says)
    place = {"at": wording.line(topic.place)} if topic.place else {}
    state = {"state": topic.state} if topic.state else {}
    return ({**place, **state, "remarks": remarks} if remarks else None), characters


def _said(body: str, wording: Wording) -> str:
    """The words of a remark on one line, without what it quotes of others."""
    lines = wording.prose(body[:LONGEST_REMARK]).split("\n")
    return " ".join(" ".join(line.split()) for line in lines if line.strip() and not line.lstrip().startswith(">"))
