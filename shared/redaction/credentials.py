"""Finds credentials by where they stand: in URLs, in authorization headers, in the files of package tools."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator

from shared.redaction.plausible import is_placeholder, looks_like_password, looks_random
from shared.redaction.spans import Span

_IN_URL = re.compile(r"://[^\s/@:\"'<>`\\|\[\]]{0,100}+:([^\s/@\"'<>`\\|\[\]]{3,200}+)@", re.ASCII)
_USER_OF_URL = re.compile(r"://([\w.~-]{20,200}+)@", re.ASCII)
_SENTRY = re.compile(r"://([0-9a-f]{32})(?::[0-9a-f]{32})?@")
_BEARER = re.compile(r"bearer(?: |%20|\\?\")[ \t]{0,4}[\"']?([a-z0-9._~+/=-]{16,4000}+)")
_AUTHORIZATION = re.compile(
    r"authorization\\?[\"']?\]?[ \t]{0,4}[:=,][ \t]{0,4}\\?[\"']?(?:[a-z]{3,12}[ \t]{1,4})?([a-z0-9._~+/=-]{16,4000}+)"
)
_BASIC = re.compile(r"basic[ \t]{1,4}([a-z0-9+/]{8,400}+={0,2})")
_AUTH = re.compile(r"auth\\?[\"']?[ \t]{0,4}[:=][ \t]{0,4}\\?[\"']?([a-z0-9+/]{10,400}+={0,2})")
_NETRC = re.compile(r"login[ \t]{1,4}[^\s]{1,100}+[ \t]{1,4}password[ \t]{1,4}([^\s\"']{4,200})")
_PASSWORD_OF_LINE = re.compile(r"password[ \t]{1,4}([^\s\"']{6,200})(?=\s|\Z)")
_LINE_HEAD = re.compile(r"[+\- ]?[ \t]{0,8}")
_LONGEST_HEAD = 10
_CURL = re.compile(r" (?:-u|--user)[ =]{0,4}[\"']?[\w.@-]{1,80}+:([^\s\"'$]{6,200})", re.ASCII)
_WELL_KNOWN = frozenset(
    {"password", "passwd", "pass", "pwd", "pw", "secret", "token", "user", "username", "test", "tests", "testing"}
    | {"admin", "root", "guest", "example", "changeme", "postgres", "mysql", "mariadb", "redis", "rabbitmq", "minio"}
    | {"mongo", "foo", "bar", "baz", "abc", "xxx", "your", "none", "null", "dummy", "fake"}
)


def credentials(text: str, lowered: str) -> Iterator[Span]:
    """Yield the secret halves of credentials; ``lowered`` is ``text`` in small letters, position by position."""
    if "://" in text:
        yield from _urls(text)
    if "bearer" in lowered:
        yield from _random(text, lowered, _BEARER, "bearer-token")
    if "auth" in lowered:
        yield from _random(text, lowered, _AUTHORIZATION, "authorization-header")
        yield from _encoded(text, lowered, _AUTH, "basic-auth")
    if "basic" in lowered:
        yield from _encoded(text, lowered, _BASIC, "basic-auth")
    if "password" in lowered:
        yield from (span for span in _matches(lowered, _NETRC, "netrc") if not _is_known(text, span))
        yield from _passwords(text, lowered, _PASSWORD_OF_LINE, "netrc", begins_line=True)
    if " -u" in lowered or " --user" in lowered:
        yield from _passwords(text, lowered, _CURL, "basic-auth")


def _urls(text: str) -> Iterator[Span]:
    for match in _IN_URL.finditer(text):
        user = text[match.start() + 3 : match.start(1) - 1]
        span = Span(*match.span(1), "url-credentials")
        if match[1] != user and not _is_known(text, span):
            yield span
    for match in _SENTRY.finditer(text):
        yield Span(*match.span(1), "sentry-dsn")
    for match in _USER_OF_URL.finditer(text):
        if looks_random(match[1]):
            yield Span(*match.span(1), "url-credentials")


def _is_known(text: str, span: Span) -> bool:
    value = text[span.start : span.end]
    return value.lower() in _WELL_KNOWN or value.isdigit() or value[0] in "$%{*" or is_placeholder(value)


def _matches(lowered: str, pattern: re.Pattern[str], kind: str) -> Iterator[Span]:
    return (Span(*match.span(1), kind) for match in pattern.finditer(lowered))


def _random(text: str, lowered: str, pattern: re.Pattern[str], kind: str) -> Iterator[Span]:
    return (span for span in _matches(lowered, pattern, kind) if looks_random(text[span.start : span.end]))


def _passwords(
    text: str, lowered: str, pattern: re.Pattern[str], kind: str, *, begins_line: bool = False
) -> Iterator[Span]:
    for match in pattern.finditer(lowered):
        if begins_line and not _begins_line(text, match.start()):
            continue
        if looks_like_password(text[slice(*match.span(1))], quoted=True):
            yield Span(*match.span(1), kind)


def _begins_line(text: str, position: int) -> bool:
    line = text.rfind("\n", max(0, position - _LONGEST_HEAD), position) + 1
    return _LINE_HEAD.fullmatch(text, line, position) is not None


def _encoded(text: str, lowered: str, pattern: re.Pattern[str], kind: str) -> Iterator[Span]:
    """Base64 of ``user:password``, and of nothing else."""
    for span in _matches(lowered, pattern, kind):
        value = text[span.start : span.end]
        try:
            told = base64.b64decode(value + "=" * (-len(value) % 4), validate=True).decode("ascii")
        except (binascii.Error, UnicodeDecodeError):
            continue
        if told.isprintable() and 0 < told.find(":") < len(told) - 1:
            yield span
