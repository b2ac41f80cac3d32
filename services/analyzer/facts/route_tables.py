"""Where code declares HTTP routes, in the frameworks that projects use for it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

from services.analyzer.facts.calls import Argument, Joined, arguments, joined, literal, named, positional
from services.analyzer.facts.sides import Line, Side
from services.analyzer.facts.statements import Statement

MOST_ROUTES = 20
"""In one statement."""
ANY = "ANY"
_VERBS = "get|post|put|delete|patch|head|options|trace"
_PATH = re.compile(r"/[^\s\"'`\\|]{0,160}|")
_DECORATED = re.compile(rf"^\s{{0,80}}@(?P<on>[\w.]{{1,60}})\.(?P<verb>{_VERBS}|route|api_route|websocket)\(")
_ADDED = re.compile(
    rf"(?<![\w])(?P<on>[\w.]{{1,60}})\.(?P<verb>add_api_route|add_api_websocket_route|add_route|add_url_rule|"
    rf"add_websocket_route|add_(?:{_VERBS}))\("
)
_STARLETTE = re.compile(r"(?<![\w.])(?P<what>Route|WebSocketRoute|Mount)\(")
_DJANGO = re.compile(r"(?<![\w.])(?P<what>path|re_path|url)\(")
_FUNCTION = re.compile(r"^\s{0,80}(?:async\s{1,4})?def\s{1,4}(?P<name>\w{1,80})")
_GO = re.compile(
    r"(?<![\w])(?P<on>[\w.()]{1,60}?)\.(?P<verb>GET|POST|PUT|DELETE|PATCH|HEAD|OPTIONS|Any|HandleFunc|Handle|Get|Post|Put|"
    r"Delete|Patch|Head|Options|PathPrefix|Path)\("
)
_GO_METHODS = re.compile(r"\.Methods\((?P<methods>[^()]{1,120})\)")
_AXUM = re.compile(r"\.route\(")
_AXUM_METHOD = re.compile(rf"(?<![\w:])(?:axum::routing::|routing::|web::|\.)?(?P<verb>{_VERBS}|any)\(")
_ACTIX = re.compile(rf"^\s{{0,80}}#\[(?P<verb>{_VERBS})\(\s{{0,8}}\"(?P<path>/[^\"]{{0,160}})\"")
_ACTIX_RESOURCE = re.compile(r"web::(?:resource|scope)\(\s{0,8}\"(?P<path>/[^\"]{0,160})\"")
_RUST_FUNCTION = re.compile(r"^\s{0,80}(?:pub\s{1,4})?(?:async\s{1,4})?fn\s{1,4}(?P<name>\w{1,80})")
_EXPRESS = re.compile(
    rf"(?<![\w$.])(?P<on>(?:this\.)?(?:\w{{0,40}}(?:[aA]pp|[rR]outer|[sS]erver|[rR]outes?|[aA]pi|fastify)))\.(?P<verb>{_VERBS}|all)\("
)
_NEST = re.compile(r"^\s{0,80}@(?P<verb>Get|Post|Put|Delete|Patch|Head|Options|All|Sse)\(")
_SPRING = re.compile(r"^\s{0,80}@(?P<verb>Get|Post|Put|Delete|Patch|Request)Mapping\(")
_TEST_CLIENTS = re.compile(
    r"(?:.*\.)?_?(?:client|session|requests|httpx|http|axios|fetch|response|cache|redis|mock\w{0,20})", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Route:
    """A route: its methods in capitals, its path as written, the handler's name, and its line."""

    methods: tuple[str, ...]
    path: str
    handler: str | None
    line: Line
    hidden: bool = False


def routes(language: str, side: Side, statement: Statement) -> Iterator[Route]:
    """Yield the routes that a statement declares."""
    reader = _READERS.get(language)
    if reader is not None:
        yield from islice(reader(side, statement), MOST_ROUTES)


def _python(side: Side, statement: Statement) -> Iterator[Route]:
    text = joined(statement.lines)
    if found := _DECORATED.match(text.bare):
        given, end = arguments(text, found.end() - 1)
        handler = _below(side, statement, _FUNCTION)
        if not _TEST_CLIENTS.fullmatch(found["on"]):
            yield from _one(text, given, _methods(found["verb"], given), handler, (found.start(), end))
    for found in _ADDED.finditer(text.bare) if ".add_" in text.bare else ():
        given, end = arguments(text, found.end() - 1)
        plain = positional(given)
        endpoint = named(given, "endpoint", "view_func", "handler") or next(
            iter(plain[-1:] if len(plain) > 1 else ()), None
        )
        if endpoint is not None:
            yield from _one(text, given, _methods(found["verb"], given), endpoint.text, (found.start(), end))
    for found in _STARLETTE.finditer(text.bare):
        given, end = arguments(text, found.end() - 1)
        if len(given) > 1:
            methods = ("WS",) if found["what"].startswith("Web") else _methods("route", given)
            yield from _one(text, given, methods, given[1].text, (found.start(), end))
    for found in _DJANGO.finditer(text.bare):
        given, end = arguments(text, found.end() - 1)
        view = given[1].text if len(given) > 1 else ""
        path = literal(given[0].text) if given else None
        if path is not None and re.search(r"view|include|\.as_|[A-Za-z_]\.[a-z_]", view):
            yield Route((ANY,), "/" + path.lstrip("/^"), view, text.line_of(found.start(), end))


