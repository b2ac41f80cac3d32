"""Shortens what is long and says nothing: embedded data, unbroken runs, one sign over and over."""

from __future__ import annotations

import re
from collections import Counter

_WORTH_A_LOOK = 40
_LONG = re.compile(rf"(?<!\S)\S{{{_WORTH_A_LOOK},}}")
_DATA = re.compile(r"\bdata:[a-z0-9.+/-]{0,80}(?:;[a-z0-9=.-]{1,60}){0,4},[A-Za-z0-9+/=%_.~-]{16,}", re.IGNORECASE)
_REPEATED = re.compile(r"(\S)\1{39,}")
_UNBROKEN = re.compile(r"(?<![!-~])[!-~]{160,}")
_KEPT_OF_REPEATED = 8
_KEPT_OF_UNBROKEN = 40


def without_long_runs(text: str, hidden: Counter[str]) -> str:
    """Return ``text`` with ``data:`` addresses, runs of 160 signs and repetitions of 40 shortened, each ended by ``…``.

    Scripts that are written without spaces are no runs: only ASCII counts.
    """
    if max(map(len, text.split()), default=0) < _WORTH_A_LOOK:
        return text

    def shortened(run: re.Match[str]) -> str:
        words, data = _DATA.subn("data:…", run[0])
        words, repeated = _REPEATED.subn(lambda same: same[0][:_KEPT_OF_REPEATED] + "…", words)
        words, unbroken = _UNBROKEN.subn(lambda whole: whole[0][:_KEPT_OF_UNBROKEN] + "…", words)
        hidden["long-run"] += data + repeated + unbroken
        return words

    return _LONG.sub(shortened, text)
