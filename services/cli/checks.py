"""What ``doctor`` looks at: each check says whether it holds and, if not, how to mend it."""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from shared.domain.errors import MergecastError, described
from shared.settings import RepositorySettings, Settings

State = Literal["good", "warning", "wrong"]
OLDEST_GIT = (2, 30)
SHORTEST_SECRET = 16
SECONDS = 3.0
"""How long an outside thing may take to answer."""


@dataclass(frozen=True)
class Finding:
    """What one check found; ``mend`` says what to do about it."""

    name: str
    state: State
    told: str
    mend: str = ""


def examine_house(settings: Settings) -> Iterator[Finding]:
    """Yield the findings of every check, in order; a check that fails unexpectedly is a finding too."""
    for name, check in CHECKS:
        try:
            yield from check(settings)
        except MergecastError as error:
            yield Finding(name, "wrong", error.message, error.way_out)
        except Exception as error:  # noqa: BLE001 - the other checks still tell what they know
            yield Finding(name, "wrong", described(error))


def data_folder(settings: Settings) -> Iterator[Finding]:
    """The folder of the database and the secrets: writable, and for this user alone."""
    yield _writable("data folder", settings.data_folder, "Set data_folder to a place that you may write to.")
    if settings.data_folder.is_dir():
        mode = stat.S_IMODE(settings.data_folder.stat().st_mode)
        if mode & 0o077:
            told = f"{settings.data_folder} is open to others (mode {mode:o})"
            yield Finding("data folder", "warning", told, f"Run: chmod 700 {settings.data_folder}")


def published_folder(settings: Settings) -> Iterator[Finding]:
    """The folder that digests are published in."""
    yield _writable("published folder", settings.published_folder, "Set publisher.folder to a writable place.")


def database(settings: Settings) -> Iterator[Finding]:
    """Reachable, and its tables those of this program."""
    from shared.store import migrate
    from shared.store.session import Database

    opened = Database(settings.database_url)
    if opened.dialect == "sqlite":
        file = Path(opened.url.split("///", 1)[-1])
        if not file.exists():
            yield Finding("database", "good", f"{opened.url} will be made on first use")
            return
    try:
        migrate.check(opened)
    finally:
        opened.dispose()
    yield Finding("database", "good", f"{opened.url} is at revision {migrate.head_revision()}")


def broker(settings: Settings) -> Iterator[Finding]:
    """Reachable, and set up so that it loses no message by itself."""
    if settings.embedded:
        yield Finding("broker", "good", "embedded: worker and beat run inside `mergecast serve`, no Redis needed")
        return
    import redis

    from shared.broker.condition import concerns

    try:
        found = concerns(settings)
    except redis.RedisError as error:
        yield Finding("broker", "wrong", _without_url(str(error)), "Start Redis or Valkey, or mend broker.url.")
        return
    yield Finding("broker", "good", "answers")
    for concern in found:
        yield Finding("broker", "warning", concern.told, concern.mend)


def time_limits(settings: Settings) -> Iterator[Finding]:
    """A task that may run past the visibility timeout would be delivered again while it runs."""
    limits = settings.broker
    told = (
        f"hard time limit {limits.hard_time_limit.total_seconds():.0f} s, "
        f"visibility timeout {limits.visibility_timeout.total_seconds():.0f} s"
    )
    good = limits.soft_time_limit < limits.hard_time_limit < limits.visibility_timeout
    mend = "" if good else "Raise broker.visibility_timeout above broker.hard_time_limit."
    yield Finding("time limits", "good" if good else "wrong", told, mend)


def detail_sources(settings: Settings) -> Iterator[Finding]:
    """Where each listed repository's files come from."""
    if not settings.repositories:
        source = f"the API of {settings.github.host}" if settings.github.enabled else "its payload alone"
        told = f"no repository is listed: every signed one is watched, analysed from {source}"
        yield Finding("repositories", "good", told, "List repositories in mergecast.toml for areas and details.")
    for listed in settings.repositories:
        if listed in settings.kept:
            continue  # see clone_checks
        name = f"source of {listed.full_name}"
        if listed.records is None and listed.clone is None and settings.asks_host(listed):
            yield Finding(name, "good", f"the API of {listed.host}")
            continue
        if listed.records is None and listed.clone is None:
            told = "none: its merges are analysed from the payload alone"
            mend = "Set github.token or github.app_id, or give the repository `keep_clone`, `clone` or `records`."
            yield Finding(name, "warning", told, mend)
            continue
        yield _source(name, listed)


def git(_settings: Settings) -> Iterator[Finding]:
    """New enough for reading history."""
    program = shutil.which("git")
    if program is None:
        yield Finding("git", "warning", "is not installed: no clone can be read", "Install git.")
        return
    answer = subprocess.run(  # noqa: S603 - the program that the person's own PATH names, without any input
        [program, "--version"], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    found = re.search(r"(\d+)\.(\d+)[.\d]*", answer.stdout)
    if found and (int(found[1]), int(found[2])) >= OLDEST_GIT:
        yield Finding("git", "good", found[0])
    else:
        wanted = ".".join(map(str, OLDEST_GIT))
        yield Finding("git", "warning", f"'{answer.stdout.strip()}' is older than {wanted}", f"Install git {wanted}.")


def _source(name: str, listed: RepositorySettings) -> Finding:
    """A local one: nothing is fetched."""
    from shared.sources.opening import open_source

    place = str(listed.records or listed.clone)
    try:
        opened = open_source(place, repository=listed.full_name, branch=None, cache=Path(place).parent)
    except MergecastError as error:
        return Finding(name, "wrong", error.message, error.way_out)
    return Finding(name, "good", f"{place} ({opened.repository.full_name})")


def _writable(name: str, folder: Path, mend: str) -> Finding:
    """Looks at the nearest folder that exists: doctor itself changes nothing."""
    if folder.exists() and not folder.is_dir():
        return Finding(name, "wrong", f"{folder} is not a folder", mend)
    nearest = next(place for place in (folder, *folder.parents) if place.exists())
    if not os.access(nearest, os.W_OK | os.X_OK):
        return Finding(name, "wrong", f"{nearest} cannot be written", mend)
    return Finding(name, "good", f"{folder}" if folder.exists() else f"{folder} will be made on first use")


def _without_url(text: str) -> str:
    """The address of a broker may hold its password."""
    return re.sub(r"\S+://\S+", "the broker", text)


CHECKS: tuple[tuple[str, Callable[[Settings], Iterator[Finding]]], ...] = (
    ("data folder", data_folder),
    ("database", database),
    ("broker", broker),
    ("time limits", time_limits),
    ("git", git),
    ("published folder", published_folder),
    ("repositories", detail_sources),
)
