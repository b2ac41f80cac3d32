"""What a careful reader answers about the labelled merges, in the form in which a model answers."""

from __future__ import annotations

import json
from typing import Any

from services.analyzer.packing import pack
from services.cli.evaluation.labels import SET, Case, Item, load_cases
from services.cli.evaluation.runs import analysis_of

ROOM = 4_000


def by_title(document: dict[str, Any]) -> dict[str, Any]:
    """The answer to a packed merge, found by its title as it is shown: the hook of the scripted server."""
    return _ANSWERS[document["title"]]


def answer_of(case: Case) -> dict[str, Any]:
    """The labels of a case as an answer: nothing in it that the merge does not say."""
    labels = case.labels
    facts = {fact.field: _claim(fact) for fact in reversed(labels.facts)}
    others = (*labels.actions, *labels.limits, *labels.risks)
    change = facts.get("change") or (_claim(others[0]) if others else facts.get("effect") or _title(case))
    return {
        "effect": facts.get("effect"),
        "change": change,
        "why": facts.get("why"),
        "limits": [{"kind": one.kind, **_claim(one)} for one in labels.limits],
        "actions": [{"kind": one.kind, **_claim(one), "way_back": ""} for one in labels.actions],
        "contested": [{**_claim(one), "outcome": one.outcome.value} for one in labels.contested],
        "risks": [{"risk": one.risk.value, "mechanism": one.say, "quotes": [one.quote]} for one in labels.risks],
        "importance": {"reason": labels.reason.reason.value, "why": _claim(labels.reason)} if labels.reason else None,
        "keywords": [],
    }


def _claim(item: Item) -> dict[str, Any]:
    return {"text": item.say, "quotes": [item.quote]}


def _title(case: Case) -> dict[str, Any]:
    return {"text": case.pull_request.title, "quotes": [case.pull_request.title]}


def _shown_title(case: Case) -> str:
    title: str = json.loads(pack(case.pull_request, analysis_of(case), ROOM).document)["title"]
    return title


_ANSWERS = {_shown_title(case): answer_of(case) for case in load_cases(SET)}
