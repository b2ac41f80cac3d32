"""What others read: shapes of data files, keys of answers, names on the wire and of files, versions of formats."""

from __future__ import annotations

import pytest

from services.analyzer.facts import formats
from tests.unit.services.analyzer.facts.written import both, facts_of

OBJECT = '{\n  "a": 1\n}\n'
LIST = '[\n  {"key": "a", "value": 1}\n]\n'
ROUTE = 'def health(request):\n    load()\n    return {{\n        "state": "up",\n{}    }}\n'


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            {"src/presets/a.json": (OBJECT, LIST)},
            ("changed", "format", "src/presets/a.json", "object", "list"),
            id="an-object-becomes-a-list",
        ),
        pytest.param(
            {"src/presets/a.json": (LIST, OBJECT), "src/presets/b.json": (LIST, OBJECT)},
            ("changed", "format", "src/presets/*.json", "list", "object"),
            id="several-files-are-one-fact",
        ),
        pytest.param(
            {
                "src/presets.py": (
                    "import json\n\n\ndef from_file(path):\n    data = json.load(path)\n    for name, value in data.items():\n        keep(name, value)\n",
                    "import json\n\n\ndef from_file(path):\n    data = json.load(path)\n    for entry in data:\n        keep(entry)\n",
                )
            },
            ("changed", "format", "data", "for name, value in data.items():", "for entry in data:"),
            id="what-is-read-is-a-list-now",
        ),
        pytest.param(
            {"src/api/routes.py": (ROUTE.format('        "uptime": now(),\n'), ROUTE.format(""))},
            ("removed", "format", "uptime", '"uptime": now(),', None),
            id="a-key-of-an-answer-is-gone",
        ),
        pytest.param(
            {"src/api/routes.py": (ROUTE.format(""), ROUTE.format('        "version": VERSION,\n'))},
            ("added", "format", "version", None, '"version": VERSION,'),
            id="a-key-of-an-answer-came",
        ),
        pytest.param(
            {
                "pkg/a.go": (
                    'package a\n\ntype A struct {\n\tName string `json:"name"`\n}\n',
                    'package a\n\ntype A struct {\n\tName string `json:"title"`\n}\n',
                )
            },
            (
                "changed",
                "format",
                "Name string ` `",
                'Name string `json:"name"`',
                'Name string `json:"title"`',
            ),
            id="a-name-on-the-wire-go",
        ),
        pytest.param(
            {
                "src/a.rs": (
                    'struct A {\n    #[serde(rename = "name")]\n    n: String,\n}\n',
                    'struct A {\n    #[serde(rename = "title")]\n    n: String,\n}\n',
                )
            },
            ("changed", "format", '#[serde(rename = " ")]', '#[serde(rename = "name")]', '#[serde(rename = "title")]'),
            id="a-name-on-the-wire-rust",
        ),
        pytest.param(
            {
                "src/a.py": (
                    'x = 1\nPATH = root / f"{name}.cache.json"\n',
                    'x = 1\nPATH = root / f"{name}.index.json"\n',
                )
            },
            (
                "changed",
                "format",
                "{name}.cache.json",
                'PATH = root / f"{name}.cache.json"',
                'PATH = root / f"{name}.index.json"',
            ),
            id="the-name-of-a-file",
        ),
        pytest.param(
            {"src/a.py": ("x = 1\nCACHE_FORMAT_VERSION = 3\n", "x = 1\nCACHE_FORMAT_VERSION = 4\n")},
            ("changed", "format", "CACHE_FORMAT_VERSION", "3", "4"),
            id="the-version-of-a-format",
        ),
        pytest.param(
            {"src/a.cpp": ("int x;\nconstexpr int kCacheVersion = 3;\n", "int x;\nconstexpr int kCacheVersion = 4;\n")},
            ("changed", "format", "kCacheVersion", "3", "4"),
            id="the-version-of-a-format-cpp",
        ),
    ],
)
def test_each_kind(files, expected):
    assert both(files, formats) == {expected}


def test_a_file_that_is_too_large_to_be_read_still_tells_its_shape():
    rows = '  {"key": "a", "value": 1},\n' * 20_000
    files = {"src/presets/a.json": (OBJECT, f"[\n{rows}]\n")}
    (fact,) = facts_of(files, formats)
    assert (fact.old, fact.new) == ("object", "list")


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"tests/data/a.json": (OBJECT, LIST)}, id="test-data"),
        pytest.param({"vendor/a.json": (OBJECT, LIST)}, id="vendored"),
        pytest.param({"docs/a.json": (OBJECT, LIST)}, id="documentation"),
        pytest.param({"src/presets/a.json": (None, LIST)}, id="a-new-file"),
        pytest.param({"src/presets/a.json": (OBJECT, None)}, id="a-file-that-is-gone"),
        pytest.param({"src/presets/a.json": (OBJECT, OBJECT.replace("1", "2"))}, id="another-value"),
        pytest.param({"src/api/routes.py": (None, ROUTE.format(""))}, id="a-new-route"),
        pytest.param(
            {"src/engine.py": (ROUTE.format('        "a": 1,\n'), ROUTE.format('        "b": 1,\n'))},
            id="no-answer-to-a-request",
        ),
        pytest.param(
            {"src/a.py": ('log.info("wrote a.json")\n', 'log.info("wrote b.json")\n')}, id="a-file-in-a-log-line"
        ),
        pytest.param(
            {"src/a.py": ('URL = "https://a.example/1.json"\n', 'URL = "https://a.example/2.json"\n')}, id="an-address"
        ),
        pytest.param({"src/a.py": ('P = f"{a}_x.csv"\n', 'P = f"{self.a}_x.csv"\n')}, id="only-what-is-printed-in-it"),
        pytest.param({"src/a.py": ("# CACHE_FORMAT_VERSION = 3\n", "# CACHE_FORMAT_VERSION = 4\n")}, id="a-comment"),
        pytest.param({"src/a.py": ("VERSION = 3\n", "VERSION = 4\n")}, id="any-version"),
        pytest.param(
            {
                "src/a.py": (
                    "import json\n\n\ndef show(data):\n    for name, value in data.items():\n        json.dumps(name)\n",
                    "import json\n\n\ndef show(data):\n    for entry in data:\n        json.dumps(entry)\n",
                )
            },
            id="a-loop-that-reads-no-file",
        ),
    ],
)
def test_look_alikes(files):
    assert both(files, formats) == set()


@pytest.mark.parametrize(
    "text", ["{" * 9_000, '"a": ' * 9_000, "return {" * 3_000, "\x00", "for " + "x, " * 9_000 + "in y:"]
)
@pytest.mark.parametrize("path", ["src/api/routes.py", "src/a.json", "src/a.go"])
def test_hostile_text_raises_nothing(path, text):
    for sources in (False, True):
        facts_of({path: ("a\nb\nc\n", f"a\n{text}\nb\nc\n")}, formats, sources=sources)
