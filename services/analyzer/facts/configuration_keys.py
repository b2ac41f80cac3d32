"""Keys of shipped configuration files: added, removed, renamed, with another value."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial

from services.analyzer.facts.change import Change, FileChange
from services.analyzer.facts.configuration_lines import keys
from services.analyzer.facts.items import Found, Item, changed_items, place_of
from services.analyzer.facts.sides import Side
from services.analyzer.facts.statements import Statement
from services.analyzer.facts.surfaces import tooling
from services.analyzer.reading.paths import FileKind
from shared.domain.facts import Fact, FactKind, Reach, Subject

name = "configuration-keys"

MOST_KEYS = 12
"""Of one file; more is a mass change, which one fact sums up."""
MOST_LINES = 400
"""Changed lines of one file; more is no change that people made key by key."""
_KINDS = frozenset({FileKind.CONFIGURATION, FileKind.BUILD, FileKind.DATA, FileKind.OTHER, FileKind.SOURCE})
_DEPLOYED = re.compile(r"(?:^|/)(?:values(?:[.-][\w.-]{1,40})?\.ya?ml|(?:docker-)?compose[\w.-]{0,40}\.ya?ml)$")
_SHIPPED = re.compile(
    r"(?:^|/)(?:(?:[\w.-]{1,60}[._-])?(?:defaults?|config|configuration|settings|application)(?:[._-][\w-]{1,40})?"
    r"\.(?:ya?ml|toml|json5?|ini|conf|cfg|properties)|conf(?:ig)?s?/[\w.-]{1,60}\.(?:ya?ml|toml|ini|conf|cfg|properties)|"
    r"[\w.-]{0,60}env\.(?:example|sample|template|defaults?)|[\w.-]{1,60}\.(?:conf|ini|properties))$"
)
_OF_TOOLS = re.compile(
    r"(?:^|/)(?:\.|(?:tsconfig|jsconfig|jest|vite|webpack|babel|eslint|prettier|tailwind|postcss|next|nuxt|rollup|cypress|"
    r"playwright|karma|mkdocs|pytest|tox|mypy|setup|flake8|pylint|ruff|clippy|rustfmt|deny|buf|lerna|nx|turbo|renovate|"
    r"commitlint|stylelint|typedoc|vitest|knip|cspell|codecov|sonar|gradle|log4j|logback|crowdin)[\w.-]{0,60}$)"
)
_OTHER_FOLDERS = frozenset(
    {"crd", "crds", "bundle", "manifests", "locales", "locale", "i18n", "fixtures", "results", "dashboards"}
)


def read(change: Change) -> Iterable[Fact]:
    """Yield the facts: a key is named by its path in the file (``server.port``), as far as the patch shows it."""
    for file in change.product:
        if _shipped(file) and len(file.before.changed) + len(file.after.changed) <= MOST_LINES:
            facts = list(changed_items(change, _declared, [file], partial(_finish, file)))
            yield from facts if len(facts) <= MOST_KEYS else [_summed(file, facts)]


def _shipped(file: FileChange) -> bool:
    path = file.reading.path
    if (
        file.kind not in _KINDS
        or path.manifest
        or path.lock
        or path.toolchain
        or file.new
        or file.gone
        or tooling(file)
    ):
        return False
    if _OF_TOOLS.search(path.folded) or not _OTHER_FOLDERS.isdisjoint(path.folded.split("/")):
        return False
    return _DEPLOYED.search(path.folded) is not None or _SHIPPED.search(path.folded) is not None


def _declared(_: FileChange, side: Side, statement: Statement) -> Iterator[Item]:
    for line in statement.lines:
        if line.changed:
            for path, value in keys(side, line):
                yield Item(Subject.CONFIGURATION_KEY, path, value, line, mention=path)


def _finish(file: FileChange, fact: Fact, old: Found | None, _: Found | None) -> Fact:
    deployed = _DEPLOYED.search(file.reading.path.folded) is not None
    back = fact.new if fact.kind is FactKind.RENAMED else None
    if fact.kind is FactKind.DEFAULT_CHANGED and old and old.item.value:
        back = f"{fact.name}: {old.item.value}"
    return fact.model_copy(
        update={
            "reach": Reach.BUILDERS if deployed else Reach.PUBLIC,
            "reach_why": "how it is deployed" if deployed else "shipped configuration",
            "way_back": back,
        }
    )


def _summed(file: FileChange, facts: list[Fact]) -> Fact:
    counted = {kind: sum(fact.kind is kind for fact in facts) for kind in FactKind}
    told = ", ".join(f"{number} {kind.value}" for kind, number in counted.items() if number)
    first = next(iter(file.after.changed or file.before.changed))
    place = place_of(file.path, first)
    return Fact(
        kind=FactKind.CHANGED,
        subject=Subject.CONFIGURATION_KEY,
        name=file.path,
        before=None if file.after.changed else place,
        after=place if file.after.changed else None,
        reach=facts[0].reach,
        reach_why=facts[0].reach_why,
        note=f"many keys at once: {told}",
    )
