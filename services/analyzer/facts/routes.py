"""HTTP routes: added, removed, under another path, with other methods."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial

from services.analyzer.facts.change import Change, FileChange
from services.analyzer.facts.items import Found, Item, changed_items
from services.analyzer.facts.route_tables import ANY, routes
from services.analyzer.facts.sides import Side
from services.analyzer.facts.statements import Statement
from services.analyzer.facts.surfaces import mentions, operator_reach
from services.analyzer.reading.paths import FileKind
from shared.domain.facts import Fact, FactKind, Reach, Subject

name = "routes"

_HINT = re.compile(
    r"\.(?:get|post|put|delete|patch|head|options|route|api_route|websocket|all|add_\w{3,20}|GET|POST|PUT|DELETE|PATCH|Any|"
    r"HandleFunc|Handle|Get|Post|Put|Delete|Patch)\(|Route\(|Mount\(|\bpath\(|\burl\(|#\[(?:get|post|put|delete|patch)\(|"
    r"web::|@(?:Get|Post|Put|Delete|Patch|All)\(|Mapping\("
)
_YES = "yes"
_OPENAPI = re.compile(r"(?:^|/)[\w.-]{0,60}(?:openapi|swagger)[\w.-]{0,40}\.ya?ml$")
_OPENAPI_PATH = re.compile(r"^(?P<indent>\s{1,8})[\"']?(?P<path>/[^\s\"':]{0,160})[\"']?:\s{0,8}$")


def read(change: Change) -> Iterable[Fact]:
    """Yield the facts: a route is named by its methods and its path (``POST /items``)."""
    files = [file for file in change.product if _may_declare(file)]
    yield from changed_items(change, _declared, files, partial(_finish, change))


def _may_declare(file: FileChange) -> bool:
    if _OPENAPI.search(file.reading.path.folded):
        return True
    if file.language is None or file.kind is FileKind.CI:
        return False
    return mentions(file, _HINT)


def _declared(file: FileChange, side: Side, statement: Statement) -> Iterator[Item]:
    for route in routes(file.language or "", side, statement):
        yield Item(
            Subject.ROUTE,
            route.path if route.methods == (ANY,) else f"{', '.join(route.methods)} {route.path}",
            None,
            route.line,
            identity=route.handler or route.path,
            traits=(("path", route.path), ("hidden", _YES if route.hidden else None)),
        )
    if _OPENAPI.search(file.reading.path.folded):
        for line in statement.lines:
            if found := _OPENAPI_PATH.match(line.code):
                yield Item(Subject.ROUTE, found["path"], None, line, traits=(("path", found["path"]),))


def _finish(change: Change, fact: Fact, old: Found | None, new: Found | None) -> Fact | None:
    known = new or old
    if known is None or fact.kind is FactKind.CHANGED:
        return None
    file = next(one for one in change.product if known.path in (one.path, one.path_before))
    reach, why = operator_reach(change, file, dict(known.item.traits).get("path") or "", "HTTP route")
    if ("hidden", _YES) in known.item.traits:
        reach, why = Reach.INTERNAL, "left out of the schema"
    update: dict[str, object] = {"reach": reach, "reach_why": why}
    if fact.kind is FactKind.RENAMED and old and new:
        paths = [dict(one.item.traits).get("path") for one in (old, new)]
        if paths[0] == paths[1]:
            update |= {"kind": FactKind.CHANGED, "name": paths[0], "note": "methods"}
        else:
            update["way_back"] = fact.new
    return fact.model_copy(update=update)
