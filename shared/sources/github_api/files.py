"""Reads the changed files of one merge over REST: the only place where GitHub has their patches (C-40 to C-42)."""

from __future__ import annotations

from dataclasses import dataclass

from shared.code_host import CodeHost, path_of
from shared.domain.errors import Transient
from shared.domain.pull_request import ChangedFile, RepositoryRef, Unread
from shared.sources.github_api.told import Totals
from shared.sources.github_payloads import Tree, Unfit, string, tree, whole
from shared.sources.record_details import files_of, is_binary_name

MOST_FILES = 3_000
"""GitHub lists no more (docs.github.com, "List pull requests files")."""
PER_PAGE = 100
_FIELDS = ("filename", "status", "additions", "deletions", "previous_filename", "patch")
_WITH_CONTENT = ("added", "removed", "modified")


@dataclass(frozen=True)
class FilesRead:
    """The files as far as GitHub lists them, and how many requests that took."""

    files: tuple[ChangedFile, ...]
    requests: int


def read_files(host: CodeHost, repository: RepositoryRef, number: int, totals: Totals, keep: int = 0) -> FilesRead:
    """Return the changed files of a pull request, page by page; the errors are those of the host.

    ``keep``: it is not begun unless so many requests are left for what is read after it.

    Past some 20,000 lines of a page its later files come without patch and without counts: where the list adds up to
    less than ``totals`` they count as too large to be shown. Without totals nothing can be told of that.
    """
    path = f"{path_of(repository)}/pulls/{number}/files"
    parameters: dict[str, str] | None = {"per_page": str(PER_PAGE)}
    pages: list[list[Tree]] = []
    while parameters is not None and len(pages) < MOST_FILES // PER_PAGE:
        answer = host.read(path, parameters, about=repository, keep=0 if pages else keep)
        if not isinstance(answer.body, list):
            raise Transient(f"{host.host} answered no list of files for pull request {number}.")
        pages.append([_slim(tree(entry)) for entry in answer.body])
        parameters = answer.next
    requests = len(pages)
    if _fewer_lines(pages, totals):
        pages = [_marked(page) for page in pages]
    try:
        return FilesRead(files_of([entry for page in pages for entry in page], patched=True), requests)
    except Unfit as error:
        raise Transient(f"{host.host} answered a list of files that cannot be used: {error}.") from error


def _slim(entry: Tree) -> Tree:
    """An entry without its addresses: three thousand are held at once (R-51)."""
    return {name: entry[name] for name in _FIELDS if entry.get(name) is not None}


def _fewer_lines(pages: list[list[Tree]], totals: Totals) -> bool:
    """Whether the host counts more lines than its list has, although the list is whole."""
    entries = [entry for page in pages for entry in page]
    if len(entries) < totals.changed_files:
        return False
    sums = {name: sum(whole(entry.get(name)) or 0 for entry in entries) for name in ("additions", "deletions")}
    return sums["additions"] < totals.additions or sums["deletions"] < totals.deletions


def _marked(page: list[Tree]) -> list[Tree]:
    """The entries behind the last one that shows lines are those that the host left empty."""
    shown = [place for place, entry in enumerate(page) if entry.get("patch") or _lines(entry)]
    end = shown[-1] + 1 if shown else 0
    return page[:end] + [_too_large(entry) for entry in page[end:]]


def _too_large(entry: Tree) -> Tree:
    name = string(entry.get("filename")) or ""
    if entry.get("status") not in _WITH_CONTENT or is_binary_name(name):
        return entry
    return entry | {"unread": Unread.TOO_LARGE.value}


def _lines(entry: Tree) -> int:
    return (whole(entry.get("additions")) or 0) + (whole(entry.get("deletions")) or 0)
