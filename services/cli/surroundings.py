"""What nearly every command stands on: the settings in force, the present, the database."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from shared.domain.errors import InvalidInput, MergecastError
from shared.domain.pull_request import RepositoryRef
from shared.domain.text import fold
from shared.settings import Settings, load_settings
from shared.settings.values import LANGUAGES

if TYPE_CHECKING:
    from shared.store.session import Database

ConfigOption = Annotated[
    Path | None,
    typer.Option("--config", help="Settings file.", show_default="./mergecast.toml when it is there", metavar="FILE"),
]
RepositoryOption = Annotated[
    str | None, typer.Option("--repository", "-r", help="The repository, as owner/name.", metavar="OWNER/NAME")
]
WeekOption = Annotated[str | None, typer.Option("--week", "-w", help="ISO week such as 2026-W19.", metavar="WEEK")]


def now() -> datetime:
    """The present by the clock of this machine, aware and in UTC."""
    return datetime.now(UTC)


def read_settings(config: Path | None) -> Settings:
    """Return the settings in force; InvalidInput names what is wrong with them."""
    return load_settings(config)


def chosen_languages(given: list[str] | None, default: tuple[str, ...]) -> tuple[str, ...]:
    """Return the languages asked for, each once; InvalidInput for one that has no locale."""
    for language in given or ():
        if language not in LANGUAGES:
            raise InvalidInput(f"There is no language '{language}'.", f"Choose from {', '.join(LANGUAGES)}.")
    return tuple(dict.fromkeys(given or default))


def opened_database(settings: Settings) -> Database:
    """Return the configured database, its tables up to date; SQLite's folder is made when it is missing.

    InvalidInput when it cannot be reached, was made by newer code, or (PostgreSQL) still needs its migrations.
    """
    from shared.store import migrate
    from shared.store.session import Database

    database = Database(settings.database_url)
    try:
        if database.dialect == "sqlite":
            make_private_folder(settings.data_folder)
            migrate.upgrade(database)
        migrate.check(database)
    except MergecastError:
        database.dispose()
        raise
    return database


def stored_repository(database: Database, full_name: str | None) -> tuple[int, RepositoryRef]:
    """Return the row id and the facts of a stored repository; the only one there is when none is named.

    InvalidInput when it is not stored, or when there are several to choose from.
    """
    from shared.store import repositories

    with database.reading() as session:
        stored = repositories.all_repositories(session)
    names = ", ".join(ref.full_name for _, ref in stored) or "none yet"
    wanted = [pair for pair in stored if full_name is None or fold(pair[1].full_name) == fold(full_name)]
    if not wanted and full_name is not None:
        raise InvalidInput(f"The repository {full_name} is not in the store.", f"Stored: {names}.")
    if len(wanted) != 1:
        raise InvalidInput("Which repository?", f"Name it with --repository; stored: {names}.")
    return wanted[0]


def make_private_folder(folder: Path) -> None:
    """Make ``folder`` for this user alone; InvalidInput when that cannot be."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(
            f"The data folder {folder} cannot be made: {error.strerror}.", "Set data_folder to a writable place."
        ) from error
