"""Build options: what can be chosen when it is built, with the defaults; features and extras that can be asked for."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from services.analyzer.facts.building_files import BAZEL, CMAKE, DOCKER, MAKE, shipped
from services.analyzer.facts.change import Change, FileChange
from services.analyzer.facts.declared import Declared, compared
from services.analyzer.facts.dependencies import is_toolchain
from services.analyzer.facts.installed_pins import PINNED, variable_of
from services.analyzer.facts.manifest_places import placed
from services.analyzer.facts.sides import Line, Side
from services.analyzer.facts.statements import Statement, all_statements
from services.analyzer.facts.toolchains import ARCHITECTURES
from shared.domain.facts import Fact, FactKind, Reach, Subject

name = "build-options"

_CHOSEN = "chosen when it is built"
_OPTION = re.compile(
    r"(?:option|cmake_dependent_option)\s{0,2}\(\s{0,3}(?P<name>\w{2,80})\s{1,4}\"[^\"]{0,300}\"\s{0,4}(?P<value>[\w.${}\"-]{1,80})?",
    re.IGNORECASE,
)
_CACHED = re.compile(
    r"set\s{0,2}\(\s{0,3}(?P<name>\w{2,80})\s{1,4}(?P<value>\"[^\"]{0,160}\"|[^\s\")]{1,160})\s{1,4}CACHE\s{1,4}(?P<type>\w{4,9})\b(?P<rest>.{0,200})",
    re.IGNORECASE,
)
_MESON = re.compile(r"option\s{0,2}\(\s{0,3}'(?P<name>[\w-]{1,80})'(?P<rest>.{0,400})")
_MESON_VALUE = re.compile(r"\bvalue\s{0,2}:\s{0,2}(?P<value>'[^']{0,80}'|\[[^\]]{0,120}\]|\w{1,20})")
_MAKE = re.compile(r"(?P<name>[A-Za-z]\w{1,60})\s{0,3}\?=\s{0,3}(?P<value>.{0,160})$")
_BAZEL = re.compile(
    r"(?:bool_flag|string_flag|int_flag)\s{0,2}\(\s{0,3}name\s{0,2}=\s{0,2}\"(?P<name>[\w-]{1,80})\".{0,200}?build_setting_default\s{0,2}=\s{0,2}(?P<value>\"[^\"]{0,80}\"|\w{1,20})"
)
_ENV = re.compile(r"ENV\s{1,4}")
_IMAGE_VARIABLE = re.compile(r"\w{0,60}IMAGE\w{0,30}|BASE\w{0,20}", re.IGNORECASE)
_OF_THE_SYSTEM = re.compile(
    r"VERSION|TAG|IMAGE|RELEASE|REGISTRY|PATH|HOME|LANG|LANGUAGE|LC_\w+|TZ|TERM|DEBIAN_FRONTEND|PYTHON\w+|PIP_\w+|UV_\w+|LD_LIBRARY_PATH|LD_PRELOAD|LIBRARY_PATH|"
    r"CPATH|PKG_CONFIG_PATH|VIRTUAL_ENV|USER|UID|GID|SHELL|\w*PROXY|BUILDKIT\w*|TARGET(?:PLATFORM|ARCH|OS|VARIANT)|CCACHE\w*|"
    r"CC|CXX|CC_\w+|CXX_\w+|C(?:XX|PP)?FLAGS|LDFLAGS|RUSTFLAGS|CARGO_\w+|\w+_(?:SHA256|SHA512|CHECKSUM|MD5)|"
    r"SCCACHE\w*|CARGO_HOME|RUSTUP_HOME|GOPATH|GOCACHE|NODE_ENV|NPM_\w+|CI|COMMIT_SHA|BUILD_DATE|VCS_REF",
    re.IGNORECASE,
)
_FEATURE = re.compile(r"(?P<name>[\w-]{1,60})\s{0,3}=\s{0,3}(?P<value>\[.{0,300})$")


def read(change: Change) -> Iterable[Fact]:
    """Yield the facts."""
    files = [file for file in change.files if shipped(file)]
    yield from compared(files, _declared, changed=FactKind.DEFAULT_CHANGED)


def _declared(file: FileChange, side: Side) -> Iterator[Declared]:
    path = file.reading.path.folded
    for files, reader in _READERS:
        if files.search(path):
            yield from reader(side)
            return


def _cmake(side: Side) -> Iterator[Declared]:
    for statement in _statements(side):
        if found := _OPTION.match(statement.code):
            yield _option(found["name"], found["value"] or "OFF", _line(statement), f"-D{found['name']}=")
        elif (found := _CACHED.match(statement.code)) and _asked(found):
            yield _option(found["name"], found["value"].strip('"'), _line(statement), f"-D{found['name']}=")


def _asked(found: re.Match[str]) -> bool:
    """Whether a cached variable is one that people set."""
    forced = re.search(r"\bFORCE\b", found["rest"]) is not None
    return found["type"].upper() != "INTERNAL" and not forced and not found["name"].startswith("CMAKE_")


def _docker(side: Side) -> Iterator[Declared]:
    """The arguments of an image's build, and the variables set in the image; pins and images are told by others."""
    for line in side.lines:
        code = line.code.strip()
        kept = code.startswith("ARG ")
        if not kept and not _ENV.match(code):
            continue
        plain = re.fullmatch(r"ARG\s{1,4}(?P<name>[A-Za-z]\w{0,80})\s*", code)
        set_to = (plain["name"], "") if plain else variable_of(code)
        if set_to is None or _told_elsewhere(*set_to):
            continue
        named, value = set_to
        # An argument without a default is most often one of an earlier stage, asked for again.
        if kept:
            yield _option(named, value or None, line, f"--build-arg {named}=", quiet=plain is not None)
        else:
            yield replace(_option(named, value or None, line, f"-e {named}="), why="set in the image")


