"""Who meets a refusal: whoever configures or calls the product, whoever builds it, or the project itself."""

from __future__ import annotations

import re

from services.analyzer.facts.raising import Guard
from services.analyzer.facts.statements import definition_of
from shared.domain.facts import Reach

_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")
_CONFIGURATION = frozenset(
    [
        "config",
        "configs",
        "configuration",
        "settings",
        "setting",
        "arg",
        "args",
        "argument",
        "arguments",
        "options",
        "option",
        "cli",
        "flags",
        "flag",
        "flags",
        "validate",
        "validates",
        "validation",
        "validator",
        "validators",
        "verify",
        "verification",
        "check",
        "checks",
        "init",
    ]
) - {"init"}
_VALIDATING = frozenset({"validate", "validation", "validator", "verify", "verification", "check", "checks"})
_REQUESTS = frozenset(
    [
        "entrypoint",
        "entrypoints",
        "api",
        "server",
        "serving",
        "route",
        "routes",
        "router",
        "routers",
        "request",
        "requests",
        "endpoint",
        "endpoints",
        "handler",
        "handlers",
        "protocol",
        "http",
        "rest",
        "views",
        "controller",
        "controllers",
        "webhook",
        "webhooks",
    ]
)
_REQUEST_FOLDERS = frozenset(
    [
        "entrypoint",
        "entrypoints",
        "routes",
        "routers",
        "endpoints",
        "handlers",
        "controllers",
        "views",
        "serving",
        "webhooks",
    ]
)
_OF_REQUESTS = re.compile(
    r"HTTPException|http\.Error|abort|error_response|BadRequest|\b4\d\d\b|status\.Error|HTTPError"
)
_OF_FIELDS = re.compile(r"field\.")
_OF_COMMANDS = re.compile(r"(?:parser|ctx|group)\.(?:error|fail)|sys\.exit|UsageError|BadParameter|ArgumentTypeError")
_OF_BUILDS = re.compile(r"FATAL_ERROR|SEND_ERROR|compile_error|static_assert|#\s*error")
_OF_OTHERS = re.compile(
    r"\b(?:external|third[- ]party|plug-?ins?|out[- ]of[- ]tree|custom|subclass\w*)\b", re.IGNORECASE
)
_SETTING = re.compile(
    r"(?<![\w-])--[a-z][a-z0-9]{0,30}(?:-[a-z0-9]{1,30}){0,8}\b|\b[a-z]\w{2,60}=(?:True|False|None|\d|['\"][\w.-])|"
    r"\b[A-Z][A-Z0-9]{1,20}(?:_[A-Z0-9]{1,20}){1,8}=?\b"
)
_INNER_ERRORS = frozenset({"AssertionError", "panic", "KeyError", "IndexError"})
_ADVISES = re.compile(
    r"\b(?:support\w*|unsupported|must|require\w*|can ?not|can't|only|should|expect\w*|invalid|deprecated|removed|"
    r"allowed|please|use|incompatible|unknown|missing|need\w*|"
    r"unrecognized|disable\w*|enable\w*|set|specify|provide\w*|exceed\w*|outside|out of range|too (?:many|large|"
    r"long|small|few)|not (?:yet )?\w{1,20}(?:ed|able|ible))\b",
    re.IGNORECASE,
)
_STUB = re.compile(r"\b(?:should|must) (?:not|never) be (?:called|reached)\b|\bunreachable\b", re.IGNORECASE)
_ORDER_OF_CALLS = re.compile(
    r"\bmust be called\b|\bcall \w{1,60}(?:\(\))? (?:first|before)\b|\bcalled (?:before|twice|after)\b", re.IGNORECASE
)
_ALWAYS_CALLED = frozenset({"__post_init__", "model_post_init", "__init_subclass__"})
_INTERNAL_FOLDERS = frozenset({"internal", "_private", "private", "_internal", "detail", "impl"})
_BUILD_FILES = ("setup.py", "build.rs", "conanfile.py", "noxfile.py")


def reach_of(guard: Guard) -> tuple[Reach, str]:
    """Return who meets it and why, by simple rules over the error, the function, the class and the path."""
    rules = (_by_error, _by_validation, _by_words, _by_path, _by_advice, _by_name)
    return next((answer for rule in rules if (answer := rule(guard))), (Reach.INTERNAL, "nothing known around it"))


