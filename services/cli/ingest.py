"""``mergecast ingest``: merges of a file or of git history into the store, analysed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING, Annotated

import typer

from services.cli.console import complain, literal, out, progress
from services.cli.looking_back import BEGINNING
from services.cli.surroundings import ConfigOption, RepositoryOption, WeekOption, now, opened_database, read_settings
from services.cli.weeks import chosen_week
from shared.domain.errors import InvalidInput
from shared.domain.protocols import MergeSource, SourceTexts
from shared.domain.pull_request import PullRequest
from shared.settings import Settings

if TYPE_CHECKING:
    from services.analyzer.rules.context import RuleContext
    from shared.store.pull_requests import CapturedBy
    from shared.store.readings import AskedBy
    from shared.store.session import Database


@dataclass(frozen=True)
class Span:
    """Half-open stretch of time; merges in it are read."""

    start: datetime
    end: datetime


def ingest(
    source: Annotated[
        str, typer.Argument(help="Merge records (JSONL), a git clone, or a clone URL.", metavar="SOURCE")
    ],
    *,
    repository: RepositoryOption = None,
    since: Annotated[
        str | None, typer.Option("--since", help="First day to read (UTC), such as 2026-05-01.", metavar="DATE")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--until", help="First day not to read any more (UTC).", metavar="DATE")
    ] = None,
    week: WeekOption = None,
    branch: Annotated[str | None, typer.Option("--branch", help="Branch to read; default: the main one.")] = None,
    config: ConfigOption = None,
) -> None:
    """Read merges into the store and analyse each one.

    Can be interrupted and run again: what is stored and analysed already is
    left alone.

    [bold]Examples[/bold]

      mergecast ingest merges.jsonl
      mergecast ingest ~/src/project --since 2026-05-01
    """
    settings = read_settings(config)
    # What is wrong is said before anything is fetched; the repository's zone is known only afterwards.
    span_of(settings, repository, since=since, until=until, week=week)
    opened = _opened(settings, source, repository, branch)
    span = span_of(settings, opened.repository.full_name, since=since, until=until, week=week)
    out().print(literal(f"{opened.repository.full_name}: {take_in_all(settings, opened, span)}"))


def _opened(settings: Settings, source: str, repository: str | None, branch: str | None) -> MergeSource:
    from shared.sources.opening import open_source

    cache = settings.clones_folder
    with progress("Opening the source") as report:
        return open_source(source, repository=repository, branch=branch, cache=cache, progress=report)


def take_in_all(settings: Settings, source: MergeSource, span: Span, by: CapturedBy = "ingest") -> str:
    """Store and analyse every merge of ``source`` in ``span``, with progress, and say how many that were.

    What is taken in ``by`` a backfill is history: it makes no digests of old weeks.
    """
    from services.cli.source_context import context_of
    from shared.redaction import RedactedSource

    source = RedactedSource(source)
    database = opened_database(settings)
    context = context_of(settings, source)
    counted: Counter[str] = Counter()
    try:
        with progress("Reading and examining") as report:
            for pull_request in source.merged_between(span.start, span.end, report):
                texts = source.sources(pull_request) or None
                counted[_take_in(settings, database, pull_request, context, texts, by)] += 1
    except KeyboardInterrupt:
        complain(f"{_told(counted)} Run the command again to go on.")
        raise
    finally:
        database.dispose()
    return _told(counted)


def _take_in(
    settings: Settings,
    database: Database,
    pull_request: PullRequest,
    context: RuleContext,
    texts: SourceTexts | None,
    by: CapturedBy,
) -> str:
    """Store one merge with its analysis, and ask for its reading, in one transaction; say what came of it."""
    from services.analyzer.examine import examine
    from services.analyzer.readings.wishes import save_by_rules
    from shared.store import pull_requests, repositories

    analysis = examine(pull_request, context, texts)
    present = database.now()
    with database.transaction() as session:
        repository_id = repositories.ensure(session, pull_request.repository, present)
        row = pull_requests.save_facts(session, repository_id, pull_request, captured=True, now=present, by=by)
        stored = pull_requests.get(session, repository_id, pull_request.number)
        if stored is not None and stored.pull_request != pull_request:
            # A webhook may have told newer facts than the source knows; they win, and the analysis is of them.
            analysis = examine(stored.pull_request, context, texts)
        asked_by: AskedBy = "backfill" if by == "backfill" else "capture"
        is_new, _ = save_by_rules(session, settings, (row, repository_id), analysis, asked_by, present)
        return "new" if is_new else "known"


def _told(counted: Counter[str]) -> str:
    return f"{counted.total()} merges read: {counted['new']} analysed, {counted['known']} known already."


def span_of(
    settings: Settings, repository: str | None, *, since: str | None, until: str | None, week: str | None
) -> Span:
    """Return the stretch of time that a person named; InvalidInput when there is none such."""
    if week is not None and (since or until):
        raise InvalidInput("Give either --week or --since and --until, not both.")
    if week is not None:
        listed = settings.repository(repository or "any/any")
        period = chosen_week(week, listed.timezone or settings.digest.timezone, now(), so_far=True)
        return Span(period.start, period.end)
    span = Span(
        _midnight(since) if since is not None else BEGINNING,
        _midnight(until) if until is not None else now() + timedelta(days=1),
    )
    if span.start >= span.end:
        raise InvalidInput("Nothing lies between --since and --until.", "The first must be before the second.")
    return span


def _midnight(text: str) -> datetime:
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise InvalidInput(f"'{text}' is not a day.", "Write it like 2026-05-01.") from error
    return datetime(day.year, day.month, day.day, tzinfo=UTC)
