"""Cuts the tree of changed folders into parts of readable size."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

_SMALLEST_SHARE = 0.015
_SMALLEST = 2


@dataclass(frozen=True)
class TreeCut:
    """Folders, none of them the parent of all; each path belongs to the deepest one that holds it."""

    folders: frozenset[str]

    def part_of(self, folder: str) -> str | None:
        """The part that holds ``folder``, or None when no part does."""
        while folder not in self.folders:
            if not folder:
                return None
            folder = folder.rpartition("/")[0]
        return folder


def cut(folders: Mapping[int, Collection[str]], most: int, largest: float) -> TreeCut:
    """Return at most ``most`` parts for the folders of each merge.

    Starting from the root, the part with the most merges is split into its folders again and again, while it holds
    more than the share ``largest`` of all merges and there is room; what lies in no large enough folder stays with it.
    """
    total = max(len(folders), 1)
    smallest = max(_SMALLEST, total * _SMALLEST_SHARE)
    held = _held(folders)
    parts: set[str] = {""}
    settled: set[str] = set()
    while True:
        sizes = _sizes(parts, folders)
        splittable = [part for part in parts - settled if sizes[part] > total * largest]
        if not splittable:
            return TreeCut(folders=frozenset(part for part in parts if part))
        part = min(splittable, key=lambda one: (-sizes[one], one))
        children = [
            child
            for child in held
            if child and child.rpartition("/")[0] == part and child not in parts and len(held[child]) >= smallest
        ]
        children.sort(key=lambda child: (-len(held[child]), child))
        room = most - len(parts) + 1  # the root is in parts, and is none in the end
        if len(children) > room or not children:
            settled.add(part)
        parts.update(children[:room])


def _held(folders: Mapping[int, Collection[str]]) -> dict[str, set[int]]:
    """Each folder with the merges below it."""
    held: dict[str, set[int]] = {}
    for number, own in folders.items():
        for folder in own:
            path = folder
            while True:
                held.setdefault(path, set()).add(number)
                if not path:
                    break
                path = path.rpartition("/")[0]
    return held


def _sizes(parts: Collection[str], folders: Mapping[int, Collection[str]]) -> Counter[str]:
    """How many merges have a folder in each part."""
    now = TreeCut(folders=frozenset(parts))
    homes = {folder: now.part_of(folder) for own in folders.values() for folder in set(own)}
    return Counter(home for own in folders.values() for home in {homes[folder] for folder in own} if home is not None)
