"""Recommendations, and what became of earlier ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest

from services.digest.aggregate import aggregate
from services.digest.follow_ups import FOLLOW_UP_KINDS
from services.digest.gate import by_rules
from services.digest.merges import Merge
from shared.domain.analysis import Relation
from shared.domain.digest import Digest, FollowUp
from shared.domain.taxonomy import ChangeType, KeyReason, RelationKind, Risk, Trait
from tests.builders import MERGED_AT
from tests.unit.services.digest.read_merges import judged_key, make_action, make_risk, read, read_key
from tests.unit.services.digest.weeks import (
    analysis_of,
    last_week,
    make_failure,
    make_frame,
    make_key,
    make_merge,
    make_tag,
)

RISKY = (make_tag(Risk.MISSING_TESTS), make_tag(Risk.CORE_PATH))


def earlier_digest(*follow_ups: FollowUp) -> Digest:
    """The digest of the week before with this advice."""
    made = aggregate([], make_frame(period=make_frame().period.previous()))
    return made.model_copy(update={"follow_ups": follow_ups})


def advice(key: str, *numbers: int, state: str = "new") -> FollowUp:
    return FollowUp(key=key, text="Do it.", pull_requests=numbers, state=state)


def states(merges: Sequence[Merge], *follow_ups: FollowUp, earlier: Sequence[Merge] = ()) -> dict[str, str]:
    digest = aggregate(merges, make_frame(), earlier=last_week(earlier), previous_digest=earlier_digest(*follow_ups))
    return {follow_up.key: follow_up.state for follow_up in digest.follow_ups}


def undo(number: int, target: int, kind: RelationKind = RelationKind.REVERTS) -> Merge:
    return make_merge(
        number,
        f"{kind} {target}",
        kind=ChangeType.REVERT,
        relations=(Relation(kind=kind, source=number, target=target),),
        merged_at=MERGED_AT + timedelta(hours=number % 24),
    )


def test_a_normal_week_has_three_to_six_each_tied_to_merges_and_an_addressee() -> None:
    merges = [
        make_key(1, author="ada", tags=RISKY, areas=("a",)),
        make_key(2, author="grace", tags=(make_tag(Risk.BREAKING_CHANGE),), reason=KeyReason.MUST_ACT, areas=("b",)),
        make_merge(3, author="lin", tags=(make_tag(Risk.SECURITY_SENSITIVE),), areas=("c",)),
        make_merge(4, "[db][1/3] Split", author="kim", paths=("db/a.go",)),
        make_merge(5, "[db][2/3] Write", author="kim", paths=("db/b.go",)),
        undo(6, 99),
        *(make_merge(n, author=f"u{n}", kind=ChangeType.FIX, paths=("web/cart.ts",), areas=("d",)) for n in (7, 8, 9)),
        make_failure(10),
    ]

    digest = aggregate(merges, make_frame())

    assert 3 <= len(digest.follow_ups) <= 6
    for follow_up in digest.follow_ups:
        assert follow_up.state == "new"
        assert follow_up.key.partition(":")[0] in FOLLOW_UP_KINDS
        assert set(follow_up.pull_requests) <= {merge.number for merge in merges}
        assert follow_up.pull_requests
        assert ": " in follow_up.text
        assert "@" not in follow_up.text


@pytest.mark.parametrize(
    ("merges", "key"),
    [
        ([make_merge(1, tags=RISKY)], "add-tests:1"),
        ([make_merge(1, tags=(make_tag(Risk.MISSING_TESTS),))], "add-tests:1"),
        ([make_key(1, tags=(make_tag(Trait.NEW_DEFAULT),))], "check-upgrade:1"),
        ([make_merge(1, tags=(make_tag(Risk.SECURITY_SENSITIVE),))], "review-security:1"),
        ([undo(2, 1)], "settle-revert:1"),
        ([make_merge(1, "[db][1/3] Split"), make_merge(2, "[db][2/3] Write")], "finish-series:db"),
        ([make_merge(n, kind=ChangeType.FIX, paths=("a/b.ts",)) for n in (1, 2)], "watch-file:a/b.ts"),
        ([make_failure(1)], "analyse-again:1"),
    ],
)
def test_each_kind_has_its_occasion(merges: list[Merge], key: str) -> None:
    assert states(merges)[key] == "new"


def test_advice_is_not_given_twice() -> None:
    merges = [make_merge(1, tags=RISKY)]

    assert states(merges, advice("add-tests:1", 1)) == {"add-tests:1": "open"}


@pytest.mark.parametrize(
    ("key", "merges", "state"),
    [
        ("add-tests:1", [make_merge(5, paths=("tests/core/test_engine.py",))], "done"),
        ("add-tests:1", [make_merge(5, paths=("lumen/core/engine_test.go",))], "done"),
        ("add-tests:1", [make_merge(5, paths=("lumen/core/engine.test.ts",))], "done"),
        ("add-tests:1", [make_merge(5, paths=("src/test/java/EngineTest.java",))], "done"),
        ("add-tests:1", [make_merge(5, paths=("tests/core/test_pages.py",))], "open"),
        ("add-tests:1", [undo(5, 1)], "obsolete"),
        ("check-upgrade:1", [make_merge(5)], "open"),
        ("check-upgrade:1", [undo(5, 1)], "obsolete"),
        ("settle-revert:1", [undo(5, 1, RelationKind.RELANDS)], "done"),
        ("settle-revert:1", [make_merge(5)], "open"),
        ("watch-file:lumen/core/engine.py", [make_merge(5, kind=ChangeType.FIX)], "open"),
        (
            "watch-file:lumen/core/engine.py",
            [make_merge(5, kind=ChangeType.FIX, paths=("lumen/core/engine.py", "tests/core/test_engine.py"))],
            "done",
        ),
        ("watch-file:lumen/core/engine.py", [make_merge(5, paths=("docs/x.md",))], "obsolete"),
        ("watch-file:lumen/core/engine.py", [make_merge(5, kind=ChangeType.FEAT)], "obsolete"),
        ("finish-series:db", [make_merge(5, "[db][3/3] Index")], "done"),
        ("analyse-again:1", [make_merge(5)], "done"),
        ("analyse-again:7", [make_merge(5)], "open"),
    ],
)
def test_what_became_of_earlier_advice(key: str, merges: list[Merge], state: str) -> None:
    """The week before: #1 changed lumen/core/engine.py; #2 and #3 were parts of the series db."""
    before = [make_merge(1), make_merge(2, "[db][1/3] Split"), make_merge(3, "[db][2/3] Write")]

    assert states(merges, advice(key, 1), earlier=before)[key] == state


