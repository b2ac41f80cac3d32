"""Where the facts show a token: the strongest place, with its line, and when absence is evidence."""

from __future__ import annotations

import time

import pytest

from shared.claims.identifiers import mentioned
from shared.claims.support import Where, announced_only, check, find
from shared.domain.pull_request import Comment, Commit, Review, Unread
from tests.unit.shared.claims.merges import PATCH, changed, known


def found(text, facts=None):
    return find(mentioned(text)[0], facts or known())


@pytest.mark.parametrize(
    ("text", "where", "path", "line"),
    [
        ("`HARBOR_BERTH_LIMIT`", Where.ADDED, "harbor/master.py", 11),
        ("dock.tide.measure()", Where.ADDED, "harbor/master.py", 12),
        ("--max-quay-depth", Where.ADDED, "harbor/master.py", 42),
        ("max_quay_depth", Where.ADDED, "harbor/master.py", 42),
        ("--max_quay_depth", Where.ADDED, "harbor/master.py", 42),
        ("--quay-depth", Where.REMOVED, "harbor/master.py", 41),
        ("BERTH_LIMIT", Where.ADDED, "harbor/master.py", 11),
        ("80,000", Where.REMOVED, "harbor/master.py", 11),
        ("90000", Where.ADDED, "harbor/master.py", 11),
        ("2.5", Where.ADDED, "harbor/master.py", 12),
        ("`assign`", Where.CONTEXT, "harbor/master.py", 14),
        ("`HarborMaster`", Where.CONTEXT, "harbor/master.py", None),
        ("v1.5.0", Where.ADDED, "deploy/Dockerfile", 4),
        ("1.5.0", Where.ADDED, "deploy/Dockerfile", 4),
        ("v1.4.2", Where.REMOVED, "deploy/Dockerfile", 4),
        ("harbor/master.py", Where.PATH, "harbor/master.py", None),
        ("`master.py`", Where.PATH, "harbor/master.py", None),
        ("`harbor/`", Where.PATH, "harbor/master.py", None),
        ("SHIP", Where.CONTEXT, "harbor/master.py", 41),
    ],
)
def test_the_place_is_told_with_its_line(text, where, path, line):
    support = found(text).support

    assert (support.where, support.place.path, support.place.line) == (where, path, line)


def test_a_place_quotes_its_line():
    assert found("v1.5.0").support.place.quote == "ARG PILOT=v1.5.0"


@pytest.mark.parametrize(
    "text",
    ["HIP", "`hip`", "`Assign`", "`berth_limit`", "v1.5.0-rc2 ", "v1.5", "1.5.01", "11.5.0", "`aster.py`", "--depth",
     "--max-quay", "800", "8000", "2.5 s", "0.5"],
)  # fmt: skip
def test_part_of_a_token_another_case_or_another_version_is_no_support(text):
    finding = found(text, known(title="Raise the pilot"))

    assert finding.support.where is Where.NOWHERE or finding.support.found_as


@pytest.mark.parametrize(
    ("written", "claimed", "as_found"),
    [
        ("ARG PILOT=0.1.13", "0.1.13-rc5", None),
        ("ARG PILOT=0.1.13-rc5", "0.1.13", None),
        ("ARG PILOT=0.1.131", "0.1.13", None),
        ("ARG PILOT=10.1.13", "v0.1.13", None),
        ("ARG PILOT=0.1.13.post2", "0.1.13", None),
        ("ARG PILOT=0.1.13rc1", "0.1.13", None),
        ("ARG CUDA=12.9.1", "CUDA 12.9", "12.9"),
        ("quay==0.2", ">=0.2.0", "0.2"),
        ("image: py312", "Python 3.12", "312"),
        ("image: py314", "Python 3.14", "314"),
        ("version_info = (0, 20, 1)", "v0.20.1", "0, 20, 1"),
    ],
)
def test_versions_are_whole_and_near_ones_are_said_to_be(written, claimed, as_found):
    facts = known(changed("Dockerfile", f"@@ -0,0 +1 @@\n+{written}"), title="Raise it")
    support = next(f for f in check(claimed, facts) if f.mention.kind == "version").support

    assert support.found_as == as_found
    assert support.where is (Where.ADDED if as_found else Where.NOWHERE)


