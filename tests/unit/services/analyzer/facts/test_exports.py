"""Names that packages hand on, or hand on no more, in small diffs."""

from __future__ import annotations

import pytest

from services.analyzer.facts import exports
from tests.unit.services.analyzer.facts.written import both

FACTS = {
    "an import": (
        "pkg/__init__.py",
        "from pkg.engine import Engine\n",
        "from pkg.engine import Engine, start\n",
        {("added", "function", "pkg.start", None, None)},
    ),
    "a relative import over lines": (
        "pkg/__init__.py",
        "from .engine import (\n    Engine,\n    Old,\n)\n",
        "from .engine import (\n    Engine,\n)\n",
        {("removed", "class", "pkg.Old", None, None)},
    ),
    "the list of all": (
        "pkg/__init__.py",
        '__all__ = [\n    "Engine",\n    "MOST",\n]\n',
        '__all__ = [\n    "Engine",\n]\n',
        {("removed", "constant", "pkg.MOST", None, None)},
    ),
    "loaded late": (
        "pkg/__init__.py",
        'NAMES = {\n    "Engine": ".engine:Engine",\n}\n',
        'NAMES = {\n    "Engine": ".engine:Engine",\n    "Model": ".model:Model",\n}\n',
        {("added", "class", "pkg.Model", None, None)},
    ),
    "Rust": (
        "crates/store/src/lib.rs",
        "pub use disk::{Disk, open};\n",
        "pub use disk::Disk;\n",
        {("removed", "function", "store::open", None, None)},
    ),
    "TypeScript": (
        "packages/store/index.ts",
        "export { Disk } from './disk';\n",
        "export { Disk, Drive } from './disk';\n",
        {("added", "class", "packages/store.Drive", None, None)},
    ),
}


@pytest.mark.parametrize(("path", "before", "after", "expected"), FACTS.values(), ids=FACTS.keys())
def test_what_packages_export_is_told(path: str, before: str, after: str, expected: set) -> None:
    assert both({path: (before, after)}, exports) == expected


NOTHING = {
    "of others": ("pkg/__init__.py", "import os\n", "import os\nfrom typing import Any\n"),
    "private": ("pkg/__init__.py", "x = 1\n", "x = 1\nfrom .engine import _start\n"),
    "no front": ("pkg/engine.py", "x = 1\n", "x = 1\nfrom .other import Engine\n"),
    "from another place": (
        "pkg/__init__.py",
        "from pkg.old import Engine\n",
        "from pkg.new import Engine\n",
    ),
    "a list of something else": ("pkg/__init__.py", 'X = [\n    "a",\n]\n', 'X = [\n    "a",\n    "Engine",\n]\n'),
    "a comment": ("pkg/__init__.py", "x = 1\n", "x = 1\n# from .engine import Engine\n"),
    "tests": ("tests/__init__.py", "x = 1\n", "x = 1\nfrom .engine import Engine\n"),
    "deep inside, new": ("pkg/a/b/__init__.py", "x = 1\n", "x = 1\nfrom .engine import Engine\n"),
}


@pytest.mark.parametrize(("path", "before", "after"), NOTHING.values(), ids=NOTHING.keys())
def test_look_alikes_are_not_told(path: str, before: str, after: str) -> None:
    assert both({path: (before, after)}, exports) == set()
