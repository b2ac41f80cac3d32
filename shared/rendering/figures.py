"""Numbers that recompute: every figure of a digest is an expression over its own ``digest.json``."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

_CALL = re.compile(r"(?P<name>[a-z]+)\((?P<arguments>.*)\)")
_PULL_REQUEST_FIELDS = ("additions", "deletions", "changed_files")


def shown(expression: str, document: Mapping[str, Any]) -> str:
    """Return the text of the figure that ``expression`` computes from ``document``, a decoded ``digest.json``.

    A value is a JSON Pointer (RFC 6901) to a number, ``length(POINTER)`` of a list or mapping, ``entry(POINTER,KEY)``
    of a mapping of counts (0 when it has no such key), ``total(POINTER,FIELD)``: a field added up over the pull
    requests whose numbers the pointer leads to, or ``authors(POINTER)``: how many authors these have. Shown are
    ``number(VALUE)``, ``difference(VALUE,VALUE)`` with its sign, ``share(PART,WHOLE)`` and ``change(NOW,BEFORE)`` in
    whole percents, ``dollars(POINTER)``, and ``days(POINTER,POINTER)`` between two merges. Halves are rounded away from
    zero. KeyError, IndexError or ValueError when the expression does not fit the document; a share or change of zero is
    a ValueError.
    """
    name, arguments = _split(expression)
    if name == "days":
        return _days(resolve(arguments[0], document), resolve(arguments[1], document))
    if name == "dollars":
        return dollars(resolve(arguments[0], document))
    values = [_value(argument, document) for argument in arguments]
    if name == "number":
        return integer(values[0])
    if name == "difference":
        return signed(values[0] - values[1])
    if values[1] == 0:
        raise ValueError(f"{expression} divides by zero")
    if name == "share":
        return percent(values[0], values[1])
    if name == "change":
        return signed(_rounded(values[0] - values[1], values[1])) + "%"
    raise ValueError(f"there is no figure called {name}")


def integer(value: int) -> str:
    """``1234`` as it is, larger numbers in groups of three: ``12,345``."""
    return f"{value:,}".replace("-", "−") if abs(value) >= 10_000 else str(value).replace("-", "−")


def signed(value: int) -> str:
    """The number with its sign; zero has ``±``."""
    return f"±{value}" if value == 0 else f"{'+' if value > 0 else ''}{integer(value)}"


def percent(part: int, whole: int) -> str:
    """``part`` of ``whole`` in whole percents; a part that would round to nothing is ``<1%``."""
    rounded = _rounded(part, whole)
    return "<1%" if part > 0 and rounded == 0 else f"{rounded}%"


def dollars(amount: float) -> str:
    """The amount with two decimals; one that would round to nothing is ``<0.01``."""
    rounded = Decimal(str(amount)).quantize(Decimal("0.01"), rounding=ROUND_HALF_UP)
    return "<0.01" if amount > 0 and not rounded else f"{rounded:,}"


def resolve(pointer: str, document: Any) -> Any:
    """Return what the JSON Pointer leads to in ``document``."""
    found = document
    for step in pointer.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        found = found[int(key)] if isinstance(found, Sequence) and not isinstance(found, str) else found[key]
    return found


def pointer(*steps: str | int) -> str:
    """Return the JSON Pointer made of ``steps``."""
    return "".join("/" + str(step).replace("~", "~0").replace("/", "~1") for step in steps)


def _split(expression: str) -> tuple[str, list[str]]:
    found = _CALL.fullmatch(expression)
    if found is None:
        raise ValueError(f"{expression} is no figure")
    return found["name"], re.split(r",(?![^(]*\))", found["arguments"])


def _value(argument: str, document: Mapping[str, Any]) -> int:
    if argument.startswith("/"):
        return int(resolve(argument, document))
    name, arguments = _split(argument)
    found = resolve(arguments[0], document)
    if name == "length":
        return len(found)
    if name == "entry":
        return int(found.get(arguments[1], 0))
    if name == "total" and arguments[1] in _PULL_REQUEST_FIELDS:
        wanted = set(found)
        return sum(listed[arguments[1]] for listed in document["pull_requests"] if listed["number"] in wanted)
    if name == "authors":
        return len({listed["author"] for listed in document["pull_requests"] if listed["number"] in set(found)})
    raise ValueError(f"{argument} is no value")


def _rounded(part: int, whole: int) -> int:
    return int((Decimal(part) * 100 / Decimal(whole)).quantize(Decimal(1), rounding=ROUND_HALF_UP))


def _days(earlier: str, later: str) -> str:
    passed = datetime.fromisoformat(later) - datetime.fromisoformat(earlier)
    tenths = (Decimal(passed // timedelta(seconds=1)) / 8640).quantize(Decimal(1), rounding=ROUND_HALF_UP)
    return f"{tenths / 10:.1f}"
