"""Dependencies, base images, toolchains and submodules that change, with old and new from the patch (C-44)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from services.analyzer.reading.dependencies import DependencyLine, changed_pins, locks_something_else
from services.analyzer.reading.paths import FileKind
from services.analyzer.reading.reading import FileReading, Reading
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.tags import quoted, risk_tag, trait_tag
from services.analyzer.vocabulary import words_of
from shared.domain.analysis import Evidence, Tag
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import Risk, Trait

name = "dependency-change"
_SAID = re.compile(
    r"\b(?:bump|upgrade|downgrade|unpin|pin|dependenc\w+|toolchain|msrv|base image)s?\b|"
    r"\bupdate\b.{0,60}\bto\s+v?\d+\.\d+",
    re.IGNORECASE,
)
_MIXED = re.compile(
    r"(?:^|/)(?:pyproject\.toml|setup\.py|setup\.cfg|package\.json|cargo\.toml|pom\.xml|"
    r"build\.gradle(?:\.kts)?|[^/]*\.(?:csproj|props|gemspec|nix|sbt|cmake)|cmakelists\.txt|"
    r"conanfile\.py|package\.swift|deno\.jsonc?|meta\.yaml|pnpm-workspace\.yaml|deps)$"
)
"""Manifests that hold much beside dependencies: without a patch they prove nothing alone."""
_PINNING_BUILD = re.compile(r"(?:^|/)(?:cmakelists\.txt|[^/]*\.cmake(?:\.in)?)$")
"""Build files that may pin what they fetch; only such lines of them count."""
_TOOLING_KINDS = frozenset({FileKind.VENDORED, FileKind.DOCS, FileKind.SAMPLE, FileKind.CI, FileKind.TEST})
_TOOLING_FOLDERS = words_of(
    """
    docs doc documentation .devcontainer .github .gitlab examples scripts benchmarks benchmark bench benches playground
    fuzz website
    """
)
"""Where what is pinned serves those who work on the project, not those who use it."""


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag]:
    """Yield ``risk:dependency-change``, and ``trait:submodule`` for pointers to other repositories."""
    reading = context.read(pull_request)
    pointers = [_pointer(file) for file in reading.files if file.kind is FileKind.SUBMODULE]
    if pointers:
        yield trait_tag(name, Trait.SUBMODULE, pointers)
    evidence = pointers + list(_found(reading, context))
    if evidence:
        yield risk_tag(name, Risk.DEPENDENCY_CHANGE, evidence)


def _pointer(file: FileReading) -> Evidence:
    old, new = (str(commit)[:12] if commit else "none" for commit in file.file.submodule or (None, None))
    return Evidence(why=f"submodule pointer: {old} → {new}", path=file.name)


def _found(reading: Reading, context: RuleContext) -> Iterator[Evidence]:
    """What manifests show, then locks that pin something else than before: those follow, or are updated alone."""
    files = [file for file in reading.files if not _serves_developers(file) and not file.moved_only]
    pinning = [file for file in files if not file.path.lock and _is_manifest(file)]
    for file in sorted(pinning, key=lambda file: not file.path.manifest):
        yield from _changes(file, reading, context)
    for file in files:
        if file.path.lock and locks_something_else(file):
            yield Evidence(why="lock file changed", path=file.name)


def _is_manifest(file: FileReading) -> bool:
    fetches = file.kind is FileKind.BUILD and _PINNING_BUILD.search(file.path.folded) is not None
    return file.path.manifest or file.path.toolchain or fetches


def _serves_developers(file: FileReading) -> bool:
    folders = file.path.folded.split("/")[:-1]
    return file.path.test or file.kind in _TOOLING_KINDS or not _TOOLING_FOLDERS.isdisjoint(folders)


def _changes(file: FileReading, reading: Reading, context: RuleContext) -> Iterator[Evidence]:
    if file.patch.size:
        for old, new in changed_pins(file, reading.pull_request.repository):
            line = new or old
            if line is not None and not any(True for _ in context.signs.manifest_noise.find([line.line], most=1)):
                yield Evidence(why=_told(old, new), path=file.name, quote=quoted(line.line))
    elif file.lines and (file.path.manifest or file.path.toolchain) and _proves_alone(file, reading):
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