def _told_elsewhere(named: str, value: str) -> bool:
    pinned = PINNED.fullmatch(named) is not None and "$" not in value
    image = _IMAGE_VARIABLE.fullmatch(named) is not None and re.search(r"[:/]", value) is not None
    return (
        pinned
        or image
        or is_toolchain(named)
        or bool(_OF_THE_SYSTEM.fullmatch(named) or ARCHITECTURES.fullmatch(named))
    )


def _meson(side: Side) -> Iterator[Declared]:
    for statement in _statements(side):
        if found := _MESON.match(statement.code):
            value = _MESON_VALUE.search(found["rest"])
            yield _option(found["name"], value["value"] if value else None, _line(statement), f"-D{found['name']}=")


def _make(side: Side) -> Iterator[Declared]:
    for line in side.lines:
        found = _MAKE.match(line.code)
        if found and not _told_elsewhere(found["name"], found["value"]):
            yield _option(found["name"], found["value"].strip() or None, line, f"make {found['name']}=")


def _bazel(side: Side) -> Iterator[Declared]:
    for statement in _statements(side):
        if found := _BAZEL.match(statement.code):
            yield _option(found["name"], found["value"].strip('"'), _line(statement), f"--//:{found['name']}=")


def _cargo(side: Side) -> Iterator[Declared]:
    """The features of a crate; only the default set has a value that is told."""
    for place in placed(side, "toml"):
        found = _FEATURE.match(place.text) if place.section == "features" and place.key is None else None
        if found:
            default = found["name"] == "default"
            value = " ".join(found["value"].split()) if default else None
            yield _named(f"feature {found['name']}", found["name"], value, place.line, "a feature of the package")


_EXTRA = re.compile(r"[\"']?(?P<name>[\w.-]{1,60})[\"']?\s{0,3}[=:]\s{0,3}\[")


def _extras(side: Side) -> Iterator[Declared]:
    for place in placed(side, "toml"):
        found = _EXTRA.match(place.text) if place.section == "project.optional-dependencies" else None
        if found and place.key is None:
            yield _named(f"extra {found['name']}", found["name"], None, place.line, "an extra that users ask for")


def _setup_extras(side: Side) -> Iterator[Declared]:
    """The keys of ``extras_require``, where its opening line is in sight."""
    for fragment in side.fragments:
        inside = -1
        for line in fragment.lines:
            code, indent = line.code.strip(), len(line.code) - len(line.code.lstrip())
            if re.match(r"extras_require\s{0,2}=\s{0,2}(?:dict\()?\{?", code):
                inside = indent
            elif inside >= 0 and code and indent <= inside:
                inside = -1
            elif (
                inside >= 0
                and indent == inside + 4
                and (found := re.match(r"[\"'](?P<name>[\w.-]{1,60})[\"']\s{0,2}:", code))
            ):
                yield _named(f"extra {found['name']}", found["name"], None, line, "an extra that users ask for")


_READERS: tuple[tuple[re.Pattern[str], Callable[[Side], Iterator[Declared]]], ...] = (
    (CMAKE, _cmake),
    (DOCKER, _docker),
    (re.compile(r"(?:^|/)meson(?:\.options|_options\.txt)$"), _meson),
    (MAKE, _make),
    (BAZEL, _bazel),
    (re.compile(r"(?:^|/)cargo\.toml$"), _cargo),
    (re.compile(r"(?:^|/)pyproject\.toml$"), _extras),
    (re.compile(r"(?:^|/)setup\.py$"), _setup_extras),
)


def _statements(side: Side) -> Iterator[Statement]:
    for fragment in side.fragments:
        yield from all_statements(fragment)


def _line(statement: Statement) -> Line:
    return statement.changed


def _option(named: str, value: str | None, line: Line, keep: str, *, quiet: bool = False) -> Declared:
    text = " ".join(value.split()) if value else None
    return Declared(Subject.BUILD_OPTION, named, named, text, line, Reach.BUILDERS, _CHOSEN, keep=keep, quiet=quiet)


def _named(key: str, named: str, value: str | None, line: Line, why: str) -> Declared:
    return Declared(Subject.BUILD_OPTION, key, named, value, line, Reach.PUBLIC, why)
