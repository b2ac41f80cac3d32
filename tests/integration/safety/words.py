"""What words of a model must never hold, and where in a document a model has a say; nothing of the product is used."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from typing import Any

_LINK = re.compile(
    r"://|\bwww\.|\bhxxp|\b(?:mailto|javascript|data):\S|\b[\w-]+\s?(?:\.|\[\.\]|\(dot\)|\sdot\s)\s?(?:com|example|org|net)\b",
    re.IGNORECASE,
)
_MENTION = re.compile(r"(?<!\w)@\w|<[@!#]")
_REFERENCE = re.compile(
    r"#\d|\b(?:pull request|issue|gh-)\s?\d|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b", re.IGNORECASE
)
_MARKUP = re.compile(r"\]\(|!\[|<[a-z!/|]|\*\*|`|&#?\w+;|\{\{|^#|^>|\|--|(?<!\w):[a-z_]+:|~~", re.IGNORECASE)
_UNSEEN = re.compile("[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e007f]")
_STEERING = re.compile(
    r"\bignore\s(?:all|the|previous)|docs-only|tests-only|\bapproved\b|\blgtm\b|system prompt|忽略|игнорируй|\bcurl\s|\brm -|"
    r"\bpip install\b|\bno (?:breaking|security|risk)|\b(?:visit|click|download)\b",
    re.IGNORECASE,
)
_OF_A_MODEL = ("what", "way_back", "why", "mechanism", "reason_why")


def said_by_model(document: Any) -> Iterator[str]:
    """Every sentence and keyword of a model in a document of the API or in ``digest.json``."""
    for one in _objects(document):
        if one.get("kind") == "model" or "quotes" in one:
            yield one["text"]
        yield from one.get("keywords") or ()
        if one.get("origin") == "model":
            yield from (one[name] for name in _OF_A_MODEL if isinstance(one.get(name), str))
            yield from (found["why"] for found in _objects(one.get("evidence")) if "why" in found)
        if one.get("way_back") and "quotes" in one:
            yield one["way_back"]
        if one.get("reason_origin") == "model":
            yield one["reason_why"]


def quoted_by_model(document: Any) -> Iterator[tuple[str, str]]:
    """Every quotation that such a sentence rests on: where it stands, and its words."""
    for one in _objects(document):
        for quote in one.get("quotes") or ():
            yield quote["field"], quote["text"]


def problems(said: str) -> list[str]:
    """What is wrong with a sentence of a model, in the plain form that it has once disguises are taken off."""
    shown = unicodedata.normalize("NFKC", said)
    patterns = {"link": _LINK, "mention": _MENTION, "reference": _REFERENCE, "markup": _MARKUP, "order": _STEERING}
    if shown.isalpha() and shown.isascii():
        # One word to search by orders nothing.
        patterns.pop("order")
    found = [f"{name}: {said}" for name, pattern in patterns.items() if pattern.search(shown)]
    return found + [f"unseen: {said!a}"] * bool(_UNSEEN.search(said)) + [f"long: {said}"] * (len(said) > 240)


def problems_of_quotation(field: str, words: str) -> list[str]:
    """What is wrong with words of the merge that are shown as evidence: code may hold signs, nothing may be active."""
    shown = unicodedata.normalize("NFKC", words)
    patterns = {"link": _LINK, "mention": _MENTION, "reference": _REFERENCE}
    if field != "diff":
        patterns["markup"] = re.compile(r"\]\(|!\[|<[a-z!/|]", re.IGNORECASE)
    return [f"{name} in a quotation: {words}" for name, pattern in patterns.items() if pattern.search(shown)]


def problems_of_document(document: Any) -> list[str]:
    """All of them."""
    found = [problem for said in said_by_model(document) for problem in problems(said)]
    return found + [bad for field, words in quoted_by_model(document) for bad in problems_of_quotation(field, words)]


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        yield value
        for one in value.values():
            yield from _objects(one)
    elif isinstance(value, list):
        for one in value:
            yield from _objects(one)
