"""What a model judged beside the rules: rows to act on, risks, reasons, contested points; never instead of them."""

from __future__ import annotations

from typing import Any

import pytest

from services.digest.aggregate import aggregate
from services.digest.judged_actions import ROW_KINDS
from services.digest.merges import Merge
from services.digest.must_act import MOST, find_must_act, shown_of
from services.digest.risks import ORDER, find_risks
from shared.domain.analysis import ReviewPoint
from shared.domain.digest import Digest, ToldReading
from shared.domain.reading import ContestedClaim
from shared.domain.taxonomy import ChangeType, Origin, ReviewOutcome, Risk, Trait
from tests.unit.services.digest.read_merges import (
    EFFECT,
    judged_key,
    make_action,
    make_claim,
    make_quote,
    make_risk,
    read,
    read_key,
)
from tests.unit.services.digest.weeks import analysis_of, last_week, make_frame, make_key, make_merge, make_tag


def rows(*merges: Merge) -> list[tuple[int, str, str]]:
    return [(row.number, row.kind, str(row.origin)) for row in find_must_act(merges, frozenset())]


def deprecating(number: int, **overrides: Any) -> Merge:
    return make_merge(
        number, f"Deprecate option --old-{number}", tags=(make_tag(Trait.DEPRECATION, "seen"),), **overrides
    )


def test_what_a_model_asks_for_stands_behind_all_rows_of_rules() -> None:
    bump = make_merge(9, "Bump ring", author="dependabot[bot]", tags=(make_tag(Risk.DEPENDENCY_CHANGE, "seen"),))
    found = rows(read(make_merge(1, score=90), actions=(make_action(),)), deprecating(2, score=1), bump)
    assert found == [(2, "deprecation", "rule"), (9, "version-bump", "rule"), (1, "new-default", "model")]


def test_a_row_of_a_model_has_its_words_its_way_back_and_the_place_of_its_quotation() -> None:
    action = make_action(way_back="Set order to old.", quotes=(make_quote(field="body", path=None), make_quote()))
    (row,) = find_must_act([read(make_merge(1), actions=(action,))], frozenset())
    assert (row.what, row.way_back) == ("Set the old order in the settings", "Set order to old")
    assert (row.place, row.line) == ("lumen/core/engine.py", 12)
    assert row.claim is not None
    assert row.claim.quotes == action.quotes


def test_a_model_says_nothing_of_a_kind_that_rules_have_told_of_the_merge() -> None:
    merge = deprecating(1)
    assert rows(read(merge, actions=(make_action(kind="deprecation"),))) == [(1, "deprecation", "rule")]
    assert rows(read(merge, actions=(make_action(kind="migration"),)))[1] == (1, "migration", "model")


@pytest.mark.parametrize(
    "shape",
    [
        {"kind": ChangeType.TEST},
        {"kind": ChangeType.CI},
        {"kind": ChangeType.DOCS},
        {"tags": (make_tag(Trait.TESTS_ONLY),)},
        {"tags": (make_tag(Trait.BACKPORT),)},
    ],
    ids=["tests", "ci", "docs", "tests only", "a backport"],
)
def test_nobody_has_to_act_on(shape: dict[str, Any]) -> None:
    assert rows(read(make_merge(1, **shape), actions=(make_action(),))) == []


def test_what_was_taken_back_asks_for_nothing() -> None:
    assert find_must_act([read(make_merge(1), actions=(make_action(),))], frozenset({1})) == ()


def test_rows_of_rules_are_never_cut_for_those_of_a_model() -> None:
    merges = [deprecating(number) for number in range(1, MOST + 1)]
    shown, cut = shown_of(
        find_must_act([*merges, read(make_merge(99, score=99), actions=(make_action(),))], frozenset())
    )
    assert {row.origin for row in shown} == {Origin.RULE}
    assert cut == (99,)


def test_a_break_that_only_a_model_judged_makes_no_row_of_the_rules() -> None:
    merge = make_merge(1, "Require a token [breaking]", score=90)
    assert rows(read(merge, risks=(make_risk(Risk.BREAKING_CHANGE),))) == rows(merge)


