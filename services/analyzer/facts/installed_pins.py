"""Versions that image files, install scripts and CMake fix: arguments, `pip install`, checkouts, fetched sources."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from services.analyzer.facts.building_files import CMAKE, DOCKER
from services.analyzer.facts.change import FileChange
from services.analyzer.facts.requirement_texts import Entry, requirement
from services.analyzer.facts.sides import Fragment, Line, Side
from services.analyzer.reading.paths import FileKind

_NEAR = 14
"""Lines between a clone and its checkout, or between a fetched project's name and its revision."""

PINNED = re.compile(
    r"\w{1,60}_(?:VERSION|VER|BRANCH|COMMIT|COMMIT_SHA|COMMIT_HASH|SHA|TAG|REF|REV|REVISION|HASH|RELEASE)",
    re.IGNORECASE,
)
"""Names of variables that hold the version of something else."""

_VARIABLE = re.compile(
    r"(?:(?:ARG|ENV|export|local|readonly|declare(?: -\w)?)\s{1,4})?(?P<name>[A-Za-z]\w{1,70})(?:=|(?<=\w) (?=[\"'\w]))"
    r"(?P<value>\"[^\"]{0,160}\"|'[^']{0,160}'|[^\s;&|\\]{1,160})\s{0,4}(?:\\|;|&&|$)"
)
_DEFAULTED = re.compile(r"\$\{\w{1,80}:?[-=](?P<value>[^}$]{1,120})\}$")
_VERSION = re.compile(
    r"[~^=]{0,2}v?\d[\w.+-]{0,60}$|[0-9a-f]{7,64}$|(?:[\w.-]{1,60}/)?v\d[\w.+-]{0,60}$|"
    r"[A-Za-z][\w-]{0,40}[-_/]v?\d[\w.+-]{0,50}$"
)
_WORD = re.compile(r"[\w./+-]{1,100}$")
_PIP = re.compile(r"\b(?:pip3?|uv pip|pipx)(?:\s{1,3}--?[\w-]{1,40})?\s{1,3}install\s(?P<rest>.{1,400})")
_CLONE = re.compile(
    r"\bgit\s{1,3}clone\b.{0,200}?(?P<url>(?:https?|git|ssh)://\S{4,200}|git@\S{4,200}|"
    r"\"?\$\{?\w{1,60}\}?\"?)"
)
_CLONE_BRANCH = re.compile(r"(?:-b|--branch)[ =]{1,3}[\"']?(?P<version>[\w./+-]{1,80})")
_CHECKOUT = re.compile(
    r"\bgit\s{1,3}(?:checkout|reset --hard)\s{1,3}(?:-q\s|--quiet\s)?[\"']?(?P<version>[\w./+-]{3,80})"
)
_ARCHIVE = re.compile(
    r"https?://(?:github|gitlab)\.com/[\w.-]{1,60}/(?P<name>[\w.-]{1,80})/(?:-/)?"
    r"(?:archive(?:/refs/tags)?|releases/download)/"
    r"(?P<version>v?\d[\w.+-]{0,60}?|[0-9a-f]{7,64})(?:/|\.tar|\.zip)"
)
_FETCHED = re.compile(
    r"(?:FetchContent_Declare|ExternalProject_Add|FetchContent_Populate|CPMAddPackage)"
    r"\s{0,4}\(\s{0,4}(?:NAME\s{1,4})?(?P<name>[\w.-]{1,80})?",
    re.IGNORECASE,
)
_BARE = re.compile(r"(?:NAME\s{1,4})?(?P<name>[A-Za-z][\w.-]{1,80})$")
_GIT_TAG = re.compile(r"(?:GIT_TAG|VERSION)\s{1,8}[\"']?(?P<version>(?!\$)[\w./+-]{2,120})")
_CPM = re.compile(
    r"CPMAddPackage\(\s{0,3}\"(?:\w{1,10}:)(?P<name>[\w./-]{1,100})[#@](?P<version>[\w.+-]{1,60})\"", re.IGNORECASE
)
_FOUND = re.compile(
    r"find_(?:package|dependency)\s{0,3}\(\s{0,3}(?P<name>[\w-]{1,60})\s{1,4}(?P<version>\d[\w.]{0,20})", re.IGNORECASE
)
_SET = re.compile(
    r"set\s{0,3}\(\s{0,3}(?P<name>\w{1,80})\s{1,4}[\"']?(?P<version>v?\d[\w.+-]{0,60}|[0-9a-f]{7,64})[\"']?"
    r"\s{0,3}(?:\)|CACHE)",
    re.IGNORECASE,
)
_NO_PIN = re.compile(
    r"(?:PROJECT|CMAKE|API|ABI|SO|PACKAGE|CPACK|SHARED_?LIB|LIB|LIBRARY|POLICY|APP)_|.{0,60}_SOVERSION|CMAKE_MINIMUM",
    re.IGNORECASE,
)


