"""What this week took back of what the digest before told by name."""

from __future__ import annotations

from collections.abc import Iterable

from services.digest.relations import repairs
from shared.domain.digest import Digest, DigestRelation
from shared.domain.taxonomy import FACT, RelationKind


def taken_back(relations: Iterable[DigestRelation], previous_digest: Digest | None) -> tuple[DigestRelation, ...]:
    """Return those of ``relations`` that revert or repair a key or featured merge of ``previous_digest``, one for each.

    A merge that was reverted is told as that alone; nothing without a digest before.
    """
    if previous_digest is None:
        return ()
    told = {key.number for key in previous_digest.key_pull_requests} | set(previous_digest.ledger.featured)
    known = list(relations)
    reverts = [one for one in known if one.kind is RelationKind.REVERTS and one.confidence >= FACT]
    found: dict[int, DigestRelation] = {}
    for one in (*reverts, *repairs(known)):
        if one.to in told:
            found.setdefault(one.to, one)
    return tuple(found[number] for number in sorted(found))
