"""Titles that name what the merged diff does not show, and titles that need not show it."""

from __future__ import annotations

import time

import pytest

from shared.domain.pull_request import ChangedFile, Unread
from shared.domain.taxonomy import Namespace, Trait
from tests.unit.services.analyzer.examined import analysed

PIN = "@@ -3,3 +3,3 @@\n FROM base\n-ARG PILOT_BRANCH=v1.4.2\n+ARG PILOT_BRANCH=v1.5.0\n RUN build"
CODE = (
    "@@ -1,2 +1,3 @@\n import os\n-tide = 1\n+TideTable = os.environ['HARBOR_TIDE']\n+parser.add(\"--max-quay-depth\")"
)


def file(patch, path="harbor/master.py", **overrides):
    totals = {sign: sum(line[:1] == sign for line in patch.split("\n")) for sign in "+-"}
    values = {"filename": path, "patch": patch, "additions": totals["+"], "deletions": totals["-"]}
    return ChangedFile(**(values | overrides))


def evidence(title, *files, **overrides):
    analysis = analysed(*(files or (file(CODE), file(PIN, "Dockerfile"))), title=title, **overrides)
    return [
        piece
        for tag in analysis.tags
        if tag.namespace is Namespace.TRAIT and tag.value == Trait.ANNOUNCED_ONLY
        for piece in tag.evidence
    ]


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Upgrade pilot to v1.5.0-rc2", "v1.5.0-rc2"),
        ("[Port] Bump pilot from v1.4.2 to v1.5.1 in /deploy", "v1.5.1"),
        ("Pin pilot==1.5.9", "==1.5.9"),
        ("Add `BerthPlan` and `MooringPlan`", "BerthPlan"),
        ("Introduce `BerthPlan` for long ships", "BerthPlan"),
        ("Remove `tide_height`", "tide_height"),
        ("Add --min-quay-depth option", "--min-quay-depth"),
        ("Add new env var HARBOR_DRAUGHT", "HARBOR_DRAUGHT"),
        ("Rename `tide_height` to `tide`", "tide_height"),
    ],
)
def test_what_the_diff_does_not_show_is_named(title, name):
    named = [piece.why for piece in evidence(title)]

    assert f"the title names {name}, which the merged diff does not show" in named


def test_another_version_is_shown_with_its_line():
    (piece,) = evidence("Upgrade pilot to v1.5.0-rc2")

    assert (piece.path, piece.quote) == ("Dockerfile", "ARG PILOT_BRANCH=v1.5.0")


@pytest.mark.parametrize(
    "title",
    [
        "Upgrade pilot to v1.5.0",
        "Bump pilot from 1.4.2 to 1.5.0",
        "Upgrade pilot to 1.5",
        "Upgrade sonar to v3.1.0",
        "Upgrade sonar to v1.5.9",
        "Pin pilot==1.5",
        "Update pilot to 11.5.0",
        "Fix the pilot on CUDA 12.9",
        "Upgrade pilot for ROCm v7.2.0",
        "Upgrade dependencies pre 1.6.0",
        "Fix `assign` when the quay is full",
        "Add docs for `assign`",
        "Add tests to `assign`",
        "Add `assign` size 80 to the table",
        "Add `assign`, `moor` and `cast_off` docs",
        "Remove workaround in `assign`",
        "Add `--max_quay_depth`",
        "Add `max-quay-depth` option",
        "Add `HARBOR_TIDE`",
        "Add `tide-table`",
        "Remove `tide`",
        "Rename `Tide_Table` to `TideTable`",
        "Add BerthPlan",
        "Use `assign()` everywhere",
        "Keep the queue in order",
    ],
)
def test_what_is_shown_or_need_not_be_shown_is_no_finding(title):
    assert evidence(title) == []


@pytest.mark.parametrize(
    "overrides",
    [
        {"files": None},
        {"files": ()},
        {"changed_files": 9},
        {"files": (file(CODE), file(PIN, "Dockerfile").model_copy(update={"patch": None, "unread": Unread.TOO_LARGE}))},
        {"files": (file(PIN, additions=70),)},
    ],
    ids=["no-files", "no-change", "list-cut", "unread", "patch-cut"],
)
def test_absence_counts_only_where_everything_was_read(overrides):
    assert evidence("Add `BerthPlan`", **overrides) == []


def test_a_huge_patch_is_left_alone_and_a_wild_title_is_harmless():
    huge = "@@ -0,0 +1,60000 @@\n" + "+    berth = assign(berth, tide=7)\n" * 60_000
    started = time.perf_counter()

    assert evidence("Add `BerthPlan`", file(huge)) == []
    evidence("add " * 20_000 + "`a`")
    evidence("bump " + "a=" * 20_000 + "1.1.1")
    assert time.perf_counter() - started < 20
