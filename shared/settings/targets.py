"""Where digests are published, by alias: what the digest asks for and the publisher looks up."""

from __future__ import annotations

from dataclasses import dataclass

from shared.settings.model import Settings


@dataclass(frozen=True)
class Target:
    """One target of one channel; ``name`` is an alias that stays when the place moves, and is never a secret."""

    channel: str
    name: str = "default"


def publication_targets(_settings: Settings) -> tuple[Target, ...]:
    """Return every target that a digest is published to."""
    return (Target("files"),)
