"""What readers must act on or know before they upgrade: facts of the diffs, and what is announced in words."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence

from services.digest.act_on_facts import FACT_KINDS, rows_of_facts
from services.digest.changed_value import changed_value
from services.digest.dependency_reach import is_dependency
from services.digest.gate import by_rules
from services.digest.judged_actions import judged_rows
from services.digest.merges import Merge, by_importance
from services.digest.reach import announced_to_users, deprecation_reaches, removal_reaches, told_to_users
from shared.domain.analysis import Evidence
from shared.domain.digest import MustAct
from shared.domain.taxonomy import ChangeType, Origin, Risk, Trait

MOST = 40
ENVIRONMENT_VARIABLE = "environment-variable"
VERSION_BUMP = "version-bump"
MIGRATION = "migration"
KINDS: dict[Risk | Trait, str] = {
    Trait.SECURITY_FIX: "security-fix",
    Risk.BREAKING_CHANGE: "breaking-change",
    Trait.NEW_DEFAULT: "new-default",
    Trait.REMOVAL: "removal",
    Trait.DEPRECATION: "deprecation",
    Risk.CONFIGURATION_CHANGE: "configuration-change",
    Risk.DEPENDENCY_CHANGE: "dependency-change",
}
"""Tags that ask readers to act, the most pressing first, and the kind of their row.

