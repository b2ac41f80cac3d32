"""Who can notice a setting or a name, told from the file in which it is declared."""

from __future__ import annotations

import re

from services.analyzer.facts.change import Change, FileChange
from services.analyzer.facts.statements import statements
from services.analyzer.reading.paths import FileKind
from shared.domain.facts import Reach

_TOOLING = frozenset(
    {
        "scripts",
        "script",
        "tools",
        "tool",
        "hack",
        "ci",
        "release",
        "benchmarks",
        "benchmark",
        "bench",
        "dev",
        "devtools",
    }
    | {"perf", "profiling", "evals", "utils_dev", "e2e", "xtask", "qa", "misc", "contrib", "playground", "experiments"}
)
"""Folders of what a project's own people run; hidden folders are so as well."""
_SETTINGS = re.compile(
    r"(?:^|[/_.-])(?:envs?|env_?vars|environment|settings?|defaults?|options?|flags|config\w{0,12}|args|"
    r"arg_utils|cli|values|constants)(?:[/_.-]|$)"
)
_CONSTANT = re.compile(r"(?:[A-Za-z_]\w{0,60}\.)?_{0,2}(?:[A-Z]\w{2,80}|[dD]efault\w{1,80})")
_SIMPLE = r"(?:\"[^\"]{0,100}\"|'[^']{0,100}'|-?\d[\w.]{0,20}(?:\s?[*/+-]\s?[\w.]{1,20}){0,3}|true|false|True|False)"
_PRIVATE = frozenset({"internal", "_internal", "private", "_private", "testing", "testutil", "testutils", "testdata"})


def tooling(file: FileChange) -> bool:
    """Whether a file belongs to the project's own tools, such as scripts and benchmarks."""
    folders = file.reading.path.folded.split("/")[:-1]
    return file.kind is FileKind.CI or any(folder in _TOOLING or folder.startswith(".") for folder in folders)


def private(file: FileChange) -> bool:
    """Whether a file lies where importers have no business."""
    parts = file.reading.path.folded.split("/")
    return not _PRIVATE.isdisjoint(parts) or any(part.startswith("_") and not part.startswith("__") for part in parts)


def mentions(file: FileChange, hint: re.Pattern[str]) -> bool:
    """Whether a changed statement has something that makes it worth reading; what Rust marks stands on lines above."""
    if file.language == "rust":
        return True
    return any(hint.search(statement.code) for side in (file.before, file.after) for statement in statements(side))


def holds_settings(file: FileChange) -> bool:
    """Whether settings are what a file is for, by its name."""
    return _SETTINGS.search(file.reading.path.folded) is not None


def project_words(change: Change) -> frozenset[str]:
    """The words of the project's name, as its own variables carry them in front: ``octo/widgets`` gives both."""
    return frozenset(re.split(r"[^a-z0-9]+", change.reading.pull_request.repository.full_name.casefold())) - {""}


def as_written(change: Change, value: str | None, *, before: bool) -> str | None:
    """Return what a constant of the changed lines stands for, where a default names one; else the value as it is."""
    if value is None or not _CONSTANT.fullmatch(value) or value in ("True", "False", "None"):
        return value
    name = value.rsplit(".", 1)[-1]
    declared = re.compile(
        rf"^\s{{0,40}}(?:(?:pub|export|const|var|let|static|final|constexpr)\s{{1,4}}){{0,4}}{re.escape(name)}"
        rf"(?:\s{{0,4}}:[^=]{{1,60}}|\s{{1,4}}[\w.]{{1,30}})?\s{{0,8}}:?=\s{{0,4}}(?P<value>{_SIMPLE})\s{{0,4}};?\s{{0,4}}$"
    )
    for file in change.product:
        for line in (file.before if before else file.after).changed:
            if name in line.code and (found := declared.match(line.code)):
                return found["value"].strip()
    return value


def operator_reach(change: Change, file: FileChange, name: str, what: str) -> tuple[Reach, str]:
    """Return who notices a setting that operators set, and why."""
    if tooling(file):
        return Reach.INTERNAL, "in a tool of the project itself"
    if name.lstrip("-").startswith("_"):
        return Reach.INTERNAL, "its name begins with an underscore"
    if file.kind is FileKind.BUILD:
        return Reach.BUILDERS, "read by the build"
    if name in change.documented:
        return Reach.PUBLIC, f"{what}, documented"
    return Reach.PUBLIC, what
