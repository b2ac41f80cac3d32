"""Decodes the JSON bodies of webhook deliveries, and makes their text safe to store; pure."""

from __future__ import annotations

import json
import re
from typing import NoReturn

from shared.domain.text import clean_tree
from shared.sources.github_payloads import Tree, Unfit

_ESCAPES_TO_CLEAN = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")
"""JSON has NUL and surrogates only as escapes: a body without these needs no cleaning, which costs most of reading."""


def decoded(body: bytes) -> Tree:
    """Return the object in ``body``, its strings cleaned (R-41); Unfit when it is not a JSON object in UTF-8."""
    try:
        value = json.loads(body.decode("utf-8"), parse_constant=_refuse_constant)
        if _ESCAPES_TO_CLEAN.search(body):
            value = clean_tree(value)
    except UnicodeDecodeError as error:
        raise Unfit(f"it is not UTF-8 (byte {error.start})") from error
    except (ValueError, RecursionError) as error:
        raise Unfit("it is not JSON") from error
    if not isinstance(value, dict):
        raise Unfit("it is not a JSON object")
    return value


def _refuse_constant(name: str) -> NoReturn:
    """NaN and the infinities, which Python reads but JSON does not have."""
    raise ValueError(name)