def _by_error(guard: Guard) -> tuple[Reach, str] | None:
    if _OF_BUILDS.search(guard.error) or guard.path.rsplit("/", 1)[-1] in _BUILD_FILES:
        return Reach.BUILDERS, "an error of the build"
    if _OF_COMMANDS.search(guard.error):
        return Reach.PUBLIC, "an error of the command line"
    if _OF_REQUESTS.search(guard.error) or _OF_FIELDS.match(guard.error):
        return Reach.PUBLIC, "the answer to a request"
    return None


def _by_validation(guard: Guard) -> tuple[Reach, str] | None:
    function = _function(guard)
    if function in _ALWAYS_CALLED:
        return Reach.PUBLIC, f"{function} checks every instance"
    *folders, base = guard.path.split("/")
    scope = (guard.scope.name if guard.scope else None) or ""
    for text in (scope, base.rsplit(".", 1)[0], folders[-1] if folders else ""):
        if word := _first(words_of(text) & _CONFIGURATION):
            return Reach.PUBLIC, f"'{word}' in {text}"
    if function and words_of(function) & _VALIDATING:
        return Reach.PUBLIC, f"{function} validates"
    return None


def _by_words(guard: Guard) -> tuple[Reach, str] | None:
    if _SETTING.search(guard.message):
        return Reach.PUBLIC, "its words name a setting"
    if (guard.check is not None or guard.error in _INNER_ERRORS) and not _ORDER_OF_CALLS.search(guard.message):
        return Reach.INTERNAL, f"{guard.error} speaks of the project's own state"
    return None


def _by_path(guard: Guard) -> tuple[Reach, str] | None:
    if answers_requests(guard.path):
        return Reach.PUBLIC, "its path is one that takes requests"
    folders = guard.path.split("/")[:-1]
    if any(folder.startswith("_") or folder in _INTERNAL_FOLDERS for folder in folders):
        return Reach.INTERNAL, "an internal folder"
    return None


def _by_advice(guard: Guard) -> tuple[Reach, str] | None:
    if not _ADVISES.search(guard.message) or _STUB.search(guard.message):
        return Reach.INTERNAL, "its words tell nobody what to do"
    if _OF_OTHERS.search(guard.message):
        return Reach.EXTENSION, "the error speaks to those who extend it"
    return None


def _by_name(guard: Guard) -> tuple[Reach, str] | None:
    function = _function(guard)
    if function is None:
        return _by_section(guard)
    if function.startswith("_") and not function.startswith("__"):
        return Reach.INTERNAL, f"{function} is internal by name"
    if guard.language == "cpp" or (guard.language == "go" and not function[:1].isupper()):
        return Reach.INTERNAL, "not exported"
    return Reach.EXTENSION, f"{function} is public by name"


def _function(guard: Guard) -> str | None:
    return (guard.function.name if guard.function else None) or section_name(guard)


def answers_requests(path: str) -> bool:
    """Whether a path is one of those that take requests and answer them."""
    *folders, base = path.split("/")
    return bool(words_of(base.rsplit(".", 1)[0]) & _REQUESTS or words_of(" ".join(folders[-2:])) & _REQUEST_FOLDERS)


def _by_section(guard: Guard) -> tuple[Reach, str] | None:
    """Where a hunk reaches up to no function, git may have printed the class behind the ``@@``."""
    found = definition_of(guard.node.fragment.section)
    if found and not found[1].startswith("_") and guard.language not in {"cpp", "go", "rust"}:
        return Reach.EXTENSION, f"{found[1]} is public by name"
    return None


def section_name(guard: Guard) -> str | None:
    """The function that git printed behind the ``@@``, where the hunk does not reach up to one."""
    found = definition_of(guard.node.fragment.section)
    return found[1] if found and found[0] in {"def", "func", "fn", "function"} else None


def words_of(text: str) -> frozenset[str]:
    """The words of an identifier or a path, in lower case."""
    return frozenset(word.casefold() for word in _WORD.findall(text))


def _first(words: frozenset[str]) -> str | None:
    return min(words) if words else None
