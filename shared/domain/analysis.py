"""One immutable examination of a pull request: tags with evidence, relations, importance, coverage."""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime, Field

from shared.domain.facts import Fact
from shared.domain.pull_request import DetailSource
from shared.domain.reading import Reading
from shared.domain.taxonomy import ChangeType, KeyReason, Namespace, Origin, RelationKind, ReviewOutcome, Risk, Trait
from shared.domain.value import Value


class Evidence(Value):
    """Why a tag was set: ``why`` in plain words, with the file, or the words quoted, that the rule saw."""

    why: str
    path: str | None = None
    quote: str | None = None
    url: str | None = None
    """A page of the host that shows it, such as a review."""


class Tag(Value):
    """``namespace:value`` with who set it, by which rule, and on what evidence."""

    namespace: Namespace
    value: str
    rule: str
    origin: Origin = Origin.RULE
    evidence: tuple[Evidence, ...] = ()

    @property
    def name(self) -> str:
        """The tag as people write it, such as ``risk:core-path``."""
        return f"{self.namespace}:{self.value}"


class Relation(Value):
    """From one pull request to another; ``target`` is None while only the target's commit is known."""

    kind: RelationKind
    source: int
    target: int | None = None
    target_commit: str | None = None
    label: str | None = None
    """What the relation is about where it has a name: a branch of a backport, ``3/7`` of a series."""
    confidence: float = Field(default=1.0, ge=0.0, le=1.0)
    evidence: str = ""


class Factor(Value):
    """One reason for the importance: a slug, its points (may be negative) and the evidence in plain words."""

    name: str
    points: int
    why: str


class Importance(Value):
    """How much a reader should care: the sum of the factors; ``reason`` is None when it is no candidate for key."""

    score: int = 0
    reason: KeyReason | None = None
    reason_why: str = ""
    factors: tuple[Factor, ...] = ()


class ReviewPoint(Value):
    """One request of the review in the words of the person who asked, and how it ended as far as it is told."""

    person: str
    """Who asked, as shown."""
    outcome: ReviewOutcome = ReviewOutcome.ASKED
    changes_requested: bool = False
    """A review that asked for changes; otherwise a thread about a place of the diff."""
    quote: str = ""
    """The first words, as plain text on one line; empty when changes were asked for without any."""
    asked_at: AwareDatetime | None = None
    url: str | None = None
    path: str | None = None
    line: int | None = None
    comments: int = 0
    """What people said in the thread, its opening included."""
    resolved: bool | None = None
    """None where the source cannot tell."""
    resolved_by: str | None = None
    outdated: bool = False
    answer: str = ""
    """The words that the outcome was told from."""
    answered_by: str | None = None


class Coverage(Value):
    """How much of the change was seen."""

    source: DetailSource
    files_changed: int
    files_seen: int
    files_read: int
    """Files whose patch was read."""
    patch_bytes: int = 0
    unread: dict[str, int] = {}
    """How many files were not read, for each ``Unread`` reason."""
    files_whole: int = 0
    """Files of which the whole text was known, before and after; of the others only what the patch shows."""
    facts_unread: dict[str, int] = {}
    """How many files facts were not, or not wholly, read from, by reason."""

    @property
    def partial(self) -> bool:
        """True when the file list itself is not whole."""
        return self.files_seen < self.files_changed


NO_MODEL = "no model is set"
"""Why rules alone examined a merge where nobody wants a model; no news to whoever reads the analysis."""


class Analysis(Value):
    """One examination; the natural key is the pull request and ``fingerprint``."""

    number: int
    fingerprint: str
    ruleset_version: str
    model: str | None = None
    prompt_version: str | None = None
    summary: str
    change_type: ChangeType
    areas: tuple[str, ...] = ()
    tags: tuple[Tag, ...] = ()
    relations: tuple[Relation, ...] = ()
    facts: tuple[Fact, ...] = ()
    """What the diff itself says."""
    review: tuple[ReviewPoint, ...] = ()
    """What was asked for in review, the weightiest first; empty as well when no source told of it."""
    importance: Importance = Importance()
    coverage: Coverage
    source: Literal["rules", "model"] = "rules"
    """Who examined it: rules alone, or rules and a model."""
    source_why: str = ""
    """Why rules alone: no model is set, it has not read the merge yet, or why it could not; empty for a model."""
    reading: Reading | None = None
    """What a model read, checked; None when rules alone examined it."""

    def has(self, value: Risk | Trait) -> bool:
        """Whether a tag with this risk or trait was set."""
        return any(tag.value == value for tag in self.tags if tag.namespace in (Namespace.RISK, Namespace.TRAIT))

    def risk(self, value: Risk) -> Tag | None:
        """The tag of this risk, or None."""
        return next((tag for tag in self.tags if tag.namespace is Namespace.RISK and tag.value == value), None)
