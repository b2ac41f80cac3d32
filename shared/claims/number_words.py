"""Numbers in words, in English and Chinese, and signs that are numbers (``½``): what each of them amounts to."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import NamedTuple

_BEFORE, _BEHIND = "(?<![A-Za-z0-9_])", "(?![A-Za-z0-9_])"
"""Chinese signs stand beside words without a space."""
_SMALL = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_TEENS = (
    "ten",
    "eleven",
    "twelve",
    *(f"{word}teen" for word in ("thir", "four", "fif", "six", "seven", "eigh", "nine")),
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_OTHERS = {
    "2": ("twice", "twofold", "doubled", "doubles", "doubling"),
    "3": ("thrice", "threefold", "triple", "tripled", "tripling", "third"),
    "4": ("fourfold", "quadruple", "quadrupled", "fourth"),
    "5": ("fivefold", "fifth"),
    "6": ("sixth",),
    "7": ("seventh",),
    "8": ("eighth",),
    "9": ("ninth",),
    "10": ("tenfold", "tenth"),
    "12": ("dozen",),
    "100": ("hundred", "hundredth"),
    "1000": ("thousand", "thousandth"),
    "1000000": ("million",),
    "1000000000": ("billion",),
    "0.5": ("half", "halved", "halves", "halving"),
    "0.25": ("quarter",),
}
_VALUES = (
    {word: str(value) for value, word in enumerate(_SMALL[1:], start=2)}
    | {word: str(value) for value, word in enumerate(_TEENS, start=10)}
    | {word: str(10 * value) for value, word in enumerate(_TENS, start=2)}
    | {word: value for value, words in _OTHERS.items() for word in words}
)
"""``one``, ``first``, ``second`` and ``double`` are said of too much else."""
_ALSO = {"0.5": ("50", "1/2"), "0.25": ("25", "1/4"), "3": ("33", "1/3")}
_WORDS = "|".join(sorted(_VALUES, key=len, reverse=True))
_ENGLISH = re.compile(
    rf"{_BEFORE}(?:(?P<tens>{'|'.join(_TENS)})[- ](?P<ones>{'|'.join(_SMALL)})|(?P<word>{_WORDS})s?){_BEHIND}"
    r"(?!(?<=third)[- ]part(?:y|ies)\b)",
    re.IGNORECASE,
)
_HAN = "零〇一二两三四五六七八九十百千"
_RUN = f"[{_HAN}]{{1,20}}"
_UNITS = (
    "个百分点|纳秒|微秒|毫秒|秒|分钟|小时|天|周|个月|年|字节|比特|次|个|条|项|台|名|位|层|行|份|种|万|亿|"
    r"%|(?:ns|us|ms|s|min|h|[KMGT]i?B|B)(?![A-Za-z0-9_])"
)
_CHINESE = re.compile(
    rf"百分之(?P<hundredths>{_RUN})|{_RUN}分之{_RUN}|(?P<half>减半|一半)|(?P<twice>翻倍)|"
    rf"(?![千百](?:字节|比特))(?:(?P<times>{_RUN})\s?[倍成]|[{_HAN}半点]{{1,20}}\s?[倍成]|"
    rf"(?!一(?![{_HAN}点]))(?:(?P<number>{_RUN})|{_RUN}点{_RUN})\s?(?:{_UNITS}))"
)
"""Before a unit, a thing that is counted, or 倍; a single 一 is no more than ``a`` is."""
_DIGITS = {sign: at for at, sign in enumerate("零一二三四五六七八九")} | {"〇": 0, "两": 2}
_PLACES = {"十": 10, "百": 100, "千": 1000}
_SHORT = re.compile(rf"\d\s?(?:(?P<thousands>k)|m){_BEHIND}", re.IGNORECASE)
_DOUBLE = re.compile(rf"{_BEFORE}double{_BEHIND}", re.IGNORECASE)


class NumberWord(NamedTuple):
    """A number that is no figure: as it is written, and in plain digits; "" where only the same words say the same."""

    text: str
    value: str


def number_words(text: str) -> Iterator[NumberWord]:
    """Yield the numbers in words of ``text`` (``thirty``, ``a quarter``, ``三十毫秒``), and its signs such as ``½``."""
    for found in _ENGLISH.finditer(text):
        yield NumberWord(found[0], _english(found))
    for found in _CHINESE.finditer(text):
        yield NumberWord(found[0], _chinese(found))
    for sign in dict.fromkeys(text):
        if not sign.isascii() and sign != "〇" and unicodedata.category(sign) in {"No", "Nl"}:
            yield NumberWord(sign, f"{unicodedata.numeric(sign):g}")


def values_said(text: str) -> frozenset[str]:
    """Return what the number words of ``text`` amount to, those that only support others (``5k``, ``double``) too."""
    values = {word.value for word in number_words(text)} - {""}
    values |= {"1000" if found["thousands"] else "1000000" for found in _SHORT.finditer(text)}
    return frozenset(values | {"2"}) if _DOUBLE.search(text) else frozenset(values)


def same_values(value: str) -> frozenset[str]:
    """Return the digits that may stand for ``value``: ``50`` for a half."""
    return frozenset({value, *_ALSO.get(value, ())})


def _english(found: re.Match[str]) -> str:
    if found["tens"]:
        tens, ones = found["tens"].casefold(), found["ones"].casefold()
        return str(int(_VALUES[tens]) + 1 + _SMALL.index(ones))
    return _VALUES[found["word"].casefold()]


def _chinese(found: re.Match[str]) -> str:
    if found["half"] or found["twice"]:
        return "0.5" if found["half"] else "2"
    signs = found["hundredths"] or found["times"] or found["number"]
    return str(_value(signs)) if signs and found[0][-1] not in "万亿成" else ""


def _value(signs: str) -> int:
    """The value of a Chinese numeral below 10,000, or of digits in a row (``二〇二六``)."""
    if not any(sign in _PLACES for sign in signs):
        return int("".join(str(_DIGITS[sign]) for sign in signs[:18]))
    total, digit = 0, 0
    for sign in signs:
        if sign in _PLACES:
            total += (digit or 1) * _PLACES[sign]
            digit = 0
        else:
            digit = _DIGITS[sign]
    return total + digit
