"""Where the facts show what a title names, in words."""

from __future__ import annotations

from services.cli.title_names import title_names
from tests.unit.shared.claims.merges import changed, merge


def test_every_name_of_the_title_has_its_place():
    title = "Raise the pilot to v1.5.0-rc2: `--max-quay-depth`, --quay-depth, harbor/master.py, fleet.tide.measure (#7)"

    assert list(title_names(merge(title=title))) == [
        "v1.5.0-rc2 (version): only in the description",
        "--max-quay-depth (flag): on an added line, harbor/master.py:42",
        "--quay-depth (flag): on a removed line, harbor/master.py:41",
        "harbor/master.py (path): as the path of a changed file, harbor/master.py",
        "fleet.tide.measure (name): as measure on an added line, harbor/master.py:12",
    ]


def test_what_was_not_read_is_said():
    (line,) = title_names(merge(changed("a.py", None, additions=3), title="Add `BerthPlan`"))

    assert line == "BerthPlan (name): only in the description; not read whole: a.py"


def test_a_merge_without_files_has_no_places():
    assert list(title_names(merge(title="Add `BerthPlan`", files=None))) == []
