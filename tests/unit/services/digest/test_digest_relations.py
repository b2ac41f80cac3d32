"""How merges of a week refer to each other."""

from __future__ import annotations

from datetime import timedelta

import pytest

from services.digest.aggregate import aggregate
from services.digest.merges import Merge
from shared.domain.analysis import Relation
from shared.domain.digest import Digest
from shared.domain.taxonomy import ChangeType, KeyReason, RelationKind, Risk, Trait
from tests.builders import MERGED_AT
from tests.unit.services.digest.weeks import last_week, make_frame, make_merge, make_tag


def revert(number: int, title: str, hours: int = 1, **overrides: object) -> Merge:
    """A revert ``hours`` after the usual time; by its title alone unless ``target`` or ``commit`` is given."""
    relation = Relation(
        kind=RelationKind.REVERTS,
        source=number,
        target=overrides.pop("target", None),
        target_commit=overrides.pop("commit", None),
        evidence=title,
    )
    values = {
        "kind": ChangeType.REVERT,
        "tags": (make_tag(Risk.REVERT),),
        "relations": (relation,),
        "merged_at": MERGED_AT + timedelta(hours=hours),
        "score": 20,
    }
    return make_merge(number, title, **(values | overrides))


def pairs(digest: Digest, kind: RelationKind = RelationKind.REVERTS) -> list[tuple[int, int]]:
    return [(relation.source, relation.to) for relation in digest.relations if relation.kind is kind]


@pytest.mark.parametrize(
    "undoing",
    [
        revert(11, 'Revert "Add X"', target=10),
        revert(11, 'Revert "Add X"', commit=f"{10:040x}"),
        revert(11, 'Revert "Add X" (#11)'),
        revert(11, "[Core] Revert “add  x”"),
    ],
    ids=["by number", "by commit", "by title", "by title in other quotes"],
)
def test_c19_added_and_reverted_in_one_week_is_no_news(undoing: Merge) -> None:
    added = make_merge(10, "Add X", score=90, reason=KeyReason.CONTRACT, tags=(make_tag(Risk.BREAKING_CHANGE),))

    digest = aggregate([added, undoing, make_merge(12, "Other", score=1)], make_frame())

    assert pairs(digest) == [(11, 10)]
    assert set(digest.ledger.grouped) == {10, 11}
    assert digest.ledger.featured == (12,)
    assert digest.key_pull_requests == ()
    assert digest.must_act == ()
    assert f"trait:{Trait.REVERTED}" in digest.pull_request(10).tags
    assert digest.merged_total == 3


def test_c19_a_revert_of_last_weeks_merge_is_told_as_news() -> None:
    digest = aggregate([revert(11, 'Revert "Add X"')], make_frame(), earlier=last_week([make_merge(10, "Add X")]))

    assert pairs(digest) == [(11, 10)]
    assert digest.ledger.featured == (11,)


def test_c19_a_reverted_revert_leaves_the_change_standing() -> None:
    merges = [
        make_merge(10, "Add X", score=30),
        revert(11, 'Revert "Add X"'),
        revert(12, 'Revert "Revert "Add X""', hours=2),
    ]

    digest = aggregate(merges, make_frame())

    assert pairs(digest) == [(11, 10), (12, 11)]
    assert digest.ledger.featured == (10,)
    assert f"trait:{Trait.REVERTED}" not in digest.pull_request(10).tags
    assert f"trait:{Trait.REVERTED}" in digest.pull_request(11).tags


@pytest.mark.parametrize(
    "undoing",
    [
        revert(11, 'Partially revert "Add X"', target=10),
        revert(11, 'Revert "Add X"', target=10, base_ref="release/1"),
        revert(11, 'Revert "Add X"', target=10, hours=-1),
    ],
    ids=["in part", "on another branch", "made before"],
)
def test_what_is_not_wholly_undone_still_counts(undoing: Merge) -> None:
    digest = aggregate([make_merge(10, "Add X", score=30), undoing], make_frame(branches=("release/*",)))

    assert 10 in digest.ledger.featured


def test_an_ambiguous_or_short_commit_finds_nothing() -> None:
    merges = [
        make_merge(10, merge_commit_sha="a" * 40),
        make_merge(12, merge_commit_sha="a" * 39 + "b"),
        revert(11, "Undo", commit="aaaaaaa"),
        revert(13, "Undo", commit=f"{10:040x}"[:5]),
    ]

    assert pairs(aggregate(merges, make_frame())) == []


def test_an_issue_number_is_no_relation_but_a_named_revert_of_an_old_merge_is() -> None:
    continues = Relation(kind=RelationKind.CONTINUES, source=20, target=5)

    digest = aggregate([make_merge(20, relations=(continues,)), revert(21, "Revert #6", target=6)], make_frame())

    assert [(relation.kind, relation.to) for relation in digest.relations] == [(RelationKind.REVERTS, 6)]


def test_c16_two_numbers_of_one_merge_commit_are_one_item() -> None:
    merges = [
        make_merge(30, merge_commit_sha="c" * 40, score=40, merged_by=None),
        make_merge(31, merge_commit_sha="C" * 40, score=60, merged_by=None),
        make_merge(32),
    ]

    digest = aggregate(merges, make_frame())

    assert (digest.merged_total, digest.items_total) == (3, 2)
    assert pairs(digest, RelationKind.SAME_COMMIT) == [(31, 30)]
    assert set(digest.ledger.featured) == {30, 32}
    assert digest.ledger.grouped == (31,)


def backport(number: int, branch: str, original: int, **overrides: object) -> Merge:
    relation = Relation(kind=RelationKind.BACKPORTS, source=number, target=original)
    return make_merge(
        number,
        f"[Backport {branch}] Fix the leak",
        relations=(relation,),
        tags=(make_tag(Trait.BACKPORT),),
        base_ref=branch,
        **overrides,
    )


def test_c20_backports_are_grouped_under_the_original_with_their_branches() -> None:
    merges = [
        make_merge(40, "Fix the leak", kind=ChangeType.FIX, score=30),
        backport(41, "release/1.2", 40, score=80),
        backport(42, "release/1.3", 40, score=80),
    ]

    digest = aggregate(merges, make_frame(branches=("release/*",)))

    assert digest.ledger.featured == (40,)
    assert digest.ledger.grouped == (41, 42)
    assert {(r.source, r.to, r.label) for r in digest.relations} == {(41, 40, "release/1.2"), (42, 40, "release/1.3")}
    assert [theme.pull_requests for theme in digest.themes] == [(40, 41, 42)]


def test_c20_a_lone_backport_stands_alone_and_points_to_its_original() -> None:
    digest = aggregate([backport(43, "release/1.2", 40)], make_frame(branches=("release/*",)))

    assert digest.ledger.featured == (43,)
    assert pairs(digest, RelationKind.BACKPORTS) == [(43, 40)]
    assert digest.themes == ()


def test_a_series_continues_that_of_the_week_before() -> None:
    before = last_week([make_merge(50, "[db][1/3] Split pages"), make_merge(51, "[db][2/3] Write pages")])

    digest = aggregate([make_merge(52, "[db][3/3] Index pages")], make_frame(), earlier=before)

    (relation,) = digest.relations
    assert (relation.kind, relation.source, relation.to, relation.label) == (RelationKind.CONTINUES, 52, 51, "3/3")
    assert f"trait:{Trait.SERIES}" in digest.pull_request(52).tags