def test_what_nothing_can_show_is_repeated_once_and_then_left() -> None:
    key = "check-upgrade:1"

    assert states([make_merge(5)], advice(key, 1))[key] == "open"
    assert key not in states([make_merge(5)], advice(key, 1, state="open"))


def test_settled_advice_is_reported_once() -> None:
    assert states([make_merge(5)], advice("add-tests:1", 1, state="done")) == {}


def test_unknown_kinds_of_an_older_version_are_dropped() -> None:
    assert states([make_merge(5)], advice("sing-a-song:1", 1), advice("add-tests:many", 1)) == {
        "add-tests:many": "open"
    }


def test_all_advice_of_the_digest_before_is_accounted_for_and_three_new_ones_find_room() -> None:
    before = [advice(f"add-tests:{n}", n) for n in range(50, 56)]
    older = [advice(f"add-tests:{n}", n, state="open") for n in range(60, 66)]
    merges = [make_key(n, tags=RISKY, areas=(f"a{n}",), author=f"u{n}") for n in range(1, 10)]

    found = states(merges, *before, *older)

    assert {key for key, state in found.items() if state == "open"} == {
        *(follow_up.key for follow_up in before),
        "add-tests:60",
        "add-tests:61",
    }
    assert sum(state == "new" for state in found.values()) == 3


