"""Figures as people write them: ``80,000`` is ``80 000``, ``24%`` is ``24 %``, ``µs`` is ``us``."""

from __future__ import annotations

import re

NUMBER = r"(?:\d{1,3}(?:[,_'\u00a0\u2009\u202f ]\d{3}){1,5}(?![\d_])|\d{1,18})(?:\.\d{1,9})?(?!\d)"
"""A number with or without signs between its thousands; a point stands before decimals."""

_SEPARATORS = re.compile(r"[,_'\u00a0\u2009\u202f ]")
GROUPINGS = ("", ",", " ", "_", "'", "\u00a0", "\u202f", "\u2009")
"""What may stand between thousands."""

_UNITS = {
    "%": ("%", "％", "percent", "per cent", "pct"),
    "x": ("x", "X", "×", "times", "倍"),
    "ns": ("ns", "nanosecond", "nanoseconds", "纳秒"),
    "us": ("us", "\u00b5s", "\u03bcs", "microsecond", "microseconds", "微秒"),
    "ms": ("ms", "msec", "millisecond", "milliseconds", "毫秒"),
    "s": ("s", "sec", "secs", "second", "seconds", "秒"),
    "min": ("min", "mins", "minute", "minutes", "分钟"),
    "h": ("h", "hr", "hrs", "hour", "hours", "小时"),
    "day": ("day", "days", "天"),
    "B": ("B", "byte", "bytes", "字节"),
    "bit": ("bit", "bits"),
    "kB": ("kB", "KB"),
    **{
        name: (name,)
        for name in (
            *("MB", "GB", "TB", "KiB", "MiB", "GiB", "TiB", "Mi", "Gi", "k", "K", "M", "G", "T"),
            *("MB/s", "GB/s", "TB/s", "Gbit/s", "Mbit/s", "Gbps", "Mbps", "Hz", "kHz", "MHz", "GHz"),
            *("tok/s", "tokens/s", "req/s", "it/s", "TFLOPS", "GFLOPS", "W", "kW", "px", "°C", "dB"),
        )
    },
    "万": ("万",),
    "亿": ("亿",),
}
_NAMES = {spelling: unit for unit, spellings in _UNITS.items() for spelling in spellings}
_SPELLINGS = "|".join(re.escape(spelling) for spelling in sorted(_NAMES, key=len, reverse=True))
UNIT = re.compile(rf"[ \u00a0\u2009\u202f-]?(?P<unit>{_SPELLINGS})(?![0-9A-Za-z_])(?<!x(?=\s\d))")
_RANGE = re.compile(rf"\s{{0,2}}(?:-|–|—|~|to|→|->|至|到|降至|升至)\s{{0,2}}{NUMBER}")


def number_of(written: str) -> str:
    """Return a number in its plain form: no signs between thousands, no zeros behind the last decimal."""
    plain = _SEPARATORS.sub("", written)
    return plain.rstrip("0").rstrip(".") if "." in plain else plain


def unit_at(text: str, position: int) -> tuple[str, int]:
    """Return the unit that stands at ``position``, in its usual spelling, and where it ends; "" when none does."""
    found = UNIT.match(text, position)
    return (_NAMES[found["unit"]], found.end()) if found else ("", position)


def unit_behind_range(text: str, position: int) -> str:
    """Return the unit of a range whose first number ends at ``position``: ``%`` for the 16 of ``16–24 %``; else ""."""
    found = _RANGE.match(text, position)
    return unit_at(text, found.end())[0] if found else ""


def spellings_of(number: str) -> tuple[str, ...]:
    """Return the ways in which the plain form of a number may be written."""
    whole, point, decimals = number.partition(".")
    if len(whole) < 4:
        return (number,)
    first = len(whole) % 3 or 3
    groups = [whole[:first], *(whole[at : at + 3] for at in range(first, len(whole), 3))]
    return tuple(f"{sign.join(groups)}{point}{decimals}" for sign in GROUPINGS)
