"""What ``doctor`` says about the credential that GitHub is asked with: whose it is, how long, how much is left."""

from __future__ import annotations

import stat
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from services.cli.checks import Finding
from services.cli.github_questions import Questions, bounded, tree
from services.cli.github_rights import NEEDED, may_write, too_much, words
from shared.domain.errors import Absent, Parked
from shared.settings import GitHubSettings

HOW = "docs/github.md says how."
SOON = 14
"""Days before its end from which on a token is warned of."""
EXPIRY = "github-authentication-token-expiration"
SCOPES = "x-oauth-scopes"


@dataclass(frozen=True)
class Known:
    """What GitHub told of the credential: the App, or the scopes of a classic token."""

    app: Mapping[str, Any] = field(default_factory=dict)
    scopes: str | None = None


def credential(house: GitHubSettings, questions: Questions) -> Generator[Finding, None, Known]:
    """Yield what holds for the credential of the settings, and return what is known of it; two requests at most.

    The host's errors pass: Parked when it does not accept the credential.
    """
    if house.app_id:
        return (yield from _app(questions))
    return (yield from _token(house, questions))


def key_file(house: GitHubSettings) -> Iterator[Finding]:
    """Yield a warning of a private key that others can read; whether it is a key is seen when it is used."""
    path = house.private_key_file
    try:
        mode = stat.S_IMODE(path.stat().st_mode) if house.app_id and path else 0
    except OSError:
        return
    if mode & 0o077:
        yield Finding("private key", "warning", f"{path} is open to others (mode {mode:o})", f"Run: chmod 600 {path}")


def limit(house: GitHubSettings, body: object) -> Finding:
    """Return how much of the budget is left, by the answer to ``GET /rate_limit``."""
    core = tree(tree(tree(body).get("resources")).get("core"))
    most, remaining, reset = (core.get(name) for name in ("limit", "remaining", "reset"))
    if not (isinstance(most, int) and isinstance(remaining, int) and isinstance(reset, int)):
        return Finding("GitHub", "good", f"{house.address} answers, and tells of no limit")
    until = datetime.fromtimestamp(reset, UTC)
    told = f"{house.address} answers; {remaining:,} of {most:,} requests left until {until:%H:%M} UTC"
    if remaining:
        return Finding("GitHub", "good", told)
    return Finding("GitHub", "warning", told, "Everything waits until then; a token or an App has 5,000 an hour.")


def expiring(until: datetime, now: datetime) -> Finding:
    """Return what the end of a token means today."""
    days = (until - now).days
    mend = "Make a new one with the same rights, and set github.token."
    if days < 0:
        return Finding("credential", "wrong", f"the token has expired on {until:%Y-%m-%d}", mend)
    if days < SOON:
        return Finding("credential", "warning", f"the token expires on {until:%Y-%m-%d}, in {days} days", mend)
    return Finding("credential", "good", f"the token expires on {until:%Y-%m-%d}")


def expiry(headers: Mapping[str, str]) -> datetime | None:
    """Return when the token ends (``2027-02-28 09:00:00 UTC``, or with an offset); None when that is not told."""
    try:
        return datetime.strptime(headers.get(EXPIRY, "").replace("UTC", "+0000"), "%Y-%m-%d %H:%M:%S %z")
    except ValueError:
        return None


def _app(questions: Questions) -> Generator[Finding, None, Known]:
    app = tree(questions.read("/app", as_app=True).body)
    accounts = app.get("installations_count")
    where = f", installed on {accounts} account{'' if accounts == 1 else 's'}" if isinstance(accounts, int) else ""
    yield Finding("credential", "good", f"GitHub App {bounded(app.get('slug'))}{where}")
    for right in NEEDED:
        if right not in tree(app.get("permissions")):
            mend = "Add it under Permissions & events of the App; each account then has to accept it."
            yield Finding("credential", "wrong", f"the App does not ask for «{words(right)}»", mend)
    return Known(app=app)


def _token(house: GitHubSettings, questions: Questions) -> Generator[Finding, None, Known]:
    answer = questions.read("/rate_limit")
    yield limit(house, answer.body)
    if not house.has_credential:
        told = "none: 60 requests an hour, about 15 merges; no review threads, no checks"
        yield Finding("credential", "warning", told, f"Set github.token, or an App, for 5,000 an hour; {HOW}")
        return Known()
    try:
        whose = f"token of {bounded(tree(questions.read('/user').body).get('login'))}"
    except (Parked, Absent):
        whose = "a token that belongs to no person"
    yield Finding("credential", "good", whose)
    if (until := expiry(answer.headers)) is not None:
        yield expiring(until, questions.now)
    token, scopes = house.token.get_secret_value(), answer.headers.get(SCOPES)
    if may_write(token, scopes):
        yield too_much("credential")
    if token == house.write_token.get_secret_value():
        yield Finding("credential", "warning", "github.write_token is the same token", "Read with one that only reads.")
    return Known(scopes=scopes)
