"""Options of CMake, Meson, Make, Bazel and image builds; features of crates and extras of packages."""

from __future__ import annotations

import pytest

from services.analyzer.facts import build_options
from shared.domain.facts import Reach
from tests.unit.services.analyzer.facts.written import both, facts_of, told

DEFAULT, ADDED, REMOVED, RENAMED = "default-changed", "added", "removed", "renamed"
FEATURES = '[package]\nname = "kite"\n\n[features]\n{}\n'

CASES = [
    (
        "CMakeLists.txt",
        'option(KITE_GPU "Use it" OFF)\n',
        'option(KITE_GPU "Use it" ON)\n',
        (DEFAULT, "KITE_GPU", "OFF", "ON"),
    ),
    ("CMakeLists.txt", "project(k)\n", 'project(k)\noption(KITE_NEW "New" ON)\n', (ADDED, "KITE_NEW", None, "ON")),
    ("CMakeLists.txt", 'project(k)\noption(KITE_OLD "Old" ON)\n', "project(k)\n", (REMOVED, "KITE_OLD", "ON", None)),
    (
        "CMakeLists.txt",
        'option(KITE_GPU "Use it" ON)\n',
        'option(KITE_CUDA_GPU "Use it" ON)\n',
        (RENAMED, "KITE_GPU", "KITE_GPU", "KITE_CUDA_GPU"),
    ),
    (
        "a.cmake",
        'set(KITE_ARCH "native" CACHE STRING "which")\n',
        'set(KITE_ARCH "generic" CACHE STRING "which")\n',
        (DEFAULT, "KITE_ARCH", "native", "generic"),
    ),
    (
        "CMakeLists.txt",
        'option(\n  KITE_GPU\n  "Use it"\n  OFF\n)\n',
        'option(\n  KITE_GPU\n  "Use it"\n  ON\n)\n',
        (DEFAULT, "KITE_GPU", "OFF", "ON"),
    ),
    ("Dockerfile", "ARG max_jobs=2\n", "ARG max_jobs=8\n", (DEFAULT, "max_jobs", "2", "8")),
    ("Dockerfile", "RUN a\n", "RUN a\nARG WITH_HORN=1\n", (ADDED, "WITH_HORN", None, "1")),
    ("Dockerfile", "ENV KITE_MODE=slow\n", "ENV KITE_MODE=fast\n", (DEFAULT, "KITE_MODE", "slow", "fast")),
    (
        "meson.options",
        "option('gpu', type: 'boolean', value: false)\n",
        "option('gpu', type: 'boolean', value: true)\n",
        (DEFAULT, "gpu", "false", "true"),
    ),
    ("Makefile", "PREFIX ?= /usr\n", "PREFIX ?= /usr/local\n", (DEFAULT, "PREFIX", "/usr", "/usr/local")),
    (
        "BUILD.bazel",
        'bool_flag(\n    name = "gpu",\n    build_setting_default = False,\n)\n',
        'bool_flag(\n    name = "gpu",\n    build_setting_default = True,\n)\n',
        (DEFAULT, "gpu", "False", "True"),
    ),
    (
        "Cargo.toml",
        FEATURES.format('default = ["std"]'),
        FEATURES.format('default = ["std", "tls"]'),
        (DEFAULT, "default", '["std"]', '["std", "tls"]'),
    ),
    ("Cargo.toml", FEATURES.format("std = []\ntls = []"), FEATURES.format("std = []"), (REMOVED, "tls", None, None)),
    (
        "pyproject.toml",
        '[project.optional-dependencies]\naudio = ["a"]\n',
        '[project.optional-dependencies]\naudio = ["a"]\nvideo = ["b"]\n',
        (ADDED, "video", None, None),
    ),
    (
        "setup.py",
        'setup(\n    extras_require={\n        "audio": ["a"],\n        "video": ["b"],\n    },\n)\n',
        'setup(\n    extras_require={\n        "audio": ["a"],\n    },\n)\n',
        (REMOVED, "video", None, None),
    ),
]


@pytest.mark.parametrize(
    ("path", "before", "after", "expected"), CASES, ids=[f"{c[0]}-{c[3][1]}-{c[3][0]}" for c in CASES]
)
def test_told(path: str, before: str, after: str, expected: tuple[str, str, str | None, str | None]) -> None:
    kind, name, old, new = expected
    assert both({path: (before, after)}, build_options) == {(kind, "build-option", name, old, new)}


