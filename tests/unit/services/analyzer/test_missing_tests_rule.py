"""Missing tests: fired from the whole file list, silent wherever a test may be."""

from __future__ import annotations

import pytest

from shared.domain.taxonomy import Risk
from tests.builders import make_file
from tests.unit.services.analyzer.examined import CODE, added, analysed


@pytest.mark.parametrize(
    ("source", "test"),
    [
        ("lumen/a.py", "tests/test_a.py"),
        ("src/a.cu", "tests/a_test.cpp"),
        ("crates/a/src/a.rs", "crates/a/tests/a.rs"),
        ("pkg/a/a.go", "pkg/a/a_test.go"),
        ("packages/a/src/a.ts", "packages/a/src/a.test.ts"),
        ("src/main/java/A.java", "src/test/java/ATest.java"),
        ("app/models/a.rb", "spec/models/a_spec.rb"),
        ("src/A.cs", "src/A.Tests/AFixture.cs"),
        ("Sources/A/A.swift", "Tests/ATests/ATests.swift"),
        ("src/A.php", "tests/ATest.php"),
        ("bin/a.sh", "test/a.bats"),
    ],
)
def test_missing_tests_knows_each_language(source, test):
    assert analysed(source).has(Risk.MISSING_TESTS)
    assert not analysed(source, test).has(Risk.MISSING_TESTS)


@pytest.mark.parametrize(
    ("name", "overrides"),
    [
        ("payload only", {"files": None, "changed_files": 3}),
        ("cut file list", {"changed_files": 4200}),
        ("revert", {"title": 'Revert "Add a queue"'}),
        ("docs", {"files": (make_file("docs/a.md", additions=90),)}),
        ("generated", {"files": (make_file("lumen/api_pb2.py", additions=90),)}),
        ("vendored", {"files": (make_file("third_party/x/a.py", additions=90),)}),
        ("pure deletion", {"files": (make_file("lumen/a.py", additions=0, deletions=90),)}),
        (
            "pure rename",
            {"files": (make_file("b.py", status="renamed", previous_filename="a.py", additions=0, deletions=0),)},
        ),
        ("comments", {"files": (make_file("lumen/a.py", additions=30, patch=added(*["# a remark"] * 30)),)}),
        ("settings", {"files": (make_file("config/a.yml", additions=30),)}),
        ("small", {"files": (make_file("lumen/a.py", additions=3),)}),
        ("snapshot", {"files": (make_file("lumen/a.py", additions=30), make_file("lumen/snapshots/a.snap"))}),
        ("mdtest", {"files": (make_file("src/a.rs", additions=30), make_file("src/resources/mdtest/a.md"))}),
        ("testdata", {"files": (make_file("pkg/a.go", additions=30), make_file("pkg/testdata/in.txt"))}),
        ("golden", {"files": (make_file("pkg/a.go", additions=30), make_file("pkg/golden/a.json"))}),
        ("type test", {"files": (make_file("src/a.ts", additions=30), make_file("dts-test/a.test-d.tsx"))}),
        ("script", {"files": (make_file("scripts/a.py", additions=30),)}),
        ("refactoring", {"title": "Simplify the queue", "files": (make_file("lumen/a.py", additions=30),)}),
        (
            "moved between files",
            {
                "files": (
                    make_file("lumen/a.py", additions=20, patch=CODE),
                    make_file("lumen/b.py", deletions=20, patch=CODE.replace("\n+", "\n-")),
                )
            },
        ),
        (
            "rust within tests",
            {"files": (make_file("src/a.rs", additions=20, patch=CODE.replace("@@\n", "@@ mod tests {\n")),)},
        ),
        (
            "rust inside",
            {"files": (make_file("src/a.rs", additions=30, patch=added("#[cfg(test)]", *["let a = 1;"] * 30)),)},
        ),
    ],
)
def test_missing_tests_is_silent_for(name, overrides):
    assert not analysed("lumen/a.py", **overrides).has(Risk.MISSING_TESTS), name
