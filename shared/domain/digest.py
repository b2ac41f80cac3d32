"""The digest of one repository and week as data: the contract of ``digest.json``."""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime, ConfigDict, Field, SerializerFunctionWrapHandler, model_serializer

from shared.domain.analysis import ReviewPoint
from shared.domain.completeness import Completeness, CompletenessGap
from shared.domain.facts import Fact, FactKind, Reach, Subject
from shared.domain.period import Period
from shared.domain.provenance import CoverageAccount, Provenance, Usage
from shared.domain.reading import Claim, ContestedClaim, LimitClaim, ReasonClaim
from shared.domain.taxonomy import ChangeType, KeyReason, Origin, RelationKind
from shared.domain.value import Value

SCHEMA_VERSION = 1

State = Literal["featured", "grouped", "condensed", "failed"]
"""A pull request is in exactly one: told by name, told in a group, only listed, or not analysed."""

SpanKind = Literal[
    "text", "strong", "code", "pull_request", "title", "person", "count", "figure", "link", "quote", "model", "mark"
]


class Span(Value):
    """A piece of a paragraph; renderers escape ``text`` for their channel and never parse it.

    ``pull_request`` links to ``number``; ``count`` shows a number that opens to ``pull_requests``; ``figure`` shows a
    number that recomputes from this document (``source`` says from what); ``link`` goes to ``url``, which only code
    makes; ``title``, ``person`` and ``quote`` hold words of strangers. ``model`` holds what a language model says of
    ``number``, and ``mark`` the sign behind it that tells so.
    """

    kind: SpanKind = "text"
    text: str
    number: int | None = None
    pull_requests: tuple[int, ...] = ()
    list_key: str | None = None
    """Name of the list behind a count, such as ``risk:core-path``."""
    source: str | None = None
    url: str | None = None

    @model_serializer(mode="wrap")
    def _without_defaults(self, handler: SerializerFunctionWrapHandler) -> dict[str, object]:
        """Leave out what a span does not use: a digest of 200 merges holds some ten thousand of them."""
        return {name: value for name, value in handler(self).items() if name == "text" or value not in (None, (), [])}


class Paragraph(Value):
    """Words with the pull requests that they rest on; ``text`` is the plain text of ``spans``.

    ``cells`` make it a row of a table (consecutive rows are one table, its first row a ``heading``), for channels that
    have tables; ``spans`` then say the same in a line.
    """

    text: str
    pull_requests: tuple[int, ...] = ()
    spans: tuple[Span, ...] = ()
    bullet: bool = False
    heading: bool = False
    cells: tuple[tuple[Span, ...], ...] = ()


class Section(Value):
    """One part of the digest in one language."""

    key: str
    title: str
    paragraphs: tuple[Paragraph, ...] = ()


class ListedPullRequest(Value):
    """One merge of the window in the full list."""

    number: int
    title: str
    url: str
    author: str
    co_authors: tuple[str, ...] = ()
    bot: bool = False
    merged_at: AwareDatetime
    additions: int
    deletions: int
    changed_files: int
    change_type: ChangeType
    areas: tuple[str, ...]
    tags: tuple[str, ...]
    """Set by rules; the marks that a model judged are under ``risks``."""
    importance: int
    state: State
    partial: bool = False


class Ledger(Value):
    """Every merge of the window in exactly one set."""

    featured: tuple[int, ...] = ()
    grouped: tuple[int, ...] = ()
    condensed: tuple[int, ...] = ()
    failed: tuple[int, ...] = ()


class AreaFigure(Value):
    """One area with its merges; ``previous`` is None when the week before is not stored; ``share`` of merged_total."""

    name: str
    pull_requests: tuple[int, ...]
    previous: int | None
    share: float


class RiskFinding(Value):
    """One risk tag with its merges and the evidence of each; the prose fields are in English."""

    tag: str
    origin: Origin
    pull_requests: tuple[int, ...]
    evidence: dict[int, str]
    links: dict[int, str] = {}
    """Pages of the host that show the evidence, such as a review."""
    claims: dict[int, Claim] = {}
    """What a model says of how it comes about, by merge; the evidence itself where ``origin`` is a model."""
    mechanism: str = ""
    exposed: str = ""
    verify: str = ""


class Theme(Value):
    """Several merges joined into one story, by a method named in ``found_by`` (a series, a shared phrase, a stack)."""

    key: str
    title: str
    pull_requests: tuple[int, ...]
    story: str = ""
    found_by: str = ""
    areas: tuple[str, ...] = ()


class KeyPullRequest(Value):
    """One key pull request and the reason it was chosen."""

    number: int
    title: str
    url: str
    author: str
    reason: KeyReason
    reason_why: str = ""
    summary: str = ""
    impact: str = ""
    review: str = ""
    reason_origin: Origin = Origin.RULE
    review_points: tuple[ReviewPoint, ...] = ()
    """What was asked for in review and is worth telling; at most two."""


