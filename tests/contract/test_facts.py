"""What holds for every reader of facts, the moment it is listed."""

from __future__ import annotations

import pytest

from services.analyzer.facts import FACTS, change_of
from services.analyzer.reading.reading import read_pull_request
from shared.domain.facts import Fact, Reach
from tests.hostile_strings import HOSTILE
from tests.unit.services.analyzer.facts.written import CONTEXT, Files, facts_of, pull_request_of

BEFORE: Files = {
    "lamp/config.py": (
        (
            "import os\n\n\nclass LampConfig:\n    depth: int = 4\n    shade: str = 'a'\n\n    def check(self, wait=1):\n"
            "        return os.environ.get('LAMP_DEPTH', '4')\n"
        ),
        (
            "import os\n\n\nclass LampConfig:\n    depth: int = 8\n\n    def check(self, wait=2, *, force):\n"
            "        if self.depth < 1:\n            raise ValueError('depth must be positive')\n"
            "        return os.environ.get('LAMP_DEPTH', '8')\n"
        ),
    ),
    "requirements.txt": ("tls>=1.2\n", "tls>=1.3\n"),
    "Dockerfile": ("FROM debian:12\nARG LEVEL=1\n", "FROM debian:13\nARG LEVEL=2\n"),
    "CMakeLists.txt": ("set(CMAKE_CXX_STANDARD 17)\n", "set(CMAKE_CXX_STANDARD 20)\n"),
    "proto/lamp.proto": (
        'syntax = "proto3";\n\nservice Lamp {\n  rpc On(A) returns (B);\n  rpc Off(A) returns (B);\n}\n',
        'syntax = "proto3";\n\nservice Lamp {\n  rpc On(A) returns (B);\n}\n',
    ),
}
ELSEWHERE = ("tests/{}", "docs/{}", "third_party/{}", "examples/{}")
ENDINGS = ("py", "go", "rs", "ts", "cpp", "toml")
readers = pytest.mark.parametrize("reader", FACTS, ids=lambda reader: reader.name)


def found(reader, files: Files = BEFORE, *, sources: bool = False) -> list[Fact]:
    return facts_of(files, reader, sources=sources)


def test_names_are_slugs_and_each_is_listed_once() -> None:
    names = [reader.name for reader in FACTS]

    assert len(set(names)) == len(names)
    assert all(name.replace("-", "").isalpha() and name.islower() for name in names)


def test_the_written_change_is_read_by_many() -> None:
    assert len([reader for reader in FACTS if found(reader)]) >= 6


@readers
@pytest.mark.parametrize("sources", [False, True])
def test_a_second_reading_is_the_same(reader, sources) -> None:
    assert found(reader, sources=sources) == found(reader, sources=sources)


@readers
def test_a_fact_has_a_place_on_a_changed_line_and_says_why_it_reaches_so_far(reader) -> None:
    change = change_of(read_pull_request(pull_request_of(BEFORE), CONTEXT.read_path))
    numbers = {
        file.path: {line.number for side in (file.before, file.after) for line in side.changed} for file in change.files
    }
    for fact in found(reader):
        assert fact.place is not None, fact
        assert fact.place.line in numbers[fact.place.path], fact
        assert fact.place.quote, fact
        assert fact.reach is Reach.INTERNAL or fact.reach_why, fact
        assert max(len(fact.old or ""), len(fact.new or "")) <= 240, fact


@readers
@pytest.mark.parametrize("folder", ELSEWHERE)
def test_tests_pages_samples_and_vendored_code_declare_nothing_public(reader, folder) -> None:
    moved = {folder.format(path): texts for path, texts in BEFORE.items()}

    assert [fact for fact in found(reader, moved) if fact.reach is Reach.PUBLIC] == []


@readers
def test_what_is_the_same_on_both_sides_is_no_fact(reader) -> None:
    assert found(reader, {path: (after, after) for path, (_, after) in BEFORE.items()}, sources=True) == []


@readers
def test_hostile_words_in_paths_and_lines_raise_nothing(reader) -> None:
    for text in HOSTILE:
        line = text.replace("\n", " ")
        sides = f"{line}\n", f"x = '{line}'\n{line}(\n"

        files = {f"lamp/{line[:40]}.{ending}": sides for ending in ENDINGS}

        assert {fact.place.path for fact in found(reader, files) if fact.place} <= set(files)