def test_without_earlier_advice_there_are_at_most_six() -> None:
    merges = [
        *(
            make_key(n, title="Drop XML support", tags=(*RISKY, make_tag(Trait.REMOVAL)), areas=(f"a{n}",))
            for n in range(1, 10)
        ),
        *(undo(n, n + 100) for n in range(20, 26)),
    ]

    assert len(states(merges)) == 6


@pytest.mark.parametrize(
    ("kind", "path", "asked"),
    [
        (ChangeType.FEAT, "web/cart.ts", True),
        (ChangeType.FIX, "web/cart.ts", True),
        (ChangeType.REFACTOR, "web/cart.ts", False),
        (ChangeType.PERF, "web/cart.ts", False),
        (ChangeType.FEAT, ".github/workflows/release.yml", False),
        (ChangeType.FEAT, "scripts/release.py", False),
    ],
)
def test_tests_are_asked_for_where_one_could_fail(kind: ChangeType, path: str, asked: bool) -> None:
    merge = make_key(1, kind=kind, paths=(path,), tags=(make_tag(Risk.MISSING_TESTS),))

    assert ("add-tests:1" in states([merge])) is asked


def test_a_revert_that_names_an_issue_too_is_settled_for_the_merge() -> None:
    relations = tuple(Relation(kind=RelationKind.REVERTS, source=50, target=target) for target in (30, 49))
    revert = make_merge(50, "Undo the order of scripts", kind=ChangeType.REVERT, relations=relations)

    assert "settle-revert:30" in states([revert])
    assert "settle-revert:49" not in states([revert])


def test_of_the_numbers_a_revert_names_a_known_merge_comes_first() -> None:
    relations = tuple(Relation(kind=RelationKind.REVERTS, source=50, target=target) for target in (30, 40))
    revert = make_merge(50, "Undo the order of scripts", kind=ChangeType.REVERT, relations=relations)

    assert "settle-revert:40" in states([revert], earlier=[make_merge(40)])


SECURITY = make_risk(Risk.SECURITY_SENSITIVE, "A token is compared byte by byte.")


def test_the_judgement_of_a_model_makes_no_recommendation() -> None:
    merges = [
        make_merge(1, score=1, tags=(make_tag(Risk.SECURITY_SENSITIVE),)),
        read(make_merge(2, score=90), risks=(SECURITY,)),
    ]

    assert states(merges) == {"review-security:1": "new"}


def test_an_upgrade_is_to_be_checked_by_rules_alone() -> None:
    breaking = (make_tag(Risk.BREAKING_CHANGE),)
    ruled = make_key(1, title="Require a token [breaking]", tags=breaking, reason=KeyReason.CONTRACT)
    judged = read_key(2, risks=(make_risk(Risk.BREAKING_CHANGE, "It breaks."),), actions=(make_action(),))
    row_of_model = read(make_key(3, tags=(make_tag(Trait.REMOVAL),)), actions=(make_action(),))

    assert states([ruled, judged, row_of_model]) == {"check-upgrade:1": "new"}


def test_the_weight_that_a_model_gives_moves_no_recommendation() -> None:
    titles = {1: "Sort the index", 3: "Print a receipt", 4: "Colour the map"}
    ruled = [make_merge(n, title, score=51, tags=RISKY, areas=(f"a{n}",)) for n, title in titles.items()]
    judged = judged_key(2)
    judged = replace(judged, analysis=analysis_of(judged).model_copy(update={"tags": RISKY, "areas": ("b",)}))

    found = list(states([judged, *ruled]))

    assert found == list(states([by_rules(judged), *ruled]))
    assert found[-1] == "add-tests:4"
