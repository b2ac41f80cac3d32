"""Makes the whole digest of a week from its merges: data, then words, then what must hold of words of a model; pure."""

from __future__ import annotations

from collections.abc import Sequence

from services.digest.aggregate import aggregate
from services.digest.frame import Frame
from services.digest.gate import is_sound
from services.digest.merges import Merge
from services.digest.narrate import narrate
from services.digest.net import caught, without
from shared.domain.digest import Digest


def tell(
    merges: Sequence[Merge],
    frame: Frame,
    languages: Sequence[str],
    *,
    earlier: Sequence[Merge] | None = None,
    late: Sequence[Merge] = (),
    previous_digest: Digest | None = None,
) -> Digest:
    """Return the digest of ``frame``'s week in each of ``languages``; the merges are those of ``aggregate``.

    With a model it is told only as far as its words hold to the last check, and only when the whole is sound; else
    rules alone make it, and it says so. InvalidInput when a language has no locale.
    """
    made = aggregate(merges, frame, earlier=earlier, late=late, previous_digest=previous_digest)
    told = _told(made, languages)
    if told.provenance.mode == "rules" or is_sound(told):
        return told
    alone = aggregate(merges, frame, earlier=earlier, late=late, previous_digest=previous_digest, refused="rubric")
    return narrate(alone, languages)


def _told(made: Digest, languages: Sequence[str]) -> Digest:
    """The digest in words without what is caught in them: each round takes claims away, so there is a last one."""
    told = narrate(made, languages)
    while texts := caught(told):
        made = without(made, texts)
        told = narrate(made, languages)
    return told
