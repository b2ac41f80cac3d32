"""Numbers of pull requests and issues that a merge names: a model may write none of them, in whatever form."""

from __future__ import annotations

import re

from services.analyzer.checking.people import said_in
from shared.domain.pull_request import PullRequest

_FEWEST_DIGITS = 3
"""Of a number that is taken for a reference wherever it stands; smaller ones are amounts as well."""
_NAMED = re.compile(
    r"(?:#|(?a:\b)gh-|/(?:pull|issues)/|(?a:\b)(?:prs?|pull requests?|issues?|merge requests?)\s?#?)(\d{3,9})(?a:\b)",
    re.IGNORECASE,
)
_NUMBER = re.compile(rf"(?<![\d.,])\d{{{_FEWEST_DIGITS},9}}(?![\d]|[.,]\d)")


class References:
    """The numbers that the texts of a merge refer to, and its own."""

    def __init__(self, pull_request: PullRequest) -> None:
        named = (number for text in said_in(pull_request) for number in _NAMED.findall(text))
        self._numbers = frozenset(named) | {str(pull_request.number)}

    def named_in(self, words: str) -> bool:
        """Whether ``words`` hold one of them, with or without a sign before it."""
        return not self._numbers.isdisjoint(_NUMBER.findall(words))