NOTHING = {
    "a comment": ("CMakeLists.txt", '# option(KITE_GPU "Use it" OFF)\n', '# option(KITE_GPU "Use it" ON)\n'),
    "other help": ("CMakeLists.txt", 'option(KITE_GPU "Use it" ON)\n', 'option(KITE_GPU "Use the GPU" ON)\n'),
    "an internal cache": ("CMakeLists.txt", 'set(KITE_X 1 CACHE INTERNAL "")\n', 'set(KITE_X 2 CACHE INTERNAL "")\n'),
    "a variable": ("CMakeLists.txt", "set(KITE_SOURCES a.cpp)\n", "set(KITE_SOURCES a.cpp b.cpp)\n"),
    "an argument asked for again": ("Dockerfile", "ARG A=1\nFROM x/y:1\n", "ARG A=1\nFROM x/y:1\nARG A\n"),
    "a pin": ("Dockerfile", "ARG BRASS_VERSION=1.2\n", "ARG BRASS_VERSION=1.3\n"),
    "a base image": ("Dockerfile", "ARG BASE_IMAGE=a/b:1\n", "ARG BASE_IMAGE=a/b:2\n"),
    "the system's": ("Dockerfile", "ENV PATH=/a:$PATH\n", "ENV PATH=/b:$PATH\n"),
    "a line that moved": ("Dockerfile", "ARG A_B=1\nRUN x\nRUN y\n", "RUN x\nRUN y\nARG A_B=1\n"),
    "a new image file": ("svc/Dockerfile", None, "ARG A_B=1\n"),
    "a test's option": ("tests/CMakeLists.txt", 'option(A_B "x" OFF)\n', 'option(A_B "x" ON)\n'),
    "a vendored option": ("third_party/z/CMakeLists.txt", 'option(A_B "x" OFF)\n', 'option(A_B "x" ON)\n'),
    "its own version": ("Makefile", "VERSION ?= 1.2\n", "VERSION ?= 1.3\n"),
    "what a feature turns on": ("Cargo.toml", FEATURES.format('tls = ["a"]'), FEATURES.format('tls = ["b"]')),
    "data of a package": (
        "setup.py",
        'setup(\n    package_data={\n        "kite": ["a"],\n    },\n)\n',
        'setup(\n    package_data={\n        "kite": ["a"],\n        "owl": ["b"],\n    },\n)\n',
    ),
    "a shell's assignment": ("tools/run.sh", "MODE=slow\n", "MODE=fast\n"),
}


@pytest.mark.parametrize("case", NOTHING)
def test_no_fact(case: str) -> None:
    path, before, after = NOTHING[case]
    assert both({path: (before, after)}, build_options) == set()


@pytest.mark.parametrize(
    ("path", "before", "after", "way_back", "reach"),
    [
        ("CMakeLists.txt", 'option(K_G "x" OFF)\n', 'option(K_G "x" ON)\n', "-DK_G=OFF", Reach.BUILDERS),
        ("Dockerfile", "ARG jobs=2\n", "ARG jobs=8\n", "--build-arg jobs=2", Reach.BUILDERS),
        ("Dockerfile", "ENV K_MODE=a\n", "ENV K_MODE=b\n", "-e K_MODE=a", Reach.BUILDERS),
        ("Makefile", "K_DIR ?= a\n", "K_DIR ?= b\n", "make K_DIR=a", Reach.BUILDERS),
        ("Cargo.toml", FEATURES.format('default = ["a"]'), FEATURES.format("default = []"), None, Reach.PUBLIC),
    ],
)
def test_the_way_back(path: str, before: str, after: str, way_back: str | None, reach: Reach) -> None:
    (fact,) = facts_of({path: (before, after)}, build_options, sources=True)
    assert (fact.way_back, fact.reach) == (way_back, reach)


@pytest.mark.parametrize(
    "path", ["CMakeLists.txt", "Dockerfile", "Makefile", "meson.options", "Cargo.toml", "setup.py", "BUILD"]
)
@pytest.mark.parametrize(
    "text", ["option(" * 8_000, "ARG " + "x" * 90_000, "\x00=1\n" * 50, "set(A " + '"' * 5_000, "(" * 300 + "\n" * 300]
)
def test_hostile_texts(path: str, text: str) -> None:
    told(facts_of({path: ("a\n", text)}, build_options, sources=True))
