"""Marks what another merge of the same window undid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from services.digest.membership import Membership
from services.digest.merges import Merge
from services.digest.relations import resolve, undone
from shared.domain.analysis import Evidence, Tag
from shared.domain.taxonomy import Namespace, Trait


class Reverted:
    """``trait:reverted``: added and taken back within the week, so not shipped (C-19)."""

    name = "reverted"

    def examine(self, merges: Sequence[Merge], earlier: Sequence[Merge]) -> Iterator[tuple[int, Tag]]:
        """Yield a tag for each merge that a revert of the window names."""
        members = Membership(window=tuple(merges), earlier=tuple(earlier), elsewhere=(), late=())
        for revert, reverted in undone(merges, resolve(members)):
            why = f"Undone in the same week by #{revert}."
            yield (
                reverted,
                Tag(namespace=Namespace.TRAIT, value=Trait.REVERTED, rule=self.name, evidence=(Evidence(why=why),)),
            )
