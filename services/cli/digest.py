"""``mergecast digest``: one week of a source, or of the store, as Markdown, HTML and JSON."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from services.cli.atomic_files import write_files
from services.cli.console import plain
from services.cli.summary import print_summary
from services.cli.surroundings import (
    ConfigOption,
    RepositoryOption,
    WeekOption,
    chosen_languages,
    now,
    read_settings,
)
from services.cli.weeks import Wish
from shared.domain.digest import Digest
from shared.domain.errors import InvalidInput
from shared.domain.period import parse_week
from shared.settings import Settings


def digest(  # noqa: PLR0913 - one parameter an option
    source: Annotated[
        str | None,
        typer.Argument(help="Merge records (JSONL), a git clone or its URL; without it: the store.", metavar="SOURCE"),
    ] = None,
    *,
    repository: RepositoryOption = None,
    week: WeekOption = None,
    language: Annotated[
        list[str] | None, typer.Option("--language", "-l", help="en or zh-CN; may be repeated.", metavar="LANGUAGE")
    ] = None,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to write to.", metavar="DIR")] = Path("out"),
    so_far: Annotated[bool, typer.Option("--so-far", help="Allow a week that is not over yet.")] = False,
    timezone: Annotated[
        str | None, typer.Option("--timezone", help="Zone whose calendar weeks count, such as Asia/Shanghai.")
    ] = None,
    branch: Annotated[str | None, typer.Option("--branch", help="Branch to follow; default: the main one.")] = None,
    config: ConfigOption = None,
) -> None:
    """Write the digest of one week.

    Reads the week and the week before it (for trends) and writes
    digest.<language>.md, digest.<language>.html and digest.json. No token, no
    server and no network are needed for a clone or for merge records.

    [bold]Examples[/bold]

      mergecast digest ~/src/project
      mergecast digest merges.jsonl --week 2026-W19 -l en -l zh-CN
    """
    started = time.monotonic()
    settings = read_settings(config)
    _check(week, language)
    wish = Wish(repository, week, timezone, branch, tuple(language or ()), so_far)
    made, languages = _from_source(settings, source, wish) if source else _from_store(settings, wish)
    paths = write_files(output, _documents(made, languages))
    print_summary(made, time.monotonic() - started)
    for path in paths:
        print(plain(str(path)))


def _check(week: str | None, languages: list[str] | None) -> None:
    """Say what is wrong before anything long begins."""
    chosen_languages(languages, ())
    if week is not None:
        parse_week(week)


def _documents(made: Digest, languages: tuple[str, ...]) -> dict[str, str]:
    from shared.rendering import html, markdown

    documents: dict[str, str] = {}
    for language in languages:
        documents[f"digest.{language}.md"] = markdown.render(made, language)
        documents[f"digest.{language}.html"] = html.render(made, language)
    return documents | {"digest.json": made.to_json() + "\n"}


def _from_source(settings: Settings, source: str, wish: Wish) -> tuple[Digest, tuple[str, ...]]:
    from services.cli.one_week import digest_of_source

    return digest_of_source(settings, source, wish, now())


def _from_store(settings: Settings, wish: Wish) -> tuple[Digest, tuple[str, ...]]:
    if wish.branch:
        raise InvalidInput("A branch can only be chosen in a clone.", "Set `branches` of the repository for the store.")
    from services.cli.stored_week import digest_of_store

    return digest_of_store(settings, wish)
