"""Is this value a real secret, or a placeholder, a name, a version, a reference to where the secret is kept?"""

from __future__ import annotations

import re

_REFERENCE = re.compile(
    r"\$[\w({]|\{\{|%\(|%[A-Z_]+%|[<>]|environ|getenv|process\.env|secrets\.|\*\*\*|\.\.\.|\[redacted:"
)
_PLACEHOLDER = re.compile(
    r"example|change_?-?me|placeholder|password|passwd|your[_-]|dummy|redacted|replace|insert|localhost|todo|xxxx"
    r"|0000|1111|12345|abcdef|\.(?:com|org|py|js|ts|go|rs|md|json|ya?ml|toml|txt|html)\b"
    r"|(?<![a-z])(?:test|tests|testing|fake|mock|sample|demo|default|secret|token|none|null|true|false)(?![a-z0-9])"
)
_VERSION = re.compile(r"[\^~><=v]{0,3}\d+\.\d+(?:[.\-+][\w.\-+]*)?")
_TURN = re.compile(r"(?<=[0-9])(?=[A-Za-z])|(?<=[A-Za-z])(?=[0-9])|(?<=[a-z])(?=[A-Z])")
_SHORTEST_PASSWORD = 8
_SHORTEST_TOKEN = 16
_LEAST_DISTINCT = 6


def looks_random(value: str, shortest: int = _SHORTEST_TOKEN) -> bool:
    """Return whether ``value`` is letters and digits in no order that people give names in.

    Measured by how often letters and digits, or small and large letters, change about within its words: names do so at
    a word's end, random text at every third character or so.
    """
    if len(value) < shortest or len(set(value)) < _LEAST_DISTINCT or is_placeholder(value):
        return False
    turns = len(_TURN.findall(value))
    return turns >= 4 and turns >= 0.2 * sum(map(str.isalnum, value))


def looks_like_password(value: str, *, quoted: bool) -> bool:
    """Return whether ``value`` is what people or generators choose as a password.

    Of an unquoted one more is asked: in code it may as well be a name.
    """
    if len(value) < _SHORTEST_PASSWORD or len(set(value)) < _LEAST_DISTINCT or is_placeholder(value):
        return False
    digit, lower, upper = (any(test(char) for char in value) for test in (str.isdigit, str.islower, str.isupper))
    if not digit or not (lower or upper):
        return False
    symbol = re.search(r"[^\w.\-/:\[\]]", value) is not None
    classes = digit + lower + upper + symbol
    return classes >= (3 if quoted or symbol else 4) or len(_TURN.findall(value)) >= (3 if quoted else 4)


def is_placeholder(value: str) -> bool:
    """Return whether ``value`` stands for a secret that is kept elsewhere, or is a version."""
    lowered = value.lower()
    return bool(_REFERENCE.search(lowered) or _PLACEHOLDER.search(lowered) or _VERSION.fullmatch(lowered))
