"""Connections: pages behind a cursor that names a place in the order, so that paging is stable when others move."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable
from operator import itemgetter
from typing import Any

Key = Callable[[Any], tuple[Any, ...]]


def by_id(item: Any) -> tuple[Any, ...]:
    """Return the place of an item in a list that only grows."""
    return (item.id,)


def connection(
    items: Iterable[Any],
    view: Callable[[Any], dict[str, Any]],
    arguments: dict[str, Any],
    key: Key = by_id,
    *,
    falling: bool = False,
) -> dict[str, Any]:
    """Return the page that ``first``/``after`` or ``last``/``before`` ask for, of items in the order of their keys."""
    ordered = sorted(((key(item), item) for item in items), key=itemgetter(0), reverse=falling)
    after, before = _place(arguments.get("after")), _place(arguments.get("before"))
    if falling:
        after, before = before, after
    chosen = [pair for pair in ordered if (not after or pair[0] > after) and (not before or pair[0] < before)]
    first, last = arguments.get("first"), arguments.get("last")
    page = chosen[:first] if first is not None else chosen[-last:] if last else chosen
    edges = [{"cursor": _cursor(place), "node": view(item)} for place, item in page]
    return {
        "nodes": [edge["node"] for edge in edges],
        "edges": edges,
        "totalCount": len(ordered),
        "pageInfo": {
            "hasNextPage": bool(page) and page[-1] is not chosen[-1],
            "hasPreviousPage": bool(page) and page[0] is not ordered[0],
            "startCursor": edges[0]["cursor"] if edges else None,
            "endCursor": edges[-1]["cursor"] if edges else None,
        },
    }


def numbered(items: Iterable[Any], view: Callable[[Any], dict[str, Any]], arguments: dict[str, Any]) -> dict[str, Any]:
    """Return a page of items that have no id: their place is their number in the list."""
    return connection(enumerate(items), lambda pair: view(pair[1]), arguments, lambda pair: (pair[0],))


def _cursor(key: tuple[Any, ...]) -> str:
    return base64.b64encode(b"cursor:v2:" + json.dumps(key).encode()).decode()


def _place(cursor: str | None) -> tuple[Any, ...] | None:
    return tuple(json.loads(base64.b64decode(cursor).removeprefix(b"cursor:v2:"))) if cursor else None
