"""Where code or packaging registers something by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from services.analyzer.facts.calls import Joined, arguments, folded, joined, literal, positional
from services.analyzer.facts.change import FileChange
from services.analyzer.facts.sides import Line, Side
from services.analyzer.facts.statements import Statement

DECORATED = "registered name"
ENUMERATION = "value of an enumeration"
LAZY_IMPORT = "class that is imported by name"
IN_REGISTRY = "name in a registry"
IN_TABLE = "name in a table of classes"

MOST_NAMES = 20
"""In one statement."""
_MOST_UP = 400
"""Lines looked through upwards for what encloses a line."""
_ENUM = re.compile(r"^\s{0,40}class\s{1,4}(?P<name>\w{1,80})\([^)]{0,120}\b(?:\w{0,20}Enum|\w{0,20}Flag)\b")
_CLASS = re.compile(r"^\s{0,40}class\s{1,4}\w")
_MEMBER = re.compile(r"^\s{0,40}(?P<name>[A-Za-z]\w{0,80})\s?=\s?(?:\(\s?)?(?P<value>\"[^\"]{1,200}\"|'[^']{1,200}')")
_ENUM_CLASS_PATH = re.compile(r"[a-z_][\w]{0,60}(?:\.\w{1,80}){1,10}\.[A-Z]\w{0,80}")
_PAIR = re.compile(
    r"^\s{0,40}\"(?P<name>[\w.:/-]{2,100})\"\s?:\s?(?P<value>\(\s?\"[\w.]{1,120}\",\s?\"[A-Za-z_]\w{0,100}\"(?:,\s?[^()]{0,60})?\)"
    r"|\"[A-Za-z_]\w{0,60}(?:\.\w{1,80}){1,10}[.:][A-Za-z_]\w{0,80}\"),?$"
)
_REFERENCE = re.compile(
    r"^\s{0,40}\"(?P<name>[\w.:/-]{2,100})\"\s?:\s?(?P<value>(?:[a-z_]\w{0,60}\.){0,4}[A-Z]\w{1,80}),?$"
)
_TABLE = re.compile(
    r"^(?:\s{0,4}(?:_{0,2}[A-Z][A-Z0-9_]{2,80}|\w{0,60}(?:registry|[Rr]egistered))|\w{1,60}(?:s|_map))\b[^=()]{0,120}="
    r"\s?(?:\w{1,20}\()?\{\s{0,4}$"
)
_REGISTERING = re.compile(
    r"(?<![\w])(?P<call>(?:[\w.\[\]]{1,80}\.)?(?:_?register(?:_(?!buffer|parameter|forward|full|hook|module_hook|backward|state|"
    r"load|comm|atexit|fake|kernel|autograd|signal|dataclass|pytree|opaque|sharding|custom_op|mark|assert)\w{1,40})?))\("
)
_NOT_REGISTRIES = re.compile(
    r"(?:.*\.)?(?:atexit|signal|selectors?|torch|weakref|gc|faulthandler|copyreg|abc|codecs|admin|ABC)\.\w{1,40}|register_\w{0,30}(?:hook|buffer|parameter)\w{0,10}"
)
_SUBCOMMAND = re.compile(r"(?<![\w])(?:[\w.]{1,60}\.)?add_parser\(|^\s{0,40}@[\w.]{1,60}\.(?:command|group)\(")
_COBRA = re.compile(r"^\s{0,40}Use:\s{1,20}\"(?P<name>[a-z][\w-]{0,40})(?:\s[^\"]{0,100})?\",?$")
_COMMANDER = re.compile(r"\.command\(\s{0,8}[\"'](?P<name>[a-z][\w:-]{0,40})(?:\s[^\"']{0,100})?[\"']")
_LITERALS = frozenset({"True", "False", "None"})
_HINT = re.compile(r"register|add_parser\(|\.(?:command|group)\(")
_NAME = re.compile(r"[A-Za-z][\w.:/@-]{1,100}")
_HEADER = re.compile(r"^\s{0,8}\[(?P<name>[^\[\]]{1,120})\]\s{0,8}$")
_ENTRY_TABLE = re.compile(
    r"project\.(?:gui-)?scripts|project\.entry-points\..{1,80}|tool\.poetry\.(?:scripts|plugins\..{1,80})|options\.entry_points"
)
_ENTRY = re.compile(
    r"^\s{0,8}\"?(?P<name>[\w.-]{1,80})\"?\s?=\s?[\"']?(?P<value>[A-Za-z_][\w.]{0,160}(?::[\w.]{1,100})?)[\"']?\s{0,8}(?:\[\w{1,30}\])?$"
)
_ENTRY_STRING = re.compile(r"[\"'](?P<name>[\w.-]{1,80})\s?=\s?(?P<value>[A-Za-z_][\w.]{0,160}:[\w.]{1,100})[\"']")


@dataclass(frozen=True, slots=True)
class Registration:
    """A name, what it stands for as written, and what kind of registry it is in."""

    name: str
    value: str | None
    line: Line
    what: str
    identity: str | None = None
    mention: str | None = None


def registrations(file: FileChange, side: Side, statement: Statement) -> Iterator[Registration]:
    """Yield what a statement registers."""
    name = file.reading.path.folded.rsplit("/", 1)[-1]
    if name in ("pyproject.toml", "setup.cfg", "setup.py", "entry_points.txt"):
        yield from _entry_points(side, statement)
    reader = _READERS.get(file.language or "")
    if reader is not None:
        yield from islice(reader(side, statement), MOST_NAMES)


def _entry_points(side: Side, statement: Statement) -> Iterator[Registration]:
    for line in statement.lines:
        for found in _ENTRY_STRING.finditer(line.code):
            yield _entry(found["name"], found["value"], line)
        if (found_ := _ENTRY.match(line.code)) and line.changed:
            header = _above(side, line, _HEADER)
            if header and _ENTRY_TABLE.fullmatch(header["name"].replace('"', "").replace("'", "")):
                yield _entry(found_["name"], found_["value"], line)


def _entry(name: str, value: str, line: Line) -> Registration:
    return Registration(name, value, line, "entry point", identity=value, mention=name)


def _above(side: Side, line: Line, pattern: re.Pattern[str]) -> re.Match[str] | None:
    """The nearest line above that fits."""
    fragment = side.fragment_of(line.number)
    if fragment is None:
        return None
    place = line.number - fragment.first
    for up in range(place - 1, max(-1, place - _MOST_UP), -1):
        if found := pattern.match(fragment.lines[up].code):
            return found
    return pattern.match(fragment.section)


def _python(side: Side, statement: Statement) -> Iterator[Registration]:
    if statement.indent > 0:
        yield from _member(side, statement)
        yield from _row(side, statement)
    text = joined(statement.lines)
    if not _HINT.search(text.bare):
        return
    for pattern, reader in ((_REGISTERING, _registered), (_SUBCOMMAND, _subcommand)):
        for found in pattern.finditer(text.bare):
            yield from reader(text, found)


def _member(side: Side, statement: Statement) -> Iterator[Registration]:
    found = _MEMBER.match(statement.code)
    if found is None:
        return
    enum = _enclosing_enum(side, statement)
    path = folded(re.sub(r"[\"']\s[\"']", "", _rest(statement.code)))
    value = literal(path.strip("() ")) or literal(found["value"]) or ""
    name = f"{enum}.{found['name']}" if enum else found["name"]
    if _ENUM_CLASS_PATH.fullmatch(value):
        yield Registration(name, f'"{value}"', statement.changed, "name of an implementation", value, name)
    elif enum:
        yield Registration(name, f'"{value}"', statement.changed, ENUMERATION, f'"{value}"', name)


def _rest(code: str) -> str:
    return code.partition("=")[2].strip().strip("()").strip()


def _enclosing_enum(side: Side, statement: Statement) -> str | None:
    fragment = side.fragment_of(statement.number)
    if fragment is None:
        return None
    place = statement.number - fragment.first
    for up in range(place - 1, max(-1, place - _MOST_UP), -1):
        if _CLASS.match(fragment.lines[up].bare):
            found = _ENUM.match(fragment.lines[up].bare)
            return found["name"] if found else None
    found = _ENUM.match(fragment.section)
    return found["name"] if found else None


def _row(side: Side, statement: Statement) -> Iterator[Registration]:
    code = " " + statement.code
    if found := _PAIR.match(code):
        value = re.sub(r"\(\s|,?\s\)", lambda one: one[0].strip(" ,"), folded(found["value"]))
        reference = value.startswith("(") or ":" in value or value.rsplit(".", 1)[-1][:1].isupper()
        if not reference and not re.fullmatch(r"[A-Z]\w*", found["name"]):
            return
        what = IN_REGISTRY if reference else LAZY_IMPORT
        yield Registration(found["name"], value, statement.changed, what, None, found["name"])
    elif (found := _REFERENCE.match(code)) and found["value"] not in _LITERALS and _above_table(side, statement):
        yield Registration(found["name"], found["value"], statement.changed, IN_TABLE, found["value"], found["name"])


def _above_table(side: Side, statement: Statement) -> bool:
    """Whether the row stands in a table that is assigned to a name of capitals or of several things."""
    fragment = side.fragment_of(statement.number)
    if fragment is None:
        return False
    place = statement.number - fragment.first
    for up in range(place - 1, max(-1, place - _MOST_UP), -1):
        line = fragment.lines[up]
        if line.bare.rstrip().endswith("{"):
            return _TABLE.match(line.bare) is not None
        if line.bare.strip().startswith(("def ", "class ", "return", "}")):
            return False
    return _TABLE.match(fragment.section) is not None


def _registered(text: Joined, found: re.Match[str]) -> Iterator[Registration]:
    given, end = arguments(text, found.end() - 1)
    plain = positional(given)
    name = literal(plain[0].text) if plain else None
    if name is None or not _NAME.fullmatch(name) or _NOT_REGISTRIES.fullmatch(found["call"]):
        return
    decorator = text.bare[: found.start()].strip() == "@"
    if not decorator and len(plain) < 2:
        return
    value = folded(", ".join(one.text for one in plain[1:])) or None
    yield Registration(name, value, text.line_of(found.start(), end), DECORATED, value, f'"{name}"')


def _subcommand(text: Joined, found: re.Match[str]) -> Iterator[Registration]:
    given, end = arguments(text, found.end() - 1)
    name = literal(given[0].text) if given and given[0].name in (None, "name") else None
    if name is not None and _NAME.fullmatch(name):
        yield Registration(name, None, text.line_of(found.start(), end), "subcommand", name, f'"{name}"')


def _go(_: Side, statement: Statement) -> Iterator[Registration]:
    for line in statement.lines:
        if found := _COBRA.match(line.code):
            yield Registration(found["name"], None, line, "subcommand", found["name"], f'"{found["name"]}"')


def _typescript(_: Side, statement: Statement) -> Iterator[Registration]:
    text = joined(statement.lines)
    for found in _COMMANDER.finditer(text.code):
        if text.bare[found.start()] == ".":
            line = text.line_at(found.start())
            yield Registration(found["name"], None, line, "subcommand", found["name"], f'"{found["name"]}"')


_READERS: dict[str, Callable[[Side, Statement], Iterator[Registration]]] = {
    "python": _python,
    "go": _go,
    "typescript": _typescript,
}
"""By the name of the language file."""
