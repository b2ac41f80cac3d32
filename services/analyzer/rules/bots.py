"""Bots, told by the author alone (C-17, C-23), and version bumps."""

from __future__ import annotations

import re
from collections.abc import Iterable

from services.analyzer.reading.paths import FileKind
from services.analyzer.reading.reading import Reading
from services.analyzer.rules.context import RuleContext
from services.analyzer.rules.tags import quoted, trait_tag
from shared.domain.analysis import Evidence, Tag
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import Trait

name = "bots"

MOST_SOURCE_LINES = 20
"""A bump that changes more source than this is a migration, not a bump."""
_BUMP = re.compile(
    (
        r"^(?:bump|upgrade|update|pin|unpin|roll|downgrade)s?\b.{0,100}?(?:\d+\.\d[\w.+-]*|\bv\d+\b|"
        r"\bto (?:the )?latest\b|\bversions?\b|\bdependenc\w+|\bdeps\b|"
        r"\block ?files?\b|\brequirements?\b|\bsubmodules?\b|\bdigest\b|\b[0-9a-f]{7,40}\b)|"
        r"^lock file maintenance|^(?:(?:prepare|cut|start)\b.{0,40}|release )\bv?\d+\.\d|^(?:bump|set) version"
    ),
    re.IGNORECASE,
)
_DEPENDENCY_SCOPES = frozenset({"deps", "deps-dev", "dependencies", "dev-deps", "dep"})
_BUMP_KINDS = frozenset(
    {
        FileKind.BUILD,
        FileKind.GENERATED,
        FileKind.VENDORED,
        FileKind.SUBMODULE,
        FileKind.CI,
        FileKind.CONFIGURATION,
        FileKind.DOCS,
        FileKind.DATA,
    }
)


def examine(pull_request: PullRequest, context: RuleContext) -> Iterable[Tag]:
    """Yield ``trait:bot`` for an author that is an app, and ``trait:version-bump``."""
    reading = context.read(pull_request)
    if pull_request.user.is_bot:
        yield trait_tag(name, Trait.BOT, [Evidence(why=f"the author {pull_request.user.shown} is an app or a bot")])
    bump = version_bump(reading)
    if bump is not None:
        yield trait_tag(
            name, Trait.VERSION_BUMP, [Evidence(why="the title says so and little source changed", quote=quoted(bump))]
        )


def version_bump(reading: Reading) -> str | None:
    """Return the words of the title that say that a version is bumped, None when nothing but that is not the case."""
    scoped = (reading.title.scope or "").casefold() in _DEPENDENCY_SCOPES
    found = _BUMP.match(reading.title.words) or (re.match(r".{1,80}", reading.title.raw) if scoped else None)
    return found[0] if found and _nothing_but_a_bump(reading) else None


def _nothing_but_a_bump(reading: Reading) -> bool:
    if not reading.files:
        return True
    carries = any(file.kind in _BUMP_KINDS or file.path.manifest for file in reading.files)
    return carries and reading.source_lines <= MOST_SOURCE_LINES
