"""Who is credited: every person once, under the newest name, however often it changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from services.digest.merges import Merge, in_order
from shared.domain.pull_request import Person
from shared.domain.text import fold


class Credits:
    """Joins accounts that share a numeric id, a login or, where only a name is known, that name (C-24, D-06)."""

    def __init__(self, merges: Sequence[Merge]) -> None:
        people = [person for merge in in_order(merges) for person in merge.pull_request.credited]
        self._parents: dict[str, str] = {}
        for person in people:
            self._join(_account_keys(person))
        owners: dict[str, set[str]] = {}
        for person in people:
            if person.name and (keys := _account_keys(person)):
                owners.setdefault(fold(person.name), set()).add(self._root(keys[0]))
        for name, accounts in owners.items():
            if len(accounts) == 1:  # a bare name counts as an account only where it cannot mean two
                self._join([f"name:{name}", *accounts])
        self._shown: dict[str, str] = {}
        for person in people:
            root = self._root_of(person)
            if person.login or root not in self._shown:
                self._shown[root] = person.shown

    def shown(self, person: Person) -> str:
        """The name under which ``person`` is credited in this digest."""
        return self._shown.get(self._root_of(person), person.shown)

    def of(self, merge: Merge) -> tuple[str, tuple[str, ...]]:
        """The author of ``merge``, and its co-authors without the author."""
        author = self.shown(merge.pull_request.user)
        others = dict.fromkeys(self.shown(person) for person in merge.pull_request.credited[1:])
        return author, tuple(name for name in others if name != author)

    def everybody(self, merges: Iterable[Merge]) -> tuple[str, ...]:
        """The human authors and co-authors of ``merges``, each once, sorted without case."""
        names = {self.shown(p) for merge in merges for p in merge.pull_request.credited if not p.is_bot}
        return tuple(sorted(names, key=lambda name: (fold(name), name)))

    def _root_of(self, person: Person) -> str:
        keys = _account_keys(person)
        return self._root(keys[0] if keys else f"name:{fold(person.shown)}")

    def _root(self, key: str) -> str:
        while (parent := self._parents.get(key, key)) != key:
            key = parent
        return key

    def _join(self, keys: Sequence[str]) -> None:
        roots = sorted({self._root(key) for key in keys})
        for root in roots[1:]:
            self._parents[root] = roots[0]


def _account_keys(person: Person) -> list[str]:
    keys = [f"id:{person.id}"] if person.id is not None else []
    return keys + ([f"login:{fold(person.login)}"] if person.login else [])


def bots_of(merges: Iterable[Merge]) -> tuple[int, ...]:
    """Return the numbers of the merges that bots wrote (C-23)."""
    return tuple(sorted(merge.number for merge in merges if merge.by_bot))


def count_of(merges: Sequence[Merge]) -> int:
    """Return how many people wrote ``merges``."""
    return len(Credits(merges).everybody(merges))
