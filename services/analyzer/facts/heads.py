"""Recognises the head of a definition, language by language: what it defines, its name, and who may use it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import StrEnum

_LONGEST_HEAD = 600


class What(StrEnum):
    """What a head defines."""

    FUNCTION = "function"
    CLASS = "class"
    """Also struct, enum, trait, interface."""
    FIELD = "field"
    CONSTANT = "constant"
    HIDDEN = "hidden"
    """Nothing that others could use, nor what stands inside of it."""


@dataclass(frozen=True, slots=True)
class Head:
    """A head; ``owner`` is the class where the head itself names it (Go), ``scope`` says that a body follows."""

    what: What
    name: str
    exported: bool
    scope: bool = False
    owner: str = ""
    listed: bool = True
    """False for what only opens a scope again, as ``impl`` does."""


ACCESS = re.compile(r"(?:public|private|protected|Q_SIGNALS|signals)(?: Q_SLOTS| slots)? ?:(?!:)")
"""A label of C++ that says who may use the members below it."""

_TEST_MODULES = frozenset({"test", "tests"})
_NO_CALLS = frozenset(
    {"await", "case", "catch", "co_await", "co_return", "co_yield", "decltype", "define", "delete", "do", "else", "for"}
    | {"function", "goto", "if", "import", "new", "return", "sizeof", "static_assert", "super", "switch", "throw"}
    | {"typedef", "typeof", "using", "while", "with", "yield"}
)
"""Words before a bracket that begin no definition."""

_PYTHON_DEFINITION = re.compile(r"(?:async )?(?P<what>def|class) (?P<name>\w+)")
_PYTHON_FIELD = re.compile(r"(?P<name>[A-Za-z]\w*) ?: ?[^=:,]")
_PYTHON_CONSTANT = re.compile(r"(?P<name>[A-Z][A-Z0-9_]+)(?: ?:[^=]{1,120})? ?= ?(?!=)")
_PYTHON_MEMBER = re.compile(r"(?P<name>[A-Za-z]\w*) ?= ?(?!=)")
_SPECIAL = frozenset({"__init__", "__new__", "__call__", "__post_init__", "__getitem__", "__enter__"})


def _python(code: str, owner: str | None) -> Head | None:
    if matched := _PYTHON_DEFINITION.match(code):
        name = matched["name"]
        exported = not name.startswith("_") or name in _SPECIAL
        return Head(What.CLASS if matched["what"] == "class" else What.FUNCTION, name, exported, scope=True)
    if matched := _PYTHON_CONSTANT.match(code):
        typed = bool(owner) and ":" in code.partition("=")[0]
        return Head(What.FIELD if typed else What.CONSTANT, matched["name"], True)
    if owner and not code.endswith(",") and (matched := _PYTHON_FIELD.match(code)):
        return Head(What.FIELD, matched["name"], True)
    if owner and _ENUM.search(owner) and (matched := _PYTHON_MEMBER.match(code)):
        return Head(What.CONSTANT, matched["name"], True)
    return None


_ENUM = re.compile(r"\b\w{0,20}(?:Enum|Flag)\b")
_GO_FUNCTION = re.compile(
    r"func (?:\((?:\w+ )?\*?(?P<owner>\w+)(?:\[[^\]]{0,60}\])?\) )?(?P<name>\w+)(?:\[[^\]]{0,200}\])?\("
)
_GO_TYPE = re.compile(r"type (?P<name>\w+)(?:\[[^\]]{0,200}\])? (?P<what>struct|interface)?")
_GO_FIELD = re.compile(r"(?P<name>[A-Z]\w*) (?!=)[\w*\[(<]")
_GO_METHOD = re.compile(r"(?P<name>[A-Z]\w*)\(")
_GO_CONSTANT = re.compile(r"const (?P<name>[A-Z]\w*)\b")


def _go(code: str, owner: str | None) -> Head | None:
    if matched := _GO_FUNCTION.match(code):
        holder = matched["owner"] or ""
        exported = matched["name"][:1].isupper() and (not holder or holder[:1].isupper())
        return Head(What.FUNCTION, matched["name"], exported, scope=code.endswith("{"), owner=holder)
    if matched := _GO_TYPE.match(code):
        scope = bool(matched["what"]) and code.endswith("{")
        return Head(What.CLASS, matched["name"], matched["name"][:1].isupper(), scope=scope)
    if matched := _GO_CONSTANT.match(code):
        return Head(What.CONSTANT, matched["name"], True)
    pattern, what = (_GO_METHOD, What.FUNCTION) if owner and " interface" in owner else (_GO_FIELD, What.FIELD)
    matched = pattern.match(code) if owner else None
    return Head(what, matched["name"], True) if matched else None


_PUB = r"(?P<pub>pub(?:\([^)]{1,30}\))? )?"
_RUST_FUNCTION = re.compile(
    _PUB + r"(?:(?:default|const|async|unsafe|extern(?: \"[^\"]{0,10}\")?) ){0,4}fn (?P<name>\w+)"
)
_RUST_TYPE = re.compile(_PUB + r"(?:unsafe )?(?P<what>struct|enum|trait|union|type) (?P<name>\w+)")
_RUST_TRAIT = re.compile(r"(?:pub(?:\([^)]{1,30}\))? )?(?:unsafe )?trait ")
_RUST_IMPL = re.compile(r"(?:unsafe )?impl\b(?:<[^{]{0,200}?>)? ?(?P<name>\w+)?")
_RUST_MODULE = re.compile(_PUB + r"mod (?P<name>\w+) ?\{")
_RUST_CONSTANT = re.compile(r"pub (?:const|static) (?P<name>\w+) ?:")
_RUST_FIELD = re.compile(r"pub (?P<name>\w+) ?: ")


def _rust(code: str, owner: str | None) -> Head | None:
    if matched := _RUST_FUNCTION.match(code):
        exported = matched["pub"] == "pub " or (owner is not None and _RUST_TRAIT.match(owner) is not None)
        return Head(What.FUNCTION, matched["name"], exported, scope=not code.endswith((";", "}")))
    if matched := _RUST_TYPE.match(code):
        return Head(What.CLASS, matched["name"], matched["pub"] == "pub ", scope=code.endswith("{"))
    if matched := _RUST_CONSTANT.match(code):
        return Head(What.CONSTANT, matched["name"], True)
    if owner and (matched := _RUST_FIELD.match(code)):
        return Head(What.FIELD, matched["name"], True)
    return _rust_block(code)


def _rust_block(code: str) -> Head | None:
    """What opens a scope again: the methods of a type are for others, those of a trait for it and tests are not."""
    if matched := _RUST_IMPL.match(code):
        of_trait = " for " in code or matched["name"] is None
        return Head(What.HIDDEN if of_trait else What.CLASS, matched["name"] or "", False, scope=True, listed=False)
    matched = _RUST_MODULE.match(code)
    if matched is None or matched["name"] not in _TEST_MODULES:
        return None
    return Head(What.HIDDEN, matched["name"], False, scope=True, listed=False)


_EXPORT = r"(?P<export>export )?(?:default )?(?:declare )?"
_TS_FUNCTION = re.compile(_EXPORT + r"(?:async )?function\*? ?(?P<name>[\w$]+)")
_TS_ARROW = re.compile(
    _EXPORT + r"(?:const|let) (?P<name>[\w$]+)(?: ?:[^=]{1,200})? = (?:async )?(?:<[^>]{0,80}>)?\([^;]{0,500}\=>"
)
_TS_TYPE = re.compile(_EXPORT + r"(?:abstract |const )?(?P<what>class|interface|enum|type) (?P<name>[\w$]+)")
_TS_CONSTANT = re.compile(r"export const (?P<name>[A-Z][A-Z0-9_]+)\b")
_TS_MEMBER = re.compile(
    r"(?P<marks>(?:(?:public|static|async|readonly|abstract|override|get|set|private|protected|declare) ){0,5})"
    r"(?P<name>#?[\w$]+)(?P<mark>[?!])? ?(?P<sign>[:(<])"
)


def _typescript(code: str, owner: str | None) -> Head | None:
    if matched := _TS_FUNCTION.match(code) or _TS_ARROW.match(code):
        return Head(What.FUNCTION, matched["name"], bool(matched["export"]), scope=not code.endswith(";"))
    if matched := _TS_TYPE.match(code):
        return Head(What.CLASS, matched["name"], bool(matched["export"]), scope=code.endswith("{"))
    if matched := _TS_CONSTANT.match(code):
        return Head(What.CONSTANT, matched["name"], True)
    return _typescript_member(code, owner) if owner else None


def _typescript_member(code: str, owner: str) -> Head | None:
    matched = _TS_MEMBER.match(code)
    if matched is None or matched["name"] in _NO_CALLS:
        return None
    hidden = matched["name"].startswith(("#", "_")) or re.search(r"\b(?:private|protected)\b", matched["marks"])
    if matched["sign"] == ":":
        return Head(What.FIELD, matched["name"], not hidden, scope=code.endswith("{"))
    bodiless = re.search(r"\b(?:interface|type|abstract) ", owner) is not None and not code.endswith("{")
    if not bodiless and not code.endswith("{"):
        return None
    return Head(What.FUNCTION, matched["name"], not hidden, scope=not bodiless)


_CPP_TYPE = re.compile(
    r"(?:template ?<[^{;]{0,200}> ?)?(?P<what>class|struct|union|enum(?: class| struct)?) "
    r"(?:[A-Z][A-Z0-9_]{1,40}(?:\([^)]{0,60}\))? |\[\[\w+\]\] )?(?P<name>\w+)(?: final)?(?: ?:(?!:)[^;{]{0,300})? ?\{?$"
)
_CPP_FUNCTION = re.compile(
    r"(?:template ?<[^{;]{0,200}> ?)?(?:(?:[A-Z][A-Z0-9_]{2,40}|\[\[\w+\]\]) )?"
    r"[A-Za-z_][\w:<>,*& ]{1,160}?[ *&](?P<name>[A-Za-z_]\w*)\("
)


def _cpp(code: str, owner: str | None) -> Head | None:
    if matched := _CPP_TYPE.match(code):
        return Head(What.CLASS, matched["name"], True, scope=True)
    first = re.match(r"\w+", code)
    if (
        first is None
        or first[0] in _NO_CALLS
        or first[0] in ("namespace", "extern", "friend")
        or code[-1:] not in ";{}"
    ):
        return None
    if matched := _CPP_FUNCTION.match(code):
        return Head(What.FUNCTION, matched["name"], matched["name"] not in _NO_CALLS, scope=code.endswith("{"))
    return Head(What.HIDDEN, "", False, scope=True, listed=False) if code.endswith(") {") and not owner else None


_BY_LANGUAGE = {"python": _python, "go": _go, "rust": _rust, "typescript": _typescript, "cpp": _cpp}
LANGUAGES = frozenset(_BY_LANGUAGE)


def head_of(language: str, code: str, owner: str | None) -> Head | None:
    """Return what a statement defines, None when nothing.

    ``code`` is its code on one line with strings blanked, ``owner`` the header of the class directly around it.
    """
    return _BY_LANGUAGE[language](code[:_LONGEST_HEAD], owner)
