"""Routes of single merges: the analysis of one pull request, the list of a week."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import APIRouter, Query

from services.web.answers import (
    AnalysisAnswer,
    MergedPullRequest,
    ReadingState,
    Repository,
    State,
    WeekAnswer,
    WeekItem,
)
from services.web.parameters import (
    GITHUB,
    Host,
    Name,
    Number,
    Owner,
    Week,
    WeekQuery,
    cursor_of,
    number_in,
    repository_row,
    unknown_repository,
)
from services.web.runtime import WebRuntime
from shared.domain.analysis import Analysis
from shared.domain.pull_request import RepositoryRef
from shared.problems import Problem, documented
from shared.redaction import redact_value
from shared.store import analyses, deliveries, pull_requests, reading_views, repositories
from shared.store.deliveries import DeliveryView
from shared.store.pull_requests import StoredPullRequest
from shared.store.session import Session

_MOST_UNFINISHED = 1000


class AnalysisRoutes:
    """`…/pull-requests/{number}/analysis` and `…/weeks/{week}/pull-requests`."""

    def __init__(self, runtime: WebRuntime) -> None:
        self._runtime = runtime

    def add_to(self, routes: APIRouter) -> None:
        """Add both."""
        prefix = "/repositories/{owner}/{name}"
        errors = documented(401, 404, 422, 503)
        routes.add_api_route(prefix + "/pull-requests/{number}/analysis", self.analysis, responses=errors)
        routes.add_api_route(prefix + "/weeks/{week}/pull-requests", self.week, responses=errors)

    def analysis(self, owner: Owner, name: Name, number: Number, host: Host = GITHUB) -> AnalysisAnswer:
        """The newest analysis of one merged pull request: its tags and what they rest on.

        A merge that was delivered and is not analysed yet is an answer too: `state` says so and `analysis` is null.
        What a language model read of it is in `analysis.reading`; while it has not, `reading_state` says why.
        """
        full_name = f"{owner}/{name}"
        with self._runtime.database.reading() as session:
            row = repositories.find(session, full_name, host)
            ref = RepositoryRef(full_name=full_name, host=host) if row is None else repositories.ref_of(session, row)
            stored = None if row is None else pull_requests.get(session, row, number, details=False)
            found = None if stored is None else analyses.latest(session, stored.id)
            unfinished = [] if found else _unfinished(session, ref.full_name, number)
            reading = None if stored is None else reading_views.view(session, stored.id)
        if stored is None and not unfinished:
            raise unknown_repository(full_name, host) if row is None else _unknown_pull_request(full_name, number)
        state = _state(found, stored, unfinished)
        answer = AnalysisAnswer(
            repository=Repository.of(ref),
            number=number,
            pull_request=MergedPullRequest.of(stored.pull_request) if stored else None,
            state=state,
            failure=_failure(state, unfinished),
            analysis=found,
            reading_state=None if reading is None else ReadingState.of(reading),
        )
        return redact_value(answer)

    def week(self, owner: Owner, name: Name, week: Week, query: Annotated[WeekQuery, Query()]) -> WeekAnswer:
        """The merges of a week, oldest first; filters narrow the list to those that fit all of them."""
        full_name = f"{owner}/{name}"
        period = self._runtime.week(full_name, week, query.host)
        behind = number_in(query.after)
        size = query.limit or self._runtime.settings.api.page_size
        with self._runtime.database.reading() as session:
            row = repository_row(session, full_name, query.host)
            ref = repositories.ref_of(session, row)
            listed = analyses.list_of_week(
                session,
                row,
                period.start,
                period.end,
                area=query.area,
                tag=query.tag,
                risk=query.risk,
                after=behind,
                limit=size + 1,
            )
        page = listed[:size]
        answer = WeekAnswer(
            repository=Repository.of(ref),
            period=period,
            items=[WeekItem.of(pull_request, analysis) for pull_request, analysis in page],
            next=cursor_of(page[-1][0].number) if len(listed) > size else None,
        )
        return redact_value(answer)


def _unfinished(session: Session, full_name: str, number: int) -> list[DeliveryView]:
    """Deliveries of this merge that are waiting, being worked on, parked or dead, each newest first."""
    return [
        view
        for status in ("new", "claimed", "parked", "dead")
        for view in deliveries.listing(session, status=status, repository=full_name, limit=_MOST_UNFINISHED)
        if view.number == number and view.action == "closed"
    ]


def _state(found: Analysis | None, stored: StoredPullRequest | None, unfinished: Sequence[DeliveryView]) -> State:
    if found is not None:
        return "analysed"
    statuses = {view.status for view in unfinished}
    if statuses and statuses <= {"parked", "dead"}:
        return "parked" if "parked" in statuses else "failed"
    if unfinished or (stored is not None and stored.captured):
        return "waiting"
    return "not-captured"


def _failure(state: State, unfinished: Sequence[DeliveryView]) -> str | None:
    """The parked ones come first: what is waited for outranks what was given up."""
    return unfinished[0].last_error if state in ("parked", "failed") else None


def _unknown_pull_request(full_name: str, number: int) -> Problem:
    return Problem(
        404,
        "unknown-pull-request",
        f"No merge of {full_name}#{number} was delivered.",
        "Check the number; only merged pull requests are known, and only those merged since the hook was set.",
    )
