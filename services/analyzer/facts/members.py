"""Reads one field of a class, struct or interface: its type, its default, its name on the wire."""

from __future__ import annotations

import re
from dataclasses import dataclass

from services.analyzer.facts.grammars import Node, parse, text_of, walk
from services.analyzer.facts.outline import Declared

_FACTORIES = re.compile(r"(?:\w+\.)?(?:Field|field|attrib|ib|Factory|mapped_column|Query|Body|Param|Header|Form|Path)$")
_UNSET = frozenset({"...", "MISSING", "PydanticUndefined", "NOTHING", "attr.NOTHING"})
_RUST = re.compile(r"pub \w+ ?: ?(?P<type>.{1,300}?),?$")
_GO = re.compile(r"\w+ (?P<type>[^`]{1,300}?)(?: ?`(?P<tag>[^`]{0,200})`?)?$")
_GO_TAG = re.compile(r"(?:json|yaml|toml|mapstructure|form|env|query|bson|xml):\"(?P<name>[^\",]{1,80})")
_TYPESCRIPT = re.compile(
    r"(?:\w+ ){0,5}[\w$]+(?P<mark>[?!])? ?: ?(?P<type>[^=;]{1,300}?)(?: = (?P<value>.{1,200}?))?[;,]?$"
)
_SERDE_RENAME = re.compile(r"\b(?:rename|long) ?= ?\"(?P<name>[^\"]{1,80})\"")
_SERDE_DEFAULT = re.compile(r"\b(?:default_value_t|default_value|default)(?: ?= ?(?P<value>[^,)\]]{1,80}))?")


@dataclass(frozen=True, slots=True)
class Member:
    """One field; ``wire`` is its name in what is sent or stored, where that is another one."""

    type: str = ""
    default: str | None = None
    required: bool = False
    wire: str | None = None


def member_of(language: str, declared: Declared) -> Member | None:
    """Return what a field's declaration says, None where it is not read without doubt."""
    code = declared.statement.code
    if language == "python":
        return _python(code)
    marks = " ".join(declared.decorators)
    if language == "rust" and (matched := _RUST.match(code)):
        kind, default = matched["type"], _SERDE_DEFAULT.search(marks)
        renamed = _SERDE_RENAME.search(marks)
        value = (default["value"] or "Default::default()") if default else None
        required = default is None and not kind.startswith("Option<")
        return Member(kind, value, required, renamed["name"] if renamed else None)
    if language == "go" and (matched := _GO.match(code)):
        tag = _GO_TAG.search(matched["tag"] or "")
        return Member(matched["type"].strip(), None, False, tag["name"] if tag else None)
    if language == "typescript" and (matched := _TYPESCRIPT.match(code)):
        required = matched["mark"] != "?" and matched["value"] is None
        return Member(matched["type"].strip(), matched["value"], required)
    return None


def _python(code: str) -> Member | None:
    root = parse("python", code)
    assigned = next((node for node in walk(root) if node.type == "assignment"), None) if root else None
    if assigned is None or root is None or root.has_error:
        return None
    kind = text_of(assigned.child_by_field_name("type"))
    value = assigned.child_by_field_name("right")
    if kind.startswith("ClassVar") or not kind:
        return None
    if value is None:
        return Member(kind, None, True)
    if value.type != "call" or not _FACTORIES.match(text_of(value.child_by_field_name("function"))):
        return Member(kind, text_of(value))
    return _built(kind, value)


def _built(kind: str, call: Node) -> Member:
    """A field whose default stands among the arguments of ``Field(…)`` and its like."""
    arguments = call.child_by_field_name("arguments")
    named: dict[str, str] = {}
    placed: list[str] = []
    for argument in arguments.named_children if arguments is not None else ():
        if argument.type == "keyword_argument":
            named[text_of(argument.child_by_field_name("name"))] = text_of(argument.child_by_field_name("value"))
        elif argument.type != "comment":
            placed.append(text_of(argument))
    default = named.get("default", placed[0] if placed else None)
    if default is None:
        factory = named.get("default_factory") or named.get("factory")
        default = f"{factory}()" if factory else None
    alias = named.get("validation_alias") or named.get("alias")
    required = default is None or default in _UNSET
    quoted = re.fullmatch(r"[\"']([\w.-]{1,80})[\"']", alias or "")
    return Member(kind, None if required else default, required, quoted[1] if quoted else None)
