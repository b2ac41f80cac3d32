"""The answers of the API, as documented in its OpenAPI description."""

from __future__ import annotations

from typing import Literal

from pydantic import AwareDatetime, BaseModel, Field

from shared.domain.analysis import Analysis
from shared.domain.period import Period
from shared.domain.pull_request import PullRequest, RepositoryRef
from shared.domain.taxonomy import ChangeType

State = Literal["analysed", "waiting", "parked", "failed", "not-captured"]


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
    analysis: Analysis | None


class WeekItem(BaseModel):
    """One merge of a week; the fields of the analysis are empty while there is none."""

    pull_request: MergedPullRequest
    analysed: bool
    change_type: ChangeType | None
    areas: list[str]
    tags: list[str] = Field(description="`namespace:value`, such as `risk:core-path`.")
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
