"""Words that limit a statement, and the words by which a claim may keep them, in English and Chinese."""

from __future__ import annotations

import re
from dataclasses import dataclass

from shared.claims.amounts import NUMBER


@dataclass(frozen=True, slots=True)
class Qualifier:
    """A limit: how it is written in a source, and what in a claim keeps it.

    ``figure`` tells that it belongs to the figure beside it: it is lost only where the claim repeats that figure. The
    pattern then has a group ``figure``.
    """

    pattern: re.Pattern[str]
    kept: re.Pattern[str]
    figure: bool = False


def _words(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def _before(words: str, kept: str) -> Qualifier:
    """A limit right before a figure: ``up to 30 %``."""
    return Qualifier(_words(rf"(?P<words>{words})\s{{0,3}}(?P<figure>{NUMBER})"), _words(kept), figure=True)


_OFF = (
    r"\b(?:(?:off|disabled|opt[- ]?in) by default|default(?:s)? to (?:off|false|disabled)|opt[- ]in)\b|"
    r"默认(?:关闭|不启用|禁用)"
)
_ON = r"\b(?:on|enabled) by default\b|默认(?:开启|启用)"
_TRIAL = r"\b(?:experimental|preview|prototype|proof of concept|alpha|beta)\b|实验性|预览|试验"
_DEPENDS = r"\bdepend(?:s|ing) on\b|取决于|视[^，。]{1,20}而定"
_NOT_YET = r"\b(?:not yet|work in progress|to follow|follow-?up|partial(?:ly)?)\b|尚未|部分|后续"
_DEPRECATED = r"\bdeprecated\b|弃用|废弃"
_PER = (
    rf"(?P<figure>{NUMBER})[ \u00a0\u202f]?[^\s\d]{{0,8}}\s{{0,2}}(?P<words>\bper (?!cent\b)[a-z]{{2,20}}\b|"
    r"/\s?(?:call|token|request|step|iteration|layer)\b)"
)
_PER_KEPT = r"\bper (?!cent\b)[a-z]{2,20}\b|/\s?(?:call|token|request|step|iteration|layer)\b|\b(?:each|every)\b|每"

QUALIFIERS: tuple[Qualifier, ...] = (
    _before(
        r"\bup to\b|\bat most\b|\bmax(?:imum)?\.?(?: of)?\b",
        r"\bup to\b|\bat most\b|\bmax|最多|最高|最大|至多|高达|可达",
    ),
    _before(
        r"\bat least\b|\bmore than\b|\bover\b|\bmin(?:imum)?\.?(?: of)?\b",
        r"\bat least\b|\bmore than\b|\bover\b|\bmin|至少|超过|以上",
    ),
    _before(
        r"\babout\b|\baround\b|\bapprox(?:imately|\.)?|\broughly\b|~|≈",
        r"\babout\b|\baround\b|\bapprox|\broughly\b|~|≈|约|左右|近",
    ),
    Qualifier(_words(_PER), _words(_PER_KEPT), figure=True),
    *(Qualifier(_words(words), _words(words)) for words in (_OFF, _ON, _TRIAL, _DEPENDS, _NOT_YET, _DEPRECATED)),
)

HARDWARE = re.compile(
    r"(?<![0-9A-Za-z_-])(?:CPU|GPU|TPU|NPU|XPU|HPU|CUDA|ROCm|HIP|NVIDIA|AMD|Intel|Apple Silicon|Arm|ARM|"
    r"AArch64|aarch64|x86(?:_64|-64)?|"
    r"RISC-V|AVX-?512|AVX2|AMX|NEON|Windows|Linux|macOS|Android|iOS|Blackwell|Hopper|Ampere|"
    r"(?:[A-Z]{1,3}\d{2,4}[A-Z]{0,3})(?=s?(?![0-9A-Za-z_-])))(?:-only)?s?(?![0-9A-Za-z_])"
)
"""Kinds, makers and models of hardware, and systems: ``H100``, ``MI300X``, ``AVX2``."""
