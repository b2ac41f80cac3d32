"""Reads only the beginning of a JSON object: enough to know which merge it is, not its patches; pure."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

_SPACE = r"[ \t\r\n]*"
_KEY = rf'{_SPACE}("(?:[^"\\]|\\.)*"){_SPACE}:{_SPACE}'
_FIRST = re.compile(rf"{_SPACE}\{{{_KEY}")
_NEXT = re.compile(rf"{_SPACE},{_KEY}")


def _refuse_constant(name: str) -> NoReturn:
    """NaN and the infinities, which Python reads but JSON does not have."""
    raise ValueError(name)


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)


def decode(text: str) -> Any:
    """Return the decoded JSON value; ValueError or RecursionError when it is none."""
    return _DECODER.decode(text)


def decode_head(text: str, wanted: frozenset[str]) -> Any:
    """Return the members of a JSON object up to the one with which all ``wanted`` are found.

    The whole value when some are not there, or when it is no object. ValueError or RecursionError as far as it is no
    JSON; what lies behind the last member that was needed is not looked at.
    """
    found: dict[str, Any] = {}
    member, at = _FIRST.match(text), 0
    while member is not None and not wanted <= found.keys():
        value, at = _DECODER.raw_decode(text, member.end())
        found[_DECODER.decode(member[1])] = value
        member = _NEXT.match(text, at)
    return found if wanted <= found.keys() else decode(text)
