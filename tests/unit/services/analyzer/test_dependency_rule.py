"""Dependencies: what pins something from elsewhere, and what only looks as if it did."""

from __future__ import annotations

import pytest

from shared.domain.taxonomy import Risk, Trait
from tests.builders import make_file
from tests.unit.services.analyzer.examined import added, analysed


@pytest.mark.parametrize(
    ("path", "old", "new", "why"),
    [
        ("requirements.txt", "numpy==2.1.0", "numpy==2.2.0", "numpy: 2.1.0 → 2.2.0"),
        ("web/package.json", '"react": "^18.2.0",', '"react": "^19.0.0",', "react: ^18.2.0 → ^19.0.0"),
        ("Cargo.toml", 'serde = "1.0"', 'serde = { version = "1.1" }', "serde: 1.0 → 1.1"),
        ("go.mod", "\tgolang.org/x/net v0.1.0", "\tgolang.org/x/net v0.2.0", "golang.org/x/net: v0.1.0 → v0.2.0"),
        ("pyproject.toml", '"httpx>=0.27",', '"httpx>=0.28",', "httpx: >=0.27 → >=0.28"),
        ("Dockerfile", "FROM python:3.11-slim", "FROM python:3.13-slim", "python: 3.11-slim → 3.13-slim"),
        ("Cargo.toml", 'rust-version = "1.80"', 'rust-version = "1.85"', "rust-version: 1.80 → 1.85"),
        ("rust-toolchain.toml", 'channel = "1.80"', 'channel = "1.85"', "channel: 1.80 → 1.85"),
        ("go.mod", "go 1.22", "go 1.23.1", "go: 1.22 → 1.23.1"),
        (
            "pyproject.toml",
            'requires-python = ">=3.9"',
            'requires-python = ">=3.11"',
            "requires-python: >=3.9 → >=3.11",
        ),
        ("package.json", '"node": ">=18"', '"node": ">=20"', "node: >=18 → >=20"),
        ("pnpm-workspace.yaml", "  left-pad: ^1.0.0", "  left-pad: ^2.0.0", "left-pad: ^1.0.0 → ^2.0.0"),
        ("gradle/dependencies.gradle", 'zest: "1.5.1",', 'zest: "1.5.2", // needed', "zest: 1.5.1 → 1.5.2"),
        ("build.gradle", "id 'org.zest' version '1.0'", "id 'org.zest' version '1.1'", "org.zest: 1.0 → 1.1"),
        ("pom.xml", "<zest.version>1.0</zest.version>", "<zest.version>1.1</zest.version>", "zest.version: 1.0 → 1.1"),
        ("setup.py", '"extra": ["zest==1.0"],', '"extra": ["zest==1.1"],', "zest: 1.0 → 1.1"),
        ("Gemfile", 'gem "zest", "~> 1.0"', 'gem "zest", "~> 1.1"', "zest: ~> 1.0 → ~> 1.1"),
        ("cmake/zest.cmake", "GIT_TAG v1.0", "GIT_TAG v1.1", "zest: v1.0 → v1.1"),
        ("CMakeLists.txt", "set(ZEST_VERSION 1.0)", "set(ZEST_VERSION 1.1)", "ZEST_VERSION: 1.0 → 1.1"),
        (".tool-versions", "zig 0.12.0", "zig 0.13.0", "zig: 0.12.0 → 0.13.0"),
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
        ("Dockerfile", "RUN pip install --no-deps /tmp/wheels/zest.whl"),
        ("Cargo.toml", 'version = "1.2.3"'),
        ("Cargo.toml", 'lumen_core = { version = "1.2.3", path = "crates/core" }'),
        ("Cargo.toml", "serde = { workspace = true }"),
        ("Cargo.toml", '"napi8",'),
        ("Cargo.toml", 'description = "1 lamp"'),
        ("package.json", '"@lumen/lamp": "workspace:*",'),
        ("package.json", '"@lumen/lamp": "^1.0.0",'),
        ("package.json", '"left-pad": "catalog:",'),
        ("package.json", '"local": "file:../local",'),
        ("package.json", '"funding": "https://example.org/lumen",'),
        ("package.json", '"prepare": "git clean -fdx",'),
        ("pnpm-workspace.yaml", "minimumReleaseAge: 1440"),
        ("pnpm-workspace.yaml", "  '@swc/core': true"),
        ("pnpm-workspace.yaml", "  - left-pad@1.2.3"),
        ("go.mod", "module github.com/lumen/lumen"),
        ("go.mod", "\tgithub.com/lumen/lumen/api v0.1.0"),
        (".pre-commit-config.yaml", "    rev: v1.2.3"),
        (".github/workflows/a.yml", "      - uses: actions/checkout@v5"),
        (".github/actions/a/package.json", '"left-pad": "1.0.0"'),
        ("docs/requirements.txt", "sphinx==8.0"),
        ("examples/a/package.json", '"left-pad": "1.0.0"'),
        ("tests/fixtures/package.json", '"left-pad": "1.0.0"'),
        ("cmake/zest.cmake", "FILES_MATCHING"),
        ("cmake/zest.cmake", "csrc/zest_registration.cpp"),
        ("CMakeLists.txt", "set(LUMEN_LIB_VERSION 3.0.0)"),
        ("CMakeLists.txt", "project(lumen VERSION 3.0.0)"),
        ("build.gradle", "maxParallelForks = maxTestForks"),
        ("flake.nix", 'hash = "sha256-abcdef";'),
    ],
)
def test_other_lines_of_a_manifest_change_no_dependency(path, line):
    assert not analysed(make_file(path, patch=added(line))).has(Risk.DEPENDENCY_CHANGE)


