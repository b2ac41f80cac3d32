"""All readers together: each thing once, the same from patch and sources, bounds, and what was not read."""

from __future__ import annotations

import random
import time

import pytest

from services.analyzer.facts import change_of, read_facts
from services.analyzer.facts.change import MINIFIED, NOT_GIVEN, TOO_LARGE
from services.analyzer.facts.sides import changed_lines
from services.analyzer.reading.reading import read_pull_request
from shared.domain.facts import ReadFrom
from shared.domain.pull_request import ChangedFile, Unread
from tests.builders import make_pull_request
from tests.unit.services.analyzer.facts.written import CONTEXT, both, pull_request_of

BEFORE = "import os\n\n\nclass Settings:\n    depth: int = 4\n\n    def load(self):\n        return os.environ.get('LAMP_DEPTH', '4')\n"
AFTER = BEFORE.replace("= 4", "= 8").replace("'4'", "'8'")


def read(*files: ChangedFile, sources=None):
    return read_facts(read_pull_request(make_pull_request(files=files), CONTEXT.read_path), sources)


def test_several_readers_of_one_change_tell_it_once_and_alike_from_patch_and_sources() -> None:
    found = both({"lamp/settings.py": (BEFORE, AFTER)})

    assert {(kind, name.rsplit(".", 1)[-1], old, new) for kind, _, name, old, new in found} == {
        ("default-changed", "depth", "4", "8"),
        ("default-changed", "LAMP_DEPTH", "'4'", "'8'"),
    }


def test_what_only_the_whole_files_show_says_so() -> None:
    body = "".join(f"        step_{number} = {number}\n" for number in range(12))
    before = f"class Store:\n    depth: int = 4\n\n    def get(self, key):\n{body}        return key\n"
    after = before.replace("= 4\n\n", "= 8\n\n").replace(
        "        return key", "        if not key:\n            return None\n        return key"
    )
    files = {"lamp/settings.py": (before, after)}
    reading = read_pull_request(pull_request_of(files), CONTEXT.read_path)
    facts = read_facts(reading, files).facts

    assert {(fact.name, fact.read_from) for fact in facts} == {
        ("Store.depth", ReadFrom.PATCH),
        ("Store.get", ReadFrom.SOURCES),
    }
    assert {fact.name for fact in read_facts(reading).facts} == {"Store.depth"}


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (ChangedFile(filename="a.py", additions=3, patch=None), NOT_GIVEN),
        (ChangedFile(filename="a.py", additions=3, patch=None, unread=Unread.BINARY), "binary"),
        (ChangedFile(filename="a.py", additions=9, patch="@@ -0,0 +1,9 @@\n" + "+x = 1\n" * 60_000), TOO_LARGE),
        (ChangedFile(filename="a.js", additions=1, patch="@@ -1 +1 @@\n-a\n+" + "f(1);" * 20_000), MINIFIED),
    ],
)
def test_what_could_not_be_read_is_counted(file: ChangedFile, why: str) -> None:
    assert read(file).unread == {why: 1}


def test_a_pure_rename_has_nothing_to_read() -> None:
    assert read(ChangedFile(filename="b.py", previous_filename="a.py", status="renamed")).unread == {}


def test_of_sources_too_large_the_patch_is_read() -> None:
    patch = "@@ -1 +1 @@\n-depth: int = 4\n+depth: int = 8"
    file = ChangedFile(filename="lamp/settings.py", additions=1, deletions=1, patch=patch)
    huge = "depth: int = 8\n" + "#" * 1_100_000
    change = change_of(
        read_pull_request(make_pull_request(files=(file,)), CONTEXT.read_path), {file.filename: ("", huge)}
    )

    assert not change.files[0].whole
    assert [line.number for line in change.files[0].after.changed] == [1]


def test_line_numbers_are_those_of_the_files() -> None:
    patch = "@@ -10,3 +10,4 @@ def f():\n a\n-b\n+c\n+d\n e\n@@ -40,2 +41,1 @@\n-x\n y"

    assert changed_lines(patch) == (frozenset({11, 40}), frozenset({11, 12}))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("ending", ["py", "go", "rs", "ts", "cpp", "cu", "yaml", "toml", "json", "sql", "proto", "sh"])
def test_noise_of_every_kind_is_read_without_an_error_and_in_time(seed: int, ending: str) -> None:
    dice = random.Random(f"{seed}{ending}")
    words = [
        "def f(",
        "class A:",
        "{",
        "}",
        "((((",
        '"""',
        "'",
        "/*",
        "raise X(",
        "@",
        "=",
        "::",
        "\\",
        "\0",
        "é",
        "\ud800",
        "#",
        "//",
        "->",
        "fn a<'b>(",
        "\t",
    ]
    rows = [dice.choice("+- ") + "".join(dice.choices(words, k=dice.randrange(9))) for _ in range(3_000)]
    patch = "\n".join(["@@ -1,2000 +1,2000 @@ class A", *rows])
    begun = time.process_time()

    read(ChangedFile(filename=f"lamp/settings.{ending}", additions=1, patch=patch))

    assert time.process_time() - begun < 10
