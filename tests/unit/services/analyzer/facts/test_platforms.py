"""Platforms: classifiers, what a build accepts, matrices of continuous integration, tags and variants of wheels."""

from __future__ import annotations

import pytest

from services.analyzer.facts import platforms
from shared.domain.facts import Reach
from tests.unit.services.analyzer.facts.written import both, facts_of, told

CLASSIFIERS = "[project]\nclassifiers = [\n{}\n]\n"
FLOW = ".github/workflows/ci.yml"
ADDED, REMOVED, CHANGED = "added", "removed", "changed"


def classifiers(*names: str) -> str:
    return CLASSIFIERS.format("\n".join(f'  "{name}",' for name in names))


CASES = {
    "a version of Python goes": (
        "pyproject.toml",
        classifiers("Programming Language :: Python :: 3.8", "Programming Language :: Python :: 3.9"),
        classifiers("Programming Language :: Python :: 3.9"),
        {(REMOVED, "Python 3.8", None, None)},
    ),
    "a version of Python comes": (
        "setup.py",
        "setup(\n  classifiers=[\n    'Programming Language :: Python :: 3.12',\n  ],\n)\n",
        "setup(\n  classifiers=[\n    'Programming Language :: Python :: 3.12',\n    'Programming Language :: Python :: 3.13',\n  ],\n)\n",
        {(ADDED, "Python 3.13", None, None)},
    ),
    "a system goes": (
        "setup.cfg",
        "classifiers =\n    Operating System :: POSIX :: Linux\n    Operating System :: MacOS\n",
        "classifiers =\n    Operating System :: POSIX :: Linux\n",
        {(REMOVED, "MacOS", None, None)},
    ),
    "what CMake accepts": (
        "CMakeLists.txt",
        'set(PYTHON_SUPPORTED_VERSIONS "3.9" "3.10")\n',
        'set(PYTHON_SUPPORTED_VERSIONS "3.10" "3.11")\n',
        {(REMOVED, "Python 3.9", None, None), (ADDED, "Python 3.11", None, None)},
    ),
    "a list on one line": (
        FLOW,
        'jobs:\n  t:\n    python-version: ["3.9", "3.10"]\n',
        'jobs:\n  t:\n    python-version: ["3.10"]\n',
        {(REMOVED, "Python 3.9", None, None)},
    ),
    "a list over lines": (
        FLOW,
        "jobs:\n  t:\n    os:\n      - ubuntu-22.04\n      - windows-2022\n",
        "jobs:\n  t:\n    os:\n      - ubuntu-22.04\n      - macos-14\n",
        {(REMOVED, "windows-2022", None, None), (ADDED, "macos-14", None, None)},
    ),
    "node and go": (
        FLOW,
        "  node-version: [18, 20]\n  go-version: ['1.21']\n",
        "  node-version: [20]\n  go-version: ['1.21', '1.22']\n",
        {(REMOVED, "Node.js 18", None, None), (ADDED, "Go 1.22", None, None)},
    ),
    "architectures that images are published for": (
        ".github/workflows/release.yml",
        "    platforms: linux/amd64\n",
        "    platforms: linux/amd64,linux/arm64\n",
        {(ADDED, "linux/arm64", None, None)},
    ),
    "wheels that are built": (
        "pyproject.toml",
        '[tool.cibuildwheel]\nbuild = "cp38-* cp39-*"\n',
        '[tool.cibuildwheel]\nbuild = "cp39-* cp310-*"\n',
        {(REMOVED, "wheel cp38-*", None, None), (ADDED, "wheel cp310-*", None, None)},
    ),
    "the tag of wheels": (
        ".github/workflows/wheels.yml",
        "  run: build --plat manylinux2014_x86_64\n",
        "  run: build --plat manylinux_2_28_x86_64\n",
        {(CHANGED, "manylinux", "manylinux2014_x86_64", "manylinux_2_28_x86_64")},
    ),
    "the variant of a build": (
        ".buildkite/release-pipeline.yaml",
        'env:\n  VARIANT: "gpu71"\n',
        'env:\n  VARIANT: "gpu72"\n',
        {(CHANGED, "VARIANT", "gpu71", "gpu72")},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_told(case: str) -> None:
    path, before, after, expected = CASES[case]
    assert both({path: (before, after)}, platforms) == {(kind, "platform", *rest) for kind, *rest in expected}


NOTHING = {
    "a comment": (FLOW, '# python-version: ["3.9"]\n', '# python-version: ["3.10"]\n'),
    "an expression": (FLOW, "    python-version: ${{ matrix.a }}\n", "    python-version: ${{ matrix.b }}\n"),
    "other items": (FLOW, "    paths:\n      - a/b\n      - c/d\n", "    paths:\n      - a/b\n      - e/f\n"),
    "items of a later key": (
        FLOW,
        "    os: [a1]\n    steps:\n      - one\n",
        "    os: [a1]\n    steps:\n      - two\n",
    ),
    "any Python 3": (
        "pyproject.toml",
        classifiers("Programming Language :: Python :: 3"),
        classifiers("Programming Language :: Python :: 3", "Programming Language :: Python :: 3 :: Only"),
    ),
    "another classifier": ("pyproject.toml", classifiers("Topic :: Scientific"), classifiers("Topic :: Utilities")),
    "the order": (FLOW, '    python-version: ["3.9", "3.10"]\n', '    python-version: ["3.10", "3.9"]\n'),
    "from a line to lines": (
        FLOW,
        '    python-version: ["3.9"]\n',
        '    python-version:\n      - "3.9"\n',
    ),
    "a test's matrix": ("tests/data/ci.yml", '  python-version: ["3.9"]\n', '  python-version: ["3.10"]\n'),
    "a page": ("docs/python.md", "Programming Language :: Python :: 3.8\n", "Programming Language :: Python :: 3.9\n"),
    "a configuration of the product": ("deploy/values.yaml", "os: [linux]\n", "os: [linux, mac]\n"),
    "a variant of a test": (".buildkite/tests.yaml", '  VARIANT: "a1"\n', '  VARIANT: "a2"\n'),
}


@pytest.mark.parametrize("case", NOTHING)
def test_no_fact(case: str) -> None:
    path, before, after = NOTHING[case]
    assert both({path: (before, after)}, platforms) == set()


def test_what_is_declared_is_public_and_what_is_only_tested_is_internal() -> None:
    (tested,) = facts_of({FLOW: ('  python-version: ["3.8", "3.9"]\n', '  python-version: ["3.9"]\n')}, platforms)
    name = "Programming Language :: Python :: 3.8"
    files = {
        "pyproject.toml": (classifiers("A", name), classifiers("A")),
        FLOW: ('  python: ["3.8"]\n', "  python: []\n"),
    }
    (declared,) = facts_of(files, platforms)
    assert (tested.reach, declared.reach) == (Reach.INTERNAL, Reach.PUBLIC)
    assert declared.note == f"also in {FLOW}"


@pytest.mark.parametrize("path", [FLOW, "pyproject.toml", "CMakeLists.txt", ".github/workflows/release.yml"])
@pytest.mark.parametrize(
    "text", ["python: [" + "1," * 40_000, "\x00: [\x00]\n", "- " * 5_000, "os:\n" * 2_000, "build = " + "cp" * 9_000]
)
def test_hostile_texts(path: str, text: str) -> None:
    told(facts_of({path: ("a\n", text)}, platforms, sources=True))