def pins(file: FileChange, side: Side) -> Iterator[Entry]:
    """Yield what one side fixes, in image files, shell scripts and CMake files; nothing in others."""
    path = file.reading.path.folded
    if DOCKER.search(path) or (file.language == "shell" and file.kind is not FileKind.CI):
        for fragment in side.fragments:
            yield from _commands(fragment)
    elif CMAKE.search(path):
        stem = path.rsplit("/", 1)[-1].removesuffix(".in").removesuffix(".cmake")
        for fragment in side.fragments:
            yield from _cmake(fragment, None if stem == "cmakelists.txt" else stem)


def variable_of(code: str) -> tuple[str, str] | None:
    """Return (name, value) of ``ARG X=…``, ``ENV X=…`` or ``X=…``, without quotes; of ``${X:-…}`` the default."""
    found = _VARIABLE.match(code.strip())
    if found is None:
        return None
    value = found["value"].strip("\"'")
    if default := _DEFAULTED.match(value):
        value = default["value"].strip("\"'")
    return found["name"], value


def _commands(fragment: Fragment) -> Iterator[Entry]:
    cloned, cloned_at, installing = "", -_NEAR, False
    for place, line in enumerate(fragment.lines):
        code = line.code.strip()
        if not code:
            continue
        if (set_to := variable_of(code)) and PINNED.fullmatch(set_to[0]) and _is_version(*set_to):
            yield Entry(set_to[0], set_to[1], line, "ARG" if code.startswith("ARG") else "", build=True)
        if installed := _PIP.search(code):
            yield from _installed(installed["rest"], line)
        elif installing:
            yield from _installed(code, line)
        installing = (installing or installed is not None) and code.endswith("\\") and "&&" not in code[-6:]
        if clone := _CLONE.search(code):
            cloned, cloned_at = _repository(clone["url"]), place
            if branch := _CLONE_BRANCH.search(code):
                yield from _pinned(cloned, branch["version"], line)
        elif (checkout := _CHECKOUT.search(code)) and place - cloned_at <= _NEAR:
            yield from _pinned(cloned, checkout["version"], line)
        if archive := _ARCHIVE.search(code):
            yield Entry(archive["name"], archive["version"], line, build=True)


def _is_version(name: str, value: str) -> bool:
    if "$" in value or not value:
        return False
    branch = name.upper().endswith(("_BRANCH", "_REF", "_TAG"))
    return (_WORD if branch else _VERSION).match(value) is not None


def _installed(rest: str, line: Line) -> Iterator[Entry]:
    """The requirements with a version in the arguments of an installer."""
    for command in rest.split("&&")[:1]:
        for text in re.findall(r"\"[^\"]{1,200}\"|'[^']{1,200}'|\S{1,200}", command)[:60]:
            bare = text.strip("\"'")
            fixed = "$" not in bare and re.search(r"[=<>~!]=|git\+|\.whl", bare) is not None
            if fixed and (found := requirement(bare, line)):
                yield replace(found, group="pip", build=True)


def _repository(url: str) -> str:
    return url.strip("\"'").removesuffix(".git").rsplit("/", 1)[-1]


def _pinned(name: str, version: str, line: Line) -> Iterator[Entry]:
    if name and "$" not in name and "$" not in version and _VERSION.match(version):
        yield Entry(name, version, line, build=True)


def _cmake(fragment: Fragment, stem: str | None) -> Iterator[Entry]:
    """What is fetched, under the name that was opened above; a file of one project is named after it."""
    opened = _FETCHED.match(fragment.section)
    fetched, at = (opened["name"] if opened else None) or stem, 0 if opened else -_NEAR
    for place, line in enumerate(fragment.lines):
        code = line.code.strip()
        if (opened := _FETCHED.match(code)) and not _CPM.match(code):
            fetched, at = opened["name"] or stem, place
        elif (alone := _BARE.match(code)) and place - at == 1:
            fetched = alone["name"]
        elif found := _fetched(code, fetched, near=place - at <= _NEAR):
            yield Entry(found[0], found[1], line, found[2], build=True)


def _fetched(code: str, fetched: str | None, *, near: bool) -> tuple[str, str, str] | None:
    """Name, version and group of what one line of CMake fixes."""
    if tagged := _GIT_TAG.match(code):
        tag = code.startswith("GIT_TAG") or (near and _VERSION.match(tagged["version"]))
        return (fetched, tagged["version"], "fetched") if fetched and tag else None
    if (given := _SET.match(code)) and PINNED.fullmatch(given["name"]) and not _NO_PIN.match(given["name"]):
        return given["name"], given["version"], "set"
    for pattern, group in ((_CPM, "fetched"), (_FOUND, "found"), (_ARCHIVE, "archive")):
        if found := pattern.search(code):
            return found["name"], found["version"], group
    return None
