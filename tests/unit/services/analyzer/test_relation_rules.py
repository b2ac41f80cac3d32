"""Reverts, re-lands, backports, stacks: what a merge refers to, and what never counts."""

from __future__ import annotations

import pytest

from services.analyzer.examine import examine
from services.analyzer.rules import build_context
from shared.domain.pull_request import Commit
from shared.domain.taxonomy import RelationKind, Risk, Trait
from shared.settings import RepositorySettings
from tests.builders import make_pull_request

CONTEXT = build_context(RepositorySettings(full_name="lumen/lumen"))
SHA = "32e45636e3d7e02615facc8c63645ce4ac1d7e11"


def relations(title, body=None, **overrides):
    analysis = examine(make_pull_request(11, title=title, body=body, **overrides), CONTEXT)
    return analysis, [(r.kind.value, r.target or r.target_commit, r.label) for r in analysis.relations]


@pytest.mark.parametrize(
    ("title", "body", "targets"),
    [
        ('Revert "Add X"', "Reverts lumen/lumen#10", [10]),
        ('Revert "Add X"', "Reverts #10.\r\n", [10]),
        ('Revert "Add X (#10)"', None, [10]),
        ('Revert "Fix #7 in X (#10)"', None, [10]),
        ("Revert #8 and #9", None, [8, 9]),
        ("[Misc] Revert #8", "Reverts https://github.com/lumen/lumen/pull/8", [8]),
        ("Undo X", "This reverts #10", [10]),
        ('Revert "Add X"', f"This reverts commit {SHA}.", [SHA]),
        ('Revert "Add X"', None, [None]),
    ],
)
def test_c19_a_revert_is_joined_to_what_it_reverts(title, body, targets):
    analysis, found = relations(title, body)

    assert analysis.has(Risk.REVERT)
    assert [target for kind, target, _ in found if kind == "reverts"] == targets


def test_c19_a_commit_message_names_the_reverted_commit():
    commits = (Commit(sha="a" * 40, message=f'Revert "Add X"\n\nThis reverts commit {SHA}.'),)

    assert relations('Revert "Add X"', commits=commits)[1] == [("reverts", SHA, None)]


@pytest.mark.parametrize(
    "title", ["Reland: add X (again)", 'Reapply "Add X"', 'Revert "Revert "Add X""', "[Reland] Add X"]
)
def test_a_reland_is_no_revert(title):
    analysis, found = relations(title, "Relands #10")

    assert analysis.has(Trait.RELAND)
    assert not analysis.has(Risk.REVERT)
    assert ("relands", 10, None) in found


@pytest.mark.parametrize(
    ("title", "body", "expected"),
    [
        ("[Backport 1.2] Keep order", "Backport of #10", ("backports", 10, "1.2")),
        ("[1.2] Keep order", "Backport #10 to 1.2.", ("backports", 10, "release/1.2")),
        ("backport #10 to release/1.3", None, ("backports", 10, "release/1.3")),
        ("Keep order", f"(cherry picked from commit {SHA})", ("backports", SHA, "release/1.2")),
        ("Automated cherry pick of #10: keep order", None, ("backports", 10, "release/1.2")),
    ],
)
def test_c20_a_backport_points_to_its_original_and_names_its_branch(title, body, expected):
    analysis, found = relations(title, body, base_ref="release/1.2")

    assert analysis.has(Trait.BACKPORT)
    assert found == [expected]


@pytest.mark.parametrize(
    ("title", "body", "expected"),
    [
        ("Keep order", "Depends on #10", ("stacked-on", 10, None)),
        ("Keep order", "Stacked on top of #10 and #9", ("stacked-on", 10, None)),
        ("Keep order", "This is based on #10.", ("stacked-on", 10, None)),
        ("Keep order", "Stack:\n* #12\n* __->__ #11\n* #10", ("stacked-on", 10, None)),
        ("Keep order", "Follow-up to #10.", ("continues", 10, None)),
        ("Keep order", "A follow up of lumen/lumen#10", ("continues", 10, None)),
        ("[2/N] Keep order", "This is part 2 of #10.", ("continues", 10, "2/n")),
    ],
)
def test_stacks_and_continuations(title, body, expected):
    assert relations(title, body)[1][0] == expected


@pytest.mark.parametrize(
    ("title", "quote"),
    [
        ("[Perf][3/n] Fewer copies", "[3/n]"),
        ("kv_offload [2/N]: groups", "[2/N]"),
        ("Move the parser, part 3", "part 3"),
        ("(4/7) Move the parser", "(4/7)"),
    ],
)
def test_a_part_of_a_series_says_which(title, quote):
    analysis, _ = relations(title)

    (tag,) = [tag for tag in analysis.tags if tag.value == Trait.SERIES]
    assert tag.evidence[0].quote == quote


@pytest.mark.parametrize("title", ["Fix a 1/2 probability", "Support 24/7 operation", "Use 2 of 3 replicas"])
def test_a_fraction_is_no_series(title):
    assert not relations(title)[0].has(Trait.SERIES)


@pytest.mark.parametrize(
    "body",
    [
        "<!-- Depends on #10 -->",
        "```\nDepends on #10\n```",
        "`Depends on #10`",
        "    Depends on #10",
        "> Depends on #10",
        "- [ ] Depends on #10",
        "Depends on other/project#10",
        "Depends on https://github.com/other/project/pull/10",
        "Depends on #11",
        "Depends on #0",
        "This was reverted in #10 and relanded since.",
    ],
)
def test_numbers_that_never_count(body):
    assert relations("Keep order", body)[1] == []


def test_relations_go_to_local_numbers_only_even_in_reverts():
    assert relations('Revert "Add X"', "Reverts other/project#10")[1] == [("reverts", None, "Add X")]
    assert RelationKind.REVERTS == "reverts"
