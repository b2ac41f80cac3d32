"""Combines the findings of the rules into what an analysis says: change type, areas, importance, summary."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from services.analyzer.reading.reading import Reading
from shared.domain.analysis import Tag
from shared.domain.taxonomy import ChangeType, Namespace


def change_type_of(tags: Iterable[Tag]) -> ChangeType:
    """Return the change type that the tags carry; ``chore`` when none does."""
    return next((ChangeType(tag.value) for tag in tags if tag.namespace is Namespace.TYPE), ChangeType.CHORE)


def areas_of(tags: Sequence[Tag]) -> tuple[str, ...]:
    """Return the areas, primary first."""
    return tuple(tag.value for tag in tags if tag.namespace is Namespace.AREA)


def summary_of(reading: Reading) -> str:
    """Return the title as a sentence part: without prefix, brackets and references behind it."""
    return reading.title.text or f"#{reading.pull_request.number}"
