"""The lists behind the counts of a page: what each opens to, under which title, with which evidence."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from shared.domain.digest import Digest, RiskFinding, Span
from shared.domain.taxonomy import Origin
from shared.rendering.locale import Locale
from shared.rendering.model_words import quoting
from shared.rendering.phrasebook import said

FULL_LIST = "all"
"""The key of the list that holds every merge of the week."""
OTHER_AREA = "other"
"""The area of merges that fit no other one."""

Spans = tuple[Span, ...]


@dataclass(frozen=True)
class NumberList:
    """What a count opens to; ``evidence`` holds the words of a rule or of a model for the numbers of a risk mark."""

    key: str
    title: str
    numbers: tuple[int, ...]
    evidence: dict[int, Spans]


def risk_list(risk: RiskFinding) -> str:
    """The key of the list behind a risk finding; the same mark set by a model has its own."""
    return f"risk:{risk.tag}" if risk.origin is Origin.RULE else f"risk-{risk.origin}:{risk.tag}"


def lists_of(
    digest: Digest, locale: Locale, spans: Iterable[Span], grouped: Mapping[str, Collection[int]]
) -> tuple[NumberList, ...]:
    """Return one list for each key that a count among ``spans`` names, in their order; an empty count needs none.

    ``grouped`` are the groups of the full list by key: a count of just such a group opens to that.
    """
    evidence = {risk_list(risk): _evidence(risk, locale) for risk in digest.risks}
    themes = {theme.key: theme.title for theme in digest.themes}
    found: dict[str, NumberList] = {}
    for span in spans:
        key = span.list_key
        told = not key or key == FULL_LIST or key in found or set(grouped.get(key, ())) == set(span.pull_requests)
        if span.kind == "count" and key and span.pull_requests and not told:
            title = _list_title(key, locale, themes)
            found[key] = NumberList(key, title, span.pull_requests, evidence.get(key, {}))
    return tuple(found.values())


def _evidence(risk: RiskFinding, locale: Locale) -> dict[int, Spans]:
    """The words of the rule, or those of the model with what it quotes."""
    if risk.origin is Origin.MODEL:
        return {number: quoting(claim, number, locale) for number, claim in risk.claims.items()}
    return {number: said(why, locale) for number, why in risk.evidence.items()}


def _list_title(key: str, locale: Locale, themes: dict[str, str]) -> str:
    kind, named, name = key.partition(":")
    if not named:
        return known(locale, f"lists.{kind}", kind)
    words = {
        "type": f"change_types.{name}",
        "risk": f"risks.{name}.title",
        "state": f"page.states.{name}",
        "relation": f"relations.{name}",
        "follow_up": f"follow_up.states.{name}",
        "unread": f"model.unread.{name}",
    }
    judged = kind == f"risk-{Origin.MODEL}"
    kind = kind.partition("-")[0]
    shown = themes.get(name, name) if kind == "theme" else known(locale, words.get(kind, ""), name)
    shown = area_name(name, locale) if kind == "area" else shown
    key = "lists.risk_judged" if judged else f"lists.{kind}"
    return locale.text_of(key if locale.knows(key) else "lists.other", name=shown)


def area_name(area: str | None, locale: Locale) -> str:
    """Return what ``area`` is called; None is no area at all."""
    if area is None:
        return locale.text("full_list.no_area")
    return locale.text("words.other_area") if area == OTHER_AREA else area


def known(locale: Locale, key: str, otherwise: str) -> str:
    """Return the words under ``key`` where the locale has some."""
    return locale.text(key) if locale.knows(key) else otherwise
