"""How tokens are spelled: what is part of a word, what only looks like an identifier, endings of files."""

from __future__ import annotations


def word_set(words: str) -> frozenset[str]:
    """Return the words of a text as a set, for lists of words that are written in lines."""
    return frozenset(words.split())


WORD = "0-9A-Za-z_\u00b5\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u052f"
"""Inside of a character class: what continues a word. Chinese and Japanese signs stand beside words without a space."""

EDGE = rf"(?![{WORD}])"

PRE_RELEASE = (
    r"[-._+]?(?:rc|alpha|beta|dev|pre|preview|post|nightly|snapshot|canary|next|a|b|c|m|p)[-.]?\d{0,12}(?![0-9A-Za-z])"
)
"""What makes a version another one: ``-rc5``, ``.post2``, ``b1``."""

LOOK_ALIKES = (
    rf"(?<![{WORD}])(?:"
    r"(?:[A-Za-z0-9_.-]{1,60}/[A-Za-z0-9_.-]{1,80})?#\d{1,9}|"
    r"[A-Z]{2,10}-\d{1,7}(?:-\d{1,7})?|"
    r"\d{4}-?W\d{2}(?:-\d)?|"
    r"\d{4}(?P<mark>[-/.])\d{1,2}(?P=mark)\d{1,2}(?:[T ]\d{1,2}:\d{2}(?::\d{2})?Z?)?|"
    r"\d{1,2}(?P<dot>[./])\d{1,2}(?P=dot)\d{4}|"
    r"\d{1,2}:\d{2}(?::\d{2})?|"
    r"\d{1,3}/(?:\d{1,3}|[nNxX])(?![A-Za-z0-9_./])|"
    r"[A-Za-z0-9_.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,5}|"
    r"[eE]\.g\.?|[iI]\.e\.?|a\.k\.a\.?|"
    r"(?=[a-f]{0,40}\d)(?=\d{0,40}[a-f])[0-9a-f]{7,40}"
    rf"){EDGE}|@[A-Za-z0-9][A-Za-z0-9_./-]{{0,80}}"
)
"""Issues, keys, weeks, dates, times, parts of a series, addresses of mail, abbreviations, commits, people."""

EXTENSIONS = (
    "bat|bazel|bzl|cc|cfg|cjs|clj|cmake|conf|cpp|cs|css|csv|cuh|cu|cxx|dart|ex|exs|go|gradle|hpp|html|h|ini|ipynb|"
    "java|jinja|j2|js|jsonl|json|jsx|kt|lock|lua|md|mjs|mm|mod|php|pl|proto|ps1|pyi|pyx|py|rb|rs|rst|scala|scss|sh|"
    "sql|svelte|svg|swift|tf|toml|tsx|ts|txt|vue|xml|yaml|yml|zig|c"
)

DOMAINS = frozenset({"com", "org", "net", "io", "dev", "ai", "cn", "app", "edu", "gov"})
NO_ACRONYMS = frozenset(
    {"PR", "PRS", "OK", "WIP", "RFC", "NOT", "AND", "OR", "NO", "ALL", "ONLY", "UTC", "FYI", "AM", "PM"}
)
NO_PRODUCTS = frozenset({"Section", "Table", "Figure", "Chapter", "Part", "Step", "Of", "By", "To", "From", "About"})
