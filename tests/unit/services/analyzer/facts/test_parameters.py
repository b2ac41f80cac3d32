"""Parameters and answers of functions, as small diffs change them."""

from __future__ import annotations

import pytest

from services.analyzer.facts import parameters
from shared.domain.facts import FactKind
from tests.unit.services.analyzer.facts.written import both, facts_of


def py(header: str) -> str:
    return f"{header}:\n    return 1\n"


FACTS = {
    "must be given": (
        "pkg/a.py",
        py("def f(a)"),
        py("def f(a, b: int)"),
        {("required", "parameter", "f.b", None, "b: int")},
    ),
    "must be given now": (
        "pkg/a.py",
        py("def f(a, b: int = 3)"),
        py("def f(a, b: int)"),
        {("required", "parameter", "f.b", "b: int = 3", "b: int")},
    ),
    "gone": ("pkg/a.py", py("def f(a, b=2)"), py("def f(a)"), {("removed", "parameter", "f.b", "b = 2", None)}),
    "another name": (
        "pkg/a.py",
        py("def f(a, old: int)"),
        py("def f(a, new: int)"),
        {("renamed", "parameter", "f.old", "old", "new")},
    ),
    "another default": (
        "pkg/a.py",
        py("def f(a, b: int = 2, c={'x': (1, 2)})"),
        py("def f(a, b: int = 3, c={'x': (1, 2)})"),
        {("default-changed", "parameter", "f.b", "2", "3")},
    ),
    "by keyword only": (
        "pkg/a.py",
        py("def f(a, b=1)"),
        py("def f(a, *, b=1)"),
        {("changed", "parameter", "f.b", "b = 1", "b = 1")},
    ),
    "a header over lines": (
        "pkg/a.py",
        "def f(\n    a: int,\n    b: int,\n) -> int:\n    return a\n",
        "def f(\n    a: int,\n    b: int,\n    c: str,\n) -> int:\n    return a\n",
        {("required", "parameter", "f.c", None, "c: str")},
    ),
    "the answer may be nothing": (
        "pkg/a.py",
        py("def f(a) -> int"),
        py("def f(a) -> int | None"),
        {("changed", "function", "f", "int", "int | None")},
    ),
    "another answer": (
        "pkg/a.py",
        py("def f(a) -> int"),
        py("def f(a) -> str"),
        {("changed", "function", "f", "int", "str")},
    ),
    "another callback": (
        "pkg/a.py",
        py("def f(pick: Callable[[str], str])"),
        py("def f(pick: Callable[[Key], Key])"),
        {("changed", "parameter", "f.pick", "Callable[[str], str]", "Callable[[Key], Key]")},
    ),
    "a constructor": (
        "pkg/a.py",
        "class Engine:\n    def __init__(self, a):\n        self.a = a\n",
        "class Engine:\n    def __init__(self, a, timeout: float):\n        self.a = a\n",
        {("required", "parameter", "Engine.timeout", None, "timeout: float")},
    ),
    "a method": (
        "pkg/a.py",
        "class Engine:\n    async def go(self, a):\n        return a\n",
        "class Engine:\n    async def go(self, a, b):\n        return a\n",
        {("required", "parameter", "Engine.go.b", None, "b")},
    ),
    "called quite differently": (
        "pkg/a.py",
        py("def f(a, b, c)"),
        py("def f(d)"),
        {("changed", "function", "f", "a, b, c", "d")},
    ),
    "Go": (
        "store/a.go",
        "package store\n\nfunc Open(path string) error {\n\treturn nil\n}\n",
        "package store\n\nfunc Open(ctx context.Context, path string) error {\n\treturn nil\n}\n",
        {("required", "parameter", "Open.ctx", None, "ctx: context.Context")},
    ),
    "Go, another answer": (
        "store/a.go",
        "package store\n\nfunc (s *Store) Size() int {\n\treturn 1\n}\n",
        "package store\n\nfunc (s *Store) Size() (int, error) {\n\treturn 1, nil\n}\n",
        {("changed", "function", "Store.Size", "int", "(int, error)")},
    ),
    "Rust": (
        "crates/a/src/b.rs",
        "impl Store {\n    pub fn open(&self, path: &Path) -> bool {\n        true\n    }\n}\n",
        "impl Store {\n    pub fn open(&self, path: &Path, depth: usize) -> bool {\n        true\n    }\n}\n",
        {("required", "parameter", "Store.open.depth", None, "depth: usize")},
    ),
    "Rust, the answer may be nothing": (
        "crates/a/src/b.rs",
        "pub fn find(key: &str) -> Row {\n    x()\n}\n",
        "pub fn find(key: &str) -> Option<Row> {\n    x()\n}\n",
        {("changed", "function", "find", "Row", "Option<Row>")},
    ),
    "TypeScript": (
        "packages/a/src/b.ts",
        "export function open(path: string, depth = 1): void {\n  go();\n}\n",
        "export function open(path: string, depth = 2, mode: Mode): void {\n  go();\n}\n",
        {
            ("default-changed", "parameter", "open.depth", "1", "2"),
            ("required", "parameter", "open.mode", None, "mode: Mode"),
        },
    ),
    "TypeScript, a method": (
        "packages/a/src/b.ts",
        "export class Store {\n  async open(path: string): Promise<void> {\n    go();\n  }\n}\n",
        "export class Store {\n  async open(path: string, mode: Mode): Promise<void> {\n    go();\n  }\n}\n",
        {("required", "parameter", "Store.open.mode", None, "mode: Mode")},
    ),
    "JavaScript": (
        "packages/a/src/b.js",
        "export const open = (path) => {\n  go();\n};\n",
        "export const open = (path, mode) => {\n  go();\n};\n",
        {("required", "parameter", "open.mode", None, "mode")},
    ),
    "C++": (
        "include/a/b.h",
        "int Open(const char* path, int depth = 1);\n",
        "int Open(const char* path, int depth = 2);\n",
        {("default-changed", "parameter", "Open.depth", "1", "2")},
    ),
}


