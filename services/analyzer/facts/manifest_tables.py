"""Packages in manifests that are written as tables: pyproject.toml, Cargo.toml, package.json, version catalogues."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from services.analyzer.facts.manifest_places import Placed
from services.analyzer.facts.requirement_texts import VERSIONED, Entry, requirement
from services.analyzer.vocabulary import words_of

QUOTED = re.compile(r"\"([^\"]{1,240})\"|'([^']{1,240})'")
_OWN = re.compile(
    r"[\"']?(?P<name>[\w-]{1,80})[\"']?(?:\.(?:version|rev|tag|branch|workspace))?\s{0,4}=\s{0,4}(?P<value>.{1,400})"
)
_NUMBER = re.compile(r"[\^~<>=v!* ]{0,4}\d|\*$|latest$")
_TABLE_VERSION = re.compile(
    r"\b(?:version(?:\.ref)?|rev|tag|branch)\s{0,3}=\s{0,3}[\"'](?P<version>[^\"']{1,120})[\"']"
)
_LOCAL = re.compile(r"\b(?:path|workspace)\s{0,3}=\s{0,3}(?:[\"']|true)")
_PYTHON_SECTIONS = frozenset({"optional-dependencies", "dependency-groups"})
_PYTHON_LISTS = frozenset(
    {
        "dependencies",
        "requires",
        "dev-dependencies",
        "constraint-dependencies",
        "override-dependencies",
        "build-constraint-dependencies",
    }
)
_PYTHON_TABLES = frozenset({"dependencies", "dev-dependencies", "packages", "dev-packages"})
_CARGO_TABLES = frozenset({"dependencies", "dev-dependencies", "build-dependencies"})
_CARGO_OWN = words_of(
    "version edition rust-version name description license resolver readme documentation repository homepage authors "
    "channel rev tag branch git package opt-level lto codegen-units debug panic path build links default-run "
    "incremental strip"
)
_JSON_LISTS = words_of(
    "dependencies devdependencies peerdependencies optionaldependencies overrides resolutions require require-dev "
    "imports catalog catalogs"
)
_JSON_PAIR = re.compile(r"\"(?P<name>[^\"]{1,120})\"\s{0,4}:\s{0,4}\"(?P<version>[^\"]{1,160})\"")
_JSON_VERSION = re.compile(
    r"[\^~<>=v ]{0,4}\d[\w.+ <>=|^~*-]{0,80}$|npm:|jsr:|git[+:@]|github:|\*$|latest$|next$|dev-",
)
_JSON_OWN = words_of("version node npm pnpm yarn bun deno vscode php packagemanager name target")


def pyproject(place: Placed) -> Iterator[Entry]:
    """Packages in lists of ``[project]``, groups and build systems, and in tables of Poetry and Pipenv."""
    section, key = place.section, place.key
    own = _OWN.match(place.text) if key is None else None
    if own and own["value"].startswith("["):
        key = own["name"].casefold()
    if key is None and own is not None:
        if section is not None and not _PYTHON_TABLES.isdisjoint(section.split(".")):
            yield from _table_entry(own["name"], own["value"], place, section)
        return
    listed = key in _PYTHON_LISTS or (section or "").rsplit(".", 1)[-1] in _PYTHON_SECTIONS
    if not listed and section is not None:
        return
    group = f"{section or ''} {key or ''}".strip()
    for one in QUOTED.finditer(own["value"] if own else place.text):
        text = one[1] or one[2]
        if (listed or VERSIONED.search(text)) and (found := requirement(text, place.line, group)):
            yield found


def cargo(place: Placed) -> Iterator[Entry]:
    """Crates in the tables of dependencies, or in a table of their own."""
    own = _OWN.match(place.text) if place.key is None else None
    if own is None:
        return
    parts = (place.section or "").split(".")
    if len(parts) > 1 and parts[-2] in _CARGO_TABLES:
        if own["name"] in {"version", "rev", "tag", "branch"}:
            yield Entry(parts[-1], own["value"].strip("\"' "), place.line, ".".join(parts[:-1]))
    elif parts[-1] in _CARGO_TABLES or (place.section is None and own["name"] not in _CARGO_OWN):
        yield from _table_entry(own["name"], own["value"], place, place.section or "")


def package_json(place: Placed) -> Iterator[Entry]:
    """Packages of npm and Composer; where the section is not seen, pairs that look like one."""
    for found in _JSON_PAIR.finditer(place.text):
        name, version = found["name"], found["version"]
        if place.section not in _JSON_LISTS and (
            place.section is not None or not version.lstrip("^~>=<v ")[:1].isdigit()
        ):
            continue
        if name.casefold() not in _JSON_OWN and not name.startswith("ext-") and _JSON_VERSION.match(version):
            yield Entry(name, version, place.line, place.section or "")


def catalogue(place: Placed) -> Iterator[Entry]:
    """Versions and libraries of a Gradle version catalogue."""
    own = _OWN.match(place.text)
    if own and place.section in {None, "versions", "libraries", "plugins"}:
        for entry in _table_entry(own["name"], own["value"], place, place.section or ""):
            yield replace(entry, build=True)


def _table_entry(name: str, value: str, place: Placed, group: str) -> Iterator[Entry]:
    """Read ``name = "1.2"`` and ``name = { version = "1.2", … }``; what lies in the repository itself is none."""
    if _LOCAL.search(f"{place.text} {value}"):
        # It stays a dependency, with a version that stands elsewhere.
        yield Entry(name, None, place.line, group, weak=True)
        return
    if plain := re.match(r"[\"']([^\"']{1,120})[\"']", value):
        if _NUMBER.match(plain[1]):
            yield Entry(name, plain[1], place.line, group)
    elif value.startswith("{") and (found := _TABLE_VERSION.search(value)):
        yield Entry(name, found["version"], place.line, group)
