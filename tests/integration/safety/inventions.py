"""A week of ordinary merges, that of the bundled sample, and models that read it fairly or invent."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import cycle
from typing import Any

from services.cli import sample
from shared.domain.period import parse_week
from shared.domain.pull_request import PullRequest
from tests.servers.model.asked import texts_of
from tests.servers.model.fitting import INVENTED_QUOTE, INVENTED_TEXT
from tests.unit.services.analyzer.checking.fair_answers import FAIR
from tests.unit.services.analyzer.checking.fair_answers_too import MORE_FAIR
from tests.unit.services.analyzer.checking.sample_merges import merges

INVENTIONS = (
    "The server answers 7391 % faster from now on.",
    "The server starts in 83517 ms.",
    "The flag --quentin-mode switches the old behaviour on.",
    "The variable LUMEN_QUENTIN_LIMIT has to be set.",
    "It is fixed since version 81.7.3 of the client.",
    "It closes CVE-2031-55555.",
    "The class QuentinCache keeps the records.",
    "The file lumen/quentin/cache.py holds the records.",
    "Quentin Nobody asked for it in review.",
    "It takes back #99999.",
    "It follows pull request 88888.",
    "`quentin_all` is called for each record.",
    "Passengers are refunded at midnight.",
)
SIGNS = (
    *("quentin", "7391 %", "83517 ms", "81.7.3", "2031-55555", "#99999", "request 88888", "4711 times", "refunded"),
    *(INVENTED_QUOTE, INVENTED_TEXT),
)
"""What stands in no merge of the sample, and in each of the inventions."""
_ANSWERS = FAIR | MORE_FAIR
_texts = cycle(INVENTIONS)


def ordinary_week() -> list[PullRequest]:
    """The merges of the sample's week."""
    week = parse_week(sample.WEEK)
    wanted = [merge for merge in merges().values() if week.contains(merge.merged_at)]
    return [merge for merge in wanted if merge.repository.full_name == sample.REPOSITORY and merge.base_ref == "main"]


def fair_answer(document: Mapping[str, Any]) -> dict[str, Any]:
    """What a careful reader said of the merge; of one that nobody read, nothing."""
    title = str(document.get("title", ""))
    number = next(
        (number for number in _ANSWERS if merges()[number].title.replace("`", "") == title.replace("`", "")), 0
    )
    if number:
        told: dict[str, Any] = _ANSWERS[number].model_dump(mode="json")
        return told
    return _answer({"text": "", "quotes": []})


def inventive_answer(document: Mapping[str, Any]) -> dict[str, Any]:
    """What stands nowhere, in every field, beside words of the merge."""
    text = next(_texts)
    quotes = [max((one.strip() for _, one in texts_of(document)), key=len).splitlines()[0][:200]]
    claim = {"text": text, "quotes": quotes}
    risks = [{"risk": "slowdown", "mechanism": text, "quotes": quotes}]
    actions = [{"kind": "migration", "way_back": text, **claim}]
    answer = _answer(claim, effect=claim, why=claim, risks=risks, actions=actions, keywords=["quentin", text[:40]])
    return answer | {"limits": [{"kind": "other", **claim}], "importance": {"reason": "security", "why": claim}}


def fair_with_inventions(number: int, text: str) -> Any:
    """The hook of a careful reader who once, about merge ``number``, puts ``text`` in the place of why."""
    title = merges()[number].title

    def answer(document: Mapping[str, Any]) -> dict[str, Any]:
        told = fair_answer(document)
        if document.get("title") == title:
            told["why"] = {"text": text, "quotes": told["change"]["quotes"]}
        return told

    return answer


def _answer(change: Mapping[str, Any], **fields: Any) -> dict[str, Any]:
    lists: dict[str, Any] = {name: [] for name in ("limits", "actions", "contested", "risks", "keywords")}
    return {"effect": None, "change": change, "why": None, "importance": None, **lists, **fields}
