"""What kind of file a path is, by names that hold in every language; the analyses know more, but only of one merge."""

from __future__ import annotations

import re
from functools import lru_cache

from services.digest.merges import Merge
from shared.domain.pull_request import ChangedFile

_TEST = re.compile(
    r"(^|/)(([\w.-]*[._-])?tests?|mdtests?|testing|__tests__|spec|specs|e2e|testdata|\.?fixtures|__fixtures__)/"
    r"|(^|/)(test_[^/]*|conftest\.py)$|[._-](test|tests|spec)\.[a-z]+$|[a-z](Test|Tests|Spec)\.[a-z]+$"
)
_GENERATED = re.compile(
    r"(^|/)(vendor|third_party|node_modules|dist|generated|__snapshots__)/"
    r"|\.(lock|min\.js|min\.css|snap|pb\.go|map)$|_pb2(_grpc)?\.pyi?$|[.-]lock\.(json|ya?ml)$|(^|/)go\.sum$"
)
_OWN_USE = re.compile(
    r"^(\.(?!change)[^/]+|ci|hack|scripts?|benchmarks?|benches|bench|fuzz|xtask|examples?|playground|website)/|(^|/)(playground|fuzz)/"
)
_PRIVATE = re.compile(r"(^|/)(_(?!_init__)[^/]+|internal|vendor(ed)?|third_party)(/|$)|(^|/)[^/]*_vendored/")
_PROSE = frozenset(("md", "mdx", "rst", "txt", "adoc"))
_DATA_ENDINGS = """
    json jsonl csv tsv yaml yml toml ini cfg xml svg png jpg gif pdf po mod sum gradle kts
"""
_DATA = frozenset(_DATA_ENDINGS.split())
_PROSE_FOLDERS = re.compile(r"(^|/)docs?/")
_MAIN_SHARE = 0.2
_LINES_AT_MOST = 2_000


def is_test(path: str) -> bool:
    """Whether the path is a test or belongs to tests."""
    return _TEST.search(path) is not None


def is_prose(path: str) -> bool:
    """Whether the path is documentation."""
    return _suffix(path) in _PROSE or _PROSE_FOLDERS.search(path) is not None


def is_of_own_use(path: str) -> bool:
    """Whether the path is of tools that only the people of the project run: workflows, scripts, benchmarks."""
    return _OWN_USE.search(path) is not None


def is_private(path: str) -> bool:
    """Whether the path says that nobody outside shall build upon it, or that it came from elsewhere."""
    return _PRIVATE.search(path) is not None


@lru_cache(maxsize=50_000)
def is_source(path: str) -> bool:
    """Whether the path is hand-written program text: no test, no documentation, no data, nothing generated."""
    name = path.rpartition("/")[2]
    return (
        not (is_test(path) or is_prose(path) or _GENERATED.search(path))
        and _suffix(path) not in _DATA
        and not name.startswith(".")
        and name == name.strip()
        and ("." in name or name in {"Dockerfile", "Makefile"})
    )


def main_files(merge: Merge) -> tuple[str, ...]:
    """Return the paths that the merge is about: its sources, else whatever it changed, without what is marginal.

    A path counts when its folder holds at least a fifth of the changed lines or of the files. Sorted.
    """
    files = merge.pull_request.files or ()
    sources = [file for file in files if is_source(file.filename)]
    chosen = sources or [file for file in files if not _GENERATED.search(file.filename)] or list(files)
    lines: dict[str, int] = {}
    counts: dict[str, int] = {}
    for file in chosen:
        folder = folder_of(file.filename)
        lines[folder] = lines.get(folder, 0) + _weight(file)
        counts[folder] = counts.get(folder, 0) + 1
    enough_lines = sum(lines.values()) * _MAIN_SHARE
    enough_files = len(chosen) * _MAIN_SHARE
    kept = {folder for folder in lines if lines[folder] >= enough_lines or counts[folder] >= enough_files}
    return tuple(sorted({file.filename for file in chosen if folder_of(file.filename) in kept}))


def folder_of(path: str) -> str:
    """Return the folder of the path; empty for a file at the root."""
    return path.rpartition("/")[0]


def _weight(file: ChangedFile) -> int:
    """Changed lines, capped: one enormous file must not hide what else the merge is about."""
    return min(file.additions + file.deletions, _LINES_AT_MOST) + 1


def _suffix(path: str) -> str:
    stem, dot, suffix = path.rpartition("/")[2].rpartition(".")
    return suffix.lower() if dot and stem else ""
