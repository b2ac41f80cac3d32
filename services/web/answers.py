"""The answers of the API, as documented in its OpenAPI description."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import AwareDatetime, BaseModel, Field

from shared.domain.analysis import Analysis
from shared.domain.period import Period
from shared.domain.pull_request import PullRequest, RepositoryRef
from shared.domain.taxonomy import ChangeType
from shared.store.reading_views import ReadingView

State = Literal["analysed", "waiting", "parked", "failed", "not-captured"]
ReadingStatus = Literal["waiting", "reading", "batched", "read", "rules", "superseded", "failed"]

READING_STATES: Mapping[str, ReadingStatus] = {
    "new": "waiting",
    "retry": "waiting",
    "reading": "reading",
    "batched": "batched",
    "done": "read",
    "rules": "rules",
    "superseded": "superseded",
    "dead": "failed",
}
"""What each status of a stored reading is called here."""


class Repository(BaseModel):
    """A repository that merges were captured of."""

    full_name: str
    host: str
    id: int | None = Field(description="The host's numeric id, where it is known.")
    url: str

    @classmethod
    def of(cls, ref: RepositoryRef) -> Repository:
        """Return what is shown of ``ref``."""
        return cls(full_name=ref.full_name, host=ref.host, id=ref.id, url=ref.url)


class MergedPullRequest(BaseModel):
    """A merged pull request in short."""

    number: int
    title: str
    url: str
    author: str
    bot: bool
    merged_at: AwareDatetime
    base_ref: str
    labels: list[str]
    additions: int
    deletions: int
    changed_files: int

    @classmethod
    def of(cls, pull_request: PullRequest) -> MergedPullRequest:
        """Return what is shown of ``pull_request``."""
        return cls(
            number=pull_request.number,
            title=pull_request.title,
            url=pull_request.url,
            author=pull_request.user.shown,
            bot=pull_request.user.is_bot,
            merged_at=pull_request.merged_at,
            base_ref=pull_request.base_ref,
            labels=list(pull_request.labels),
            additions=pull_request.additions,
            deletions=pull_request.deletions,
            changed_files=pull_request.changed_files,
        )


class ReadingState(BaseModel):
    """How the reading of a merge by the language model stands."""

    state: ReadingStatus = Field(
        description="`waiting`: its turn comes, or it is tried again at `next_attempt_at`. `reading`: under way. "
        "`batched`: in a batch at the model's server, which may take a day. `read`: `analysis.reading` holds what was "
        "kept of it. `rules`: no usable answer came, `why` says why; `mergecast reanalyze` asks anew. `superseded`: "
        "the merge changed before it was read. `failed`: given up after faults of our own."
    )
    why: str | None = Field(description="The last error: why it waits, or why no reading came.")
    next_attempt_at: AwareDatetime | None = Field(description="Null when it is not going to be tried again.")
    requests: int = Field(description="Requests that were sent for it; at most two each time it is asked for.")
    model: str
    prompt_version: str

    @classmethod
    def of(cls, view: ReadingView) -> ReadingState:
        """Return what is shown of ``view``."""
        return cls(
            state=READING_STATES[view.status],
            why=view.why,
            next_attempt_at=view.next_attempt_at,
            requests=view.requests,
            model=view.model,
            prompt_version=view.prompt_version,
        )


class AnalysisAnswer(BaseModel):
    """One merged pull request and its newest analysis."""

    repository: Repository
    number: int
    pull_request: MergedPullRequest | None = Field(description="Null while only its delivery is known.")
    state: State = Field(
        description="`waiting`: captured, the analysis is to come. `parked`: it waits until access is given back, "
        "`failure` says to what. `failed`: given up, `failure` says why, a replay tries again. "
        "`not-captured`: known only from a later event, its merge was never delivered."
    )
    failure: str | None = Field(description="The last error, when the state is `failed` or `parked`.")
    analysis: Analysis | None = Field(
        description="By rules, or by rules and a model: `source` says so, and `source_why` why rules alone. `reading` "
        "is what the model read: each claim with the quotations that code found in the merge. Tags carry their "
        "`origin`; those of a model are beside the rules', never instead of them."
    )
    reading_state: ReadingState | None = Field(
        description="How the reading by the language model stands; null when none was ever asked for."
    )


class WeekItem(BaseModel):
    """One merge of a week; the fields of the analysis are empty while there is none."""

    pull_request: MergedPullRequest
    analysed: bool
    change_type: ChangeType | None
    areas: list[str]
    tags: list[str] = Field(description="`namespace:value`, such as `risk:core-path`; by rules, and by a model.")
    source: Literal["rules", "model"] | None = Field(description="Who examined it: rules alone, or a model as well.")
    importance: int | None
    summary: str | None

    @classmethod
    def of(cls, pull_request: PullRequest, analysis: Analysis | None) -> WeekItem:
        """Return what is listed of a merge and its analysis."""
        return cls(
            pull_request=MergedPullRequest.of(pull_request),
            analysed=analysis is not None,
            change_type=analysis and analysis.change_type,
            areas=list(analysis.areas) if analysis else [],
            tags=[tag.name for tag in analysis.tags] if analysis else [],
            source=analysis and analysis.source,
            importance=analysis.importance.score if analysis else None,
            summary=analysis and analysis.summary,
        )


class WeekAnswer(BaseModel):
    """One page of the merges of a week, oldest first."""

    repository: Repository
    period: Period
    items: list[WeekItem]
    next: str | None = Field(description="Give it as `after` to get the next page; null on the last one.")


class DigestEntry(BaseModel):
    """One stored digest."""

    week: str
    timezone: str
    branch: str
    sealed_at: AwareDatetime | None = Field(description="When it became final; null while it may still change.")
    revision: int
    url: str


class RepositoryList(BaseModel):
    """Every repository that merges were captured of."""

    items: list[Repository]


class DigestList(BaseModel):
    """The stored digests of one repository, newest first."""

    repository: Repository
    items: list[DigestEntry]
