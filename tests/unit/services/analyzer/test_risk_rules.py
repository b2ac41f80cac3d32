"""Risks: each with what fires it and the look-alikes that must not."""

from __future__ import annotations

import pytest

from services.analyzer.examine import examine
from services.analyzer.rules import build_context
from shared.domain.taxonomy import Risk, Trait
from shared.settings import RepositorySettings
from tests.builders import make_file, make_pull_request

CONTEXT = build_context(RepositorySettings(full_name="lumen/lumen"))


def added(*lines, gone=()):
    return "@@ -1,9 +1,9 @@\n" + "\n".join([*(f"-{line}" for line in gone), *(f"+{line}" for line in lines)])


def analysed(*files, context=CONTEXT, **overrides):
    made = tuple(make_file(file, additions=40) if isinstance(file, str) else file for file in files)
    return examine(make_pull_request(**({"title": "Add a queue", "files": made} | overrides)), context)


CODE = added(*(f"value_{number} = {number}" for number in range(20)))


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
        (
            "rust inside",
            {"files": (make_file("src/a.rs", additions=30, patch=added("#[cfg(test)]", *["let a = 1;"] * 30)),)},
        ),
    ],
)
def test_missing_tests_is_silent_for(name, overrides):
    assert not analysed("lumen/a.py", **overrides).has(Risk.MISSING_TESTS), name


def test_core_paths_of_the_settings_replace_the_general_notion():
    context = build_context(
        RepositorySettings(full_name="lumen/lumen", core_paths=("lumen/money/**", "!lumen/money/docs/**"))
    )

    assert analysed("lumen/money/a.py", context=context).has(Risk.CORE_PATH)
    assert not analysed("lumen/money/docs/a.py", "lumen/engine/a.py", context=context).has(Risk.CORE_PATH)


@pytest.mark.parametrize(
    ("path", "core"),
    [
        ("lumen/engine/run.py", True),
        ("src/scheduler.go", True),
        ("src/main.rs", True),
        ("include/lumen/api.h", True),
        ("api/lumen.proto", True),
        ("src/components/button.tsx", False),
        ("tests/engine/test_run.py", False),
        ("docs/engine/run.md", False),
        ("examples/engine/run.py", False),
        ("third_party/engine/run.c", False),
    ],
)
def test_core_path_without_settings(path, core):
    assert analysed(path).has(Risk.CORE_PATH) is core


@pytest.mark.parametrize(
    "overrides",
    [
        {"title": "feat(api)!: new client"},
        {"title": "[Breaking] New client"},
        {"labels": ("Breaking-Change",)},
        {"labels": ("semver-major",)},
        {"body": "BREAKING CHANGE: the old client is gone"},
        {"body": "- [x] Breaking change (fix or feature that breaks)"},
        {"title": "Remove support for Python 3.9"},
        {"title": "Drop deprecated options"},
        {"title": "Require C++20 for the headers"},
        {"title": "Make a backwards-incompatible change to the format"},
    ],
)
def test_breaking_changes_are_told_with_their_words(overrides):
    tag = analysed("lumen/a.py", **overrides).risk(Risk.BREAKING_CHANGE)

    assert tag is not None
    assert tag.evidence[0].quote


@pytest.mark.parametrize(
    "overrides",
    [
        {"body": "- [ ] Breaking change"},
        {"body": "- [x] Bug fix (non-breaking change which fixes an issue)"},
        {"body": "## Breaking changes\n\nNone"},
        {"body": "BREAKING CHANGE: none"},
        {"body": "This is not a breaking change."},
        {"title": "Remove unused support code"},
        {"title": "Drop test support for Python 3.9", "files": (make_file("tests/a.py"),)},
    ],
)
def test_no_breaking_change_is_invented(overrides):
    assert not analysed("lumen/a.py", **overrides).has(Risk.BREAKING_CHANGE)


@pytest.mark.parametrize(
    ("path", "old", "new", "why"),
    [
        ("requirements.txt", "numpy==2.1.0", "numpy==2.2.0", "numpy: 2.1.0 → 2.2.0"),
        ("web/package.json", '"react": "^18.2.0",', '"react": "^19.0.0",', "react: ^18.2.0 → ^19.0.0"),
        ("Cargo.toml", 'serde = "1.0"', 'serde = { version = "1.1" }', "serde: 1.0 → 1.1"),
        ("go.mod", "\tgolang.org/x/net v0.1.0", "\tgolang.org/x/net v0.2.0", "golang.org/x/net: v0.1.0 → v0.2.0"),
        ("pyproject.toml", '"httpx>=0.27",', '"httpx>=0.28",', "httpx: >=0.27 → >=0.28"),
        ("Dockerfile", "FROM python:3.11-slim", "FROM python:3.13-slim", "python: 3.11-slim → 3.13-slim"),
    ],
)
def test_dependency_changes_tell_old_and_new(path, old, new, why):
    tag = analysed(make_file(path, patch=added(new, gone=(old,)))).risk(Risk.DEPENDENCY_CHANGE)

    assert tag is not None
    assert why in tag.evidence[0].why
    assert tag.evidence[0].path == path


