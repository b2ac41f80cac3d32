"""Where code declares the options of a command line, in the libraries that projects use for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from services.analyzer.facts.calls import Argument, Joined, arguments, folded, joined, literal, named, positional
from services.analyzer.facts.sides import Line, Side
from services.analyzer.facts.statements import Statement

MOST_OPTIONS = 20
"""In one statement."""
_OPTION = re.compile(r"--?[A-Za-z][\w.:-]{0,80}")
_PLAIN = re.compile(r"[A-Za-z][\w.-]{0,80}")

_PYTHON = re.compile(r"(?<![\w.])(?P<call>(?:[\w.]{1,60}\.)?(?:add_argument|add_option|option|Option|add_arg))\(")
_HINT = re.compile(r"ption\(|add_arg|DEFINE_|option\(|ptions\.")
_ABSL = re.compile(r"(?<![\w.])(?:flags\.)?DEFINE_(?:string|integer|float|bool|boolean|enum|list|multi_\w{1,20})\(")
_BROWSER = re.compile(r"\w{0,40}options\.add_argument", re.IGNORECASE)
_PARAMETER = re.compile(r"(?P<name>[A-Za-z_]\w{0,60})\s{0,4}:\s{0,4}[^=]{1,160}?=?\s{0,4}$")
_ASSIGNED = re.compile(r"[^=]{0,60}?\]\s{0,4}=\s{0,4}(?P<default>[^,)]{1,80})")
_SCRIPT = re.compile(r"(?<![\w$])(?P<call>(?:new\s{1,4}Option|[\w.)]{0,60}\.(?:requiredOption|option|addOption)))\(")
_GO = re.compile(
    r"\.(?P<what>(?:String|Strings|Int|Int32|Int64|Uint|Uint16|Uint32|Uint64|Bool|Duration|Float32|Float64|Count|IP|"
    r"StringSlice|StringArray|IntSlice|StringToString|BytesBase64|Func|Text)?(?P<var>Var)?(?P<short>P)?)\("
)
_RUST_ATTRIBUTE = re.compile(r"^\s{0,80}#\[(?:arg|clap|structopt|argh|option|bpaf)\s{0,4}\(")
_RUST_FIELD = re.compile(r"^\s{0,80}(?:pub(?:\([a-z]{1,8}\))?\s{1,4})?(?P<name>[a-z_]\w{0,60})\s{0,4}:\s{0,4}\S")
_RUST_BUILDER = re.compile(r"\.long\(\s{0,20}\"(?P<name>[a-z][\w-]{0,60})\"\s{0,20}\)")
_RUST_DEFAULT = re.compile(
    r"\bdefault_value(?:_t|s)?\s{0,4}[=(]\s{0,20}(?P<default>\"[^\"]{0,100}\"|[^,()\]\"]{1,80}(?:\([^()]{0,60}\))?)"
)
_RUST_LONG = re.compile(r"\blong\s{0,4}=\s{0,4}\"(?P<name>[\w-]{1,60})\"")
_GFLAGS = re.compile(r"^\s{0,8}(?:DEFINE_(?:string|bool|u?int(?:32|64)|double)|ABSL_FLAG)\(")
_CLI11 = re.compile(r"(?:\.|->)add_(?:option|flag)(?:_\w{1,20})?(?:<[^()]{0,60}>)?\(")
_CXXOPTS = re.compile(
    r"\(\s{0,8}\"(?:\w,\s?)?(?P<name>[a-z][\w-]{1,60})\"\s{0,4},\s{0,4}\"[^\"]{0,200}\"\s{0,4},\s{0,4}(?:cxxopts|po)::"
)
_CXX_DEFAULT = re.compile(r"(?:default_val(?:ue)?|default_str)\(\s{0,8}(?P<default>\"[^\"]{0,100}\"|[^()\"]{1,60})\)")
_GETOPT = re.compile(
    r"\{\s{0,4}\"(?P<name>[a-z][\w-]{0,60})\"\s{0,4},\s{0,4}(?:no_argument|required_argument|optional_argument)\b"
)
_LISTED = re.compile(r"\{(?P<names>(?:\s{0,4}\"--?[A-Za-z][\w-]{0,60}\"\s{0,4},?){1,6})\}\s{0,4},")
_CASE = re.compile(
    r"^\s{0,40}\(?(?P<labels>(?:\"?--?[A-Za-z][\w-]{0,60}(?:=\*)?\"?\s{0,2}\|\s{0,2}){0,6}\"?--?[A-Za-z][\w-]{0,60}(?:=\*)?\"?)\)"
)


@dataclass(frozen=True, slots=True)
class Option:
    """An option as declared: its long name with dashes, its default and choices as written, and its lines."""

    name: str
    line: Line
    default: str | None = None
    choices: str | None = None
    required: bool = False
    hidden: bool = False
    spread: bool = False
    """Whether what is known of it comes from somewhere else (``**settings["port"]``)."""


def options(language: str, side: Side, statement: Statement) -> Iterator[Option]:
    """Yield the options that a statement declares."""
    reader = _READERS.get(language)
    if reader is not None:
        yield from islice(reader(side, statement), MOST_OPTIONS)


def _python(_: Side, statement: Statement) -> Iterator[Option]:
    text = joined(statement.lines)
    if not _HINT.search(text.bare):
        return
    for found in _PYTHON.finditer(text.bare):
        given, end = arguments(text, found.end() - 1)
        if _BROWSER.fullmatch(found["call"]):
            continue
        flags = [name for argument in positional(given) if (name := _flag(literal(argument.text)))]
        last = found["call"].rsplit(".", 1)[-1]
        values = [argument for argument in positional(given) if not _flag(literal(argument.text))]
        typer = last == "Option"
        if (
            not flags
            and typer
            and (parameter := _PARAMETER.search(text.bare[max(0, found.start() - 240) : found.start()]))
        ):
            flags = ["--" + parameter["name"].replace("_", "-")]
        if not flags:
            continue
        default = named(given, "default")
        value = default.text if default else values[0].text if typer and values else None
        if typer and value is None and (assigned := _ASSIGNED.match(text.code, end + 1)):
            value = folded(assigned["default"])
        yield _made(_longest(flags), value, given, text, found.start(), end)
    for found in _ABSL.finditer(text.bare):
        given, end = arguments(text, found.end() - 1)
        name = literal(given[0].text) if given else None
        if name and _PLAIN.fullmatch(name):
            second = named(given, "default") or next(iter(positional(given)[1:2]), None)
            yield _made("--" + name, second.text if second else None, given, text, found.start(), end)


def _made(name: str, value: str | None, given: tuple[Argument, ...], text: Joined, start: int, end: int) -> Option:
    choices = named(given, "choices", "choice")
    kind = named(given, "type")
    chosen = choices.text if choices else kind.text if kind and "Choice(" in kind.text else None
    required = named(given, "required", "demandOption")
    told = named(given, "help", "hidden")
    return Option(
        name,
        text.line_of(given[0].start if given else start, end),
        None if value in ("None", "...", "undefined", "null") else value,
        chosen,
        required is not None and required.text.casefold() == "true",
        told is not None and (told.text.endswith("SUPPRESS") or told.text.casefold() == "true"),
        any(argument.text.startswith(("**", "...")) for argument in given),
    )


def _flag(text: str | None) -> str | None:
    """``--port`` of ``--port``, ``-p, --port <number>``, ``--port/--no-port``; None when it is no option."""
    if text is None or not text.startswith("-"):
        return None
    found = [one for one in re.split(r"[\s,/|=]+", text[:200]) if _OPTION.fullmatch(one)]
    return _longest(found) if found else None


def _longest(flags: list[str]) -> str:
    """The first long name; a short one only where there is no other."""
    return next((flag for flag in flags if flag.startswith("--")), flags[0])


def _typescript(_: Side, statement: Statement) -> Iterator[Option]:
    text = joined(statement.lines)
    for found in _SCRIPT.finditer(text.bare):
        given, end = arguments(text, found.end() - 1)
        first = literal(given[0].text) if given else None
        if first is None:
            continue
        flag = _flag(first)
        values = positional(given)
        if flag is None and _PLAIN.fullmatch(first) and len(given) > 1 and given[1].text.startswith("{"):
            inner, _end = arguments(text, text.bare.index("{", given[1].start))
            default = named(inner, "default")
            yield _made("--" + first, default.text if default else None, inner, text, found.start(), end)
        elif flag is not None:
            chained = re.match(r"\s{0,20}\.default\(\s{0,8}([^(),]{1,80})", text.code[end + 1 : end + 200])
            value = values[-1].text if len(values) > 2 else folded(chained[1]) if chained else None
            option = _made(flag, value, given, text, found.start(), end)
            yield option if "requiredOption" not in found["call"] else _required(option)


def _required(option: Option) -> Option:
    return Option(option.name, option.line, option.default, option.choices, required=True, hidden=option.hidden)


def _go(_: Side, statement: Statement) -> Iterator[Option]:
    text = joined(statement.lines)
    for found in _GO.finditer(text.bare):
        given, end = arguments(text, found.end() - 1)
        skipped = 1 if found["var"] else 0
        wanted = skipped + 2 + bool(found["short"]) + (found["what"] not in ("Var", "VarP"))
        if len(given) != wanted or not found["what"] or '"' not in given[-1].text:
            continue
        name = _go_name(given[skipped].text)
        value = given[-2].text if found["what"] not in ("Var", "VarP") else None
        if name is not None:
            yield Option(name, text.line_of(found.start(), end), value)


def _go_name(text: str) -> str | None:
    """The name of a flag; where a prefix is put in front in code it stands in angle brackets."""
    plain = literal(text)
    if plain is not None:
        return "--" + plain if _PLAIN.fullmatch(plain) else None
    joint = re.fullmatch(r"(?P<prefix>[\w.]{1,40})\s?\+\s?\"(?P<name>[\w.-]{1,80})\"", text)
    return f"--<{joint['prefix']}>{joint['name']}" if joint else None


def _rust(side: Side, statement: Statement) -> Iterator[Option]:
    text = joined(statement.lines)
    if _RUST_ATTRIBUTE.match(text.bare):
        yield from _derived(text, _field_below(side, statement), statement)
    elif found := _RUST_FIELD.match(text.bare):
        above = _attribute_above(side, statement)
        if above is not None and not any(line.changed for line in above):
            yield from _derived(joined(tuple(above)), found["name"], statement)
    for found in _RUST_BUILDER.finditer(text.code):
        default = _RUST_DEFAULT.search(text.code[: found.start() + 400], max(0, found.start() - 400))
        yield Option("--" + found["name"], text.line_at(found.start()), folded(default["default"]) if default else None)


def _derived(text: Joined, field: str | None, statement: Statement) -> Iterator[Option]:
    if not re.search(r"\b(?:long|short|switch|option|default_value\w{0,3})\b", text.bare):
        return
    named_so = _RUST_LONG.search(text.code)
    name = named_so["name"] if named_so else field.replace("_", "-") if field else None
    if name is not None:
        default = _RUST_DEFAULT.search(text.code)
        hidden = re.search(r"\bhide\s{0,2}=\s{0,2}true\b", text.bare) is not None
        yield Option("--" + name, statement.changed, folded(default["default"]) if default else None, hidden=hidden)


def _field_below(side: Side, statement: Statement) -> str | None:
    fragment = side.fragment_of(statement.number)
    if fragment is None:
        return None
    place = statement.lines[-1].number + 1 - fragment.first
    for line in fragment.lines[place : place + 12]:
        if found := _RUST_FIELD.match(line.bare):
            return found["name"]
        if line.bare.strip() and not line.bare.strip().startswith("#["):
            return None
    return None


def _attribute_above(side: Side, statement: Statement) -> Sequence[Line] | None:
    fragment = side.fragment_of(statement.number)
    place = statement.number - fragment.first if fragment else 0
    if fragment is None or place == 0 or not fragment.lines[place - 1].bare.rstrip().endswith("]"):
        return None
    for up in range(place - 1, max(-1, place - 12), -1):
        if _RUST_ATTRIBUTE.match(fragment.lines[up].bare):
            return fragment.lines[up:place]
    return None


def _cpp(_: Side, statement: Statement) -> Iterator[Option]:
    text = joined(statement.lines)
    if _GFLAGS.match(text.bare):
        given, end = arguments(text, text.bare.index("("))
        shift = 1 if "ABSL_FLAG" in text.bare[:40] else 0
        if len(given) >= 3 + shift and _PLAIN.fullmatch(given[shift].text):
            yield Option("--" + given[shift].text, text.line_of(0, end), given[shift + 1].text)
    for found in _CLI11.finditer(text.bare):
        given, end = arguments(text, found.end() - 1)
        flag = _flag(literal(given[0].text)) if given else None
        default = _CXX_DEFAULT.search(text.code[end : end + 240])
        if flag:
            yield Option(flag, text.line_of(found.start(), end), folded(default["default"]) if default else None)
    for found in _CXXOPTS.finditer(text.code):
        default = _CXX_DEFAULT.search(text.code[found.end() : found.end() + 200])
        yield Option("--" + found["name"], text.line_at(found.start()), folded(default["default"]) if default else None)
    for found in _GETOPT.finditer(text.code):
        yield Option("--" + found["name"], text.line_at(found.start()))
    for found in _LISTED.finditer(text.code):
        flags = re.findall(r"--?[A-Za-z][\w-]{0,60}", found["names"])
        yield Option(_longest(flags), text.line_at(found.start()))


def _shell(_: Side, statement: Statement) -> Iterator[Option]:
    for line in statement.lines:
        if found := _CASE.match(line.code):
            flags = [label.strip('" =*') for label in re.split(r"\s?\|\s?", found["labels"])]
            yield Option(_longest(flags), line)


_READERS: dict[str, Callable[[Side, Statement], Iterator[Option]]] = {
    "python": _python,
    "typescript": _typescript,
    "go": _go,
    "rust": _rust,
    "cpp": _cpp,
    "shell": _shell,
}
"""By the name of the language file."""
