"""First contributions, told by the host's own word for what the author is to the repository.

The word is that of the moment at which it was asked: once the pull request is merged, the host may call the same person
a contributor. So the mark appears only where the delivery, or the API at the time, still said so; that it is missing
tells nothing of the author.
"""

from __future__ import annotations

from collections.abc import Iterable

from services.analyzer.reading.reviews import name_of
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.tags import trait_tag
from shared.domain.analysis import Evidence, Tag
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import Trait

name = "first-time-contributor"
_FIRST = frozenset({"FIRST_TIME_CONTRIBUTOR", "FIRST_TIMER"})
"""``FIRST_TIMER`` never committed anywhere on the host before; GitHub documents both under ``author_association``."""


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag]:  # noqa: ARG001 - the shape of every rule
    """Yield ``trait:first-time-contributor`` unless the author is a bot."""
    if pull_request.author_association in _FIRST and not pull_request.user.is_bot:
        why = f"the host calls {name_of(pull_request.user)} a first-time contributor"
        yield trait_tag(name, Trait.FIRST_TIME_CONTRIBUTOR, [Evidence(why=why)])
