"""Risks: for each mark the mechanism, who is exposed, what to verify, and the evidence of the most important merges."""

from __future__ import annotations

from collections.abc import Mapping

from services.digest.narrate.facts import Facts, Spans, paragraph
from services.digest.relations import repairs
from services.digest.risks import ORDER
from shared.domain.digest import DigestRelation, Paragraph, RiskFinding, Span
from shared.domain.taxonomy import Origin, Risk
from shared.rendering.figures import pointer
from shared.rendering.locale import Fill
from shared.rendering.model_words import mark, quoting
from shared.rendering.number_lists import risk_list

_EVIDENCE = 3
_MANY = 3
_REPAIRS = 12


def paragraphs(facts: Facts) -> list[Paragraph]:
    """How many merges carry marks, which carry several, then one part for each mark, the gravest first."""
    locale = facts.locale
    if not facts.digest.risks:
        return [paragraph(locale.spans("risk.none", all=facts.count(facts.all_numbers, "all")))]
    made = [paragraph(_overview(facts))]
    rank = {tag: place for place, tag in enumerate(ORDER)}
    for risk in sorted(facts.digest.risks, key=lambda risk: _place(risk, rank)):
        made.append(paragraph(_heading(facts, risk), heading=True))
        made.append(paragraph(_account(facts, risk)))
        made.extend(paragraph(line, bullet=True) for line in _evidence(facts, risk))
    return made


def _place(risk: RiskFinding, rank: Mapping[Risk, int]) -> tuple[int, str, bool]:
    return rank.get(Risk(risk.tag), len(rank)), risk.tag, risk.origin is Origin.MODEL


def _overview(facts: Facts) -> Spans:
    marked = facts.with_risk_marks()
    any_mark = facts.count(marked, "risk_any")
    everything = facts.count(facts.all_numbers, "all")
    parts = [facts.locale.spans("risk.overview", len(marked), count=any_mark, all=everything)]
    many = facts.by_importance(facts.with_risk_marks(_MANY))
    if many:
        parts.append(facts.locale.spans("risk.many", len(many), count=facts.count(many, "risk_many")))
    if any(risk.origin is Origin.MODEL for risk in facts.digest.risks):
        parts.append(facts.locale.spans("risk.judged", mark=mark(facts.locale)))
    return facts.locale.sentences(parts)


def _heading(facts: Facts, risk: RiskFinding) -> Spans:
    count = facts.count(risk.pull_requests, risk_list(risk))
    fills: dict[str, Fill] = {
        "name": facts.name("risks", f"{risk.tag}.title"),
        "origin": facts.name("origins", risk.origin),
        "count": count,
    }
    if facts.digest.previous is None or risk.origin is Origin.MODEL:
        return facts.locale.spans("risk.heading", **fills)
    before = facts.figure(f"number(entry(/previous/risks,{risk.tag}))")
    return facts.locale.spans("risk.heading_before", before=before, **fills)


def _account(facts: Facts, risk: RiskFinding) -> Spans:
    """What it means, who is exposed, what to verify: the words of the locale, which know no single merge."""
    if not facts.locale.knows(f"risks.{risk.tag}.mechanism"):
        return (Span(text=" ".join(filter(None, (risk.mechanism, risk.exposed, risk.verify)))),)
    told = {part: facts.locale.text(key) for part, key in account_keys(risk).items()}
    return facts.locale.spans("risk.account", **told)


def account_keys(risk: RiskFinding) -> dict[str, str]:
    """Where the locale has the three parts of the account of ``risk``.

    The mechanism of a mark that rules set is what those rules saw, which is not what a model judged by.
    """
    keys = {part: f"risks.{risk.tag}.{part}" for part in ("mechanism", "exposed", "verify")}
    judged = risk.origin is Origin.MODEL and risk.tag in (Risk.SECURITY_SENSITIVE, Risk.BREAKING_CHANGE)
    return keys | ({"mechanism": f"judged.{risk.tag}"} if judged else {})


def _evidence(facts: Facts, risk: RiskFinding) -> list[Spans]:
    """The evidence for the most important merges, and where that of the others is."""
    if risk.tag == Risk.BROKEN_AND_REPAIRED:
        return _repairs(facts, risk)
    ordered = facts.by_importance(risk.pull_requests)
    told = ordered if len(ordered) <= _EVIDENCE + 1 else ordered[:_EVIDENCE]
    lines = [_line(facts, number, risk) for number in told]
    rest = ordered[len(told) :]
    if rest:
        count = facts.count(risk.pull_requests, risk_list(risk))
        lines.append(facts.locale.spans("risk.more", count=count))
    return lines


def _repairs(facts: Facts, risk: RiskFinding) -> list[Spans]:
    """What broke, what repaired it and after how many days, first what broke and was repaired within the week."""
    told = sorted(repairs(facts.digest.relations), key=lambda one: (one.to not in facts.listed, one.source, one.to))
    lines = [_repair(facts, relation) for relation in told[:_REPAIRS]]
    if len(told) > _REPAIRS:
        lines.append(facts.locale.spans("risk.more", count=facts.count(risk.pull_requests, risk_list(risk))))
    return lines


def _repair(facts: Facts, relation: DigestRelation) -> Spans:
    fills: dict[str, Fill] = {
        "target": _named(facts, relation.to),
        "source": _named(facts, relation.source),
        "evidence": facts.rule_words(relation.evidence),
    }
    if relation.to not in facts.listed or relation.source not in facts.listed:
        return facts.locale.spans("risk.repaired_earlier", **fills)
    places = (pointer("pull_requests", facts.position[end], "merged_at") for end in (relation.to, relation.source))
    return facts.locale.spans("risk.repaired", days=facts.figure(f"days({','.join(places)})"), **fills)


def _named(facts: Facts, number: int) -> Spans:
    """The link, with the title where the document knows it."""
    link = facts.pull_request(number)
    if number not in facts.listed:
        return (link,)
    return facts.locale.spans("relation.named", title=facts.title(number), pull_request=link)


def _line(facts: Facts, number: int, risk: RiskFinding) -> Spans:
    """What the rule saw, with a link to the page that shows it, and what a model says of it; or what that quotes."""
    claim = risk.claims.get(number)
    if claim is not None and risk.origin is Origin.MODEL:
        return _of_title(facts, number, quoting(claim, number, facts.locale))
    evidence = facts.rule_words(risk.evidence.get(number, ""))
    if number in risk.links:
        page = Span(kind="link", text=facts.locale.text("risk.page"), url=risk.links[number])
        evidence = facts.locale.spans("risk.with_page", evidence=evidence, page=page)
    if claim is not None:
        evidence = facts.locale.spans("risk.with_claim", evidence=evidence, claim=facts.claim(claim, number))
    return _of_title(facts, number, evidence)


def _of_title(facts: Facts, number: int, evidence: Spans) -> Spans:
    """The title of a key pull request stands above already."""
    fills: dict[str, Fill] = {"pull_request": facts.pull_request(number), "evidence": evidence}
    if any(key.number == number for key in facts.digest.key_pull_requests):
        return facts.locale.spans("risk.evidence_of_key", **fills)
    return facts.locale.spans("risk.evidence", title=facts.title(number), **fills)