@pytest.mark.parametrize(
    "written",
    ["quay==0.1.13", "quay-0.1.13-py3-none-any.whl", "v0.1.13.", "(0.1.13)", "quay0.1.13", "quay_0.1.13", "^0.1.13,"],
)
def test_a_version_is_found_beside_names_and_signs(written):
    facts = known(changed("a.txt", f"@@ -0,0 +1 @@\n+{written}"), title="Raise it")

    assert found("v0.1.13", facts).support.where is Where.ADDED
    assert found("v0.1.13", facts).support.found_as is None


def test_a_dotted_name_may_stand_by_its_last_part_and_says_so():
    assert found("`quay::Db`", known(changed("a.rs", "@@ -0,0 +1 @@\n+trait Db {"))).support.found_as == "Db"
    support = found("harbor.master.assign").support

    assert (support.where, support.found_as) == (Where.CONTEXT, "assign")


def test_the_whole_name_outranks_its_last_part_on_a_stronger_line():
    patch = "@@ -1,2 +1,2 @@\n+measure = 1\n-tide.measure(0)"

    assert found("tide.measure", known(changed("a.py", patch))).support.where is Where.REMOVED


def test_an_option_of_one_word_needs_its_dashes_or_says_that_it_stands_without():
    facts = known(changed("a.py", '@@ -0,0 +1,1 @@\n+run(verbose=True, "--quiet")'))

    assert found("--quiet", facts).support.found_as is None
    assert found("--verbose", facts).support.found_as == "verbose"


def test_diff_before_tree_before_description_before_review():
    title = "Add `BerthPlan` and `berth` and `tide_table`"
    reviews = (Review(body="why not `moor_line`?"),)
    facts = known(tree=lambda token: "old/tide.py" if token == "tide_table" else None, title=title, reviews=reviews)

    assert found("`BerthPlan`", facts).support.where is Where.DESCRIPTION
    assert found("`tide_table`", facts).support.where is Where.TREE
    assert found("`tide_table`", facts).support.place.path == "old/tide.py"
    assert found("`moor_line`", facts).support.where is Where.REVIEW
    assert found("`moor_lines`", facts).support.where is Where.NOWHERE


def test_the_tree_is_not_asked_for_what_the_diff_shows():
    asked = []
    found("--max-quay-depth", known(tree=asked.append))

    assert asked == []


@pytest.mark.parametrize(
    ("overrides", "field"),
    [
        ({"title": "Add RegionPlan"}, "title"),
        ({"body": "one\nRegionPlan two"}, "body"),
        ({"commits": (Commit(sha="a", message="RegionPlan"),)}, "commit"),
        ({"labels": ("RegionPlan",)}, "label"),
        ({"reviews": (Review(body="RegionPlan?"),)}, "review"),
        ({"comments": (Comment(body="RegionPlan?"),)}, "comment"),
    ],
)
def test_the_field_of_a_description_is_told(overrides, field):
    assert found("RegionPlan", known(**({"title": "x"} | overrides))).support.place.field == field


def test_a_review_comment_keeps_its_file_and_line():
    facts = known(review_comments=(Comment(body="drop RegionPlan", path="harbor/plan.py", line=7),))
    place = found("RegionPlan", facts).support.place

    assert (place.path, place.line, place.quote) == ("harbor/plan.py", 7, "drop RegionPlan")


@pytest.mark.parametrize(
    "facts",
    [
        known(files=None),
        known(changed_files=9),
        known(changed("a.bin", None, unread=Unread.BINARY)),
        known(changed("a.py", PATCH, additions=700)),
        known(changed("sub", None, submodule=("a" * 40, "b" * 40))),
        known(changed("a.py", None, additions=5)),
    ],
    ids=["no-files", "list-cut", "binary", "patch-cut", "submodule", "no-patch"],
)
def test_absence_is_evidence_only_when_all_was_read(facts):
    finding = found("v1.5.0-rc2", facts)

    assert (finding.support.where, finding.complete, finding.announced_only) == (Where.DESCRIPTION, False, False)
    assert finding.gaps


