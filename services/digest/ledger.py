"""The one state of every merge of the window."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from services.digest.merges import Merge
from services.digest.relations import is_told
from shared.domain.digest import DigestRelation, Ledger, MustAct, State, Theme


class LedgerBroken(AssertionError):
    """The states do not cover the window, each merge once: a fault of this program, never of the input."""


def keep_ledger(window: Sequence[Merge], featured: Collection[int], told: Collection[int]) -> Ledger:
    """Return the ledger: not analysed = failed, ``featured``, else ``told`` = grouped, the rest condensed.

    LedgerBroken when that does not put every merge of ``window`` into exactly one state.
    """
    states: dict[State, list[int]] = {"featured": [], "grouped": [], "condensed": [], "failed": []}
    for merge in sorted(window, key=lambda merge: merge.number):
        if merge.analysis is None:
            states["failed"].append(merge.number)
        elif merge.number in featured:
            states["featured"].append(merge.number)
        else:
            states["grouped" if merge.number in told else "condensed"].append(merge.number)
    ledger = Ledger(**{state: tuple(numbers) for state, numbers in states.items()})
    _check(ledger, {merge.number for merge in window}, set(featured))
    return ledger


def states_of(ledger: Ledger) -> Mapping[int, State]:
    """Return the state of each number."""
    found: dict[int, State] = {}
    for state in ("featured", "grouped", "condensed", "failed"):
        found |= dict.fromkeys(getattr(ledger, state), state)
    return found


def told_in_groups(
    themes: Iterable[Theme], relations: Iterable[DigestRelation], must_act: Iterable[MustAct]
) -> frozenset[int]:
    """Return the numbers that the digest names outside of the full list: in a theme, a relation, or to act on."""
    told = {number for theme in themes for number in theme.pull_requests}
    told |= {number for relation in relations if is_told(relation) for number in (relation.source, relation.to)}
    return frozenset(told | {item.number for item in must_act})


def _check(ledger: Ledger, window: set[int], featured: set[int]) -> None:
    numbers = [*ledger.featured, *ledger.grouped, *ledger.condensed, *ledger.failed]
    if len(numbers) != len(set(numbers)) or set(numbers) != window:
        raise LedgerBroken(f"{len(numbers)} entries for {len(window)} merges.")
    if set(ledger.featured) != featured:
        raise LedgerBroken("A featured merge is not of this window, or was not analysed.")