def test_every_kind_of_action_has_a_row_kind() -> None:
    assert set(ROW_KINDS) == {
        "breaking-change",
        "removal",
        "deprecation",
        "new-default",
        "environment-variable",
        "dependency",
        "migration",
    }


def test_every_risk_has_its_place_in_the_order() -> None:
    assert sorted(ORDER) == sorted(Risk)


def test_risks_of_rules_and_of_a_model_are_told_apart_the_rules_first() -> None:
    ruled = make_merge(1, tags=(make_tag(Risk.SECURITY_SENSITIVE, "label 'security'"),))
    judged = read(make_merge(2), risks=(make_risk(Risk.SECURITY_SENSITIVE, "A token is compared byte by byte."),))
    first, second = find_risks([judged, ruled])
    assert (first.origin, first.pull_requests, first.evidence) == (Origin.RULE, (1,), {1: "label 'security'"})
    assert (second.origin, second.pull_requests) == (Origin.MODEL, (2,))
    assert second.evidence == {2: "A token is compared byte by byte"}
    assert second.claims[2].quotes[0].text == "wake two readers"


def test_what_a_model_says_of_a_risk_that_rules_found_stands_beside_it() -> None:
    ruled = make_merge(1, tags=(make_tag(Risk.SECURITY_SENSITIVE, "label 'security'"),))
    (finding,) = find_risks([read(ruled, risks=(make_risk(Risk.SECURITY_SENSITIVE, "It compares byte by byte."),))])
    assert (finding.origin, finding.evidence) == (Origin.RULE, {1: "label 'security'"})
    assert finding.claims[1].text == "It compares byte by byte"


def test_the_week_before_counts_the_marks_of_rules_alone() -> None:
    earlier = last_week([read(make_merge(1, tags=(make_tag(Risk.CORE_PATH),)), risks=(make_risk(),))])
    previous = aggregate([make_merge(2)], make_frame(), earlier=earlier).previous
    assert previous is not None
    assert previous.risks == {"core-path": 1}


def told_of(digest: Digest, number: int) -> ToldReading:
    return next(reading for reading in digest.readings if reading.number == number)


def test_a_key_pull_request_by_the_judgement_of_a_model_says_so() -> None:
    digest = aggregate([judged_key(1), read_key(2)], make_frame())
    origins = {key.number: key.reason_origin for key in digest.key_pull_requests}
    assert origins == {1: Origin.MODEL, 2: Origin.RULE}
    assert told_of(digest, 1).reason is not None
    assert told_of(digest, 2).reason is None


def test_of_a_merge_that_is_told_by_name_but_not_key_the_effect_is_told_alone() -> None:
    merge = read(make_merge(1), why=make_claim("It was wrong before."), actions=())
    told = told_of(aggregate([merge], make_frame()), 1)
    assert told.effect is not None
    assert told.effect.text == EFFECT.rstrip(".")
    assert told.why is None


def test_where_no_effect_is_told_the_change_leads() -> None:
    told = told_of(aggregate([read_key(1, effect=None, change=make_claim("The queue is a list."))], make_frame()), 1)
    assert told.effect is not None
    assert told.effect.text == "The queue is a list"


def contested(words: str, **place: Any) -> ContestedClaim:
    quote = make_quote(words, **({"field": "review", "path": None, "line": None} | place))
    return ContestedClaim(text=f"About {words}.", quotes=(quote,), outcome=ReviewOutcome.DEFERRED)


def test_what_rules_tell_of_the_review_is_not_told_again() -> None:
    point = ReviewPoint(
        person="grace", outcome=ReviewOutcome.REJECTED, quote="Why not keep both orders?", path="a.py", line=4
    )
    merge = read_key(
        1,
        contested=(
            contested("not keep both orders"),
            contested("another remark at the same place", path="a.py", line=4),
            contested("the name of the setting"),
        ),
    )
    merge = Merge(merge.pull_request, analysis_of(merge).model_copy(update={"review": (point,)}))
    told = told_of(aggregate([merge], make_frame()), 1)
    assert [claim.text for claim in told.contested] == ["About the name of the setting"]


def test_a_merge_that_nobody_read_has_no_reading() -> None:
    assert aggregate([make_key(1)], make_frame()).readings == ()
