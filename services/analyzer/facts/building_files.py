"""Which files speak about building and shipping, told by their folded paths."""

from __future__ import annotations

import re

from services.analyzer.facts.change import FileChange
from services.analyzer.reading.paths import FileKind
from services.analyzer.vocabulary import words_of

DOCKER = re.compile(r"(?:^|/)(?:(?:docker|container)file[^/]*|[^/]*\.(?:docker|container)file[^/]*)$")
CMAKE = re.compile(r"(?:^|/)(?:cmakelists\.txt|[^/]*\.cmake(?:\.in)?)$")
MAKE = re.compile(r"(?:^|/)(?:gnu)?makefile(?:\.\w{1,20})?$|\.(?:mk|mak)$")
BAZEL = re.compile(r"(?:^|/)(?:build(?:\.bazel)?|\.bazelrc|[^/]*\.bzl|module\.bazel|workspace(?:\.bazel)?)$")
MESON = re.compile(r"(?:^|/)meson(?:\.build|\.options|_options\.txt)$")
SETUP = re.compile(r"(?:^|/)setup\.(?:py|cfg)$")
_ASIDE = words_of(
    "examples example samples sample demo demos playground playgrounds benchmark benchmarks bench tutorial tutorials "
    "cookbook documentation docs doc test tests testing e2e website site www dev development hack .devcontainer"
)
_PUBLISHED_FOLDERS = frozenset({"packages", "pkg", "libs", "sdk", "sdks", "clients", "bindings", "python", "js"})
NOT_SHIPPED = frozenset(
    {FileKind.VENDORED, FileKind.GENERATED, FileKind.DOCS, FileKind.SAMPLE, FileKind.CI, FileKind.TEST}
)


def shipped(file: FileChange) -> bool:
    """Whether a file is part of what is built and shipped: no continuous integration, test, page or sample."""
    return file.kind not in NOT_SHIPPED and not file.reading.path.test


def aside(file: FileChange) -> bool:
    """Whether it lies in a folder of samples, benchmarks, pages or tests, whatever else it is."""
    return not _ASIDE.isdisjoint(file.reading.path.folded.split("/")[:-1])


def published(file: FileChange) -> bool:
    """Whether a package manifest is likely one that others install: at the root or among packages, and not private."""
    folders = file.reading.path.folded.split("/")[:-1]
    if any('"private": true' in line.code for line in file.after.lines):
        return False
    return not folders or not _PUBLISHED_FOLDERS.isdisjoint(folders)
