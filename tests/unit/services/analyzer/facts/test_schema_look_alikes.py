"""Schemas, formats and protocols: what is none, and hostile texts."""

from __future__ import annotations

import pytest

from services.analyzer.facts import schemas
from tests.unit.services.analyzer.facts.test_schemas import PROTO
from tests.unit.services.analyzer.facts.written import both, facts_of, told

ADDED, REMOVED, CHANGED, RENAMED = "added", "removed", "changed", "renamed"

NOTHING = {
    "a new field": ("a.proto", PROTO.format("  string a = 1;"), PROTO.format("  string a = 1;\n  string b = 2;")),
    "a new message": (
        "a.proto",
        PROTO.format("  string a = 1;"),
        PROTO.format("  string a = 1;") + "message New {\n  string a = 1;\n}\n",
    ),
    "alignment": ("a.proto", PROTO.format("  string a = 1;"), PROTO.format("  string   a            = 1;  // note")),
    "another order": (
        "a.proto",
        PROTO.format("  string a = 1;\n  string b = 2;"),
        PROTO.format("  string b = 2;\n  string a = 1;"),
    ),
    "a comment": ("a.proto", PROTO.format("  // string a = 1;"), PROTO.format("  // string a = 2;")),
    "a generated message": ("gen/kite_pb2.py", "FORMAT_VERSION = 1\n", "FORMAT_VERSION = 2\n"),
    "a test's message": ("tests/a.proto", PROTO.format("  string a = 1;"), PROTO.format("  int32 a = 1;")),
    "a vendored message": ("third_party/a.proto", PROTO.format("  string a = 1;"), PROTO.format("  int32 a = 1;")),
    "its own version": ("kite/__init__.py", 'VERSION = "1.2"\n', 'VERSION = "1.3"\n'),
    "a dependency's version": (
        "kite/a.py",
        'PYTHON_VERSION = "3.9"\nMIN_FORMAT_VERSION = 1\n',
        'PYTHON_VERSION = "3.10"\nMIN_FORMAT_VERSION = 2\n',
    ),
    "a string that mentions it": ("kite/a.py", 'x = "FORMAT_VERSION = 2"\n', 'x = "FORMAT_VERSION = 3"\n'),
    "a comment that mentions it": ("kite/a.py", "# FORMAT_VERSION = 2\n", "# FORMAT_VERSION = 3\n"),
    "a docstring": ("kite/a.py", '"""\nFORMAT_VERSION = 2\n"""\n', '"""\nFORMAT_VERSION = 3\n"""\n'),
    "a new constant": ("kite/a.py", "x = 1\n", "x = 1\nFORMAT_VERSION = 2\n"),
    "the package of migrations": ("kite/migrations/__init__.py", None, "DROP = 1\n"),
    "a migration that was there": ("migrations/1.sql", "SELECT 1;\n", "DROP TABLE kites;\n"),
    "a test's migration": ("tests/migrations/1.sql", None, "DROP TABLE kites;\n"),
    "a step back in a file of its own": ("migrations/1.down.sql", None, "DROP TABLE kites;\n"),
    "SQL in a page": ("docs/sql.md", "x\n", "DROP TABLE kites;\n"),
}


@pytest.mark.parametrize("case", NOTHING)
def test_no_fact(case: str) -> None:
    path, before, after = NOTHING[case]
    assert both({path: (before, after)}, schemas) == set()


@pytest.mark.parametrize(
    "path", ["a.proto", "migrations/1.sql", "kite/a.py", "a.thrift", "a.graphql", "migrations/2.py"]
)
@pytest.mark.parametrize(
    "text",
    [
        "message A {" * 5_000,
        "{" * 9_000,
        "\x00 = 1;\n" * 9,
        "ALTER TABLE " + "a " * 9_000,
        "}\n" * 900,
        "a" * 90_000,
        "op.alter_column(\n" * 900,
    ],
)
def test_hostile_texts(path: str, text: str) -> None:
    told(facts_of({path: (None, text)}, schemas))
    told(facts_of({path: ("x\n", text)}, schemas, sources=True))
