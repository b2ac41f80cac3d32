"""The digest of one week straight from a source, without a store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import datetime
from functools import partial

from services.cli.console import complain, progress
from services.cli.examining import Opener, examine_all
from services.cli.looking_back import BEGINNING, recent_weeks
from services.cli.surroundings import chosen_languages
from services.cli.weeks import Wish, chosen_week
from services.digest.aggregate import Frame, aggregate
from services.digest.merges import Merge
from services.digest.narrate import narrate
from shared.domain.completeness import CompletenessGap
from shared.domain.digest import Digest
from shared.domain.period import Period
from shared.domain.protocols import MergeSource
from shared.domain.pull_request import PullRequest
from shared.redaction import RedactedSource
from shared.settings import RepositorySettings, Settings
from shared.settings.own_file import effective
from shared.sources.opening import open_source


def digest_of_source(settings: Settings, source: str, wish: Wish, present: datetime) -> tuple[Digest, tuple[str, ...]]:
    """Return the digest of the week wished for and its languages; InvalidInput for a source that cannot be read."""
    opened = _opened(settings, source, wish)
    listed = effective(settings, opened.repository.full_name, opened.conventions())
    timezone = wish.timezone or listed.timezone or settings.digest.timezone
    languages = chosen_languages(list(wish.languages), listed.languages or settings.digest.languages)
    period = chosen_week(wish.week, timezone, present, so_far=wish.so_far)
    opener = partial(open_source, source, repository=wish.repository, branch=wish.branch, cache=settings.clones_folder)
    merges = _examined_merges(settings, opened, opener, listed, period)
    frame = Frame(
        repository=opened.repository,
        branch=wish.branch
        or opened.repository.default_branch
        or most_used_base(merge.pull_request for merge in merges),
        branches=listed.branches,
        period=period,
        generated_at=present,
        so_far=present < period.end,
        featured=listed.featured or settings.digest.featured,
        key_pull_requests=listed.key_pull_requests or settings.digest.key_pull_requests,
        switched_off=listed.switched_off,
        completeness_gap=CompletenessGap(why="not-asked"),
    )
    week = [merge for merge in merges if period.contains(merge.pull_request.merged_at)]
    before = [merge for merge in merges if not period.contains(merge.pull_request.merged_at)]
    known = bool(before) or _reaches_back(opened, period.previous().start)
    made = narrate(aggregate(week, frame, earlier=before if known else None), languages)
    if not made.merged_total:
        _point_to_a_week(opened, period, present)
    return made, languages


def _opened(settings: Settings, source: str, wish: Wish) -> MergeSource:
    with progress("Opening the source") as report:
        found = open_source(
            source,
            repository=wish.repository,
            branch=wish.branch,
            cache=settings.clones_folder,
            progress=report,
        )
    return RedactedSource(found)


def _examined_merges(
    settings: Settings, source: MergeSource, opener: Opener, listed: RepositorySettings, period: Period
) -> list[Merge]:
    """The merges of the week and of the one before it."""
    with progress("Reading merges") as report:
        pull_requests = list(source.merged_between(period.previous().start, period.end, report))
    with progress("Examining") as report:
        cache = settings.data_folder / "cache" / "analyses"
        return examine_all(source, opener, pull_requests, listed, cache, report)


def _reaches_back(source: MergeSource, start: datetime) -> bool:
    """Whether the source tells of anything before ``start``: else an empty week is one that it does not know."""
    return next(iter(source.merge_times(BEGINNING, start)), None) is not None


def most_used_base(pull_requests: Iterable[PullRequest]) -> str:
    """Return the branch that most merges went to, for a source that does not know the default branch."""
    counted = Counter(pull_request.base_ref for pull_request in pull_requests).most_common(1)
    return counted[0][0] if counted else "main"


def _point_to_a_week(source: MergeSource, period: Period, present: datetime) -> None:
    """Say in one line which week has merges, for the person who named a week without any, or none at all."""
    counted = recent_weeks(source, period.timezone, present)
    if not counted:
        complain(f"week {period.week} has no merges, nor has this source any.")
        return
    newest, busiest = max(counted), max(counted, key=lambda week: (counted[week], week))
    known = f"the newest ones of this source are in {newest} ({counted[newest]})"
    if busiest != newest:
        known += f", most are in {busiest} ({counted[busiest]})"
    complain(f"week {period.week} has no merges; {known}. Try --week {busiest}.")
