"""Small merges with real patches for the tests of claims."""

from __future__ import annotations

from typing import Any

from shared.claims.facts import KnownFacts, Tree
from shared.domain.pull_request import ChangedFile, PullRequest
from tests.builders import make_pull_request

LINES = (
    "@@ -10,4 +10,5 @@ class HarborMaster:",
    " import os",
    "-BERTH_LIMIT = 80000",
    '+BERTH_LIMIT = int(os.environ.get("HARBOR_BERTH_LIMIT", "90_000"))',
    "+DRIFT = dock.tide.measure(timeout=2.5)",
    " ",
    " def assign(self):",
    "@@ -40,3 +41,3 @@ def assign(self):",
    " # a ship waits, SHIP waits",
    '-    parser.add_argument("--quay-depth")',
    '+    parser.add_argument("--max-quay-depth", help="deepest quay")',
    "     return self.berths",
)
PATCH = "\n".join(LINES)
"""Line 11 of the old file and 11, 12 of the new one change; then 41 of the old and 42 of the new."""
PIN = "@@ -3,3 +3,3 @@\n FROM base\n-ARG PILOT=v1.4.2\n+ARG PILOT=v1.5.0\n RUN build"


def changed(path: str, patch: str | None, **overrides: Any) -> ChangedFile:
    """A file whose totals are those of its patch."""
    lines = (patch or "").split("\n")
    totals = {
        "additions": sum(line[:1] == "+" for line in lines),
        "deletions": sum(line[:1] == "-" for line in lines),
    }
    return ChangedFile(**({"filename": path, "patch": patch} | totals | overrides))


def merge(*files: ChangedFile, **overrides: Any) -> PullRequest:
    """A merge of these files, by default of two."""
    made = files or (changed("harbor/master.py", PATCH), changed("deploy/Dockerfile", PIN))
    return make_pull_request(**({"title": "Raise the pilot to v1.5.0-rc2", "files": made} | overrides))


def known(*files: ChangedFile, tree: Tree | None = None, **overrides: Any) -> KnownFacts:
    """The facts of ``merge``."""
    return KnownFacts(merge(*files, **overrides), tree)
