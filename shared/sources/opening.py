"""Opens whatever a person names as SOURCE: merge records, a clone, the URL of one."""

from __future__ import annotations

import os
import re
from pathlib import Path

from shared.domain.errors import InvalidInput
from shared.domain.protocols import Progress
from shared.sources.git_history import GitHistory, fetch_clone
from shared.sources.merge_records import MergeRecords

_SUFFIXES = (".jsonl", ".ndjson")
_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?://|:)|[A-Za-z0-9_.-]+@[A-Za-z0-9.-]+:")
_TRACES = "traces"
_MEANINGS = "A SOURCE is a file of merge records (.jsonl, .ndjson), the folder of a git clone, or the URL of one."


def open_source(
    source: str, *, repository: str | None, branch: str | None, cache: Path, progress: Progress | None = None
) -> MergeRecords | GitHistory:
    """Return the source that ``source`` names; a URL is first fetched into ``cache``.

    ``repository`` (OWNER/NAME) says which one is meant where the source cannot tell. InvalidInput when it is nothing
    that can be read, when the repository is not in it, or when the branch is not.
    """
    found = _find(source, repository, branch, cache, progress)
    # A wrong source is refused here, before any work begins.
    _ = found.repository
    if isinstance(found, GitHistory):
        _ = found.branch
    return found


def _find(
    source: str, repository: str | None, branch: str | None, cache: Path, progress: Progress | None
) -> MergeRecords | GitHistory:
    name = os.path.expanduser(source)  # noqa: PTH111 - unlike Path's it lets an unknown user's home pass
    path = Path(name)
    if os.path.isdir(name):  # noqa: PTH112 - nor does this raise for a URL that is too long for a path
        return GitHistory(path, repository, branch, cache / _TRACES)
    if os.path.isfile(name):  # noqa: PTH113 - likewise
        if path.suffix.lower() not in _SUFFIXES:
            raise InvalidInput(f"The file {source} is no merge records file.", _MEANINGS)
        if branch is not None:
            raise InvalidInput("A branch can only be chosen in a clone.", "Leave --branch out for merge records.")
        return MergeRecords(path, repository)
    if _URL.match(source):
        return GitHistory(fetch_clone(source, cache, progress), repository, branch, cache / _TRACES)
    if path.suffix.lower() in _SUFFIXES or source.startswith((".", "/", "~")):
        raise InvalidInput(f"There is no file or folder {source}.", "Check the path.")
    raise InvalidInput(f"'{source}' is nothing that merges can be read from.", _MEANINGS)
