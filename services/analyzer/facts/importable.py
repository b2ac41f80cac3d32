"""Which changed code others can import, under which name, and how far a change of it reaches."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from services.analyzer.facts.change import Change, FileChange
from services.analyzer.facts.outline import Declared
from services.analyzer.facts.sides import Side
from services.analyzer.reading.paths import FileKind
from shared.domain.facts import Reach

_OUTSIDE = frozenset({"python", "lib"})
"""Folders at the root of a repository that do not belong to the name under which code is imported."""
_TOOLING = frozenset(
    {".buildkite", ".github", "benchmarks", "build", "ci", "contrib", "devtools", "docs", "hack", "release", "script"}
    | {"scripts", "tool", "tools"}
)
_INTERNAL = frozenset({"internal", "private", "impl", "detail", "details", "testutil", "mock", "fake", "fakes"})
_STAND_IN = re.compile(r"(?:Mock|Fake|Stub|Dummy)[A-Z_]")
_HEADERS = (".h", ".hh", ".hpp", ".hxx", ".cuh")
_TYPESCRIPT = (".ts", ".tsx", ".js", ".jsx", ".mjs", ".cjs", ".mts", ".cts")
_KERNEL = re.compile(r"[@.](?:jit|autotune|heuristics|kernel)\b")
_ROOT_FILES = re.compile(r"(?:^|/)(?:__init__\.pyi?|lib\.rs|index\.[cm]?[jt]sx?|mod\.ts)$")


@dataclass(frozen=True, slots=True)
class Known:
    """A declaration and the file and side it stands in."""

    declared: Declared
    file: FileChange
    side: Side
    path: str


def module_of(path: str, language: str | None) -> str | None:
    """Return the name by which the code of a file is imported, None where nobody imports it."""
    folders, _, file_name = path.rpartition("/")
    parts = [part for part in folders.split("/") if part]
    namer = _NAMERS.get(language or "")
    return namer(parts, file_name) if namer else None


def _python(parts: list[str], file_name: str) -> str | None:
    stem = file_name.removesuffix(".pyi").removesuffix(".py")
    if "src" in parts:
        parts = parts[len(parts) - parts[::-1].index("src") :]
    elif parts[:1] and parts[0] in _OUTSIDE:
        parts = parts[1:]
    if stem == file_name or not all(part.isidentifier() for part in [*parts, stem]) or file_name == "setup.py":
        return None
    return ".".join([*parts, *([] if stem == "__init__" else [stem])]) or None


def _go(parts: list[str], _: str) -> str | None:
    return "/".join(parts) or None


def _rust(parts: list[str], file_name: str) -> str | None:
    if "src" not in parts or "bin" in parts or file_name == "main.rs":
        return None
    place = len(parts) - 1 - parts[::-1].index("src")
    stem = file_name.removesuffix(".rs")
    crate = parts[place - 1].replace("-", "_") if place else "crate"
    return "::".join([crate, *parts[place + 1 :], *([] if stem in ("lib", "mod") else [stem])])


def _typescript(parts: list[str], file_name: str) -> str | None:
    if not parts or not file_name.endswith(_TYPESCRIPT) or file_name.endswith(".d.ts"):
        return None
    return "/".join([*parts, file_name.rpartition(".")[0]]).removesuffix("/index")


def _cpp(parts: list[str], file_name: str) -> str | None:
    if not file_name.endswith(_HEADERS) or "include" not in parts:
        return None
    return "/".join([*parts[len(parts) - parts[::-1].index("include") :], file_name])


_NAMERS: dict[str, Callable[[list[str], str], str | None]] = {
    "python": _python,
    "go": _go,
    "rust": _rust,
    "typescript": _typescript,
    "cpp": _cpp,
}


def reach_of_path(file: FileChange, path: str) -> tuple[Reach, str]:
    """Return who can notice a change of what stands at a path, and why."""
    parts = path.casefold().split("/")
    hidden = [part for part in parts if part.startswith("_") and not part.startswith("__")]
    if hidden or not _INTERNAL.isdisjoint(parts):
        return Reach.INTERNAL, "internal by its path"
    if (
        not _TOOLING.isdisjoint(parts[:-1])
        or file.kind is not FileKind.SOURCE
        or module_of(path, file.language) is None
    ):
        return Reach.INTERNAL, "nobody imports it"
    if file.language == "go" and ("cmd" in parts or parts[-1] == "main.go"):
        return Reach.INTERNAL, "a program of its own"
    if file.reading.path.public:
        return Reach.PUBLIC, "a public header"
    return Reach.EXTENSION, "importable"


def reach_of(change: Change, known: Known) -> tuple[Reach, str]:
    """Return who can notice a change of a declaration, and why."""
    declared = known.declared
    reach, why = reach_of_path(known.file, known.path)
    if _STAND_IN.match(declared.name) or not declared.usable or any(_KERNEL.search(one) for one in declared.decorators):
        return Reach.INTERNAL, "not meant for others"
    if reach is Reach.EXTENSION:
        if _ROOT_FILES.search(known.path) and not declared.owners:
            return Reach.PUBLIC, "declared where the package exports"
        if is_documented(change, declared.head.name):
            return Reach.PUBLIC, "named in the documentation"
    return reach, why


def is_documented(change: Change, name: str) -> bool:
    """Whether a changed page names an identifier that is no common word."""
    special = "_" in name.strip("_") or not (name.islower() or name.istitle())
    return special and re.search(rf"\b{re.escape(name)}\b", change.documented) is not None


def known(change: Change, *, after: bool) -> Iterator[Known]:
    """Yield every declaration on one side that others can use, of files whose code can be imported."""
    for file in change.product:
        for declared in file.declared[after]:
            if declared.usable:
                side, path = (file.after, file.path) if after else (file.before, file.path_before)
                yield Known(declared, file, side, path)