class ToldReading(Value):
    """What a model read out of one merge and this digest tells beside what rules found: each claim with its quotes."""

    number: int
    model: str
    effect: Claim | None = None
    """What is true now; where nothing is said of that, what was changed."""
    why: Claim | None = None
    limits: tuple[LimitClaim, ...] = ()
    contested: tuple[ContestedClaim, ...] = ()
    """What rules do not tell of the review already."""
    reason: ReasonClaim | None = None
    """Why it is key, where that is the model's judgement."""

    @property
    def claims(self) -> tuple[Claim, ...]:
        """Everything that is told."""
        single = (self.effect, self.why, self.reason)
        return (*(claim for claim in single if claim is not None), *self.limits, *self.contested)


class MustAct(Value):
    """Something that a reader must do or know; ``kind`` is a slug such as ``breaking-change``."""

    number: int
    kind: str
    old: str | None = None
    new: str | None = None
    what: str
    way_back: str | None = None
    place: str | None = None
    line: int | None = None
    """Line of ``place``; the rest is given where the row tells facts of the diff."""
    change: FactKind | None = None
    subject: Subject | None = None
    names: tuple[str, ...] = ()
    names_in_all: int = 0
    """Things that the row speaks of; ``names`` holds the first of them."""
    note: str = ""
    reach: Reach | None = None
    origin: Origin = Origin.RULE
    claim: Claim | None = None
    """What a model says there is to do, with its quotes; None where a rule found the row."""


class DigestFact(Fact):
    """What the diff of one merge says, as far as it reaches anybody but the project itself."""

    number: int


class DigestRelation(Value):
    """A relation with both ends known by number; ``from`` in JSON is ``source`` here."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)

    kind: RelationKind
    source: int = Field(alias="from")
    to: int
    confidence: float
    evidence: str
    label: str | None = None


class FollowUp(Value):
    """A recommendation with its addressee or testable action; ``key`` names it across weeks."""

    key: str
    text: str
    pull_requests: tuple[int, ...]
    state: Literal["new", "open", "done", "obsolete"] = "new"


class WeekFigures(Value):
    """The figures of an earlier week, for trends; every one a count of stored merges."""

    week: str
    merged_total: int
    change_types: dict[ChangeType, int] = {}
    areas: dict[str, int] = {}
    risks: dict[str, int] = {}
    people: int = 0


class Digest(Value):
    """The whole digest; serialise with ``to_json``."""

    schema_version: int = SCHEMA_VERSION
    repository: str
    host: str = "github.com"
    branch: str
    period: Period
    merged_total: int
    items_total: int
    """Merges told as one item when they share one merge commit."""
    pull_requests: tuple[ListedPullRequest, ...] = ()
    ledger: Ledger = Ledger()
    elsewhere: dict[str, tuple[int, ...]] = {}
    completeness: Completeness | None = None
    completeness_gap: CompletenessGap | None = None
    """Why ``completeness`` could not be established; None when it was, or when nobody was to be asked."""
    change_types: dict[ChangeType, tuple[int, ...]] = {}
    areas: tuple[AreaFigure, ...] = ()
    risks: tuple[RiskFinding, ...] = ()
    themes: tuple[Theme, ...] = ()
    key_pull_requests: tuple[KeyPullRequest, ...] = ()
    readings: tuple[ToldReading, ...] = ()
    must_act: tuple[MustAct, ...] = ()
    must_act_cut: tuple[int, ...] = ()
    """Merges with a row for which the capped ``must_act`` had no room."""
    facts: tuple[DigestFact, ...] = ()
    """What the diffs of the window say, as far as it reaches users, builders or forks; by merge."""
    relations: tuple[DigestRelation, ...] = ()
    follow_ups: tuple[FollowUp, ...] = ()
    taken_back: tuple[DigestRelation, ...] = ()
    """Repairs and reverts of merges that the digest before told by name."""
    people: tuple[str, ...] = ()
    """Authors and human co-authors, each once, sorted without case."""
    bots: tuple[int, ...] = ()
    late: tuple[int, ...] = ()
    """Merges of an earlier, sealed week that arrived after it was sealed; not in ``merged_total``."""
    previous: WeekFigures | None = None
    coverage: CoverageAccount = CoverageAccount()
    sections: dict[str, tuple[Section, ...]] = {}
    provenance: Provenance
    usage: Usage = Usage()

    def to_json(self) -> str:
        """The document as published: indented JSON, names as in the contract, characters unescaped."""
        return self.model_dump_json(indent=1, by_alias=True)

    def pull_request(self, number: int) -> ListedPullRequest:
        """The listed merge ``number``; KeyError when it is not of this window."""
        for listed in self.pull_requests:
            if listed.number == number:
                return listed
        raise KeyError(number)