@pytest.mark.parametrize(("path", "before", "after", "expected"), FACTS.values(), ids=FACTS.keys())
def test_what_became_of_signatures_is_told(path: str, before: str, after: str, expected: set) -> None:
    assert both({path: (before, after)}, parameters) == expected


NOTHING = {
    "an optional one is new": ("pkg/a.py", py("def f(a)"), py("def f(a, b=1, **rest)")),
    "an optional one is new (TypeScript)": (
        "packages/a/src/b.ts",
        "export function f(a: string): void {\n  g();\n}\n",
        "export function f(a: string, b?: string): void {\n  g();\n}\n",
    ),
    "more is let in": ("pkg/a.py", py("def f(a: int)"), py("def f(a: int | str)")),
    "spelt otherwise": ("pkg/a.py", py("def f(a: Optional[int])"), py("def f(a: int | None)")),
    "old names of types": ("pkg/a.py", py('def f(a: "List[int]")'), py("def f(a: list[int])")),
    "only the layout": ("pkg/a.py", py("def f(a, b)"), py("def f(\n    a,\n    b,\n)")),
    "a private function": ("pkg/a.py", py("def _f(a)"), py("def _f(a, b)")),
    "a nested function": (
        "pkg/a.py",
        "def g():\n    def f(a):\n        return a\n",
        "def g():\n    def f(a, b):\n        return a\n",
    ),
    "a test": ("tests/test_a.py", py("def f(a)"), py("def f(a, b)")),
    "a comment": ("pkg/a.py", "# def f(a):\nx = 1\n", "# def f(a, b):\nx = 1\n"),
    "a docstring": ("pkg/a.py", '"""\ndef f(a):\n    1\n"""\n', '"""\ndef f(a, b):\n    1\n"""\n'),
    "generated": ("pkg/a_pb2.py", py("def f(a)"), py("def f(a, b)")),
    "Go: names only": (
        "store/a.go",
        "package store\n\nfunc Open(path string) error {\n\treturn nil\n}\n",
        "package store\n\nfunc Open(place string) error {\n\treturn nil\n}\n",
    ),
    "Rust: a trait is implemented": (
        "crates/a/src/b.rs",
        "impl Store for Disk {\n    fn open(&self, path: &Path) {\n    }\n}\n",
        "impl Store for Disk {\n    fn open(&self, path: &Path, depth: usize) {\n    }\n}\n",
    ),
    "defined twice": (
        "pkg/a.py",
        "if X:\n    def f(a):\n        return a\nelse:\n    def f(b):\n        return b\n",
        "if X:\n    def f(a, c):\n        return a\nelse:\n    def f(b, c):\n        return b\n",
    ),
}


@pytest.mark.parametrize(("path", "before", "after"), NOTHING.values(), ids=NOTHING.keys())
def test_look_alikes_are_not_told(path: str, before: str, after: str) -> None:
    assert both({path: (before, after)}, parameters) == set()


def test_a_method_of_several_classes_is_told_once_for_their_base() -> None:
    def written(header: str, extra: str) -> str:
        return f"{header}\n    def touch(self, keys{extra}):\n        return keys\n"

    files = {
        "pkg/disk.py": (written("class Disk(Manager):", ""), written("class Disk(Manager):", ", context: Context")),
        "pkg/base.py": (written("class Manager(ABC):", ""), written("class Manager(ABC):", ", context: Context")),
        "pkg/cloud.py": (written("class Cloud(Manager):", ""), written("class Cloud(Manager):", ", context: Context")),
    }

    (fact,) = facts_of(files, parameters)

    assert (fact.kind, fact.name, fact.note) == (
        FactKind.REQUIRED,
        "Manager.touch.context",
        "the same in 2 more: Cloud, Disk",
    )


def test_a_header_that_the_patch_does_not_show_to_its_end_is_left_out() -> None:
    many = "".join(f"    a{number}: int,\n" for number in range(20))
    before, after = (f"def f(\n    {first}: int,\n{many}) -> int:\n    return 1\n" for first in ("old", "new"))

    assert facts_of({"pkg/a.py": (before, after)}, parameters) == []
    assert [fact.name for fact in facts_of({"pkg/a.py": (before, after)}, parameters, sources=True)] == ["f.old"]


def test_the_old_default_is_the_way_back() -> None:
    (fact,) = facts_of({"pkg/a.py": (py("def f(a, b=1)"), py("def f(a, b=2)"))}, parameters)

    assert fact.way_back == "b=1"
