"""The closed vocabulary of tags: rules, texts, filters and documentation are all fed from here."""

from __future__ import annotations

from enum import StrEnum


class ChangeType(StrEnum):
    """The change types, in the words of Conventional Commits."""

    FEAT = "feat"
    FIX = "fix"
    PERF = "perf"
    REFACTOR = "refactor"
    DOCS = "docs"
    TEST = "test"
    BUILD = "build"
    CI = "ci"
    STYLE = "style"
    CHORE = "chore"
    REVERT = "revert"


class Namespace(StrEnum):
    """The part of a tag before the colon."""

    TYPE = "type"
    AREA = "area"
    RISK = "risk"
    TRAIT = "trait"


class Risk(StrEnum):
    """Values of the ``risk`` namespace; hot files and repairs are found only over a window of merges."""

    CORE_PATH = "core-path"
    MISSING_TESTS = "missing-tests"
    BREAKING_CHANGE = "breaking-change"
    DEPENDENCY_CHANGE = "dependency-change"
    CONFIGURATION_CHANGE = "configuration-change"
    SECURITY_SENSITIVE = "security-sensitive"
    LARGE_CHANGE = "large-change"
    REVERT = "revert"
    EMPTY_CHANGE = "empty-change"
    UNAPPROVED = "unapproved"
    CHANGES_REQUESTED = "changes-requested"
    UNRESOLVED_THREADS = "unresolved-threads"
    MERGED_IN_MINUTES = "merged-in-minutes"
    FAILING_CHECKS = "failing-checks"
    HOT_FILE = "hot-file"
    BROKEN_AND_REPAIRED = "broken-and-repaired"
    DATA_LOSS = "data-loss"
    WRONG_RESULTS = "wrong-results"
    CONCURRENCY = "concurrency"
    SLOWDOWN = "slowdown"
    RESOURCE_USE = "resource-use"


JUDGED_RISKS = (
    Risk.SECURITY_SENSITIVE,
    Risk.BREAKING_CHANGE,
    Risk.DATA_LOSS,
    Risk.WRONG_RESULTS,
    Risk.CONCURRENCY,
    Risk.SLOWDOWN,
    Risk.RESOURCE_USE,
)
"""What a model may judge: the last five are its alone; of the others, only what no rule can see more surely."""


class Trait(StrEnum):
    """Values of the ``trait`` namespace: what kind of merge this is, without a judgement."""

    BOT = "bot"
    VERSION_BUMP = "version-bump"
    BACKPORT = "backport"
    RELAND = "reland"
    SERIES = "series"
    STACKED = "stacked"
    MOVE_ONLY = "move-only"
    DOCS_ONLY = "docs-only"
    TESTS_ONLY = "tests-only"
    GENERATED_ONLY = "generated-only"
    SUBMODULE = "submodule"
    DEPRECATION = "deprecation"
    REMOVAL = "removal"
    NEW_DEFAULT = "new-default"
    SECURITY_FIX = "security-fix"
    ANNOUNCED_ONLY = "announced-only"
    """The title names something that the merged diff does not show."""
    FIRST_TIME_CONTRIBUTOR = "first-time-contributor"
    LONG_CONTESTED = "long-contested"
    """Took several rounds of review, or weeks of it with much said."""
    REVERTED = "reverted"
    """Undone by another merge of the same window; like ``hot-file`` found only over a window of merges."""
    REPAIRED = "repaired"
    """Broke something that another merge of the same window put right; found only over a window of merges."""


class KeyReason(StrEnum):
    """Why a pull request is a key one (digest standard, point 6)."""

    SECURITY = "security"
    MUST_ACT = "must-act"
    CONTRACT = "contract"
    ASSUMPTION = "assumption"
    DECISION = "decision"
    PERFORMANCE = "performance"


class ReviewOutcome(StrEnum):
    """What became of a request of the review, as far as plain words and the host's marks tell."""

    ASKED = "asked"
    """Nothing more is known: the outcome of everything that no rule is sure about."""
    REJECTED = "rejected"
    """The author declined it."""
    DEFERRED = "deferred"
    """Put off to a later change."""
    SETTLED = "settled"
    """Done, resolved, or taken back by the person who asked."""


class RelationKind(StrEnum):
    """How one pull request refers to another."""

    REVERTS = "reverts"
    RELANDS = "relands"
    BACKPORTS = "backports"
    STACKED_ON = "stacked-on"
    CONTINUES = "continues"
    SAME_COMMIT = "same-commit"
    REPAIRS = "repairs"
    """What an earlier merge broke is put right; certain only from 0.8 on (``FACT``)."""
    FOLLOWS_UP = "follows-up"
    """Goes on with fresh code of an earlier merge, without a word of a fault."""


FACT = 0.8
"""The confidence from which on a relation is told as a fact; below it is kept for those who read the data."""


class Origin(StrEnum):
    """Who set a tag; people outrank rules, rules outrank the model."""

    RULE = "rule"
    MODEL = "model"
    MAINTAINER = "maintainer"


CLOSED_VALUES: dict[Namespace, frozenset[str]] = {
    Namespace.TYPE: frozenset(ChangeType),
    Namespace.RISK: frozenset(Risk),
    Namespace.TRAIT: frozenset(Trait),
}
"""The allowed values of each closed namespace; areas are open, they come from the repository."""
