"""Answers of a model in a few words, for the tests of checking."""

from __future__ import annotations

from typing import Any

from services.analyzer.prompts.answer import MergeAnswer

Part = dict[str, Any]


def claim(text: str, *quotes: str) -> Part:
    """A sentence with its quotations."""
    return {"text": text, "quotes": quotes}


def limit(kind: str, text: str, *quotes: str) -> Part:
    """A limit with its quotations."""
    return {"kind": kind, **claim(text, *quotes)}


def action(kind: str, text: str, *quotes: str, way_back: str = "") -> Part:
    """Something to do or to know."""
    return {"kind": kind, "way_back": way_back, **claim(text, *quotes)}


def contest(outcome: str, text: str, *quotes: str) -> Part:
    """A point of the review."""
    return {"outcome": outcome, **claim(text, *quotes)}


def risk(name: str, mechanism: str, *quotes: str) -> Part:
    """A risk with its mechanism."""
    return {"risk": name, "mechanism": mechanism, "quotes": quotes}


def reason(name: str, text: str, *quotes: str) -> Part:
    """Why many should know."""
    return {"reason": name, "why": claim(text, *quotes)}


def answered(change: Part, **fields: Any) -> MergeAnswer:
    """A whole answer; what is not given is left out, as a model is told to."""
    values: Part = {
        "effect": None,
        "change": change,
        "why": None,
        "limits": [],
        "actions": [],
        "contested": [],
        "risks": [],
        "importance": None,
        "keywords": [],
    }
    return MergeAnswer.model_validate(values | fields)
