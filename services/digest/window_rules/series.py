"""Marks the parts of a numbered series that has at least two parts in sight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from services.digest.merges import Merge
from services.digest.series import find_series
from shared.domain.analysis import Evidence, Tag
from shared.domain.taxonomy import Namespace, Trait


class Series:
    """``trait:series``: titles with one stem and a part number, such as ``[3/7]``."""

    name = "series"

    def examine(self, merges: Sequence[Merge], earlier: Sequence[Merge]) -> Iterator[tuple[int, Tag]]:
        """Yield a tag for each merge of the window that is a part."""
        window = {merge.number for merge in merges}
        for series in find_series((*earlier, *merges)):
            for number in series.numbers:
                if number in window:
                    others = ", ".join(f"#{other}" for other in series.numbers if other != number)
                    evidence = Evidence(why=f"Part of the series “{series.title}” with {others}.")
                    yield (
                        number,
                        Tag(namespace=Namespace.TRAIT, value=Trait.SERIES, rule=self.name, evidence=(evidence,)),
                    )
