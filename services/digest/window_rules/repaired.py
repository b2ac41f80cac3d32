"""Marks what broke and was repaired: the merge that brought the fault, and the one that put it right."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from services.digest.membership import Membership
from services.digest.merges import Merge, by_number
from services.digest.relations import repairs, resolve
from shared.domain.analysis import Evidence, Tag
from shared.domain.taxonomy import Namespace, Risk, Trait

_DAY = 86_400


class Repaired:
    """``risk:broken-and-repaired`` on both ends, ``trait:repaired`` on what broke; only of links told as facts."""

    name = "repaired"

    def examine(self, merges: Sequence[Merge], earlier: Sequence[Merge]) -> Iterator[tuple[int, Tag]]:
        """Yield tags for each repairing merge of the window, and for what it repairs where that is of it too."""
        members = Membership(window=tuple(merges), earlier=tuple(earlier), elsewhere=(), late=())
        known = by_number((*members.background, *merges))
        window = {merge.number for merge in merges}
        causes: dict[int, list[int]] = {}
        fixes: dict[int, list[int]] = {}
        for relation in repairs(resolve(members)):
            causes.setdefault(relation.source, []).append(relation.to)
            fixes.setdefault(relation.to, []).append(relation.source)
        for number, broken in sorted(causes.items()):
            evidence = [
                _evidence(f"Repairs #{cause}", known, cause, number, "merged {} days before") for cause in broken
            ]
            yield number, self._tag(Namespace.RISK, Risk.BROKEN_AND_REPAIRED, evidence)
        for number, repairing in sorted(fixes.items()):
            if number in window:
                evidence = [_evidence(f"Repaired by #{fix}", known, number, fix, "{} days later") for fix in repairing]
                yield number, self._tag(Namespace.RISK, Risk.BROKEN_AND_REPAIRED, evidence)
                yield number, self._tag(Namespace.TRAIT, Trait.REPAIRED, evidence)

    def _tag(self, namespace: Namespace, value: Risk | Trait, evidence: Sequence[Evidence]) -> Tag:
        return Tag(namespace=namespace, value=value, rule=self.name, evidence=tuple(evidence))


def _evidence(what: str, known: Mapping[int, Merge], cause: int, fix: int, when: str) -> Evidence:
    if cause not in known or fix not in known:
        return Evidence(why=f"{what}.")
    return Evidence(why=f"{what}, {when.format(days_between(known[cause].merged_at, known[fix].merged_at))}.")


def days_between(earlier: datetime, later: datetime) -> str:
    """Return the days from ``earlier`` to ``later`` with one decimal."""
    return f"{(later - earlier).total_seconds() / _DAY:.1f}"
