"""The code host as a command asks it: with the credential of the settings or, by the person's wish, without one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from shared.code_host import CodeHost, open_code_host
from shared.settings import RepositorySettings, Settings
from shared.sources.github_api import GitHubApi
from shared.store.cached_answers import StoredAnswers
from shared.store.request_budgets import StoredLimiter
from shared.store.session import Database

if TYPE_CHECKING:
    from services.reconciler.backfill import Listing

WITHOUT_CREDENTIAL = (
    "No credential for the host is set, so 60 requests an hour are all there is: about 15 merges. "
    "Set github.token (or an App) for 5,000."
)


def asking(settings: Settings, full_name: str) -> Settings:
    """Return the settings under which a named repository's details come from the host's API."""
    github = (
        settings.github if settings.github.has_credential else settings.github.model_copy(update={"anonymous": True})
    )
    listed = settings.repository(full_name)
    others = tuple(one for one in settings.repositories if one != listed)
    if listed.records is None and listed.clone is None and listed not in settings.kept:
        listed = listed.model_copy(update={"api": True, "host": github.host})
    return settings.model_copy(update={"github": github, "repositories": (*others, listed)})


def opened_host(settings: Settings, database: Database) -> CodeHost:
    """Return the host of the settings, with the budget that every process of this database shares."""
    clock = database.now
    return open_code_host(settings.github, StoredLimiter(database, clock), StoredAnswers(database, clock), clock)


def open_listing(
    settings: Settings, full_name: str, database: Database, say: Callable[[str], None]
) -> tuple[Settings, Listing]:
    """Return the settings to analyse with and the host's list of ``full_name``, which is asked for once.

    The host's errors pass, as sentences with a way out.
    """
    from services.reconciler.backfill import Listing

    asked = asking(settings, full_name)
    if not asked.github.has_credential:
        say(WITHOUT_CREDENTIAL)
    host = opened_host(asked, database)
    api = api_of(host, asked.repository(full_name), database)
    return asked, Listing(api=api, repository=api.refresh(), stable=host.can_query)


def api_of(host: CodeHost, listed: RepositorySettings, database: Database) -> GitHubApi:
    """Return the API of one repository."""
    return GitHubApi(host, listed.full_name, listed, database.now)
