"""Defaults that no declaration shows as such: constants named so, literals in files of settings, builders."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from services.analyzer.facts.change import Change, FileChange
from services.analyzer.facts.items import Item, changed_items
from services.analyzer.facts.literals import LITERAL, literal_of
from services.analyzer.facts.sides import Line, Side
from services.analyzer.facts.statements import Statement
from services.analyzer.reading.paths import FileKind
from shared.domain.facts import Fact, FactKind, Reach, Subject

name = "named-defaults"
_SETTINGS = re.compile(
    r"(?:^|[/_.-])(?:envs?|env_?vars|environment|settings?|defaults?|options?|flags|config\w{0,12}|args|"
    r"arg_utils|cli)(?:[/_.-]|$)"
)
_TOOLING_FOLDERS = frozenset({"scripts", "script", "tools", "hack", "ci", ".github", "release"})
_CALLED = re.compile(rf"""\.SetDefault\(\s?"(?P<name>[\w.-]{{2,60}})",\s?(?P<value>{LITERAL})\s?\)""")
_BUILT = re.compile(
    rf"""^\s{{0,40}}["']?(?P<name>[\w-]{{2,60}})["']?\s?[:=].{{0,160}}?\.default\(\s?(?P<value>{LITERAL})\s?\)""",
    re.IGNORECASE,
)
_ARGUMENT = re.compile(
    rf"""^\s{{0,60}}default(?:_value|_value_t|Value)?\s?[=:]\s?(?P<value>{LITERAL})\s?,?\s{{0,4}}$""", re.IGNORECASE
)
_OPTION = re.compile(r"""["'](?P<name>--[a-z][\w-]{2,60})["']""", re.IGNORECASE)
_NEAR = 6
"""Lines above a default within which its option stands, where the patch does not show the beginning of the call."""
_WHY = {
    Subject.CONFIGURATION_KEY: "a file of settings",
    Subject.CONSTANT: "a constant named as a default",
    Subject.OPTION: "an option",
}
_FOLLOWS_RELEASES = re.compile(
    r"(?:.*[._-])?(?:app|chart|image|new)?_?-?(?:version|tag|sha\d*|digest|revision|checksum|hash|date|updated|commit|"
    r"created\w*|rc|build)",
    re.IGNORECASE,
)


def read(change: Change) -> Iterable[Fact]:
    """Yield the defaults that have another value; what is only new, or gone, says too little by itself."""
    files = [file for file in change.product if _may_hold(file)]
    for fact in changed_items(change, _declared, files):
        if fact.kind is FactKind.DEFAULT_CHANGED:
            yield fact.model_copy(update={"reach": Reach.PUBLIC, "reach_why": _WHY[fact.subject]})


def _may_hold(file: FileChange) -> bool:
    folders = file.reading.path.folded.split("/")[:-1]
    return file.kind is FileKind.SOURCE and _TOOLING_FOLDERS.isdisjoint(folders)


def _declared(file: FileChange, side: Side, statement: Statement) -> Iterator[Item]:
    settings = _SETTINGS.search(file.reading.path.folded) is not None
    for line in statement.lines:
        if line.changed and (argument := _ARGUMENT.match(line.code)) and (option := _option_above(side, line)):
            yield Item(Subject.OPTION, option, argument["value"].strip(), line)
            continue
        built = _CALLED.search(line.code) or _BUILT.match(line.code)
        found = (built["name"], built["value"]) if built else literal_of(line.code)
        if not line.changed or found is None or _FOLLOWS_RELEASES.fullmatch(found[0]):
            continue
        named = "default" in found[0].casefold() and found[0].casefold() != "default"
        if built or (settings and len(statement.lines) == 1):
            yield Item(Subject.CONFIGURATION_KEY, found[0], found[1].strip(), line)
        elif named:
            yield Item(Subject.CONSTANT, found[0], found[1].strip(), line)


def _option_above(side: Side, line: Line) -> str | None:
    fragment = side.fragment_of(line.number)
    place = line.number - fragment.first if fragment else 0
    for other in reversed(fragment.lines[max(0, place - _NEAR) : place] if fragment else ()):
        if found := _OPTION.search(other.code):
            return found["name"]
        if "(" in other.bare:
            return None
    return None
