"""What interface files define: fields of messages with their numbers, values of enums, methods of services."""

from __future__ import annotations

import re
from collections.abc import Iterator

from services.analyzer.facts.change import FileChange
from services.analyzer.facts.declared import Declared
from services.analyzer.facts.sides import Fragment, Line, Side
from shared.domain.facts import Reach, Subject

_PROTO, _THRIFT, _GRAPHQL = (".proto",), (".thrift",), (".graphql", ".graphqls", ".gql")
_OPENS = re.compile(
    r"(?:extend\s{1,4})?(?P<what>message|enum|service|struct|union|exception|oneof|type|input|interface)\s{1,4}"
    r"(?P<name>[A-Za-z_]\w{0,100})[^{}=;]{0,160}(?P<brace>\{)?\s{0,4}(?P<closed>\})?\s*$"
)
_FIELD = re.compile(
    r"(?P<type>(?:(?:repeated|optional|required)\s{1,8})?(?:map\s{0,2}<[^>]{1,80}>|[A-Za-z_.][\w.]{0,100}))\s{1,40}"
    r"(?P<name>[A-Za-z_]\w{0,100})\s{0,40}=\s{0,8}(?P<number>\d{1,9})\b"
)
_ENUM_VALUE = re.compile(r"(?P<name>[A-Z_][A-Z0-9_]{0,100})\s{0,40}=\s{0,8}(?P<number>-?\d{1,9})\b")
_RPC = re.compile(
    r"rpc\s{1,4}(?P<name>\w{1,100})\s{0,4}\(\s{0,4}(?P<takes>(?:stream\s)?[\w.]{1,100})\s{0,4}\)\s{0,4}"
    r"(?:returns\s{0,4}\(\s{0,4}(?P<gives>(?:stream\s)?[\w.]{1,100})\s{0,4}\))?"
)
_THRIFT_FIELD = re.compile(
    r"(?P<number>\d{1,5})\s{0,2}:\s{0,4}(?P<type>(?:(?:optional|required)\s{1,4})?[\w.<>, ]{1,100}?)\s{1,4}"
    r"(?P<name>[A-Za-z_]\w{0,100})\s{0,4}(?:=.{0,80})?[,;]?$"
)
_GRAPHQL_FIELD = re.compile(
    r"(?P<name>[A-Za-z_]\w{0,100})\s{0,2}(?:\([^)]{0,200}\))?\s{0,2}:\s{0,2}(?P<type>[\[\]!\w]{1,100})"
    r"(?:\s{0,2}=.{0,60})?(?:\s{0,2}@.{0,120})?$"
)
_NO_FIELD = ("option ", "reserved ", "syntax", "package ", "import ", "extensions ")


def is_interface(path: str) -> bool:
    """Whether the folded ``path`` is a file of protobuf, Thrift or GraphQL."""
    return path.endswith((*_PROTO, *_THRIFT, *_GRAPHQL))


def interface_items(file: FileChange, side: Side) -> Iterator[Declared]:
    """Yield messages, enums and services (no value), their fields (``Message.field``, value ``type = number``),
    enum values (``= number``) and methods (``(Request) returns (Response)``).
    """
    path = file.reading.path.folded
    for fragment in side.fragments:
        yield from _items(fragment, path)


def _items(fragment: Fragment, path: str) -> Iterator[Declared]:
    opened: list[str] = []
    if found := _OPENS.match(fragment.section):
        opened.append(found["name"])
    for line in fragment.lines:
        code = line.bare.strip()
        if not code:
            continue
        if (found := _OPENS.match(code)) and not code.endswith(")"):
            # A group within a message, such as a oneof, changes no name.
            inner = found["what"] == "oneof"
            if not inner:
                yield _declared("", found["name"], None, line)
            if not found["closed"]:
                opened.append(opened[-1] if inner and opened else found["name"])
            continue
        if item := _item(code, line, opened[-1] if opened else "", path):
            yield item
        if code.startswith("}") and opened:
            opened.pop()
        elif code.endswith("{") and not code.startswith("}"):
            opened.append(opened[-1] if opened else "")


def _item(code: str, line: Line, owner: str, path: str) -> Declared | None:
    if path.endswith(_GRAPHQL):
        found = _GRAPHQL_FIELD.match(code) if owner else None
        return _declared(owner, found["name"], found["type"], line) if found else None
    if path.endswith(_THRIFT):
        found = _THRIFT_FIELD.match(code)
        return _declared(owner, found["name"], f"{found['type']} = {found['number']}", line) if found else None
    if found := _RPC.match(code):
        gives = f" returns ({found['gives']})" if found["gives"] else ""
        return _declared(owner, found["name"], f"({found['takes']}){gives}", line)
    if code.startswith(_NO_FIELD):
        return None
    if found := _FIELD.match(code):
        kind = " ".join(found["type"].split())
        return _declared(owner, found["name"], f"{kind} = {found['number']}", line)
    found = _ENUM_VALUE.match(code)
    return _declared(owner, found["name"], f"= {found['number']}", line) if found else None


def _declared(owner: str, named: str, value: str | None, line: Line) -> Declared:
    full = f"{owner}.{named}" if owner else named
    return Declared(
        Subject.PROTOCOL, full, full, value, line, Reach.PUBLIC, "clients and servers speak it", group=owner
    )