def _one(
    text: Joined, given: tuple[Argument, ...], methods: tuple[str, ...], handler: str | None, span: tuple[int, int]
) -> Iterator[Route]:
    where = named(given, "path", "rule", "url") or next(iter(positional(given)), None)
    path = literal(where.text) if where else None
    hidden = named(given, "include_in_schema")
    if path is not None and where is not None and _PATH.fullmatch(path):
        yield Route(
            methods,
            path or "/",
            handler,
            text.line_of(where.start, span[1]),
            hidden is not None and hidden.text == "False",
        )


def _methods(verb: str, given: tuple[Argument, ...]) -> tuple[str, ...]:
    short = verb.removeprefix("add_")
    if re.fullmatch(_VERBS, short):
        return (short.upper(),)
    if "websocket" in short:
        return ("WS",)
    listed = named(given, "methods")
    found = re.findall(r"[\"']([A-Za-z]{3,8})[\"']", listed.text) if listed else []
    return tuple(sorted(method.upper() for method in found)) or (ANY,)


def _below(side: Side, statement: Statement, pattern: re.Pattern[str]) -> str | None:
    """The function under a decorator or an attribute."""
    fragment = side.fragment_of(statement.number)
    if fragment is None:
        return None
    place = statement.lines[-1].number + 1 - fragment.first
    for line in fragment.lines[place : place + 12]:
        if found := pattern.match(line.bare):
            return found["name"]
    return None


def _go(_: Side, statement: Statement) -> Iterator[Route]:
    text = joined(statement.lines)
    for found in _GO.finditer(text.bare) if "(" in text.bare else ():
        given, end = arguments(text, found.end() - 1)
        if len(given) < 2 or literal(given[0].text) is None:
            continue
        path, verb = literal(given[0].text) or "", found["verb"]
        method, _blank, rest = path.partition(" ")
        if rest and method.isupper():
            verb, path = method, rest
        after = _GO_METHODS.search(text.code[end : end + 160])
        listed = re.findall(r"\"([A-Z]{3,8})\"|http\.Method(\w{3,8})", after["methods"]) if after else []
        methods = tuple(sorted({(one or other).upper() for one, other in listed}))
        if path.startswith("/") and _PATH.fullmatch(path) and not _TEST_CLIENTS.fullmatch(found["on"]):
            known = verb.upper() if re.fullmatch(_VERBS, verb.lower()) else ANY
            yield Route(methods or (known,), path, given[-1].text, text.line_of(given[0].start, end))


def _rust(side: Side, statement: Statement) -> Iterator[Route]:
    text = joined(statement.lines)
    if marked := _ACTIX.match(text.code):
        handler = _below(side, statement, _RUST_FUNCTION)
        yield Route((marked["verb"].upper(),), marked["path"], handler, text.line_of(0, marked.end()))
    for found in _AXUM.finditer(text.bare):
        given, end = arguments(text, found.end() - 1)
        path = literal(given[0].text) if len(given) == 2 else None
        methods = [one["verb"].upper() for one in _AXUM_METHOD.finditer(given[1].text)] if len(given) == 2 else []
        if path and path.startswith("/") and methods:
            yield Route(tuple(sorted(methods)), path, given[1].text, text.line_of(given[0].start, end))
    for found in _ACTIX_RESOURCE.finditer(text.code):
        yield Route((ANY,), found["path"], None, text.line_at(found.start()))


def _typescript(_: Side, statement: Statement) -> Iterator[Route]:
    text = joined(statement.lines)
    for found in _EXPRESS.finditer(text.bare):
        given, end = arguments(text, found.end() - 1)
        path = literal(given[0].text) if len(given) > 1 else None
        if path and path.startswith("/") and _PATH.fullmatch(path):
            verb = ANY if found["verb"] == "all" else found["verb"].upper()
            yield Route((verb,), path, None, text.line_of(given[0].start, end))
    if marked := _NEST.match(text.bare):
        given, end = arguments(text, marked.end() - 1)
        path = literal(given[0].text) if given else None
        if path is not None and _PATH.fullmatch("/" + path.lstrip("/")):
            yield Route((marked["verb"].upper(),), "/" + path.lstrip("/"), None, text.line_of(0, end))


def _java(_: Side, statement: Statement) -> Iterator[Route]:
    text = joined(statement.lines)
    if found := _SPRING.match(text.bare):
        given, end = arguments(text, found.end() - 1)
        where = named(given, "value", "path") or next(iter(positional(given)), None)
        path = literal(where.text) if where else None
        if path is not None and _PATH.fullmatch(path):
            verb = ANY if found["verb"] == "Request" else found["verb"].upper()
            yield Route((verb,), path or "/", None, text.line_of(0, end))


_READERS: dict[str, Callable[[Side, Statement], Iterator[Route]]] = {
    "python": _python,
    "go": _go,
    "rust": _rust,
    "typescript": _typescript,
    "java": _java,
}
"""By the name of the language file."""
