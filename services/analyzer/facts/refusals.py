"""What is refused anew, what is no longer refused, and what fails in other words than before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from services.analyzer.facts.change import Change
from services.analyzer.facts.failing_before import failed_before
from services.analyzer.facts.items import MOST_FACTS, place_of
from services.analyzer.facts.raising import Guard, guards, may_refuse
from services.analyzer.facts.refusal_before import bare_assertion, instead
from services.analyzer.facts.refusal_conditions import change_of_condition
from services.analyzer.facts.refusal_reach import reach_of
from services.analyzer.facts.refusal_scope import no_refusal, rewritten, told_by_sources
from services.analyzer.facts.refusal_sides import Sides
from services.analyzer.facts.texts import cut, identifiers
from shared.domain.facts import Fact, FactKind, Reach, ReadFrom, Subject

name = "refusals"
_ACCEPTED = "accepted"
_MOVED_WORDS = 2
_NEARLY = 0.6
_LONG_WORD = 6
_SAME_MATTER = 3
_STOP = frozenset(
    [
        "the",
        "and",
        "for",
        "not",
        "with",
        "are",
        "but",
        "is",
        "in",
        "of",
        "to",
        "on",
        "be",
        "no",
        "only",
        "support",
        "supports",
        "supported",
        "must",
        "currently",
        "yet",
    ]
)
_ENOUGH_ALIKE = 0.5
"""Share of the words of two messages from which on they say the same in other words."""


@dataclass
class _Pairs:
    """Refusals before and after that are the same one; what is left came or went."""

    gone: list[Guard]
    come: list[Guard]
    pairs: list[tuple[Guard, Guard]]


def read(change: Change) -> Iterable[Fact]:
    """Yield new refusals, refusals that are gone, and errors that are other ones now."""
    sides = Sides(change)
    before: list[Guard] = []
    after: list[Guard] = []
    for file in change.product:
        if may_refuse(file, file.before):
            before += guards(file, file.path_before, sides.outline(file, new=False))
        if may_refuse(file, file.after):
            after += guards(file, file.path, sides.outline(file, new=True))
    paired = _paired(before, after)
    made = list(_pairs_changed(paired.pairs))
    refusing = [guard for guard in paired.come if not no_refusal(guard, sides, new=True)]
    made += _came(refusing, paired, change, sides)
    made += _went([old for old in paired.gone if not _said_anew(old, refusing, paired.come)], sides)
    yield from made[:MOST_FACTS]


def _paired(before: list[Guard], after: list[Guard]) -> _Pairs:
    """Pair by the same words first, then by the same condition, then by similar words, always within one function."""
    paired = _Pairs(list(before), list(after), [])
    by_key: dict[str, list[Guard]] = {}
    for guard in before:
        by_key.setdefault(guard.key, []).append(guard)
    for guard in after:
        rivals = by_key.get(guard.key)
        if rivals:
            # one that is said once and asked for by two callers now is still the same one
            best = next((rival for rival in rivals if rival.path == guard.file.path_before), rivals[0])
            if len(rivals) > 1:
                rivals.remove(best)
            paired.pairs.append((best, guard))
    used = {id(guard) for pair in paired.pairs for guard in pair}
    kept = {guard.key for guard in after}
    paired.come = [guard for guard in after if id(guard) not in used]
    paired.gone = [guard for guard in before if id(guard) not in used and guard.key not in kept]
    for alike in (_same_condition, _similar_words):
        for new in list(paired.come):
            old = next((one for one in paired.gone if _same_place(one, new) and alike(one, new)), None)
            if old is not None:
                paired.gone.remove(old)
                paired.come.remove(new)
                paired.pairs.append((old, new))
    return paired


def _same_place(old: Guard, new: Guard) -> bool:
    if new.file.path_before != old.path:
        return False
    one, other = old.function, new.function
    return one is None or other is None or one.name == other.name


def _same_condition(old: Guard, new: Guard) -> bool:
    if old.condition is None or new.condition is None:
        return False
    return old.condition == new.condition or (
        old.names == new.names and (old.check is None) != (new.check is None) and bool(old.names)
    )


def _similar_words(old: Guard, new: Guard) -> bool:
    one, other = identifiers(old.message.casefold()), identifiers(new.message.casefold())
    return bool(one and other) and len(one & other) >= _ENOUGH_ALIKE * max(len(one), len(other))


def _said_anew(old: Guard, refusing: list[Guard], come: list[Guard]) -> bool:
    """Whether a new error, anywhere in the merge, speaks of the same things: the check went there.

    One that refuses something need share but a few words; one in new code has to say nearly the same.
    """
    words = _long_words(old)
    nearly = max(_MOVED_WORDS, _NEARLY * len(words))
    return any(len(words & _long_words(new)) >= _MOVED_WORDS for new in refusing) or any(
        len(words & _long_words(new)) >= nearly for new in come
    )


def _long_words(guard: Guard) -> frozenset[str]:
    words = identifiers(guard.message.casefold().replace("-", "_"))
    return frozenset(word.strip("_") for word in words if len(word) >= _LONG_WORD)


def _same_matter(old: Guard, new: Guard) -> bool:
    """Whether a refusal that is gone and a new one speak of the same thing: it is refused under fewer circumstances."""
    one, other = (identifiers(text.message.casefold()) - _STOP for text in (old, new))
    return len(one & other) >= _SAME_MATTER


def _pairs_changed(pairs: list[tuple[Guard, Guard]]) -> Iterator[Fact]:
    """The same refusal under another condition, or in other words."""
    for old, new in pairs:
        reach, why = reach_of(new)
        if reach is Reach.INTERNAL:
            continue
        kind = change_of_condition(old, new)
        if kind is FactKind.CHANGED and reach is not Reach.PUBLIC:
            continue
        if kind is not None:
            before, after = cut(old.condition or ""), cut(new.condition or "")
            yield _fact(kind, new, old, before, after, (reach, why), f"refused as '{error_text(new)}'")
        elif old.error != new.error or old.key != new.key:
            yield _fact(FactKind.ERROR_CHANGED, new, old, error_text(old), error_text(new), (reach, why))


def _came(refusing: list[Guard], paired: _Pairs, change: Change, sides: Sides) -> Iterator[Fact]:
    told: set[str] = set()
    for guard in refusing:
        if guard.key in told:
            continue
        told.add(guard.key)
        reach = reach_of(guard)
        if reach[0] is not Reach.PUBLIC and rewritten(guard, sides, new=True):
            continue
        wider = next(
            (old for old in paired.gone if old.path == guard.file.path_before and _same_matter(old, guard)), None
        )
        if wider is not None:
            yield _fact(FactKind.ERROR_CHANGED, guard, wider, error_text(wider), error_text(guard), reach)
        elif (asserted := bare_assertion(guard, sides)) is not None:
            yield _fact(FactKind.ERROR_CHANGED, guard, None, asserted, error_text(guard), reach, "asserted before")
        elif (before := failed_before(guard, change, len(paired.come))) is not None:
            if reach[0] is not Reach.INTERNAL:
                yield _fact(FactKind.ERROR_CHANGED, guard, None, None, error_text(guard), reach, before)
        else:
            old = instead(guard, sides) or _ACCEPTED
            fact = _fact(FactKind.REFUSED, guard, None, cut(old), error_text(guard), reach)
            yield _with_source(fact, guard, sides, new=True)


def _went(gone: list[Guard], sides: Sides) -> Iterator[Fact]:
    told: set[str] = set()
    for guard in gone:
        if guard.key not in told and not no_refusal(guard, sides, new=False):
            told.add(guard.key)
            fact = _fact(FactKind.ACCEPTED, guard, guard, error_text(guard), _ACCEPTED, reach_of(guard))
            yield _with_source(fact.model_copy(update={"after": None}), guard, sides, new=False)


def _with_source(fact: Fact, guard: Guard, sides: Sides, *, new: bool) -> Fact:
    """Say so where only the whole files show that what is refused was there on the other side as well."""
    if not told_by_sources(guard, sides, new=new):
        return fact
    note = f"{fact.note}; its names stand elsewhere in the file, which the patch does not show"
    return fact.model_copy(update={"read_from": ReadFrom.SOURCES, "note": note})


def error_text(guard: Guard) -> str:
    """The class and the words of an error, as one value."""
    return cut(f"{guard.error}: {guard.message}")


def _fact(
    kind: FactKind,
    guard: Guard,
    old: Guard | None,
    before: str | None,
    after: str,
    reach: tuple[Reach, str],
    note: str = "",
) -> Fact:
    return Fact(
        kind=kind,
        subject=Subject.INPUT,
        name=guard.title,
        old=before,
        new=after,
        before=place_of(old.path, old.line) if old else None,
        after=place_of(guard.path, guard.line),
        reach=reach[0],
        reach_why=reach[1],
        note="; ".join(piece for piece in (note, _circumstances(guard)) if piece),
    )


def _circumstances(guard: Guard) -> str:
    """When it refuses and where, as far as it is known."""
    where = ".".join(node.name for node in (guard.scope, guard.function) if node is not None and node.name)
    word = "unless" if guard.check is not None else "when"
    when = f"{word} {cut(guard.condition.removeprefix('if '), 160)}" if guard.condition else ""
    return ", ".join(piece for piece in (when, f"in {where}" if where else "") if piece)
