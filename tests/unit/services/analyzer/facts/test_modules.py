"""Modules that small diffs move, empty or remove."""

from __future__ import annotations

from services.analyzer.facts import modules
from shared.domain.facts import FactKind, Reach
from tests.unit.services.analyzer.facts.written import both, facts_of

ENGINE = "class TreeEngine:\n    def run(self):\n        return 1\n"


def test_a_python_file_under_another_path_is_a_moved_module() -> None:
    files = {"src/pkg/old.py => src/pkg/sub/new.py": (f"{ENGINE}x = 1\n", f"{ENGINE}x = 2\n")}

    assert both(files, modules) == {("moved", "module", "pkg.old", "pkg.old", "pkg.sub.new")}
    (fact,) = facts_of(files, modules)
    assert (fact.reach, fact.way_back, fact.note) == (Reach.EXTENSION, "pkg.sub.new", "no alias at the old place")


def test_what_the_package_goes_on_to_export_is_said() -> None:
    files = {
        "pkg/old.py => pkg/sub/new.py": (ENGINE, ENGINE),
        "pkg/__init__.py": ("from pkg.old import TreeEngine\n", "from pkg.sub.new import (\n    TreeEngine,\n)\n"),
    }

    (fact,) = facts_of(files, modules)

    assert fact.note == "no alias at the old place; TreeEngine can be imported from pkg"


def test_a_name_that_goes_to_another_file_has_left_its_module() -> None:
    files = {
        "pkg/one.py": (f"x = 1\n\n\n{ENGINE}\n\nclass TreeKeeper:\n    y = 1\n", "x = 1\n"),
        "pkg/two.py": (None, f"{ENGINE}\n\nclass TreeKeeper:\n    y = 1\n"),
    }

    assert both(files, modules) == {
        ("moved", "class", "pkg.one.TreeEngine", "pkg.one.TreeEngine", "pkg.two.TreeEngine")
    }
    (fact,) = facts_of(files, modules)
    assert fact.note == "TreeKeeper as well; the old module itself stays; no alias at the old place"


def test_a_name_that_the_old_place_hands_on_has_not_left() -> None:
    files = {
        "pkg/one.py": (f"x = 1\n\n\n{ENGINE}", "from pkg.two import TreeEngine\n\nx = 1\n"),
        "pkg/two.py": (None, ENGINE),
    }

    assert both(files, modules) == set()


def test_a_removed_file_is_a_removed_module_with_its_names() -> None:
    files = {"pkg/tree.py": (ENGINE, None)}

    assert both(files, modules) == {("removed", "module", "pkg.tree", "pkg.tree", None)}
    assert facts_of(files, modules)[0].note == "with TreeEngine"


def test_a_removed_file_whose_names_went_elsewhere_is_moved() -> None:
    files = {"pkg/tree.py": (ENGINE, None), "pkg/forest.py": ("x = 1\n", f"x = 1\n\n\n{ENGINE}")}

    assert both(files, modules) == {("moved", "module", "pkg.tree", "pkg.tree", "pkg.forest")}


def test_a_package_in_place_of_a_file_keeps_the_module() -> None:
    assert both({"pkg/tree.py => pkg/tree/__init__.py": (ENGINE, ENGINE)}, modules) == set()


def test_modules_of_other_languages() -> None:
    files = {
        "include/store/disk.h => include/store/drive.h": ("int Open(int a);\n", "int Open(int a);\n"),
        "crates/a-b/src/disk.rs => crates/a-b/src/drive.rs": ("pub fn open() {}\n", "pub fn open() {}\n"),
        "store/disk.go => drive/disk.go": (
            "package store\n\ntype Disk struct {\n}\n\nfunc Open() {\n}\n",
            "package drive\n\ntype Disk struct {\n}\n\nfunc Open() {\n}\n",
        ),
        "packages/a/src/disk.ts => packages/a/src/drive.ts": ("export class D {}\n", "export class D {}\n"),
    }

    assert both(files, modules) == {
        ("moved", "module", "store/disk.h", "store/disk.h", "store/drive.h"),
        ("moved", "module", "a_b::disk", "a_b::disk", "a_b::drive"),
        ("moved", "class", "store.Disk", "store.Disk", "drive.Disk"),
        ("moved", "module", "packages/a/src/disk", "packages/a/src/disk", "packages/a/src/drive"),
    }
    assert {fact.name: fact.reach for fact in facts_of(files, modules)}["store/disk.h"] is Reach.PUBLIC


def test_look_alikes_are_not_told() -> None:
    files = {
        "tests/test_old.py => tests/test_new.py": (ENGINE, ENGINE),
        "docs/old.py => docs/new.py": (ENGINE, ENGINE),
        "third_party/old.py => third_party/new.py": (ENGINE, ENGINE),
        "scripts/old.py => scripts/new.py": (ENGINE, ENGINE),
        "pkg/_old.py => pkg/_new.py": (ENGINE, ENGINE),
        "internal/old/a.go => internal/new/a.go": ("package old\n", "package new\n"),
        "store/a.go => store/b.go": ("package store\n", "package store\n"),
        "store/gone.go": ("package store\n\nfunc Open() {\n}\n", None),
        "pkg/a_pb2.py => pkg/b_pb2.py": (ENGINE, ENGINE),
        "pkg/empty.py": ("x = 1\n", None),
        "setup.py": (ENGINE, None),
    }

    assert both(files, modules) == set()


def test_a_module_that_the_pages_name_is_public() -> None:
    files = {
        "pkg/old.py => pkg/new.py": (ENGINE, ENGINE),
        "docs/use.md": ("Import `pkg.old.TreeEngine`.\n", "Import `pkg.new.TreeEngine`.\n"),
    }

    (fact,) = facts_of(files, modules)

    assert (fact.kind, fact.reach) == (FactKind.MOVED, Reach.PUBLIC)
