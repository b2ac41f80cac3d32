"""Platforms: versions of Python and others, systems and architectures that are supported, tested or published for."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from services.analyzer.facts.building_files import NOT_SHIPPED
from services.analyzer.facts.change import Change, FileChange
from services.analyzer.facts.declared import Declared, compared
from services.analyzer.facts.sides import Fragment, Line, Side
from services.analyzer.reading.paths import FileKind
from shared.domain.facts import Fact, Reach, Subject

name = "platforms"

_MANIFESTS = re.compile(r"(?:^|/)(?:pyproject\.toml|setup\.py|setup\.cfg)$")
_CLASSIFIER = re.compile(
    r"[\"']?(?:Programming Language :: (?P<language>Python) :: (?P<version>\d\.\d{1,2})|"
    r"Operating System :: (?P<system>[\w :./()-]{2,60}?))[\"']?,?$"
)
_SUPPORTED = re.compile(r"set\s{0,2}\(\s{0,3}PYTHON_SUPPORTED_VERSIONS\s(?P<values>[\"\d. ]{3,200})", re.IGNORECASE)
_KEYS = {
    "python": "Python",
    "python-version": "Python",
    "python_version": "Python",
    "python-versions": "Python",
    "pyver": "Python",
    "node": "Node.js",
    "node-version": "Node.js",
    "node_version": "Node.js",
    "go": "Go",
    "go-version": "Go",
    "ruby": "Ruby",
    "ruby-version": "Ruby",
    "php": "PHP",
    "php-version": "PHP",
    "php-versions": "PHP",
    "java": "Java",
    "java-version": "Java",
    "jdk": "Java",
    "rust": "Rust",
    "toolchain": "Rust",
    "os": "",
    "platform": "",
    "arch": "",
}
"""Keys of matrices, and what stands before their entries when one tells of them."""
_PUBLISHED_KEYS = frozenset({"platforms", "goos", "goarch"})
_KEY = re.compile(r"(?:-\s)?(?P<key>[\w-]{2,40}):(?P<rest>.{0,300})$")
_ITEM = re.compile(r"-\s{1,4}[\"']?(?P<value>[\w./+-]{1,60})[\"']?\s*$")
_VALUE = re.compile(r"[\w.+/-]{1,60}$")
_VERSION = re.compile(r"(?:pypy-?)?v?\d{1,3}(?:\.(?:\d{1,3}|x)){0,2}(?:-dev|t)?$|stable$|beta$|nightly$|1\.\d{2}\.\d$")
_WHEELS = re.compile(r"(?:CIBW_BUILD|build)[\"']?\s{0,2}[:=]\s{0,2}\[?(?P<values>[\"'cp\d*\w,. {}-]{4,300})")
_WHEEL_TAG = re.compile(r"(?:cp|pp)\d{2,3}(?:-[\w*]{1,40}){1,2}")
_MANYLINUX = re.compile(r"\b(?P<kind>manylinux|musllinux)(?P<version>1|2010|2014|_\d_\d{1,2})(?P<rest>_\w{3,10})?")
_VARIANT = re.compile(
    r"(?:export\s|-\s)?[\"']?(?P<name>(?:\w{1,20}_)?(?:VARIANT|FLAVOU?R|PLATFORM_TAG|PLAT_NAME))[\"']?"
    r"\s{0,2}[:=]\s{0,2}[\"']?(?P<value>[\w.-]{2,60})[\"']?$"
)
_RELEASES = re.compile(r"release|wheel|publish|package")
_YAML = (".yml", ".yaml")


def read(change: Change) -> Iterable[Fact]:
    """Yield the facts; what continuous integration alone tests is internal."""
    files = (file for file in change.files if file.kind not in NOT_SHIPPED - {FileKind.CI})
    yield from compared(files, _declared)


def _declared(file: FileChange, side: Side) -> Iterator[Declared]:
    path = file.reading.path.folded
    manifest, releases = _MANIFESTS.search(path) is not None, _RELEASES.search(path) is not None
    if path.endswith(_YAML) and (file.kind is FileKind.CI or "goreleaser" in path):
        for fragment in side.fragments:
            yield from _matrix(fragment, releases=releases)
    if path.endswith((".cmake", "cmakelists.txt")):
        yield from _accepted(side)
    for line in side.lines if manifest else ():
        yield from _classified(line)
    for line in side.lines if releases or manifest or file.kind is FileKind.CI else ():
        yield from _published(line, releases=releases)


def _accepted(side: Side) -> Iterator[Declared]:
    for line in side.lines:
        if found := _SUPPORTED.match(line.code.strip()):
            for version in re.findall(r"\d\.\d{1,2}", found["values"]):
                yield _platform(f"Python {version}", line, Reach.PUBLIC, "the build accepts it")


def _classified(line: Line) -> Iterator[Declared]:
    if (found := _CLASSIFIER.match(line.code.strip())) is None:
        return
    named = f"{found['language']} {found['version']}" if found["language"] else found["system"].rsplit(" :: ", 1)[-1]
    yield _platform(named, line, Reach.PUBLIC, "declared as supported")


def _matrix(fragment: Fragment, *, releases: bool) -> Iterator[Declared]:
    """The entries of lists under known keys, on one line or one a line."""
    prefix: str | None = None
    published, indent = False, 0
    for line in fragment.lines:
        code = line.code.strip()
        if not code:
            continue
        depth = len(line.code) - len(line.code.lstrip())
        item = _ITEM.match(code)
        if item and prefix is not None and depth >= indent:
            yield from _entry(prefix, item["value"], line, published=published)
            continue
        prefix = None
        found = _KEY.match(code)
        key = found["key"].casefold() if found else ""
        if found is None or (key not in _KEYS and key not in _PUBLISHED_KEYS):
            continue
        rest, published = found["rest"].strip(), key in _PUBLISHED_KEYS
        if published and not (releases or key != "platforms" or "linux/" in rest):
            continue
        if rest.startswith("[") or (published and "/" in rest):
            for value in re.split(r"[\s,]+", rest.strip("[]")):
                yield from _entry(_KEYS.get(key, ""), value.strip("\"'"), line, published=published)
        elif not rest:
            prefix, indent = _KEYS.get(key, ""), depth


def _entry(prefix: str, value: str, line: Line, *, published: bool) -> Iterator[Declared]:
    if not _VALUE.match(value) or (prefix and not _VERSION.match(value)) or (not prefix and not value[:1].isalpha()):
        return
    reach, why = (
        (Reach.PUBLIC, "published for it") if published else (Reach.INTERNAL, "tested in continuous integration")
    )
    yield _platform(f"{prefix} {value}".strip(), line, reach, why)


def _published(line: Line, *, releases: bool) -> Iterator[Declared]:
    """Tags and variants of what is published."""
    code = line.code.strip()
    if found := _WHEELS.match(code):
        for tag in _WHEEL_TAG.findall(found["values"]):
            yield _platform(f"wheel {tag}", line, Reach.PUBLIC, "wheels are published for it")
    if found := _MANYLINUX.search(code):
        value = found[0]
        yield Declared(
            Subject.PLATFORM,
            found["kind"],
            found["kind"],
            value,
            line,
            Reach.PUBLIC,
            "the tag of wheels",
            group=found["rest"] or "",
            revalued_only=True,
        )
    if releases and (found := _VARIANT.match(code)):
        yield Declared(
            Subject.PLATFORM,
            found["name"].casefold(),
            found["name"],
            found["value"],
            line,
            Reach.PUBLIC,
            "the name of a published build",
            revalued_only=True,
        )


def _platform(named: str, line: Line, reach: Reach, why: str) -> Declared:
    return Declared(Subject.PLATFORM, named.casefold(), named, None, line, reach, why)
