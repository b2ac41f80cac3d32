"""Dependencies: every format of manifest, pins in image files, scripts and CMake, and what is none."""

from __future__ import annotations

import pytest

from services.analyzer.facts import dependencies
from tests.unit.services.analyzer.facts.written import both

CARGO = '[package]\nname = "kite"\nversion = "{v}"\nedition = "2021"\n\n[dependencies]\n{lines}\n'
PROJECT = '[project]\nname = "kite"\ndependencies = [\n{lines}\n]\n'
GO = "module example.org/kite\n\ngo 1.22\n\nrequire (\n{lines}\n)\n"
PACKAGE = '{{\n  "name": "kite",\n  "dependencies": {{\n{lines}\n  }}\n}}\n'

CHANGED, ADDED, REMOVED = "changed", "added", "removed"

CASES = [
    ("requirements.txt", "brass >= 1.2\n", "brass >= 1.4\n", (CHANGED, "brass", ">= 1.2", ">= 1.4")),
    ("requirements/common.txt", "brass==1\nleaf\n", "brass==1\n", (REMOVED, "leaf", None, None)),
    ("requirements/common.txt", "brass==1\n", "brass==1\nleaf[all]~=2.0\n", (ADDED, "leaf", None, "~=2.0")),
    (
        "requirements.in",
        'brass >=1,<2; python_version > "3.9"  # why\n',
        'brass >=1,<3; python_version > "3.9"  # why\n',
        (CHANGED, "brass", ">=1,<2", ">=1,<3"),
    ),
    ("requirements.txt", "brass[a]==1\n", "brass[a,b]==1\n", (CHANGED, "brass", "[a] ==1", "[a,b] ==1")),
    (
        "requirements.txt",
        'brass==1; sys_platform == "linux"\n',
        "brass==1\n",
        (CHANGED, "brass", '==1 ; sys_platform == "linux"', "==1"),
    ),
    (
        "requirements.txt",
        "git+https://example.org/owl/brass.git@abc1234\n",
        "git+https://example.org/owl/brass.git@def5678\n",
        (CHANGED, "brass", "abc1234", "def5678"),
    ),
    (
        "requirements.txt",
        "https://example.org/w/brass-1.0-cp311-cp311-linux_x86_64.whl\n",
        "https://example.org/w/brass-1.1-cp311-cp311-linux_x86_64.whl\n",
        (CHANGED, "brass", "1.0", "1.1"),
    ),
    ("constraints.txt", "brass<5\n", "brass<6\n", (CHANGED, "brass", "<5", "<6")),
    (
        "pyproject.toml",
        PROJECT.format(lines='  "brass>=1",'),
        PROJECT.format(lines='  "brass>=2",'),
        (CHANGED, "brass", ">=1", ">=2"),
    ),
    (
        "pyproject.toml",
        '[build-system]\nrequires = ["kiln>=61", "glaze"]\n',
        '[build-system]\nrequires = ["kiln>=77", "glaze"]\n',
        (CHANGED, "kiln", ">=61", ">=77"),
    ),
    (
        "pyproject.toml",
        '[tool.poetry.dependencies]\nbrass = "^1.2"\n',
        '[tool.poetry.dependencies]\nbrass = { version = "^2.0", extras = ["x"] }\n',
        (CHANGED, "brass", "^1.2", "^2.0"),
    ),
    (
        "Pipfile",
        '[packages]\nbrass = "==1.2"\n',
        '[packages]\nbrass = "==1.3"\n',
        (CHANGED, "brass", "==1.2", "==1.3"),
    ),
    (
        "setup.py",
        'setup(\n    install_requires=[\n        "brass>=1",\n    ],\n)\n',
        'setup(\n    install_requires=[\n        "brass>=2",\n    ],\n)\n',
        (CHANGED, "brass", ">=1", ">=2"),
    ),
    (
        "setup.cfg",
        "[options]\ninstall_requires =\n    brass>=1\n",
        "[options]\ninstall_requires =\n    brass>=2\n",
        (CHANGED, "brass", ">=1", ">=2"),
    ),
    (
        "environment.yml",
        "dependencies:\n  - brass=1.2\n",
        "dependencies:\n  - brass=1.3\n",
        (CHANGED, "brass", "=1.2", "=1.3"),
    ),
    (
        "package.json",
        PACKAGE.format(lines='    "brass": "^1.2.0"'),
        PACKAGE.format(lines='    "brass": "^2.0.0"'),
        (CHANGED, "brass", "^1.2.0", "^2.0.0"),
    ),
    (
        "composer.json",
        '{\n  "require": {\n    "php": ">=8.1",\n    "owl/brass": "^3.1"\n  }\n}\n',
        '{\n  "require": {\n    "php": ">=8.1",\n    "owl/brass": "^4.0"\n  }\n}\n',
        (CHANGED, "owl/brass", "^3.1", "^4.0"),
    ),
    (
        "Cargo.toml",
        CARGO.format(v="0.1.0", lines='brass = "1.2"'),
        CARGO.format(v="0.1.0", lines='brass = { version = "2", features = ["x"] }'),
        (CHANGED, "brass", "1.2", "2"),
    ),
    (
        "Cargo.toml",
        '[dependencies.brass]\nversion = "1.2"\n',
        '[dependencies.brass]\nversion = "1.3"\n',
        (CHANGED, "brass", "1.2", "1.3"),
    ),
    (
        "Cargo.toml",
        '[workspace.dependencies]\nbrass = { git = "https://example.org/brass", rev = "abc1234" }\n',
        '[workspace.dependencies]\nbrass = { git = "https://example.org/brass", rev = "def5678" }\n',
        (CHANGED, "brass", "abc1234", "def5678"),
    ),
    (
        "go.mod",
        GO.format(lines="\texample.org/brass v1.2.0"),
        GO.format(lines="\texample.org/brass v1.3.0"),
        (CHANGED, "example.org/brass", "v1.2.0", "v1.3.0"),
    ),
    (
        "go.mod",
        "module kite\n",
        "module kite\n\nreplace example.org/brass => example.org/fork/brass v0.1.0\n",
        (ADDED, "example.org/brass", None, "example.org/fork/brass v0.1.0"),
    ),
    (
        "Gemfile",
        'gem "brass", "~> 1.2"\n',
        'gem "brass", "~> 2.0"\n',
        (CHANGED, "brass", "~> 1.2", "~> 2.0"),
    ),
    (
        "pom.xml",
        "<dependency>\n<groupId>org.owl</groupId>\n<artifactId>brass</artifactId>\n<version>1.2</version>\n</dependency>\n",
        "<dependency>\n<groupId>org.owl</groupId>\n<artifactId>brass</artifactId>\n<version>1.3</version>\n</dependency>\n",
        (CHANGED, "org.owl:brass", "1.2", "1.3"),
    ),
    (
        "build.gradle",
        "dependencies {\n    implementation 'org.owl:brass:1.2'\n}\n",
        "dependencies {\n    implementation 'org.owl:brass:1.3'\n}\n",
        (CHANGED, "org.owl:brass", "1.2", "1.3"),
    ),
    (
        "gradle/libs.versions.toml",
        '[versions]\nbrass = "1.2"\n',
        '[versions]\nbrass = "1.3"\n',
        (CHANGED, "brass", "1.2", "1.3"),
    ),
    (
        "src/Kite.csproj",
        '<PackageReference Include="Brass" Version="1.2" />\n',
        '<PackageReference Include="Brass" Version="1.3" />\n',
        (CHANGED, "Brass", "1.2", "1.3"),
    ),
    (
        "CMakeLists.txt",
        "FetchContent_Declare(\n  brass\n  GIT_REPOSITORY https://example.org/brass\n  GIT_TAG v1.2\n)\n",
        "FetchContent_Declare(\n  brass\n  GIT_REPOSITORY https://example.org/brass\n  GIT_TAG v1.3\n)\n",
        (CHANGED, "brass", "v1.2", "v1.3"),
    ),
    (
        "cmake/deps.cmake",
        "find_package(Brass 1.2 REQUIRED)\n",
        "find_package(Brass 1.3 REQUIRED)\n",
        (CHANGED, "Brass", "1.2", "1.3"),
    ),
    (
        "CMakeLists.txt",
        'set(BRASS_VERSION "1.2")\n',
        'set(BRASS_VERSION "1.3")\n',
        (CHANGED, "BRASS_VERSION", "1.2", "1.3"),
    ),
    (
        "docker/Dockerfile",
        'ARG BRASS_BRANCH="v0.1.2"\n',
        'ARG BRASS_BRANCH="v0.1.3"\n',
        (CHANGED, "BRASS_BRANCH", "v0.1.2", "v0.1.3"),
    ),
    (
        "Dockerfile",
        "RUN pip install --no-cache-dir brass==1.2 && \\\n    true\n",
        "RUN pip install --no-cache-dir brass==1.3 && \\\n    true\n",
        (CHANGED, "brass", "==1.2", "==1.3"),
    ),
    (
        "Dockerfile",
        "RUN git clone https://example.org/owl/brass.git \\\n && cd brass && git checkout abc1234f\n",
        "RUN git clone https://example.org/owl/brass.git \\\n && cd brass && git checkout def5678f\n",
        (CHANGED, "brass", "abc1234f", "def5678f"),
    ),
    (
        "tools/install_brass.sh",
        'BRASS_COMMIT="${BRASS_COMMIT:-abc1234}"\n',
        'BRASS_COMMIT="${BRASS_COMMIT:-def5678}"\n',
        (CHANGED, "BRASS_COMMIT", "abc1234", "def5678"),
    ),
    (
        "tools/install.sh",
        "curl -L https://github.com/owl/brass/archive/refs/tags/v1.2.tar.gz | tar xz\n",
        "curl -L https://github.com/owl/brass/archive/refs/tags/v1.3.tar.gz | tar xz\n",
        (CHANGED, "brass", "v1.2", "v1.3"),
    ),
]


@pytest.mark.parametrize(
    ("path", "before", "after", "expected"), CASES, ids=[f"{c[0]}-{c[3][1]}-{c[3][3]}" for c in CASES]
)
def test_told(path: str, before: str, after: str, expected: tuple[str, str, str | None, str | None]) -> None:
    kind, name, old, new = expected
    assert both({path: (before, after)}, dependencies) == {(kind, "dependency", name, old, new)}
