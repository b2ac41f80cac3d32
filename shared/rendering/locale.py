"""The words of one output language: sentences with placeholders, filled with typed spans and never parsed again."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from functools import lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

from shared.domain.digest import Span, SpanKind
from shared.domain.errors import InvalidInput
from shared.domain.period import zone_of

LANGUAGES = ("en", "zh-CN")
PLURAL_FORMS = frozenset({"one", "other"})

Fill = Span | Sequence[Span] | str
"""What goes into a placeholder; a string is shown as plain text."""

_PIECES = re.compile(r"\{(?P<placeholder>[a-z_]+)\}|\*\*(?P<strong>[^*]+)\*\*|`(?P<code>[^`]+)`")

_KINDS: dict[str, SpanKind] = {"text": "text", "strong": "strong", "code": "code"}


class _Piece(NamedTuple):
    kind: str
    text: str


class Locale:
    """Sentences by dotted key; made by ``load_locale``."""

    def __init__(self, language: str, tree: Mapping[str, Any]) -> None:
        self.language = language
        self.entries = dict(_flattened(tree))
        self._parsed = {
            (key, form): _parsed(sentence)
            for key, entry in self.entries.items()
            for form, sentence in (entry.items() if isinstance(entry, Mapping) else (("other", entry),))
        }

    def text(self, key: str, count: int | None = None) -> str:
        """The words under ``key``, which have no placeholders; KeyError when there are none."""
        return "".join(span.text for span in self.spans(key, count))

    def knows(self, key: str) -> bool:
        """Whether there are words under ``key``."""
        return key in self.entries

    def spans(self, key: str, count: int | None = None, /, **fills: Fill) -> tuple[Span, ...]:
        """The sentence under ``key`` with its placeholders filled; ``count`` chooses between singular and plural."""
        form = "one" if count == 1 and (key, "one") in self._parsed else "other"
        made: list[Span] = []
        for piece in self._parsed[key, form]:
            if piece.kind == "placeholder":
                made.extend(_as_spans(fills[piece.text]))
            else:
                made.append(Span(kind=_KINDS[piece.kind], text=piece.text))
        return tuple(made)

    def sentences(self, parts: Sequence[Sequence[Span]]) -> tuple[Span, ...]:
        """Whole sentences one after another, spaced as the language does."""
        return _between([part for part in parts if part], self.spans("joining.sentence"))

    def joined(self, parts: Sequence[Sequence[Span]]) -> tuple[Span, ...]:
        """``a, b and c``."""
        if len(parts) <= 1:
            return _between(parts, ())
        head = _between(parts[:-1], self.spans("joining.item"))
        return (*head, *self.spans("joining.last"), *parts[-1])

    def listed(self, parts: Sequence[Sequence[Span]], separator: str = "joining.item") -> tuple[Span, ...]:
        """``a, b, c``, or with another separator."""
        return _between(parts, self.spans(separator))

    def weekday(self, day: date) -> str:
        """The short name of the weekday."""
        return self.text(f"weekdays.{('mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun')[day.weekday()]}")

    def day(self, moment: datetime, timezone: str) -> str:
        """The date of ``moment`` in ``timezone``, with its weekday."""
        local = moment.astimezone(zone_of(timezone))
        return self.text_of("dates.day", weekday=self.weekday(local), date=f"{local:%Y-%m-%d}")

    def minute(self, moment: datetime, timezone: str) -> str:
        """Date, weekday, time of day and zone of ``moment``."""
        local = moment.astimezone(zone_of(timezone))
        fills = {"weekday": self.weekday(local), "date": f"{local:%Y-%m-%d}", "time": f"{local:%H:%M}"}
        return self.text_of("dates.minute", **fills, zone=timezone)

    def text_of(self, key: str, count: int | None = None, /, **fills: Fill) -> str:
        """The sentence under ``key``, filled, as plain text."""
        return "".join(span.text for span in self.spans(key, count, **fills))


@lru_cache
def load_locale(language: str) -> Locale:
    """Return the locale of ``language``; InvalidInput when there is none. Read once, it never changes."""
    if language not in LANGUAGES:
        raise InvalidInput(f"There is no output language '{language}'.", f"Use one of {', '.join(LANGUAGES)}.")
    source = files("shared.rendering") / "locales" / f"{language}.toml"
    return Locale(language, tomllib.loads(source.read_text(encoding="utf-8")))


def placeholders(sentence: str) -> frozenset[str]:
    """The names of the placeholders in a sentence of a locale file."""
    return frozenset(piece.text for piece in _parsed(sentence) if piece.kind == "placeholder")


def _flattened(tree: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str | Mapping[str, str]]]:
    made: list[tuple[str, str | Mapping[str, str]]] = []
    for key, value in tree.items():
        if isinstance(value, str) or set(value) <= PLURAL_FORMS:
            made.append((prefix + key, value))
        else:
            made.extend(_flattened(value, f"{prefix}{key}."))
    return made


def _parsed(sentence: str) -> tuple[_Piece, ...]:
    made: list[_Piece] = []
    done = 0
    for found in _PIECES.finditer(sentence):
        if done < found.start():
            made.append(_Piece("text", sentence[done : found.start()]))
        kind = str(found.lastgroup)
        made.append(_Piece(kind, found[kind]))
        done = found.end()
    if done < len(sentence):
        made.append(_Piece("text", sentence[done:]))
    return tuple(made)


def _as_spans(fill: Fill) -> Sequence[Span]:
    if isinstance(fill, str):
        return (Span(text=fill),)
    return (fill,) if isinstance(fill, Span) else fill


def _between(parts: Sequence[Sequence[Span]], separator: Sequence[Span]) -> tuple[Span, ...]:
    made: list[Span] = []
    for position, part in enumerate(parts):
        made.extend(separator if position else ())
        made.extend(part)
    return tuple(made)
