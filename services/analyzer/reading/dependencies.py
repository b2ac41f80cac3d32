"""Reads what manifests and build files depend on: which name had which version before and after a patch."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from services.analyzer.reading.manifest_formats import FORMATS, LOCAL_PLACES, Format
from services.analyzer.reading.manifest_lines import ManifestLine, walk
from services.analyzer.reading.reading import FileReading
from shared.domain.pull_request import RepositoryRef

_FETCHED = re.compile(
    r"(?:FetchContent_Declare|ExternalProject_Add|FetchContent_Populate)"
    r"\s*\(\s*(?P<name>[\w.-]{1,80})?"
)
_BARE_FETCHED = re.compile(r"(?P<name>[A-Za-z][\w.-]{1,80})$")
_COMMENT = ("#", "//", "<!--", "--", ";;", "*")
_LOCAL_TABLE = re.compile(r"\bpath\s?=\s?[\"']|\bworkspace\s?=\s?true\b")
_LOCKED = re.compile(
    r"\bchecksum\b|\bintegrity\b|\bsha(?:1|256|512)\b|\bh1:|\bresolved\b|\bsource = \"(?:registry|git)|"
    r"\bhash(?:es)?\b\s?[=:]|"
    r"^\s{4}[\w.-]{1,80} \(\d|\"version\":\s?\"|\bnarHash\b|\brevision\b"
)
"""Lines of lock files that pin something from elsewhere; packages of the repository itself carry no checksum."""
_FETCH_WORDS = frozenset({"GIT_TAG", "URL"})
MOST_PINS = 200


@dataclass(frozen=True, slots=True)
class DependencyLine:
    """One changed line of a manifest: the name, the version as written (None when it has none), and the line."""

    name: str
    version: str | None
    line: str
    floor: bool = False
    """Whether it demands a version of the language itself."""


@lru_cache(maxsize=4_096)
def format_of(path: str) -> Format | None:
    """Return how the manifest at the folded ``path`` is written, or None when that is not known."""
    return next((row for row in FORMATS if row.files.search(path)), None)


def changed_pins(
    file: FileReading, repository: RepositoryRef
) -> Iterator[tuple[DependencyLine | None, DependencyLine | None]]:
    """Yield (old, new) for every dependency from elsewhere that the patch changes; None where there was none.

    What lies in the same repository is no dependency, nor is a name whose version stands in another file. A floor that
    a new file states is no change.
    """
    old, new = _pins(file, repository)
    for name, line in sorted(new.items(), key=lambda item: "indirect" in item[1].line):
        before = old.pop(name, None)
        if before is None and line.floor and file.file.status == "added":
            continue
        if before is None or before.version != line.version:
            yield before, line
    for line in old.values():
        if not (line.floor and file.file.status == "removed"):
            yield line, None


def locks_something_else(file: FileReading) -> bool:
    """Whether a lock file pins other packages than before; one whose patch is not at hand is believed to."""
    if not file.patch.size or not file.patch.whole:
        return True
    added = {line.strip() for line in file.patch.added if _LOCKED.search(line)}
    removed = {line.strip() for line in file.patch.removed if _LOCKED.search(line)}
    return added != removed or (file.path.folded.endswith(".sum") and file.patch.added != file.patch.removed)


def _pins(file: FileReading, repository: RepositoryRef) -> tuple[dict[str, DependencyLine], dict[str, DependencyLine]]:
    """The dependencies on the removed and on the added lines, by folded name."""
    found: tuple[dict[str, DependencyLine], dict[str, DependencyLine]] = ({}, {})
    written = format_of(file.path.folded)
    if written is None or not file.file.patch or not file.patch.size:
        return found
    ending = file.path.folded.rsplit(".", 1)[-1]
    stem = file.path.folded.rsplit("/", 1)[-1].removesuffix(".cmake")
    fetched = stem if ending == "cmake" else None
    for line in walk(file.file.patch, ending):
        if opened := _FETCHED.match(line.text):
            fetched = opened["name"] or fetched
            continue
        if (alone := _BARE_FETCHED.match(line.text)) and ending in {"cmake", "txt"}:
            fetched = alone["name"]
        pin = _read(line, written, fetched)
        pins = found[line.added]
        if pin is not None and len(pins) < MOST_PINS and not _is_own(pin, repository):
            pins.setdefault(pin.name.casefold(), pin)
    return found


def _read(line: ManifestLine, written: Format, fetched: str | None) -> DependencyLine | None:
    """What one changed line depends on, or None."""
    text = line.text
    if written.floors is not None and (floor := written.floors.match(text)):
        return DependencyLine(floor["name"], floor["version"].strip(" ,"), text, floor=True)
    if text.startswith(_COMMENT) or _LOCAL_TABLE.search(text) or not _in_place(line, written):
        return None
    found = next((hit for pattern in written.lines if (hit := pattern.match(text))), None)
    if found is None:
        return None
    version = (found["version"] or "").strip(" ,)\\").removeprefix("==").strip() or None
    name = found["name"].strip("\"'[").rstrip("@,") or line.above or ""
    if name.upper() in _FETCH_WORDS:
        name = fetched or name
    if not name and written.floors is None:
        name = "toolchain"
    bare = written.bare or _lists_dependencies(line, written)
    return DependencyLine(name, version, text) if name and (version or bare) else None


def _in_place(line: ManifestLine, written: Format) -> bool:
    """Whether the line stands where dependencies are listed; outside of any known section where that proves enough."""
    if not written.sections:
        return True
    if line.key is not None:
        return _lists_dependencies(line, written)
    if line.section is None:
        return not written.needs_section or re.match(r"[\"'][\w.\[\],-]{1,99}\s?[<>=~!]=", line.text) is not None
    return _names(line.section, written)


def _lists_dependencies(line: ManifestLine, written: Format) -> bool:
    if line.key is None or not written.sections:
        return False
    if line.section is not None and line.section.startswith("tool.") and line.key not in written.sections:
        return False
    return line.key in written.sections or (line.section is not None and _names(line.section, written))


def _names(section: str, written: Format) -> bool:
    return section in written.sections or not written.sections.isdisjoint(section.split("."))


def _is_own(pin: DependencyLine, repository: RepositoryRef) -> bool:
    """Whether a pin names a part of the same repository: by its place, its scope or its name."""
    version, name = (pin.version or "").casefold(), pin.name.casefold()
    if version.startswith(LOCAL_PLACES):
        return True
    owner, _, project = repository.full_name.casefold().rpartition("/")
    own = f"{repository.host}/{owner}/{project}".casefold()
    if name.startswith(project.replace("-", "_") + "_") and name.endswith("version"):
        return True
    return name in {project, own} or name.startswith((f"@{owner}/", f"@{project}/", f"{own}/"))
