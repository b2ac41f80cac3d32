"""The commit messages that say something which title and description do not."""

from __future__ import annotations

import re
from typing import NamedTuple

from services.analyzer.packing.description import without_trailers
from services.analyzer.packing.room import cost, fitted
from services.analyzer.packing.wording import Wording
from shared.domain.pull_request import PullRequest
from shared.domain.reading import Shown
from shared.domain.text import fold

MOST_COMMITS = 60
"""That are looked at."""
LONGEST_MESSAGE = 2_000
_MOST_OF_MESSAGE = 420
_FEWEST_WORDS = 3
_HOUSEKEEPING = re.compile(
    r"(?:merge (?:branch|remote|pull request|main|master|upstream)|(?:fixup|squash|amend)!|wip\b|"
    r"(?:address|apply|resolve|fix|update)\w*\s+(?:\w+\s+){0,3}(?:reviews?|comments?|feedback|suggestions?|nits?|conflicts?|"
    r"lint\w*|format\w*|typos?|pre-commit|ci|tests?)\b|\[pre-commit|format\b|lint\b|nits?\b|typos?\b|"
    r"update [\w./-]+\.\w+$|revert \"revert)",
    re.IGNORECASE,
)
_WORD = re.compile(r"\w+")


class Messages(NamedTuple):
    """The messages that fit, and how much of all of them they are."""

    messages: list[str]
    shown: Shown


def messages(pull_request: PullRequest, told: str, wording: Wording, room: int) -> Messages:
    """Return the messages that add to ``told`` (title and description as shown), oldest first, within ``room``."""
    kept: list[str] = []
    known = set(_WORD.findall(fold(told)))
    characters = 0
    for commit in pull_request.commits[:MOST_COMMITS]:
        if _HOUSEKEEPING.match(commit.message.lstrip()[:200]):
            continue
        words = without_trailers(wording.prose(commit.message[:LONGEST_MESSAGE]))
        fresh = set(_WORD.findall(fold(words))) - known
        if len(fresh) < _FEWEST_WORDS or 3 * len(fresh) < len(set(_WORD.findall(fold(words)))):
            continue
        message = fitted(words, min(_MOST_OF_MESSAGE, room))
        if not message or cost(message) > room:
            break
        kept.append(message)
        known |= fresh
        room -= cost(message)
        characters += min(len(message), len(commit.message))
    lengths = [len(commit.message) for commit in pull_request.commits]
    shown = Shown(
        part="commits", characters=characters, of_characters=sum(lengths), pieces=len(kept), of_pieces=len(lengths)
    )
    return Messages(kept, shown)
