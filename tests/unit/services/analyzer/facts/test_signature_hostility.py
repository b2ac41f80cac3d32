"""Broken, deep, long and strange sources: the readers of definitions answer, fast, and never raise."""

from __future__ import annotations

import time

import pytest

from services.analyzer.facts import answers, definitions, exports, fields, modules, parameters
from services.analyzer.facts.change import change_of
from services.analyzer.facts.items import MOST_FACTS
from services.analyzer.reading.reading import read_pull_request
from tests.unit.services.analyzer.facts.written import CONTEXT, pull_request_of

READERS = (definitions, parameters, answers, fields, modules, exports)
HOSTILE = {
    "one long line": "def f(" + "a" * 200_000 + "): pass\n",
    "many parameters": "def f(\n" + "".join(f"    a{number}=1,\n" for number in range(5_000)) + "): pass\n",
    "deep brackets": "def f(a=" + "(" * 5_000 + "1" + ")" * 5_000 + "): pass\n",
    "deep blocks": "".join(" " * depth + f"class A{depth}:\n" for depth in range(400)),
    "never closed": "def f(\n" * 3_000,
    "closed too often": ")]}" * 3_000 + "\ndef f(a): pass\n",
    "NUL bytes": "def f(a\0b, c):\0\n    return 1\n\0class A:\n    x: int = \0\n",
    "no words": "\ufffd\u202e\u0000\x1b[31m@#$%^&*(){}[]<>`~\n" * 500,
    "half a string": 'def f(a="""\nclass B:\n    x: int = 1\n',
    "many classes": "".join(f"class A{number}:\n    x: int = {number}\n" for number in range(800)),
    "many decorators": "@a\n" * 5_000 + "def f(): pass\n",
    "many imports": "from .a import (\n" + "    b,\n" * 5_000,
}
PATHS = ("pkg/__init__.py", "include/a.h", "crates/a/src/lib.rs", "store/a.go", "packages/a/src/index.ts")


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE.keys())
@pytest.mark.parametrize("path", PATHS)
def test_hostile_sources_are_read_in_time_without_an_exception(path: str, text: str) -> None:
    for before, after in ((text, "x\n"), ("x\n", text)):
        reading = read_pull_request(pull_request_of({path: (before, after)}), CONTEXT.read_path)
        for texts in (None, {path: (before, after)}):
            began = time.process_time()
            change = change_of(reading, texts)
            for reader in READERS:
                assert len(list(reader.read(change))) <= MOST_FACTS
            assert time.process_time() - began < 2
