"""What recommendations are made from and judged by: one week, looked at as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from services.digest.membership import Membership
from services.digest.merges import Merge, by_number
from services.digest.paths import is_source, is_test
from shared.domain.analysis import Tag
from shared.domain.digest import DigestRelation
from shared.domain.taxonomy import ChangeType, RelationKind, Risk

_EVERYWHERE = frozenset(
    ("__init__", "init", "utils", "util", "helpers", "common", "config", "main", "index", "mod", "lib", "base", "types")
)
_ENDINGS_OF_TESTS = ("_test", "_tests", "_spec", ".test", ".spec", "-test", "tests", "test", "spec")


@dataclass(frozen=True)
class Findings:
    """The merges of a digest with what was found out about them."""

    members: Membership
    relations: Sequence[DigestRelation]
    cancelled: frozenset[int]
    """Merges that were undone within the window, and what undid them."""
    acting: frozenset[int]
    """Merges that ask readers to act."""
    key: Sequence[Merge]
    featured: Sequence[Merge]

    @property
    def reverts(self) -> dict[int, int]:
        """Revert → what it takes back, for the reverts of this window.

        Of several numbers that a revert names it is a merge of the two weeks, else the lowest: an issue about what the
        merge broke is younger than the merge.
        """
        known = by_number((*self.members.background, *self.members.window))
        named = [one for one in self.relations if one.kind is RelationKind.REVERTS]
        named.sort(key=lambda one: (one.to in known, -one.to))
        return {one.source: one.to for one in named}

    @property
    def relanded(self) -> frozenset[int]:
        """What came back in this window: merges whose re-land, or the revert of whose revert, landed."""
        reverts = self.reverts
        back = {one.to for one in self.relations if one.kind is RelationKind.RELANDS}
        back |= {to for to in reverts.values() if to in reverts}
        return frozenset(back | {reverts[number] for number in back if number in reverts})

    def merge(self, number: int) -> Merge | None:
        """The merge of either week with this number."""
        return by_number((*self.members.background, *self.members.window)).get(number)

    def hot_files(self) -> dict[str, tuple[int, ...]]:
        """Each hot file of the window with the merges that were marked for it."""
        found: dict[str, list[int]] = {}
        for merge in self.members.window:
            for evidence in _hot(merge):
                found.setdefault(evidence, []).append(merge.number)
        return {path: tuple(numbers) for path, numbers in sorted(found.items())}

    def fixes_of(self, path: str) -> tuple[int, ...]:
        """The fixes of both weeks that changed ``path``."""
        return tuple(
            merge.number
            for merge in (*self.members.background, *self.members.window)
            if merge.change_type is ChangeType.FIX and path in changed_paths(merge)
        )


def changed_paths(merge: Merge) -> frozenset[str]:
    """Return the paths that ``merge`` changed, as far as they are known."""
    return frozenset(file.filename for file in merge.pull_request.files or ())


def tested_by(source: Merge, later: Merge) -> bool:
    """Whether ``later`` adds to tests of what ``source`` changed: tests that are named like a source of it.

    Names that every project has many of (``utils``, ``index``) prove nothing.
    """
    sources = {path for path in changed_paths(source) if is_source(path)}
    stems = {_stem(path) for path in sources} - _EVERYWHERE
    tests = [file.filename for file in later.pull_request.files or () if file.additions and is_test(file.filename)]
    return any(_stem(path) in stems for path in tests)


def _stem(path: str) -> str:
    name = path.rpartition("/")[2].partition(".")[0].lower().removeprefix("test_")
    for ending in _ENDINGS_OF_TESTS:
        if name.endswith(ending) and name != ending:
            return name.removesuffix(ending)
    return name


def _hot(merge: Merge) -> list[str]:
    tag: Tag | None = merge.analysis.risk(Risk.HOT_FILE) if merge.analysis else None
    return [evidence.path for evidence in tag.evidence if evidence.path] if tag else []
