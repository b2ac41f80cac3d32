"""Patches without secrets reach the model as they are: at most one in a hundred is touched on the way (R-71)."""

from __future__ import annotations

from services.analyzer.packing import pack
from tests.builders import make_analysis, make_file, make_pull_request
from tests.ordinary_patches import KINDS, ordinary_patches

ROOM = 4_000


def test_r71_at_most_one_in_a_hundred_ordinary_patches_is_touched_by_packing() -> None:
    patches = ordinary_patches(rounds=40)
    touched = []
    for kind, patch in patches:
        packed = pack(make_pull_request(files=(make_file("lumen/core/engine.py", patch=patch),)), make_analysis(), ROOM)
        if packed.seen.redacted or "[redacted:" in packed.document:
            touched.append(kind)

    assert len(patches) >= 1000
    assert len(KINDS) >= 25
    assert len(touched) <= len(patches) // 100, touched
