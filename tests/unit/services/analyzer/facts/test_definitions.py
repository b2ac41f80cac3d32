"""Functions, methods, classes and constants that small diffs take away, rename, or demand of implementers."""

from __future__ import annotations

import pytest

from services.analyzer.facts import definitions
from shared.domain.facts import FactKind, Reach
from tests.unit.services.analyzer.facts.written import both, facts_of

BODY = "    total = one + two\n    checked = check(total)\n    return checked\n"
RAISED = "raise NotImplemented" + "Error"
SMALL = "".join(f"    small_{number} = config.small\n" for number in range(6))
LARGE = "".join(f"    large_{number} = config.large\n" for number in range(6))
FACTS = {
    "a function is gone": (
        "pkg/engine.py",
        f"def start(one, two):\n{BODY}\n\ndef stop():\n    pass\n",
        "def stop():\n    pass\n",
        {("removed", "function", "start", None, None)},
    ),
    "a function has another name": (
        "pkg/engine.py",
        f"def start_engine(one, two):\n{BODY}",
        f"def launch_engine(one, two):\n{BODY}",
        {("renamed", "function", "start_engine", "start_engine", "launch_engine")},
    ),
    "a class has another name": (
        "pkg/engine.py",
        "class OldEngine(Base):\n    def run(self):\n        return self.go()\n",
        "class NewEngine(Base):\n    def run(self):\n        return self.go()\n",
        {("renamed", "class", "OldEngine", "OldEngine", "NewEngine")},
    ),
    "a class is gone with its methods": (
        "pkg/engine.py",
        "class Engine:\n    def run(self):\n        return 1\n\n\nother = 1\n",
        "other = 1\n",
        {("removed", "class", "Engine", None, None)},
    ),
    "a method is gone": (
        "pkg/engine.py",
        "class Engine:\n    def run(self):\n        return 1\n\n    def halt(self):\n        return 2\n",
        "class Engine:\n    def run(self):\n        return 1\n",
        {("removed", "function", "Engine.halt", None, None)},
    ),
    "a name was handed on to another function": (
        "pkg/pick.py",
        f"def pick_small(config):\n{SMALL}\n\ndef pick(config):\n{LARGE}",
        f"def pick(config):\n{SMALL}\n\ndef pick_large(config):\n{LARGE}",
        {
            ("renamed", "function", "pick_small", "pick_small", "pick"),
            ("renamed", "function", "pick", "pick", "pick_large"),
        },
    ),
    "a constant is gone": (
        "pkg/limits.py",
        "MOST_ROWS = 10\nMOST_LINES = 20\n",
        "MOST_LINES = 20\n",
        {("removed", "constant", "MOST_ROWS", None, None)},
    ),
    "a value of an enumeration is gone": (
        "pkg/kinds.py",
        'class Kind(Enum):\n    TREE = "tree"\n    LIST = "list"\n',
        'class Kind(Enum):\n    LIST = "list"\n',
        {("removed", "constant", "Kind.TREE", None, None)},
    ),
    "an abstract method is new": (
        "pkg/client.py",
        "class Client(ABC):\n    @abstractmethod\n    def ask(self): ...\n",
        (
            "class Client(ABC):\n    @abstractmethod\n    def ask(self): ...\n\n    @abstractmethod\n"
            "    async def reject(\n        self, name: str\n    ) -> None:\n        ...\n"
        ),
        {("required", "function", "Client.reject", None, None)},
    ),
    "a method is abstract now": (
        "pkg/client.py",
        "class Client(ABC):\n    def ask(self):\n        ...\n",
        "class Client(ABC):\n    @abstractmethod\n    def ask(self):\n        ...\n",
        {("required", "function", "Client.ask", None, None)},
    ),
    "a method of an open base only raises": (
        "pkg/client.py",
        "class Client(ABC):\n    def ask(self):\n        return 1\n",
        (
            "class Client(ABC):\n    def ask(self):\n        return 1\n\n"
            f'    def finish(self):\n        """Finish."""\n        {RAISED}\n'
        ),
        {("required", "function", "Client.finish", None, None)},
    ),
    "Go: a function and a method": (
        "store/store.go",
        "package store\n\nfunc Open(path string) error {\n\treturn nil\n}\n\nfunc (s *Store) Close() error {\n\treturn nil\n}\n",
        "package store\n",
        {("removed", "function", "Open", None, None), ("removed", "function", "Store.Close", None, None)},
    ),
    "Go: an interface asks for more": (
        "store/store.go",
        "package store\n\ntype Store interface {\n\tOpen(path string) error\n}\n",
        "package store\n\ntype Store interface {\n\tOpen(path string) error\n\tClose() error\n}\n",
        {("required", "function", "Store.Close", None, None)},
    ),
    "Rust: a function and a struct": (
        "crates/store/src/disk.rs",
        "pub fn open(path: &Path) -> Store {\n    Store {}\n}\n\npub struct Disk {\n    pub size: u64,\n}\n",
        "use std::path::Path;\n",
        {("removed", "function", "open", None, None), ("removed", "class", "Disk", None, None)},
    ),
    "Rust: a trait asks for more": (
        "crates/store/src/disk.rs",
        "pub trait Store {\n    fn open(&self) -> bool;\n}\n",
        "pub trait Store {\n    fn open(&self) -> bool;\n    fn close(&self);\n    fn size(&self) -> u64 {\n        0\n    }\n}\n",
        {("required", "function", "Store.close", None, None)},
    ),
    "TypeScript: a function and a class": (
        "packages/core/src/store.ts",
        "export function open(path: string): void {\n  go(path);\n}\n\nexport class Disk {\n  size = 1;\n}\n",
        "const one = 1;\n",
        {("removed", "function", "open", None, None), ("removed", "class", "Disk", None, None)},
    ),
    "TypeScript: an interface asks for more": (
        "packages/core/src/store.ts",
        "export interface Store {\n  open(path: string): void;\n}\n",
        "export interface Store {\n  open(path: string): void;\n  close(): void;\n}\n",
        {("required", "function", "Store.close", None, None)},
    ),
    "C++: a public header": (
        "include/store/disk.h",
        "namespace store {\nclass Disk {\n public:\n  int Open(const char* path);\n  virtual void Close() = 0;\n private:\n  int fd();\n};\n}\n",
        "namespace store {\nclass Disk {\n public:\n  virtual void Close() = 0;\n  virtual void Flush() = 0;\n private:\n};\n}\n",
        {("removed", "function", "Disk.Open", None, None), ("required", "function", "Disk.Flush", None, None)},
    ),
}
"""Path, before, after, and what is told."""


