"""What the rules must know of a source's repository: the operator's settings, and the repository's own files."""

from __future__ import annotations

from services.analyzer.own_settings import OwnSettings
from services.analyzer.rules.context import RuleContext
from services.cli.surroundings import now
from shared.domain.protocols import MergeSource
from shared.settings import Settings


def context_of(settings: Settings, source: MergeSource) -> RuleContext:
    """Return the rule context of the repository that ``source`` tells of; an own file that cannot be used is none."""
    return OwnSettings(settings, None, now).context(source.repository.full_name, source.conventions())
