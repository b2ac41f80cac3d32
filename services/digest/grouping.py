"""Joins numbers that belong together, whatever the order in which the joints are found."""

from __future__ import annotations

from collections.abc import Iterable


def joined(pairs: Iterable[tuple[int, int]]) -> tuple[tuple[int, ...], ...]:
    """Return the connected groups of ``pairs``, each sorted, sorted by their first member."""
    parents: dict[int, int] = {}
    for one, other in pairs:
        first, second = sorted((_root(parents, one), _root(parents, other)))
        parents[second] = first
    groups: dict[int, list[int]] = {}
    for member in parents.keys() | set(parents.values()):
        groups.setdefault(_root(parents, member), []).append(member)
    return tuple(sorted(tuple(sorted(members)) for members in groups.values() if len(members) > 1))


def _root(parents: dict[int, int], member: int) -> int:
    while (parent := parents.get(member, member)) != member:
        parents[member] = parents.get(parent, parent)
        member = parent
    return member