@pytest.mark.parametrize(("path", "before", "after", "expected"), FACTS.values(), ids=FACTS.keys())
def test_what_became_of_definitions_is_told(path: str, before: str, after: str, expected: set) -> None:
    assert both({path: (before, after)}, definitions) == expected


GONE = "def start(one):\n    return one\n"
NOTHING = {
    "a test": ({"tests/test_engine.py": (GONE, "")}),
    "a sample": ({"examples/run.py": (GONE, "")}),
    "vendored": ({"third_party/engine.py": (GONE, "")}),
    "generated": ({"pkg/engine_pb2.py": (GONE, "")}),
    "a page": ({"docs/engine.md": (GONE, "")}),
    "a script": ({"scripts/engine.py": (GONE, "")}),
    "a private module": ({"pkg/_internal/engine.py": (GONE, "x = 1\n")}),
    "a private name": ({"pkg/engine.py": ("def _start(one):\n    return one\n", "x = 1\n")}),
    "in a comment": ({"pkg/engine.py": ("# def start(one):\nx = 1\n", "x = 1\n")}),
    "in a docstring": ({"pkg/engine.py": ('"""\ndef start(one):\n    pass\n"""\nx = 1\n', '"""Text."""\nx = 1\n')}),
    "in a string": ({"pkg/engine.py": ('text = "def start(one):"\n', 'text = ""\n')}),
    "inside of a function": (
        {"pkg/engine.py": ("def run():\n    def start(one):\n        return one\n", "def run():\n    pass\n")}
    ),
    "a kernel": ({"pkg/engine.py": ("@triton.jit\ndef start(one):\n    return one\n", "x = 1\n")}),
    "moved within the file": (
        {"pkg/engine.py": (f"{GONE}\n\ndef stop():\n    return 2\n", f"def stop():\n    return 2\n\n\n{GONE}")}
    ),
    "moved to another file": (
        {"pkg/engine.py": (f"{GONE}x = 1\n", "x = 1\n"), "pkg/other.py": ("y = 1\n", f"y = 1\n{GONE}")}
    ),
    "taken from elsewhere": ({"pkg/engine.py": (GONE, "from pkg.other import start\n")}),
    "an alias": ({"pkg/engine.py": (GONE, "start = launch\n")}),
    "a new function": ({"pkg/engine.py": ("x = 1\n", f"x = 1\n{GONE}")}),
    "an abstract method of a new class": (
        {"pkg/client.py": ("x = 1\n", "x = 1\n\n\nclass Client(ABC):\n    @abstractmethod\n    def ask(self): ...\n")}
    ),
    "from a new base": (
        {
            "pkg/a.py": (
                "class A(B):\n    def run(self):\n        return 1\n\n    x = 1\n",
                "class A(C):\n    x = 1\n",
            )
        }
    ),
    "Go: not exported": ({"store/store.go": ("package store\n\nfunc open() {\n}\n", "package store\n")}),
    "Go: internal": ({"internal/store.go": ("package store\n\nfunc Open() {\n}\n", "package store\n")}),
    "Rust: for the crate": ({"crates/a/src/b.rs": ("pub(crate) fn open() {\n}\n", "use std::fs;\n")}),
    "Rust: tests inside": (
        {"crates/a/src/b.rs": ("#[cfg(test)]\nmod tests {\n    pub fn open() {\n    }\n}\n", "use std::fs;\n")}
    ),
    "TypeScript: not exported": ({"packages/a/src/b.ts": ("function open() {\n  go();\n}\n", "const a = 1;\n")}),
    "C++: no header for others": ({"src/disk.cpp": ("int Open(int a) {\n  return a;\n}\n", "int b;\n")}),
    "C++: private": ({"include/a.h": ("class A {\n private:\n  int Open(int a);\n};\n", "class A {\n private:\n};\n")}),
}