@pytest.mark.parametrize(
    ("section", "line", "fires"),
    [
        ("[dependencies]", 'serde = "1.0"', True),
        ("[workspace.dependencies]", 'serde = "1.0"', True),
        ("[features]", 'fast = "1"', False),
        ("[profile.release]", 'lto = "1"', False),
    ],
)
def test_a_line_of_cargo_counts_only_where_dependencies_are_listed(section, line, fires):
    patch = f"@@ -1,3 +1,4 @@\n {section}\n+{line}"

    assert analysed(make_file("Cargo.toml", patch=patch)).has(Risk.DEPENDENCY_CHANGE) is fires


@pytest.mark.parametrize(
    ("above", "line", "fires"),
    [
        (" [project]\n dependencies = [", '"zest",', True),
        (" [dependency-groups]\n dev = [", '"zest>=1",', True),
        (" [tool.ruff.lint]\n select = [", '"zest",', False),
        (" [tool.zest]\n targets = [", '"zest>=1",', False),
        (" [project]\n keywords = [", '"zest",', False),
    ],
)
def test_a_line_of_pyproject_counts_only_in_lists_of_dependencies(above, line, fires):
    patch = f"@@ -1,3 +1,4 @@\n{above}\n+    {line}\n ]"

    assert analysed(make_file("pyproject.toml", patch=patch)).has(Risk.DEPENDENCY_CHANGE) is fires


def test_features_of_a_dependency_are_no_dependencies():
    patch = '@@ -1,4 +1,5 @@\n [dependencies]\n napi = { version = "3", features = [\n+    "napi8",\n ] }'

    assert not analysed(make_file("Cargo.toml", patch=patch)).has(Risk.DEPENDENCY_CHANGE)


def test_a_pin_takes_its_name_from_the_lines_above():
    pom = "@@ -1,3 +1,3 @@\n   <artifactId>zest</artifactId>\n-  <version>1.0</version>\n+  <version>1.1</version>"
    fetched = "@@ -1,3 +1,3 @@\n+FetchContent_Declare(\n+  zest\n+  GIT_TAG 0123456789abcdef"

    tags = [
        analysed(make_file(path, patch=patch)).risk(Risk.DEPENDENCY_CHANGE)
        for path, patch in (("pom.xml", pom), ("CMakeLists.txt", fetched))
    ]
    assert [tag.evidence[0].why for tag in tags] == ["zest: 1.0 → 1.1", "zest: new, 0123456789abcdef"]


def test_a_lock_file_speaks_only_when_it_pins_something_from_elsewhere():
    own = added("dependencies = [", ' "lumen_core",')
    other = added('version = "1.1"', 'checksum = "bb"', gone=('version = "1.0"', 'checksum = "aa"'))

    assert not analysed(make_file("Cargo.lock", patch=own)).has(Risk.DEPENDENCY_CHANGE)
    assert analysed(make_file("Cargo.lock", patch=other)).has(Risk.DEPENDENCY_CHANGE)
    assert analysed(make_file("Cargo.lock")).has(Risk.DEPENDENCY_CHANGE)
    assert not analysed(make_file("tests/data/Cargo.lock", patch=other)).has(Risk.DEPENDENCY_CHANGE)


def test_the_floor_of_a_new_package_is_no_change():
    file = make_file("packages/a/package.json", status="added", patch=added('"node": ">=20"'))

    assert not analysed(file).has(Risk.DEPENDENCY_CHANGE)


def test_no_change_without_a_difference_of_versions():
    patch = added('"left-pad": "1.0.0",', gone=('"left-pad": "1.0.0"',))

    assert not analysed(make_file("package.json", patch=patch)).has(Risk.DEPENDENCY_CHANGE)


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
