"""The change type and what decides it."""

from __future__ import annotations

import pytest

from services.analyzer.examine import examine
from services.analyzer.rules import build_context
from shared.domain.taxonomy import ChangeType, Namespace
from shared.settings import RepositorySettings
from tests.builders import make_file, make_pull_request

CONTEXT = build_context(RepositorySettings(full_name="lumen/lumen"))
SOURCE = (make_file("lumen/core/engine.py", additions=40),)
TESTS = (make_file("tests/core/test_engine.py", additions=40),)


@pytest.mark.parametrize(
    ("title", "files", "expected"),
    [
        ("feat(api)!: drop the old client", SOURCE, "feat"),
        ("fix: keep order", SOURCE, "fix"),
        ("perf(core): one lookup less", SOURCE, "perf"),
        ("Fixed #36123 -- Made lookups lazy.", SOURCE, "fix"),
        ("🐛 fix: keep order", SOURCE, "fix"),
        ("[Bugfix] Keep order", SOURCE, "fix"),
        ("[Bugifx] Keep order", SOURCE, "fix"),
        ("[BugFix][Core] Keep order", SOURCE, "fix"),
        ("[Doc] How to keep order", (make_file("docs/order.md"),), "docs"),
        ("[CI/Build] Cache wheels", (make_file(".github/workflows/build.yml"),), "ci"),
        ("[CI/Build] Cache wheels", (make_file("Dockerfile"),), "build"),
        ("[Perf] Keep order", SOURCE, "perf"),
        ("[MoE Refactor] Combine runners", SOURCE, "refactor"),
        ("[Model] Support Heron", SOURCE, "feat"),
        ("[Model] Fix Heron", SOURCE, "fix"),
        ("[ROCm][CI] Fix a flaky case", TESTS, "ci"),
        ("[ROCm][CI] Fix the scale of the kernel", SOURCE, "fix"),
        ("[CI][Bugfix] Surface the output", TESTS, "ci"),
        ("[CI][Bugfix] Surface the output", SOURCE, "fix"),
        ("Fix typo in the guide", SOURCE, "docs"),
        ("Fix flaky start test", TESTS, "test"),
        ("Bump numpy from 2.1 to 2.2", (make_file("requirements.txt"),), "build"),
        ("Add support for sliding windows", SOURCE, "feat"),
        ("Add a cache and fix eviction", SOURCE, "feat"),
        ("Add a missing check to fix a crash", SOURCE, "fix"),
        ("Reduce memory usage of the cache", SOURCE, "perf"),
        ("Rename Engine to Motor", SOURCE, "refactor"),
        ("Prevent double starts", SOURCE, "fix"),
        ('Revert "Add sliding windows"', SOURCE, "revert"),
        ('Revert "Revert "Add sliding windows""', SOURCE, "feat"),
        ("net/http: handle empty writes", SOURCE, "fix"),
        ("[lamp] Lazily build the colour table", SOURCE, "perf"),
        ("[lamp] Preserve the hue of dimmed bulbs", SOURCE, "fix"),
        ("Narrow visibility of the bulb internals", SOURCE, "refactor"),
        ("Vendor latest bulbtables", (make_file("src/bulbtables/a.rs", additions=900),), "build"),
        ("Sync vendored colour tables with upstream", SOURCE, "build"),
        ("Diagnose a missing bulb", SOURCE, "feat"),
        ("Recognize halogen bulbs", SOURCE, "feat"),
        ("Improve dimming of halogen bulbs", SOURCE, "feat"),
        ("Correct the colour of cold bulbs", SOURCE, "fix"),
        ("Respect the limit of the fuse", SOURCE, "fix"),
        ("Reject negative brightness", SOURCE, "fix"),
        ("Avoid quadratic scans of the bulb list", SOURCE, "perf"),
        ("Avoid a second blink", SOURCE, "fix"),
        ("Reuse lookup buffers", SOURCE, "perf"),
        ("Reuse the parser of the other lamp", SOURCE, "refactor"),
        ("Shrink a bulb to 64 bytes", SOURCE, "perf"),
        ("Also suggest warm bulbs", SOURCE, "feat"),
        ("`lamp list` handles empty drawers", SOURCE, "fix"),
        ("lamp rack: wake sleepers when cleared", SOURCE, "fix"),
        ("Drawer.open(name) does not respect the lock", SOURCE, "fix"),
        ("Centralize fuse handling", SOURCE, "refactor"),
        ("Add support for crash reports", SOURCE, "feat"),
        ("Crash when the drawer is empty", SOURCE, "fix"),
        ("Move line ends into the test module", SOURCE, "refactor"),
        ("Fix tuple coverage of the drawer", SOURCE, "fix"),
        ("Enable clang-format on more files", SOURCE, "style"),
        ("4.6.0", SOURCE, "build"),
        ("Refactor docstrings into a model", SOURCE, "refactor"),
        ("Fix a docstring", SOURCE, "docs"),
        ("lamp-list: bump the blinker branch", SOURCE, "build"),
        ("Say how to report", (make_file(".github/SECURITY.md"),), "docs"),
        ("Add a cold case", (make_file("jmh-benchmarks/src/Cold.java"),), "test"),
        ("Add a cold case", (make_file("examples/cold.py"),), "docs"),
        ("MINOR: Fix the order of drawers", SOURCE, "fix"),
        ("MINOR: Cache drawer names", SOURCE, "perf"),
        ("chore: Fix the order of drawers", SOURCE, "chore"),
        ("Pin the blinker to the first slot", SOURCE, "feat"),
        ("Upgrade toml reader to v3", (make_file("Cargo.toml"), make_file("src/a.rs", additions=9)), "build"),
        ("Make the drawer order stable", (make_file("lumen/core/engine.py", additions=9), *TESTS), "fix"),
        ("Something about engines", (make_file("lumen/core/engine.py", additions=9), *TESTS), "fix"),
        ("Use the new table", (make_file("lumen/core/engine.py", additions=90),), "refactor"),
        ("Something about engines", (make_file("lumen/core/engine.py", additions=90, deletions=80),), "refactor"),
        ("Something about engines", SOURCE, "feat"),
        ("Something about engines", (make_file("lumen/core/engine.py"),), "chore"),
    ],
)
def test_change_type(title, files, expected):
    analysis = examine(make_pull_request(title=title, files=files), CONTEXT)

    assert analysis.change_type == expected
    (tag,) = [tag for tag in analysis.tags if tag.namespace is Namespace.TYPE]
    assert tag.evidence[0].why


@pytest.mark.parametrize(
    ("label", "expected"),
    [("bug", "fix"), ("kind/bug", "fix"), ("type: enhancement", "feat"), ("C-bug", "fix"), ("Performance", "perf")],
)
def test_a_label_outranks_the_words_of_the_title(label, expected):
    analysis = examine(make_pull_request(title="Validate the header", labels=(label,)), CONTEXT)

    assert analysis.change_type == expected


def test_a_label_set_by_path_yields_when_source_changed():
    files = (make_file("lumen/core/engine.py"), make_file("docs/engine.md"))
    analysis = examine(make_pull_request(title="Add an engine", labels=("documentation",), files=files), CONTEXT)

    assert analysis.change_type is ChangeType.FEAT


def test_lock_files_alone_are_build():
    analysis = examine(make_pull_request(title="Weekly refresh", files=(make_file("uv.lock"),)), CONTEXT)

    assert analysis.change_type is ChangeType.BUILD
