"""Pages of lists: numbered ones with Link headers, and the ones by cursor of deliveries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar
from urllib.parse import urlencode

from tests.servers.github.exchange import Answer, Request

Item = TypeVar("Item")


def size(request: Request) -> int:
    """Return how many a page holds: 30, or what was asked for, 100 at most (C-26)."""
    asked = request.query.get("per_page", "")
    return min(100, int(asked)) if asked.isdigit() and int(asked) > 0 else 30


def page(request: Request, items: Sequence[Item], shape: Callable[[Item], Any]) -> Answer:
    """Return the page that was asked for, with its neighbours in the Link header."""
    chosen, headers = cut(request, items)
    return Answer(body=[shape(item) for item in chosen], headers=headers)


def cut(request: Request, items: Sequence[Item]) -> tuple[Sequence[Item], dict[str, str]]:
    """Return the items of the page that was asked for, and the Link header."""
    per_page, asked = size(request), request.query.get("page", "")
    number = int(asked) if asked.isdigit() and int(asked) > 0 else 1
    last = max(1, -(-len(items) // per_page))
    near: dict[str, int] = {}
    if number > 1:
        near |= {"prev": min(number - 1, last), "first": 1}
    if number < last:
        near |= {"next": number + 1, "last": last}
    links = [f'<{request.url}?{urlencode(request.query | {"page": str(at)})}>; rel="{rel}"' for rel, at in near.items()]
    return items[(number - 1) * per_page : number * per_page], {"Link": ", ".join(links)} if links else {}


def by_cursor(
    request: Request, items: Sequence[Item], key: Callable[[Item], int], shape: Callable[[Item], Any]
) -> Answer:
    """Return the page behind a cursor; items come in falling order of their key."""
    cursor = request.query.get("cursor", "").removeprefix("v1_")
    behind = [item for item in items if not cursor.isdigit() or key(item) < int(cursor)]
    chosen = behind[: size(request)]
    headers = {}
    if len(behind) > len(chosen):
        query = urlencode(request.query | {"cursor": f"v1_{key(chosen[-1])}"})
        headers["Link"] = f'<{request.url}?{query}>; rel="next"'
    return Answer(body=[shape(item) for item in chosen], headers=headers)
