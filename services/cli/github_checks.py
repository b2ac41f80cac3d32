"""What ``doctor`` asks GitHub: whose the credential is, what it may read, and whether deliveries arrive."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from services.cli.checks import Finding
from services.cli.github_credential import HOW, Known, credential, key_file, limit
from services.cli.github_hooks import app_hook, hooks
from services.cli.github_questions import LONGEST_ANSWER, NoAnswers, Questions, UncountedLimiter, bounded, tree
from services.cli.github_rights import installed, may_write, too_much, tried
from services.cli.surroundings import now
from shared.code_host import open_code_host, path_of
from shared.domain.errors import Absent, MergecastError, Parked, Postponed
from shared.domain.pull_request import RepositoryRef
from shared.domain.text import fold
from shared.settings import GitHubSettings, Settings

if TYPE_CHECKING:
    from shared.store.session import Database

MOST_REPOSITORIES = 20
"""That are looked at: doctor is to cost little."""


def github(settings: Settings, database: Database | None) -> Iterator[Finding]:
    """Yield the findings about GitHub; a handful of requests for each listed repository, and nothing is changed.

    The first failure to answer at all ends them: what hangs once hangs again.
    """
    house = settings.github
    if not house.enabled:
        told = "not asked: no files, no review, and a delivery that is lost stays lost"
        yield Finding("GitHub", "good", told, f"Set github.token, or github.app_id with its private key; {HOW}")
        return
    for listed in settings.repositories:
        if listed.host != house.host and listed.api is not False:
            told = f"its host is {listed.host}, and github.host is {house.host}: it is not asked about"
            yield Finding(_name(listed.full_name), "warning", told, "Set both to the same name.")
    yield from key_file(house)
    try:
        with closing(_questions(house, database)) as questions:
            yield from _asked(house, questions, _watched(settings, database))
    except Postponed as error:
        mend = f"{error.way_out} When it stays so, check github.api_url, the network and proxies on the way."
        yield Finding("GitHub", "wrong", error.message, mend)
    except MergecastError as error:
        yield Finding("GitHub", "wrong", error.message, error.way_out)


def _questions(house: GitHubSettings, database: Database | None) -> Questions:
    """Ask on the budget that every process shares, where there is a database that keeps it."""
    brief = house.model_copy(update={"timeout": min(house.timeout, LONGEST_ANSWER)})
    if database is None:
        return Questions(open_code_host(brief, UncountedLimiter(), NoAnswers(), now), now)
    from shared.store.request_budgets import StoredLimiter

    clock = database.now
    return Questions(open_code_host(brief, StoredLimiter(database, clock), NoAnswers(), clock), clock)


def _watched(settings: Settings, database: Database | None) -> list[RepositoryRef]:
    """Those that the host is asked about; with no list, those that have sent something."""
    if settings.repositories:
        listed = [one for one in settings.repositories if settings.asks_host(one)]
        return [RepositoryRef(full_name=one.full_name, host=one.host) for one in listed]
    if database is None:
        return []
    from shared.store import repositories

    with database.reading() as session:
        stored = [ref for _, ref in repositories.all_repositories(session)]
    return [ref for ref in stored if ref.host == settings.github.host]


def _asked(house: GitHubSettings, questions: Questions, refs: Sequence[RepositoryRef]) -> Iterator[Finding]:
    known = yield from credential(house, questions)
    if house.app_id:
        yield from app_hook(questions, known.app)
    measured: set[object] = set()
    for ref in refs[:MOST_REPOSITORIES]:
        try:
            if house.app_id:
                yield from _of_app(house, questions, ref, known, measured)
            else:
                yield from _of_token(house, questions, ref, known)
        except Postponed:
            raise
        except MergecastError as error:
            yield Finding(_name(ref.full_name), "wrong", error.message, error.way_out)
    if len(refs) > MOST_REPOSITORIES:
        yield Finding("GitHub", "good", f"{len(refs) - MOST_REPOSITORIES} more repositories were not looked at")


def _of_app(
    house: GitHubSettings, questions: Questions, ref: RepositoryRef, known: Known, measured: set[object]
) -> Iterator[Finding]:
    """Yield what the App's installation may do; ``measured`` are the installations whose limit was told."""
    page = f"{bounded(known.app.get('html_url'))}/installations/new"
    try:
        installation = tree(questions.read(f"{path_of(ref)}/installation", about=ref, as_app=True).body)
    except Absent:
        told = "the App is not installed there, or the name is wrong"
        yield Finding(_name(ref.full_name), "wrong", told, f"Install it: {page}")
        return
    yield from installed(_name(ref.full_name), installation, page)
    if installation.get("suspended_at"):
        return
    yield from _identity(house, ref, tree(questions.read(path_of(ref), about=ref).body))
    if installation.get("id") not in measured:
        measured.add(installation.get("id"))
        yield limit(house, questions.read("/rate_limit", about=ref).body)


def _of_token(house: GitHubSettings, questions: Questions, ref: RepositoryRef, known: Known) -> Iterator[Finding]:
    """Yield what a token, or nobody, may do there, and what its hooks are like."""
    try:
        body = tree(questions.read(path_of(ref), about=ref).body)
    except (Parked, Absent) as error:
        mend = (
            "Mend full_name, or give the token this repository (Repository access; an organisation may have to agree)."
        )
        yield Finding(_name(ref.full_name), "wrong", f"it cannot be seen: {error.message}", mend)
        return
    yield from _identity(house, ref, body)
    named = ref.model_copy(update={"id": body.get("id"), "default_branch": bounded(body.get("default_branch"))})
    private = body.get("private") is not False
    yield from tried(questions, named, private=private)
    if house.has_credential:
        push = tree(body.get("permissions")).get("push") is True
        token = house.token.get_secret_value()
        if known.scopes is None and may_write(token, None, push=push, private=private):
            yield too_much(_name(ref.full_name))
        yield from hooks(questions, named)


def _identity(house: GitHubSettings, ref: RepositoryRef, body: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield when the repository has another name or stands on another host than the settings say."""
    called = bounded(body.get("full_name"))
    if called and fold(called) != fold(ref.full_name):
        told = f"it is called {called} by now, and deliveries name it so"
        yield Finding(_name(ref.full_name), "wrong", told, f'Set full_name = "{called}".')
    host = urlsplit(bounded(body.get("html_url"))).netloc
    if host and host != house.host:
        told = f"the API at {house.address} tells of {host}, and github.host is {house.host}"
        yield Finding("GitHub", "wrong", told, "Set github.host and github.api_url to the same server.")


def _name(full_name: str) -> str:
    return f"rights in {full_name}"
