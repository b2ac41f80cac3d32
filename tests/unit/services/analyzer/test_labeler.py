"""``labeler.yml`` of both versions says which files a label is about; what is broken or hostile is one line."""

from __future__ import annotations

import time

import pytest

from services.analyzer.conventions import fault_of
from services.analyzer.labeler import read_labeler
from shared.domain.errors import InvalidInput

OPTIONS = """
engine:
  - changed-files:
      - {option}: [{first}, {second}]
"""
V4 = "engine:\n  - any: ['src/**', '!src/old/**']\n    all: ['!**/*.md']\n  - lib/**\n"
SOURCE = """
source:
  - all:
      - changed-files:
          - any-glob-to-any-file: 'src/**/*'
          - all-globs-to-all-files: '!src/docs/*'
"""
TWO_BLOCKS = """
engine:
  - any:
      - changed-files:
          - any-glob-to-any-file: ['src/**', 'lib/**']
      - head-branch: ['^engine/']
  - all:
      - changed-files:
          - all-globs-to-all-files: '!**/*.md'
      - base-branch: 'main'
"""


def about(text: str, *paths: str) -> list[bool]:
    """Whether the first label of a file is about each path."""
    label = read_labeler(text)[0]
    return [label.globs.match(path) for path in paths]


@pytest.mark.parametrize(
    ("option", "first", "second", "expected"),
    [
        ("any-glob-to-any-file", "src/**", "lib/**", [True, True, False]),
        ("all-globs-to-any-file", "src/**", "'**/*.py'", [True, False, False]),
        ("any-glob-to-all-files", "src/**", "lib/**", [True, True, False]),
        ("all-globs-to-all-files", "'**/*.py'", "'!lib/**'", [True, False, False]),
    ],
)
def test_each_option_of_version_5(option: str, first: str, second: str, expected: list[bool]) -> None:
    text = OPTIONS.format(option=option, first=first, second=second)

    assert about(text, "src/a.py", "lib/a.py", "web/a.js") == expected


def test_the_documented_way_to_leave_a_folder_out() -> None:
    assert about(SOURCE, "src/a.py", "src/deep/a.py", "src/docs/a.md", "web/a.js") == [True, True, False, False]


def test_blocks_of_version_5_hold_together_and_branches_say_nothing_about_files() -> None:
    assert about(TWO_BLOCKS, "src/a.py", "lib/a.md", "web/a.js") == [True, False, False]


def test_bare_options_of_version_5_are_one_block() -> None:
    text = (
        "engine:\n- changed-files:\n  - any-glob-to-any-file: src/**\n"
        "- changed-files:\n  - any-glob-to-any-file: lib/**\n- base-branch: main\n"
    )

    assert about(text, "src/a.py", "lib/a.py", "web/a.js") == [True, True, False]


def test_entries_of_version_4_stand_beside_each_other() -> None:
    assert about(V4, "src/a.py", "src/old/a.py", "src/a.md", "lib/a.md") == [True, False, False, True]


@pytest.mark.parametrize(
    "text",
    [
        "everything: ['**']",
        "everything:\n- changed-files:\n  - any-glob-to-any-file: ['src/**', '!src/old/**']\n",
        "feature:\n- head-branch: ['^feature']\n",
        "kind/bug: [src/**]",
        "engine:",
        "",
    ],
)
def test_a_label_that_fits_every_path_or_is_about_no_files_is_no_area(text: str) -> None:
    assert read_labeler(text) == []


def test_labels_stay_as_they_are_written() -> None:
    assert [label.label for label in read_labeler("on: [a/**]\n1.0: [b/**]\nno: ['c/**']\n")] == ["on", "1.0", "no"]


def test_patterns_may_be_shared_by_alias() -> None:
    text = "engine: &shared\n- src/**\nmotor: *shared\n"

    assert [label.globs.match("src/a.py") for label in read_labeler(text)] == [True, True]


BAD = [
    ("a: [b\nc: d", "it is not YAML: line 2"),
    ("- a\n- b\n", "it is no mapping of labels"),
    ("just words", "it is no mapping of labels"),
    ("engine:\n- changed-files: src/**\n", "under 'changed-files' of its label 'engine' there are no options"),
    (
        "engine:\n- changed-files:\n  - any-glob-to-any-files: src/**\n",
        "its label 'engine' has the unknown option 'any-glob-to-any-files'",
    ),
    ("engine:\n- [src/**]\n", "the rules of its label 'engine' are neither patterns nor options"),
    ("engine:\n- changed-files:\n  - any-glob-to-any-file: [{a: b}]\n", "a pattern of its label 'engine' is no text"),
    ("x" * 300_000, "it is larger than 256 KB"),
    ("a: [" + ", ".join(f"p{number}/**" for number in range(6_000)) + "]", "it has more than 5,000 entries"),
]


@pytest.mark.parametrize(("text", "said"), BAD)
def test_what_is_wrong_with_a_file_is_one_line(text: str, said: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        read_labeler(text)

    assert raised.value.message == said
    assert fault_of(".github/labeler.yml", text) == f".github/labeler.yml cannot be used: {said}."


def test_a_label_that_steers_a_terminal_is_shown_without_it() -> None:
    fault = fault_of(".github/labeler.yml", '"\\e[2Jengine": [[a]]')

    assert fault is not None
    assert "\x1b" not in fault
    assert "engine" in fault


def bomb(levels: int) -> str:
    """Each level names the one before ten times."""
    lines = ["l0: &l0 [a/**, b/**]"]
    lines += [f"l{level}: &l{level} [{', '.join([f'*l{level - 1}'] * 10)}]" for level in range(1, levels)]
    return "\n".join(lines)


def wide_bomb() -> str:
    """Lists of the documented depth that name each other: 400 × 400 × 400 patterns."""
    globs = ", ".join(["a/**"] * 400)
    return (
        f"x:\n- changed-files:\n  - any-glob-to-any-file: &globs [{globs}]\n"
        f"y:\n- changed-files: &files [{', '.join(['{any-glob-to-any-file: *globs}'] * 400)}]\n"
        f"z: [{', '.join(['{any: [{changed-files: *files}]}'] * 400)}]\n"
    )


@pytest.mark.parametrize(
    "text",
    [
        bomb(12),
        wide_bomb(),
        "[" * 200_000,
        "{a: " * 50_000,
        "- " * 100_000,
        "\n".join(" " * depth + "a:" for depth in range(600)),
        "a: &a [*a]",
        "a: &a {b: *a}",
        "<<: &m {k: [v]}\n" * 2_000,
        "a: !!python/object/apply:os.system ['true']",
        "? " * 100_000,
        "&a " * 80_000,
        "a: [x" + ",'{1..64}x/{**,*}'" * 4_000 + "]",
    ],
    ids=range(13),
)
def test_a_hostile_file_neither_hangs_nor_fills_the_memory(text: str) -> None:
    started = time.process_time()
    fault = fault_of(".github/labeler.yml", text)
    assert time.process_time() - started < 5.0
    assert fault is None or len(fault) < 300
