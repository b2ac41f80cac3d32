"""Other risks: core paths, large and empty changes."""

from __future__ import annotations

import pytest

from services.analyzer.rules import build_context
from shared.domain.taxonomy import Risk
from shared.settings import RepositorySettings
from tests.builders import make_file
from tests.unit.services.analyzer.examined import analysed


def test_core_paths_of_the_settings_replace_the_general_notion():
    context = build_context(
        RepositorySettings(full_name="lumen/lumen", core_paths=("lumen/money/**", "!lumen/money/docs/**"))
    )

    assert analysed("lumen/money/a.py", context=context).has(Risk.CORE_PATH)
    assert not analysed("lumen/money/docs/a.py", "lumen/engine/a.py", context=context).has(Risk.CORE_PATH)


@pytest.mark.parametrize(
    ("path", "core"),
    [
        ("lumen/engine/run.py", True),
        ("src/scheduler.go", True),
        ("src/main.rs", True),
        ("include/lumen/api.h", True),
        ("api/lumen.proto", True),
        ("src/components/button.tsx", False),
        ("tests/engine/test_run.py", False),
        ("docs/engine/run.md", False),
        ("examples/engine/run.py", False),
        ("third_party/engine/run.c", False),
    ],
)
def test_core_path_without_settings(path, core):
    assert analysed(path).has(Risk.CORE_PATH) is core


def test_c45_generated_lines_do_not_speak():
    files = (
        make_file("apps/web/package-lock.json", additions=30_000),
        make_file("apps/web/vendor/chart.js", additions=20_000),
        make_file("apps/web/site.min.css", additions=9_000),
        make_file("apps/web/data/cities.json", additions=9_000),
        make_file("apps/web/src/cart.ts", additions=5),
    )
    analysis = analysed(*files, title="fix: count the cart once")

    assert not analysis.has(Risk.LARGE_CHANGE)
    assert analysis.areas == ("web",)
    assert next(f.why for f in analysis.importance.factors if f.name == "size").startswith("6 changed lines")


def test_large_changes_count_source_only():
    assert analysed(make_file("lumen/a.py", additions=600)).has(Risk.LARGE_CHANGE)
    assert not analysed(make_file("tests/test_a.py", additions=6_000)).has(Risk.LARGE_CHANGE)


def test_empty_change_needs_a_known_file_list():
    assert analysed(files=(), changed_files=0).has(Risk.EMPTY_CHANGE)
    assert not analysed(files=None, changed_files=0).has(Risk.EMPTY_CHANGE)
