"""Whether a refusal that stayed refuses more or less than before, by the clauses of its condition."""

from __future__ import annotations

import re

from services.analyzer.facts.raising import Guard
from services.analyzer.facts.texts import folded, identifiers
from shared.domain.facts import FactKind

_OPENING = re.compile(r"^(?:\}\s?)?(?:if|elif|else if|unless|when|guard|case)\b")
_AND, _OR = re.compile(r"\s(?:and|&&)\s"), re.compile(r"\s(?:or|\|\|)\s")
_OWNER = re.compile(r"\b\w{1,60}(?:\.|::)(?=\w{1,80}\b(?!\())")
_SAME = ((re.compile(r"\s(?:==|is)\s"), " == "), (re.compile(r"\.(?:as_ref|clone|borrow)\(\)"), ""))


def change_of_condition(old: Guard, new: Guard) -> FactKind | None:
    """Return REFUSED when the condition of the same refusal covers more now, ACCEPTED when less, CHANGED when other.

    None where the condition is not known on both sides, was not touched, or only names its things in another way.
    """
    if old.condition is None or new.condition is None or not (_touched(old) and _touched(new)):
        return None
    if (old.check is None) != (new.check is None):
        return None
    before, after = _plain(old.condition), _plain(new.condition)
    if before == after or not before or not after or "else" in (before, after):
        return None
    for connector, more in ((_AND, FactKind.ACCEPTED), (_OR, FactKind.REFUSED)):
        one, other = _clauses(before, connector), _clauses(after, connector)
        if len(one) == len(other):
            continue
        if one < other or other < one:
            grows = one < other
            refuses = (more is FactKind.REFUSED) == grows
            if new.check is not None:
                refuses = not refuses
            return FactKind.REFUSED if refuses else FactKind.ACCEPTED
    return FactKind.CHANGED if old.key == new.key and identifiers(before) == identifiers(after) else None


def _touched(guard: Guard) -> bool:
    if guard.check is not None or guard.inline is not None:
        return any(line.changed for line in guard.node.statement.lines)
    return guard.above is not None and any(line.changed for line in guard.above.statement.lines)


def _plain(condition: str) -> str:
    """The condition without its keyword, the brackets around it and the owners of its names."""
    text = _OWNER.sub("", _OPENING.sub("", folded(condition))).strip(" {:")
    for pattern, plain in _SAME:
        text = pattern.sub(plain, text)
    while text.startswith("(") and text.endswith(")") and _balanced(text[1:-1]):
        text = text[1:-1].strip()
    return text


def _balanced(text: str) -> bool:
    depth = 0
    for sign in text:
        depth += (sign == "(") - (sign == ")")
        if depth < 0:
            return False
    return depth == 0


def _clauses(condition: str, connector: re.Pattern[str]) -> frozenset[str]:
    return frozenset(clause.strip() for clause in connector.split(condition))
