"""What a channel is: it renders a digest for its medium (pure), and delivers what was rendered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from shared.domain.digest import Digest
from shared.settings import Settings


@dataclass(frozen=True)
class Rendered:
    """A digest in one language as this channel shows it: the text of each document by its name."""

    language: str
    documents: Mapping[str, str]


@dataclass(frozen=True)
class Issue:
    """One digest ready to be delivered: its values, the stored document byte for byte, and every language of it."""

    digest: Digest
    document: str
    rendered: tuple[Rendered, ...]


@dataclass(frozen=True)
class Receipt:
    """What the channel says of a delivery: its own id for it, and where it can be seen."""

    external_id: str | None = None
    url: str | None = None


class Channel(Protocol):
    """One kind of place where digests are published."""

    name: str
    """The slug: the name of the file, of the settings section, and in every list."""

    repeatable: bool
    """Whether delivering twice leaves the same as once; else a delivery of unknown outcome is held (R-80)."""

    def render(self, digest: Digest, language: str) -> Rendered:
        """Return the digest in ``language`` in this channel's form; the same digest gives the same text."""

    def deliver(self, issue: Issue, target: str, settings: Settings) -> Receipt:
        """Bring it to the target of that alias.

        Transient when it may succeed later, Postponed for an outage or limit of somebody else, Permanent when it
        never will; each within the channel's own deadline, well under a lease.
        """