@pytest.mark.parametrize(
    ("path", "line"),
    [
        ("pyproject.toml", "line-length = 120"),
        ("pyproject.toml", 'description = "A lamp"'),
        ("package.json", '"build": "node scripts/build.js 1.2",'),
        ("Dockerfile", "COPY . /app"),
        ("Cargo.toml", 'version = "1.2.3"'),
    ],
)
def test_other_lines_of_a_manifest_change_no_dependency(path, line):
    assert not analysed(make_file(path, patch=added(line))).has(Risk.DEPENDENCY_CHANGE)


def test_c44_a_submodule_pointer_is_a_dependency_change_with_short_ids():
    pointer = make_file("third_party/heron", submodule=("a" * 40, "b" * 40), additions=1, deletions=1)
    analysis = analysed(pointer)

    assert analysis.has(Trait.SUBMODULE)
    assert analysis.risk(Risk.DEPENDENCY_CHANGE).evidence[0].why == f"submodule pointer: {'a' * 12} → {'b' * 12}"


def test_c44_words_in_a_patch_are_no_submodule():
    source = make_file("lumen/git.py", patch=added("line = '-Subproject commit 0123456789'"))
    analysis = analysed(source)

    assert not analysis.has(Trait.SUBMODULE)
    assert not analysis.has(Risk.DEPENDENCY_CHANGE)


def test_c45_generated_lines_do_not_speak():
    files = (
        make_file("apps/web/package-lock.json", additions=30_000),
        make_file("apps/web/vendor/chart.js", additions=20_000),
        make_file("apps/web/site.min.css", additions=9_000),
        make_file("apps/web/data/cities.json", additions=9_000),
        make_file("apps/web/src/cart.ts", additions=5),
    )
    analysis = analysed(*files, title="fix: count the cart once")

    assert not analysis.has(Risk.LARGE_CHANGE)
    assert analysis.areas == ("web",)
    assert next(f.why for f in analysis.importance.factors if f.name == "size").startswith("6 changed lines")


def test_large_changes_count_source_only():
    assert analysed(make_file("lumen/a.py", additions=600)).has(Risk.LARGE_CHANGE)
    assert not analysed(make_file("tests/test_a.py", additions=6_000)).has(Risk.LARGE_CHANGE)


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (make_file("a.py", patch=added('x = os.environ.get("LUMEN_X", "1")')), 'LUMEN_X is now read, default "1"'),
        (
            make_file("a.py", patch=added('os.getenv("LUMEN_X", "1")', gone=('os.getenv("LUMEN_X", "0")',))),
            'default of environment variable LUMEN_X: "0" → "1"',
        ),
        (make_file("a.ts", patch=added("const x = process.env.LUMEN_X ?? 'a'")), "LUMEN_X is now read"),
        (make_file("a.go", patch=added('x := os.Getenv("LUMEN_X")')), "LUMEN_X is now read"),
        (make_file("config/app.yml"), "configuration file"),
        (make_file("db/migrate/1_add.rb", status="added"), "database migration"),
        (make_file("lumen/envs.py"), "source file of settings"),
    ],
)
def test_configuration_changes(file, why):
    tag = analysed(file, title="Tune").risk(Risk.CONFIGURATION_CHANGE)

    assert tag is not None
    assert why in tag.evidence[0].why


@pytest.mark.parametrize("title", ["Enable caching by default", "Add --depth to the parser", "Default to 'align' mode"])
def test_configuration_changes_by_title(title):
    assert analysed("lumen/a.py", title=title).has(Risk.CONFIGURATION_CHANGE)


@pytest.mark.parametrize(
    ("file", "overrides"),
    [
        (make_file("lumen/auth/token.py"), {}),
        (make_file("lumen/a.py", patch=added("return pickle.loads(data)")), {}),
        (make_file("lumen/a.py", patch=added("subprocess.run(line, shell=True)")), {}),
        (make_file("web/a.tsx", patch=added("<div dangerouslySetInnerHTML={x} />")), {}),
        (make_file(".github/workflows/a.yml", patch=added("  pull_request_target:")), {}),
        (make_file("lumen/a.py"), {"body": "Fixes CVE-2026-12345"}),
        (make_file("lumen/a.py"), {"title": "Prevent path traversal in uploads"}),
    ],
)
def test_security_sensitive(file, overrides):
    assert analysed(file, **overrides).has(Risk.SECURITY_SENSITIVE)


@pytest.mark.parametrize(
    "file",
    [
        make_file("lumen/tokenizer.py"),
        make_file("tests/test_a.py", patch=added("pickle.loads(data)")),
        make_file("lumen/a.py", patch=added("# never pickle.loads(data)")),
        make_file("lumen/a.py", patch=added("  pickle.loads(x)", gone=("pickle.loads(x)",))),
    ],
)
def test_security_is_not_seen_everywhere(file):
    assert not analysed(file).has(Risk.SECURITY_SENSITIVE)


def test_a_security_fix_is_a_trait_of_its_own():
    assert analysed("lumen/a.py", title="Fix CVE-2026-12345 in uploads").has(Trait.SECURITY_FIX)
    assert not analysed("lumen/a.py", title="Add a page on security").has(Trait.SECURITY_FIX)


def test_empty_change_needs_a_known_file_list():
    assert analysed(files=(), changed_files=0).has(Risk.EMPTY_CHANGE)
    assert not analysed(files=None, changed_files=0).has(Risk.EMPTY_CHANGE)