def test_renames_count_as_read_and_both_names_are_known():
    moved = changed("new/quay.py", None, status="renamed", previous_filename="old/quay.py")
    finding = found("old/quay.py", known(moved))

    assert (finding.support.where, finding.complete) == (Where.PATH, True)
    assert finding.support.place.path == "new/quay.py"


def test_what_only_the_description_has_is_announced_not_done():
    body = "Introduces `RegionPlan` and `HarborMaster`, with --tide-table."
    facts = known(title="Plan", body=body)

    assert [f.mention.text for f in announced_only(body, facts)] == ["RegionPlan", "--tide-table"]


def test_the_false_claims_of_a_digest_are_seen():
    text = "#### HPU path separated; `allow_allreduce` fixed; RegionPlan introduced; pilot raised to v1.5.0-rc2"
    facts = known(changed("a.py", "@@ -1 +1,2 @@\n+def forward_hip(self):\n+    allreduce_fusion()"), body="RegionPlan")
    seen = {finding.mention.text: finding.support.where for finding in check(text, facts)}

    assert seen == {
        "HPU": Where.NOWHERE,
        "allow_allreduce": Where.NOWHERE,
        "RegionPlan": Where.DESCRIPTION,
        "v1.5.0-rc2": Where.DESCRIPTION,
    }


@pytest.mark.parametrize(
    ("written", "claimed", "supported"),
    [
        ("takes 24% less", "24 %", True),
        ("16-24 % faster", "16 %", True),
        ("in 1.8\u03bcs", "1.8 \u00b5s", True),
        ("80 000 berths", "80,000", True),
        ("80,000 berths", "80000", True),
        ("180,000 berths", "80,000", False),
        ("80,000,000", "80,000", False),
        ("1.85 µs", "1.8 µs", False),
        ("1.8 ms", "1.8 µs", False),
        ("124 %", "24 %", False),
    ],
)
def test_figures_in_a_description(written, claimed, supported):
    finding = found(claimed, known(changed("a.py", "@@ -1 +1 @@\n-a\n+b"), title="x", body=written))

    assert (finding.support.where is Where.DESCRIPTION) is supported


def test_composed_and_decomposed_letters_are_one():
    facts = known(changed("a.py", "@@ -0,0 +1 @@\n+cafe\u0301_open = 1"), title="x")

    assert found("`caf\u00e9_open`", facts).support.where is Where.ADDED


@pytest.mark.parametrize(
    "line",
    ["a" * 1_000_000, "a_b " * 250_000, "\0\ud800 x", "1.1.1." * 100_000, "--" * 100_000],
    ids=["one word", "many words", "not text", "points", "dashes"],
)
def test_hostile_lines_neither_raise_nor_hang(line):
    facts = known().__class__(known().pull_request.model_construct(
        **(dict(known().pull_request) | {"files": (changed("a.py", "x").model_copy(update={"patch": f"@@ -0,0 +1 @@\n+{line}", "additions": 1}),), "changed_files": 1})
    ))  # fmt: skip
    started = time.process_time()
    for text in ("`a`", "`aa`", "a_c", "v1.1.1", "--a-b", "1.1", "\ud800 `x\0`"):
        check(text, facts)

    assert time.process_time() - started < 10


def test_a_patch_of_nine_megabytes_is_searched_in_bounded_time():
    line = "+    berth = assign(berth, tide=7)  # " + "as before " * 5 + "\n"
    patch = "@@ -0,0 +1,100001 @@\n" + line * 100_000 + "+quay_end = 1"
    facts = known(changed("a.py", patch))
    started = time.process_time()
    finding = found("`quay_end`", facts)
    for number in range(200):
        found(f"`quay_{number}`", facts)

    assert (finding.support.place.line, finding.complete) == (100_001, True)
    assert time.process_time() - started < 60


def test_beyond_the_cap_absence_is_no_evidence():
    facts = known(changed("a.py", "@@ -0,0 +1,2 @@\n+a = 1\n+quay_end = 1"))
    short = type(facts)(facts.pull_request, most_characters=25)

    assert not found("`quay_end`", short).complete
    assert "a.py" in short.gaps[0]