@pytest.mark.parametrize("files", NOTHING.values(), ids=NOTHING.keys())
def test_look_alikes_are_not_told(files: dict) -> None:
    assert both(files, definitions) == set()


def test_an_alias_under_the_old_name_is_the_way_back() -> None:
    before = "class OldEngine(Base):\n    def run(self):\n        return self.go()\n"
    after = "class NewEngine(Base):\n    def run(self):\n        return self.go()\n\n\nOldEngine = NewEngine\n"

    (fact,) = facts_of({"pkg/engine.py": (before, after)}, definitions)

    assert (fact.kind, fact.way_back, fact.note) == (
        FactKind.RENAMED,
        "the alias OldEngine",
        "the old name stays as an alias",
    )


def test_a_name_that_the_pages_tell_of_is_public() -> None:
    files = {
        "pkg/engine.py": ("def start_engine(one):\n    return one\n\n\nx = 1\n", "x = 1\n"),
        "docs/use.md": ("Call `start_engine`.\n", "Gone.\n"),
    }

    (fact,) = facts_of(files, definitions)

    assert (fact.reach, fact.reach_why) == (Reach.PUBLIC, "named in the documentation")


def test_a_method_that_leaves_several_classes_is_told_once_for_what_they_implement() -> None:
    def store(close: str) -> str:
        return f"package store\n\ntype Store interface {{\n\tOpen() error\n{close}}}\n"

    method = "\nfunc (d *Disk) Close() error {\n\treturn nil\n}\n"
    files = {
        "store/disk.go": (f"package store\n{method}", "package store\n"),
        "store/a.go": (store("\tClose() error\n"), store("")),
    }

    (fact,) = facts_of(files, definitions)

    assert (fact.name, fact.note) == ("Store.Close", "the same in 1 more: Disk")


def test_a_new_function_before_the_old_one_is_no_new_name() -> None:
    before = f"def pick(config):\n{SMALL}"
    after = f"def pick_native(config):\n{SMALL}\n\ndef pick(config):\n    return pick_native(config)\n"

    assert facts_of({"pkg/pick.py": (before, after)}, definitions) == []


def test_methods_that_leave_together_are_one_fact() -> None:
    methods = "".join(f"\n    def step_{number}(self):\n        return {number}\n" for number in range(9))

    (fact,) = facts_of(
        {"pkg/engine.py": (f"class Engine:\n    x = 1\n{methods}", "class Engine:\n    x = 1\n")}, definitions
    )

    assert fact.name == "Engine.step_0"
    assert fact.note == "step_1, step_2, step_3, step_4, step_5, step_6 and 2 more as well"
