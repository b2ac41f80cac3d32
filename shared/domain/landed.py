"""Pull requests that a bot merges by a push: the host shows them as closed, and the operator says how to tell."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from shared.domain.text import fold
from shared.domain.value import Value


class Landed(Value):
    """What makes a closed pull request a merge: one of these labels, or one of these logins that closed it.

    Both are kept as they are compared: NFC, case folded.
    """

    labels: frozenset[str] = frozenset()
    by: frozenset[str] = frozenset()

    @classmethod
    def of(cls, labels: Iterable[str], by: Iterable[str]) -> Landed:
        """Return the value for labels and logins as they were written."""
        return cls(labels=frozenset(map(fold, labels)), by=frozenset(map(fold, by)))

    def by_label(self, labels: Iterable[str]) -> bool:
        """Whether one of ``labels`` says so."""
        return bool(self.labels) and any(fold(label) in self.labels for label in labels)

    def by_login(self, login: str | None) -> bool:
        """Whether that ``login`` closed it says so."""
        return login is not None and fold(login) in self.by


LandedOf = Callable[[str], Landed]
"""Returns how landed pull requests of a repository, by its full name, are told."""

_NOTHING = Landed()


def nothing_landed(_full_name: str) -> Landed:
    """Closed is not merged (C-09): no repository has a bot that merges by a push."""
    return _NOTHING
