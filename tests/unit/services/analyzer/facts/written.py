"""Small written diffs: the files before and after, read as a patch alone and with the whole sources."""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from types import ModuleType

from services.analyzer.facts import FACTS, FactReader, change_of
from services.analyzer.reading.reading import read_pull_request
from services.analyzer.rules.context import build_context
from shared.domain.facts import Fact
from shared.domain.pull_request import ChangedFile, PullRequest
from shared.settings import RepositorySettings
from tests.builders import make_pull_request

CONTEXT = build_context(RepositorySettings(full_name="octo/widgets"))
Files = Mapping[str, tuple[str | None, str | None]]
"""Text before and after by path; a path ``old => new`` is a rename."""


def pull_request_of(files: Files, **facts: object) -> PullRequest:
    """A merge that changed these files, with patches as GitHub makes them (three lines of context)."""
    return make_pull_request(files=tuple(_file(path, *texts) for path, texts in files.items()), **facts)


def _file(path: str, before: str | None, after: str | None) -> ChangedFile:
    previous, _, path = path.rpartition(" => ")
    old, new = (before or "").splitlines(), (after or "").splitlines()
    rows = list(difflib.unified_diff(old, new, lineterm="", n=3))[2:]
    status = "renamed" if previous else "added" if before is None else "removed" if after is None else "modified"
    return ChangedFile(
        filename=path,
        previous_filename=previous or None,
        status=status,
        additions=sum(row.startswith("+") for row in rows),
        deletions=sum(row.startswith("-") for row in rows),
        patch="\n".join(rows) or None,
    )


def facts_of(
    files: Files, reader: FactReader | ModuleType | None = None, *, sources: bool = False, **facts: object
) -> list[Fact]:
    """What one reader (all of them by default) finds, from the patches alone or with the whole sources."""
    pull_request = pull_request_of(files, **facts)
    texts = {path.rpartition(" => ")[2]: pair for path, pair in files.items()} if sources else None
    change = change_of(read_pull_request(pull_request, CONTEXT.read_path), texts)
    readers = FACTS if reader is None else (reader,)
    return [fact for one in readers for fact in one.read(change)]


def told(facts: list[Fact]) -> set[tuple[str, str, str, str | None, str | None]]:
    """(kind, subject, name, old, new) of each."""
    return {(fact.kind.value, fact.subject.value, fact.name, fact.old, fact.new) for fact in facts}


def both(
    files: Files, reader: FactReader | ModuleType | None = None, **facts: object
) -> set[tuple[str, str, str, str | None, str | None]]:
    """What is found, which must be the same from the patch and from the sources."""
    from_patch = told(facts_of(files, reader, **facts))
    from_sources = told(facts_of(files, reader, sources=True, **facts))
    assert from_patch == from_sources
    return from_patch
