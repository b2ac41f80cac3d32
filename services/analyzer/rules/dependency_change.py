"""Dependencies, base images, toolchains and submodules that change, with old and new from the patch (C-44)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from services.analyzer.reading.dependencies import DependencyLine, changed_pins
from services.analyzer.reading.paths import FileKind
from services.analyzer.reading.reading import FileReading, Reading
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.tags import quoted, risk_tag, trait_tag
from shared.domain.analysis import Evidence, Tag
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import Risk, Trait

name = "dependency-change"
_SAID = re.compile(
    r"\b(?:bump|upgrade|update|downgrade|pin|unpin|depend\w*|require\w*|vendor|version|toolchain|switch)\b|\d+\.\d+",
    re.IGNORECASE,
)
_MIXED = re.compile(
    r"(?:^|/)(?:pyproject\.toml|setup\.py|setup\.cfg|package\.json|cargo\.toml|pom\.xml|"
    r"build\.gradle(?:\.kts)?|[^/]*\.(?:csproj|props|gemspec|nix)|"
    r"conanfile\.py|package\.swift|deno\.jsonc?|build\.sbt|meta\.yaml|\.pre-commit-config\.yaml)$"
)
"""Manifests that hold much beside dependencies: without a patch they prove nothing alone."""


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag]:
    """Yield ``risk:dependency-change``, and ``trait:submodule`` for pointers to other repositories."""
    reading = context.read(pull_request)
    pointers = [_pointer(file) for file in reading.files if file.kind is FileKind.SUBMODULE]
    if pointers:
        yield trait_tag(name, Trait.SUBMODULE, pointers)
    evidence = pointers + [found for file in _manifests(reading) for found in _changes(file, reading, context)]
    if evidence:
        yield risk_tag(name, Risk.DEPENDENCY_CHANGE, evidence)


def _pointer(file: FileReading) -> Evidence:
    old, new = (str(commit)[:12] if commit else "none" for commit in file.file.submodule or (None, None))
    return Evidence(why=f"submodule pointer: {old} → {new}", path=file.name)


def _manifests(reading: Reading) -> list[FileReading]:
    """Manifests first, then toolchains and base images, then locks, which only repeat what manifests say."""
    kept = [
        file
        for file in reading.files
        if (file.path.manifest or file.path.toolchain or file.path.lock)
        and not file.path.test
        and file.kind not in {FileKind.VENDORED, FileKind.DOCS, FileKind.SAMPLE}
        and not file.moved_only
    ]
    return sorted(kept, key=lambda file: (file.path.lock, not file.path.manifest))


def _changes(file: FileReading, reading: Reading, context: RuleContext) -> Iterator[Evidence]:
    if file.path.lock:
        yield Evidence(why="lock file changed", path=file.name)
    elif file.patch.size:
        for old, new in changed_pins(file):
            line = new or old
            if line is not None and not any(True for _ in context.signs.manifest_noise.find([line.line], most=1)):
                yield Evidence(why=_told(old, new), path=file.name, quote=quoted(line.line))
    elif file.lines and _proves_alone(file, reading):
        yield Evidence(why="dependency file changed; its patch was not seen", path=file.name)


def _proves_alone(file: FileReading, reading: Reading) -> bool:
    if file.path.manifest and not _MIXED.search(file.path.folded):
        return True
    return bool(_SAID.search(reading.title.text))


def _told(old: DependencyLine | None, new: DependencyLine | None) -> str:
    if old is None and new is not None:
        return f"{new.name}: new{f', {new.version}' if new.version else ''}"
    if new is None and old is not None:
        return f"{old.name}: {old.version or 'used'} → removed"
    assert old is not None
    assert new is not None
    return f"{new.name}: {old.version or 'any version'} → {new.version or 'any version'}"
