"""What only a window of merges shows: one rule a file, listed in ``WINDOW_RULES``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Protocol

from services.digest.merges import Merge
from services.digest.window_rules.hot_file import HotFile
from services.digest.window_rules.repaired import Repaired
from services.digest.window_rules.reverted import Reverted
from services.digest.window_rules.series import Series
from shared.domain.analysis import Tag


class WindowRule(Protocol):
    """Examines the merges of a window together; pure."""

    @property
    def name(self) -> str:
        """The slug under which its tags say that it set them."""

    def examine(self, merges: Sequence[Merge], earlier: Sequence[Merge]) -> Iterable[tuple[int, Tag]]:
        """Yield (number, tag) for merges of the window; ``earlier`` is the week before, possibly empty."""


WINDOW_RULES: tuple[WindowRule, ...] = (HotFile(), Series(), Reverted(), Repaired())
"""Every rule; to add one, write its file and name it here."""

__all__ = ["WINDOW_RULES", "WindowRule"]