A change of a variable or of a database has a kind of its own, as has the one row of all bumps by bots.
"""

_OF_ONE_MERGE = 3
_PINS_OF_ONE_MERGE = 2
_PRESSING = {
    "security-fix": 60,
    "breaking-change": 50,
    "new-default": 40,
    "removal": 40,
    MIGRATION: 30,
    "deprecation": 25,
}
"""Points beside the importance, by which the rows are ordered."""
_TOLD_TO_USERS = 15
_DEPENDENCY_AT_MOST = 25
"""What the importance of its merge adds to a changed dependency: a large feature that also bumps a package is not why
anybody must act on the package."""
_FACTS_AT_MOST = 40
"""What the importance of its merge adds to a fact."""
_ANY = FACT_KINDS
_SAME = {
    "breaking-change": frozenset(
        ("new-default", "removal", "rename", "refusal", "new-requirement", "move", "toolchain")
    ),
    "security-fix": frozenset(("security",)),
    "new-default": frozenset(("new-default", "environment-variable")),
    "removal": frozenset(("removal", "rename", "move", "refusal")),
    "deprecation": frozenset(("deprecation", "removal")),
}
"""Kinds of facts that say what an announcement of this kind says; any fact, where a kind is not named."""
_NOT_FOR_READERS = frozenset((ChangeType.TEST, ChangeType.CI, ChangeType.DOCS))
_SETTING = re.compile(
    r"(?<![\w-])--[a-z]|\b(?:env\w*|option|flag|setting|config\w*|defaults?|arg)s?\b|[A-Z]_[A-Z]+=", re.IGNORECASE
)
"""A title about a setting; a constant in capitals alone may be anything."""
_SHOWN_BY_PATCH = frozenset((Risk.CONFIGURATION_CHANGE, Risk.DEPENDENCY_CHANGE))
"""Risks that a mere file name sets as well: of these only what names a change is told."""


def find_must_act(window: Iterable[Merge], undone: Collection[int]) -> tuple[MustAct, ...]:
    """Return all rows, the most pressing first: those of the rules, dependency bumps of bots as one row, the model's.

    Nothing that was taken back within the week is told, nor what only concerns tests, CI, documentation or the code of
    the project itself.
    """
    merges = tuple(window)
    ruled = _ruled([by_rules(merge) for merge in merges], undone)
    kinds: dict[int, set[str]] = {}
    for row in ruled:
        kinds.setdefault(row.number, set()).add(row.kind)
    return (*ruled, *judged_rows(merges, undone, kinds, _SAME))


def _ruled(window: Iterable[Merge], undone: Collection[int]) -> tuple[MustAct, ...]:
    rows: list[tuple[int, MustAct]] = []
    bumps: list[int] = []
    for merge in by_importance(window):
        if merge.number in undone or merge.has(Trait.DOCS_ONLY, Trait.TESTS_ONLY, Trait.BACKPORT):
            continue
        if merge.by_bot and not merge.has(Trait.SECURITY_FIX, Risk.BREAKING_CHANGE):
            bumps += [merge.number] if merge.has(Risk.DEPENDENCY_CHANGE, Trait.VERSION_BUMP) else []
        else:
            rows += _of_merge(merge)
    rows.sort(key=lambda pair: (-pair[0], pair[1].number))
    told = tuple(row for _, row in rows)
    return (*told, _bumps(sorted(bumps))) if bumps else told


def _of_merge(merge: Merge) -> list[tuple[int, MustAct]]:
    """What the diff says, and what is announced in words beside it: words of the same kind would say it twice."""
    told = [(points + min(merge.score, _FACTS_AT_MOST), row) for points, row in rows_of_facts(merge)]
    kinds = {row.kind for _, row in told}
    announced = [row for row in _rows(merge) if not (kinds & _SAME.get(row.kind, _ANY)) and not (kinds and row.old)]
    return told + [(_pressing(row, merge), row) for row in announced]


def shown_of(rows: Sequence[MustAct]) -> tuple[tuple[MustAct, ...], tuple[int, ...]]:
    """Return the rows that are shown, 40 at most, and the merges that have a row for which there was no room.

    The row of bumps is always shown; those of the model take the room that is left.
    """
    bumps = tuple(row for row in rows if row.kind == VERSION_BUMP)
    own = [row for row in rows if row.kind != VERSION_BUMP and row.origin is not Origin.MODEL]
    judged = [row for row in rows if row.origin is Origin.MODEL]
    room = MOST - len(bumps)
    left = max(room - len(own), 0)
    shown = (*own[:room], *bumps, *judged[:left])
    return shown, tuple(sorted({row.number for row in (*own[room:], *judged[left:])}))


def _pressing(row: MustAct, merge: Merge) -> int:
    if row.kind == KINDS[Risk.DEPENDENCY_CHANGE]:
        return min(merge.score, _DEPENDENCY_AT_MOST)
    return merge.score + _PRESSING.get(row.kind, 0) + (_TOLD_TO_USERS if told_to_users(merge) else 0)


def _rows(merge: Merge) -> Iterator[MustAct]:
    """The rows of one merge: the most pressing kinds first, each thing once, words only where no value is known."""
    told: set[str] = set()
    for value, kind in KINDS.items():
        tag = next((tag for tag in merge.tags if tag.value == value), None)
        evidence = sorted(tag.evidence, key=lambda one: changed_value(one.why) is None) if tag else []
        evidence = [one for one in evidence if _reaches(value, one, merge)]
        for one in evidence:
            row = _row(merge, kind, one)
            in_words = row.what == merge.pull_request.title
            most = _PINS_OF_ONE_MERGE if value == Risk.DEPENDENCY_CHANGE else _OF_ONE_MERGE
            if len(told) < most and row.what not in told and not (in_words and told):
                told.add(row.what)
                yield row


def _row(merge: Merge, kind: str, evidence: Evidence) -> MustAct:
    """A change that the patch shows is told with old and new; anything else in the words of the title."""
    change = changed_value(evidence.why)
    if change is None:
        return MustAct(
            number=merge.number,
            kind=MIGRATION if "migration" in evidence.why else kind,
            what=merge.pull_request.title,
            place=evidence.path,
        )
    if "environment variable" in change.subject:
        kind = ENVIRONMENT_VARIABLE if kind == KINDS[Risk.CONFIGURATION_CHANGE] else kind
    return MustAct(
        number=merge.number,
        kind=kind,
        old=change.old,
        new=change.new,
        what=change.subject,
        way_back=f"{change.setting}={change.old}" if change.setting and change.old and change.new else None,
        place=evidence.path,
    )


def _reaches(value: Risk | Trait, evidence: Evidence, merge: Merge) -> bool:
    """Whether what the tag ``value`` found concerns anybody but the authors."""
    if value is Trait.REMOVAL:
        return changed_value(evidence.why) is not None or removal_reaches(merge)
    if value is Trait.NEW_DEFAULT:
        return changed_value(evidence.why) is not None or announced_to_users(merge)
    if value is Trait.DEPRECATION:
        return deprecation_reaches(merge, evidence)
    return value not in _SHOWN_BY_PATCH or _names_a_change(evidence, merge)


def _names_a_change(evidence: Evidence, merge: Merge) -> bool:
    change = changed_value(evidence.why)
    if change is not None:
        return change.setting is not None or is_dependency(change, evidence, merge)
    if "migration" in evidence.why:
        return True
    if "dependency file" in evidence.why:
        return merge.change_type not in _NOT_FOR_READERS
    announced = evidence.quote is not None and _SETTING.search(merge.pull_request.title) is not None
    return announced and merge.change_type is not ChangeType.FIX and announced_to_users(merge)


def _bumps(numbers: list[int]) -> MustAct:
    others = ", ".join(f"#{number}" for number in numbers[1:])
    what = f"Dependency bumps by bots; also {others}" if others else "Dependency bump by a bot"
    return MustAct(number=numbers[0], kind=VERSION_BUMP, what=what)
