"""Where code reads an environment variable, with its default, in the languages that projects are written in."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice

from services.analyzer.facts.calls import Argument, Joined, arguments, folded, named, positional

MOST_READS = 20
"""In one statement."""
_NAME = r"(?P<name>_{0,2}[A-Z][A-Z0-9_]{2,80})"
_CALL = re.compile(rf"(?<![\w.:])(?P<call>[A-Za-z_][\w.:]{{0,60}})!?\(\s{{0,80}}[\"'`]{_NAME}[\"'`]")
_BRACKET = re.compile(
    rf"(?<![\w.])(?P<what>os\.environ|process\.env|environ|ENV)\[\s{{0,8}}[\"'`]{_NAME}[\"'`]\s{{0,8}}\]"
)
_MEMBER = re.compile(rf"(?<![\w.])(?:process\.env|import\.meta\.env|Bun\.env)\.{_NAME}\b")
_WITHIN = re.compile(rf"[\"']{_NAME}[\"']\s{{1,4}}(?:not\s{{1,4}})?in\s{{1,4}}(?:os\.)?environ\b")
_NAMED = re.compile(rf"\b(?:env|envvar|env_var|validation_alias|envDefault)\s{{0,4}}=\s{{0,4}}[\"']{_NAME}[\"']")
_TAG = re.compile(rf"\benv(?:config)?:\"{_NAME}(?P<options>[^\"]{{0,100}})\"(?P<rest>[^`]{{0,200}})")
_SHELL = re.compile(r"\$\{(?P<name>[A-Z][A-Z0-9_]{2,80})(?P<sign>:?[-=?])(?P<default>[^{}]{0,120})\}")
_HINT = re.compile(r"env|validation_alias", re.IGNORECASE)
_ASSIGNED = re.compile(r"\s{0,8}=(?![=>])")
_TABLE = re.compile(rf"^\s{{0,80}}[\"']{_NAME}[\"']\s{{0,4}}:")

_VALUE = (
    r"(?P<default>(?:\"[^\"]{0,100}\"|'[^']{0,100}'|`[^`]{0,100}`|-?\d[\w.]{0,20}|true|false|True|False|None|null|nil|"
    r"(?:[A-Z]\w{0,40}(?:\.|::))?[A-Z][A-Z0-9_]{2,60}(?![\w.:(])))"
)
_OTHERWISE = re.compile(rf"[\s)]{{0,6}}(?:or|\|\||\?\?|\?:)\s{{0,8}}{_VALUE}(?![\w.(])")
_UNWRAP = re.compile(rf"\.unwrap_or(?:_else)?\(\s{{0,20}}(?:\|\w{{0,12}}\|\s?)?(?:String::from\()?{_VALUE}")
_DEFAULT = re.compile(rf"\bdefault(?:_value(?:_t)?)?\s{{0,4}}[=:]\s{{0,4}}{_VALUE}")
_LITERAL = re.compile(_VALUE)
_NOTHING = frozenset({"None", "null", "nil", "undefined"})
_DIRECT = re.compile(
    r"(?:os\.)?environ\.(?:get|setdefault|pop)|(?:os\.|std::|System\.)?(?:secure_)?getenv|os\.(?:Getenv|LookupEnv)|"
    r"(?:std::)?env::var(?:_os)?|(?:option_)?env|(?:Deno\.|Bun\.)?env\.get|ENV\.fetch|"
    r"(?:System\.)?Environment\.GetEnvironmentVariable|env\.(?:str|int|bool|float|list|json|path|url)"
)
_SETTERS = frozenset(
    {
        "set",
        "with",
        "put",
        "add",
        "append",
        "unset",
        "remove",
        "delete",
        "del",
        "patch",
        "mock",
        "clear",
        "export",
        "inject",
    }
    | {"pass", "update", "restore", "skip", "format", "print", "log", "write", "describe", "container", "validate"}
    | {"require", "assert", "expand", "remote", "copy", "forward", "monkeypatch", "build", "make", "create"}
)
"""First words of functions that change the environment, or tell of it."""
_ENV_WORDS = frozenset({"env", "envs", "environ", "envvar", "getenv", "envvars", "environment"})
_OF_THE_SYSTEM = re.compile(
    r"PATH|HOME|TERM|SHELL|USER|USERNAME|LOGNAME|PWD|LANG|LANGUAGE|LC_\w+|TZ|TMPDIR|TEMP|TMP|CI|GITHUB_\w+|GITLAB_\w+|"
    r"SUDO_\w+|NO_COLOR|FORCE_COLOR|CLICOLOR\w*|COLORTERM|MSYSTEM|EDITOR|VISUAL|PAGER|BROWSER|XDG_\w+|DISPLAY|HOSTNAME|"
    r"APPDATA|LOCALAPPDATA|USERPROFILE|PROGRAMFILES\w*|SYSTEMROOT|COMSPEC|COLUMNS|LINES|JAVA_HOME|GOPATH|GOROOT|GOOS|"
    r"GOARCH|VIRTUAL_ENV|CONDA_\w+|PYTHON(?:PATH|HOME)|LD_LIBRARY_PATH|LD_PRELOAD|CARGO_\w+|RUSTFLAGS|OUT_DIR|HTTPS?_PROXY|"
    r"NO_PROXY|ALL_PROXY|SSH_\w+|NODE_ENV|NPM_\w+|BUILDKITE\w*|JENKINS_\w+|CC|CXX|CFLAGS|CXXFLAGS|LDFLAGS|MAKEFLAGS|"
    r"BASH_\w+|ZSH_\w+|IFS|OSTYPE|RANDOM|UID|EUID|PROFILE|TARGET"
)
"""Variables of the system, the shell and the build that programs read everywhere: no setting of the project."""


@dataclass(frozen=True, slots=True)
class EnvironmentRead:
    """A variable that is read, its default as written, and where in the text that stands.

    ``sets``: the process sets it for others unless it is given. ``table``: in a row of a table under its own name.
    """

    name: str
    default: str | None
    start: int
    end: int
    sets: bool = False
    table: bool = False


def reads(text: Joined, language: str) -> Iterator[EnvironmentRead]:
    """Yield what a statement reads; variables of the system are left out."""
    found = _shell(text) if language == "shell" else _code(text, language)
    for one in islice(found, MOST_READS):
        read = replace(one, default=None) if one.default in _NOTHING else one
        if read.sets and (read.default is None or not _LITERAL.fullmatch(read.default)):
            continue  # what it works out for itself is no default that anybody sets
        if not _OF_THE_SYSTEM.fullmatch(read.name):
            yield read


def _shell(text: Joined) -> Iterator[EnvironmentRead]:
    for found in _SHELL.finditer(text.code):
        default = None if "?" in found["sign"] else found["default"].strip()
        yield EnvironmentRead(found["name"], default, found.start(), found.end())


def _code(text: Joined, language: str) -> Iterator[EnvironmentRead]:
    if not _HINT.search(text.code):
        return
    row = _TABLE.match(text.code)
    for found in _CALL.finditer(text.code):
        if _in_code(text, found.start()) and _reading(found["call"], language):
            yield _called(text, found, language, row["name"] if row else "")
    yield from _looked_up(text, language)
    if language == "python":
        for found in _WITHIN.finditer(text.code):
            if text.bare[found.end() - 4 : found.end()] == text.code[found.end() - 4 : found.end()]:
                yield EnvironmentRead(found["name"], None, found.start(), found.end())
    if language == "go":
        yield from _tags(text)
    for found in _NAMED.finditer(text.code):
        if _in_code(text, found.start()):
            default = _DEFAULT.search(text.code)
            yield EnvironmentRead(found["name"], default["default"] if default else None, found.start(), found.end())


def _looked_up(text: Joined, language: str) -> Iterator[EnvironmentRead]:
    for pattern in (_BRACKET, _MEMBER):
        for found in pattern.finditer(text.code):
            assigned = _ASSIGNED.match(text.code, found.end())
            if _in_code(text, found.start()) and not assigned:
                yield EnvironmentRead(found["name"], _after(text, found.end(), language), found.start(), found.end())


def _in_code(text: Joined, place: int) -> bool:
    return text.bare[place : place + 1] == text.code[place : place + 1]


def _reading(call: str, language: str) -> bool:
    """Whether a function reads the environment, by its name."""
    if call in ("env", "option_env"):
        return language in ("python", "php", "rust", "ruby")
    if _DIRECT.fullmatch(call):
        return True
    last = re.split(r"[.:]", call)[-1]
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", last).casefold().strip("_").split("_")
    if not _ENV_WORDS.isdisjoint(words) and words[0] not in _SETTERS and len(words) > 1:
        return True
    return words in (["getenv"], ["lookupenv"])


def _called(text: Joined, found: re.Match[str], language: str, row: str) -> EnvironmentRead:
    opening = text.code.index("(", found.end("call"))
    given, end = arguments(text, opening)
    direct = _DIRECT.fullmatch(found["call"]) is not None
    default = _default_of(given, direct=direct)
    if default is None:
        default = _after(text, end + 1, language)
    sets = found["call"].endswith("setdefault")
    return EnvironmentRead(found["name"], default, found.start(), end, sets=sets, table=row == found["name"])


def _default_of(given: tuple[Argument, ...], *, direct: bool) -> str | None:
    by_name = named(given, "default", "default_value", "fallback")
    if by_name is not None:
        return by_name.text
    second = positional(given)[1:2]
    if second and (direct or _LITERAL.fullmatch(second[0].text)):
        return second[0].text
    return None


def _after(text: Joined, place: int, language: str) -> str | None:
    """The default that stands behind the reading: ``or "x"``, ``?? "x"``, ``.unwrap_or("x")``."""
    rest = text.code[place : place + 240]
    found = _UNWRAP.search(rest) if language == "rust" else _OTHERWISE.match(rest)
    return folded(found["default"]) if found else None


def _tags(text: Joined) -> Iterator[EnvironmentRead]:
    for found in _TAG.finditer(text.code):
        default = re.search(r"\b(?:envDefault|default):\"([^\"]{0,100})\"", found["rest"])
        inner = re.search(r",\s?default=([^,]{0,100})", found["options"])
        value = default[1] if default else inner[1] if inner else None
        yield EnvironmentRead(found["name"], None if value is None else f'"{value}"', found.start(), found.end())
