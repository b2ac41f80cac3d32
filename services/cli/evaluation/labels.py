"""The labelled set: merges, and beside each of them what a careful reader would and would not say of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from shared.domain.errors import InvalidInput
from shared.domain.pull_request import PullRequest
from shared.domain.reading import ActionKind, LimitKind
from shared.domain.taxonomy import KeyReason, ReviewOutcome, Risk
from shared.domain.value import Value
from shared.redaction import redact_pull_request
from shared.sources.merge_records import parse_line

SET = Path(__file__).parents[3] / "tests" / "evals" / "merges.jsonl"
"""The project's own set; only a checkout has it."""


class Item(Value):
    """One thing to be said: told when a claim has one of the phrases, or rests on the quoted words.

    ``say`` is how a careful reader puts it: it shows that the checker lets a fair answer through.
    """

    phrases: tuple[str, ...] = Field(min_length=1)
    quote: str
    say: str


class FactItem(Item):
    """What is true now, what was changed, or why."""

    field: Literal["effect", "change", "why"] = "effect"


class LimitItem(Item):
    """A condition under which it holds."""

    kind: LimitKind


class ActionItem(Item):
    """What a reader has to do or to know."""

    kind: ActionKind


class ContestItem(Item):
    """A point that reviewers disputed, and what became of it."""

    outcome: ReviewOutcome


class RiskItem(Item):
    """What can go wrong."""

    risk: Risk


class ReasonItem(Item):
    """Why many readers should know."""

    reason: KeyReason


class Labels(Value):
    """What is right to say of one merge, and what is wrong."""

    case: str = Field(pattern=r"^[a-z0-9-]{3,60}$")
    traps: tuple[str, ...] = ()
    """What makes it hard, as slugs."""
    facts: tuple[FactItem, ...] = ()
    limits: tuple[LimitItem, ...] = ()
    actions: tuple[ActionItem, ...] = ()
    contested: tuple[ContestItem, ...] = ()
    risks: tuple[RiskItem, ...] = ()
    reason: ReasonItem | None = None
    forbidden_risks: tuple[Risk, ...] = ()
    announced: tuple[str, ...] = ()
    """Phrases of what only the description promises: whoever says one has to mark it as announced."""
    never: tuple[str, ...] = ()
    """Words of injections, hidden texts and strangers' figures that no text of a reading may have."""
    secrets: tuple[str, ...] = ()
    """Must be in no request and in no reading."""


class Case(Value):
    """One labelled merge, as it is after it was taken in: without its secrets."""

    labels: Labels
    pull_request: PullRequest

    @property
    def name(self) -> str:
        """The slug of the case."""
        return self.labels.case


def load_cases(path: Path, limit: int | None = None) -> list[Case]:
    """Return the first ``limit`` cases of a set: merge records (JSONL) with ``expected`` beside their other fields.

    InvalidInput for a file that cannot be read, a line that is no labelled merge, or two cases of one name.
    """
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise InvalidInput(
            f"The labelled set {path} cannot be read: {error.strerror}.", "Name one with --set FILE."
        ) from error
    cases: dict[str, Case] = {}
    for number, line in enumerate(lines, start=1):
        if line.strip():
            case = _case(line, number, path)
            if case.name in cases:
                raise InvalidInput(f"{path} has two cases named {case.name}.", "Give one of them another name.")
            cases[case.name] = case
    if not cases:
        raise InvalidInput(f"{path} has no labelled merge.", "Name another one with --set FILE.")
    return list(cases.values())[:limit]


def _case(line: bytes, number: int, path: Path) -> Case:
    pull_request = parse_line(line, number, path)
    try:
        labels = Labels.model_validate(json.loads(line).get("expected"))
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(map(str, ("expected", *fault["loc"])))
        raise InvalidInput(
            f"{path}, line {number}: {place} is wrong: {fault['msg']}.",
            "docs/reading.md tells what labels are.",
        ) from error
    return Case(labels=labels, pull_request=redact_pull_request(pull_request))
