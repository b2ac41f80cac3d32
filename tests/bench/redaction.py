"""What blackening secrets takes for one MB of patches, beside one search with a regular expression."""

from __future__ import annotations

import re

from shared.redaction import redact
from tests.bench.measure import Measurement
from tests.bench.packing import huge_merge, taken
from tests.ordinary_patches import ordinary_patches

_LONG_WORDS = re.compile(r"[A-Za-z0-9+/_-]{20,}")
_SIZE = 1_000_000


def measure() -> list[Measurement]:
    """Blacken code, then what looks most like secrets: lock files, hashes, images, code about tokens."""
    code = "".join(file.patch or "" for file in huge_merge().files or ())[:_SIZE]
    suspects = "\n".join(patch for _, patch in ordinary_patches(_SIZE // 10_000))[:_SIZE]
    return [_beside("code", code), _beside("lock files, hashes, code about tokens", suspects)]


def _beside(what: str, text: str) -> Measurement:
    megabytes = len(text) / _SIZE
    seconds, baseline = taken(lambda: redact(text))[0], taken(lambda: _LONG_WORDS.findall(text))[0]
    return Measurement(
        f"redaction of a MB: {what}",
        seconds / megabytes * 1000,
        baseline / megabytes * 1000,
        "one search for long words",
        "ms",
    )
