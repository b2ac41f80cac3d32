"""Finds values that are given to a name which says that they are secret, in code, YAML, JSON, shell and URLs."""

from __future__ import annotations

import re
from collections.abc import Iterator

from shared.redaction.plausible import looks_like_password, looks_random
from shared.redaction.spans import Span

_PASSWORDS = ("passw", "pwd", "passphrase")
_TOKENS = ("secret", "token", "credential", "key")

_AFTER_NAME = (
    # What may follow the word within the name: password1, secretKey, TOKEN_PROD, SECRET_KEY_BASE.
    r"(?:[_-]?(?:key|token|access[_-]?key|value|base|string|str|raw|prod|production|dev|staging|live|id|[0-9]{1,2})){0,2}s?"
)
_CLOSED = r"\\{0,7}[\"'`]?\]?\??!?"
_TYPE = r":[ \t]{0,4}&?(?:'[a-z]{1,10} )?[a-z][\w.\[\]|? ]{0,40}?=(?!=)"
_SEPARATOR = rf"[ \t]{{0,20}}(?:{_TYPE}|={{1,3}}>?|:=?|!=|,|>|\(|[ \t]string[ \t]{{0,4}}=|(?<=[ \t]))[ \t]{{0,20}}"
_QUOTED = r"[bfru]{0,2}(?P<quote>\\{0,7}[\"'`])(?P<quoted>[^\s\"'`\\<>]{6,600}+)(?P=quote)"
_UNQUOTED = r"(?P<bare>[a-z0-9+/_.~!@#%^*-]{8,600}+={0,2})(?=[\s,;)\]}\"'&<|\\]|\Z)"
_REST = _AFTER_NAME + rf"(?P<closed>{_CLOSED})(?P<separator>{_SEPARATOR})(?:{_QUOTED}|{_UNQUOTED})"

_WORDS = {"passw": r"passw(?:or)?d", "pwd": "pwd", "passphrase": "passphrase"}
_NAMES = {word: re.compile(_WORDS.get(word, word) + _REST, re.ASCII) for word in (*_PASSWORDS, *_TOKENS)}
_BEFORE_KEY = re.compile(
    r"(?:api|app|application|access|secret|private|sign|signing|signature|encrypt|encryption|auth|account|master|client"
    r"|licen[cs]e|service|shared|storage|session|cookie|hmac|jwt|aes|deploy|write|ingest|subscription|function|admin"
    r"|host|webhook)[_\-. ]?\Z"
)
_LONGEST_BEFORE_KEY = 16
_OPTION = re.compile(r"(?:^|\s)--?[a-z0-9-]*\Z")
_LONGEST_OPTION = 40

_GIVEN_RANDOM = re.compile(r"=[\"']?(?P<value>[A-Za-z0-9+/_-]{24,400}+={0,2})[\"']?(?=\s|\Z)")
_LINE_OF_ENVIRONMENT = re.compile(r"[+\- ]?[ \t]{0,8}(?:export |ENV |set )?(?P<name>[A-Z][A-Z0-9_]{2,60})")
_LONGEST_LINE_HEAD = 80
_NOT_SECRET = re.compile(
    r"SHA|HASH|DIGEST|SUM|COMMIT|REV|INTEGRITY|FINGERPRINT|PUBLIC|VERSION|IMAGE|TAG|PATH|DIR|FILE|URL|CACHE|CERT"
)
_HEX = re.compile(r"[0-9a-f]{32,128}")


def assignments(text: str, lowered: str) -> Iterator[Span]:
    """Yield the values that look real; ``lowered`` is ``text`` in small letters, position by position."""
    for word, pattern in _NAMES.items():
        if word in lowered:
            for match in pattern.finditer(lowered):
                if _is_secret(text, lowered, word, match):
                    yield Span(*match.span("bare" if match["quoted"] is None else "quoted"), _kind(word))


def _is_secret(text: str, lowered: str, word: str, match: re.Match[str]) -> bool:
    quoted = match["quoted"] is not None
    if not _is_given(lowered, match, quoted=quoted):
        return False
    start, end = match.span("quoted" if quoted else "bare")
    value = text[start:end]
    if word in _PASSWORDS:
        return looks_like_password(value, quoted=quoted)
    if word == "key" and not _BEFORE_KEY.search(lowered, max(0, match.start() - _LONGEST_BEFORE_KEY), match.start()):
        return False
    return looks_random(value)


def _is_given(lowered: str, match: re.Match[str], *, quoted: bool) -> bool:
    """Whether what stands between name and value gives the one to the other."""
    separator = match["separator"].strip()
    if separator in {",", "("}:
        return quoted and (separator == "(" or match["closed"] != "")
    if separator == "":
        # An option of a command line: --token VALUE.
        before = lowered[max(0, match.start() - _LONGEST_OPTION) : match.start()]
        return _OPTION.search(before) is not None
    return True


def _kind(word: str) -> str:
    if word in _PASSWORDS:
        return "password"
    return "api-key" if word == "key" else word


def environment_lines(text: str) -> Iterator[Span]:
    """Yield the random values of lines such as those of an ``.env`` file, whatever their names."""
    for match in _GIVEN_RANDOM.finditer(text):
        given = text.rfind("\n", max(0, match.start() - _LONGEST_LINE_HEAD), match.start()) + 1
        head = _LINE_OF_ENVIRONMENT.fullmatch(text, given, match.start())
        if head is None or _NOT_SECRET.search(head["name"]):
            continue
        value = match["value"]
        mixed = value.lower() != value and value.upper() != value
        if (mixed and looks_random(value, 24)) or (head["name"].endswith("_KEY") and _HEX.fullmatch(value)):
            yield Span(*match.span("value"), "environment-value")
