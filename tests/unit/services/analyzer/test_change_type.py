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
