"""Which merges are told by name, and which are key."""

from __future__ import annotations

import pytest

from services.digest.aggregate import aggregate
from services.digest.merges import Merge
from services.digest.selection import choose_key, feature, left_out
from shared.domain.digest import Theme
from shared.domain.taxonomy import KeyReason, Origin, Trait
from tests.unit.services.digest.read_merges import make_action, read
from tests.unit.services.digest.weeks import make_failure, make_frame, make_key, make_merge, make_tag

ALL = dict.fromkeys(Origin, frozenset(range(1_000)))


def theme(*numbers: int, found_by: str = "shared-words") -> Theme:
    return Theme(key=f"theme-{numbers[0]}", title="A story", pull_requests=numbers, found_by=found_by)


def spread(count: int, score: int = 10, start: int = 500) -> list[Merge]:
    return [make_merge(start + n, score=score, areas=(f"area-{n}",)) for n in range(count)]


def test_the_most_important_are_featured_up_to_the_limit() -> None:
    merges = [make_merge(n, score=n, areas=(f"area-{n}",)) for n in range(1, 40)]

    assert feature(merges, (), set(), 24) == tuple(range(39, 15, -1))


@pytest.mark.parametrize(("found_by", "expected"), [("numbered-series", 1), ("shared-words", 3), ("shared-subject", 3)])
def test_of_a_theme_only_a_few_are_featured(found_by: str, expected: int) -> None:
    members = [make_merge(n, score=90, areas=(f"area-{n}",)) for n in range(1, 8)]

    chosen = feature([*members, *spread(30)], [theme(*range(1, 8), found_by=found_by)], set(), 24)

    assert len(set(chosen) & set(range(1, 8))) == expected
    assert len(chosen) == 24


def test_one_busy_area_does_not_fill_the_digest() -> None:
    busy = [make_merge(n, score=20, areas=("busy",)) for n in range(1, 30)]

    chosen = feature([*busy, *spread(10, score=17)], (), set(), 12)

    assert len(set(chosen) & {merge.number for merge in busy}) < 12


def test_what_is_worth_nothing_is_not_featured() -> None:
    assert feature([make_merge(1, score=0), make_merge(2, score=-5)], (), set(), 24) == ()


def test_bots_bumps_and_failures_are_left_out() -> None:
    merges = [
        make_merge(1, author="dependabot[bot]", score=90),
        make_merge(2, tags=(make_tag(Trait.VERSION_BUMP),), score=90),
        make_failure(3),
        make_merge(4),
    ]

    assert left_out(merges, (), {9}) == {1, 2, 3, 9}


def test_key_needs_a_reason() -> None:
    merges = [make_merge(1, score=90), make_key(2, score=10)]

    assert [merge.number for merge in choose_key(merges, {1, 2}, (), 8, ALL)] == [2]
    assert choose_key(merges[:1], {1}, (), 8, ALL) == ()


def test_key_is_spread_over_reasons_and_themes() -> None:
    contracts = [make_key(n, score=90 - n) for n in range(1, 8)]
    others = [make_key(n, score=20, reason=reason) for n, reason in enumerate(list(KeyReason)[3:], start=50)]
    merges = [*contracts, *others]

    chosen = [merge.number for merge in choose_key(merges, {m.number for m in merges}, [theme(1, 2, 3)], 8, ALL)]

    assert chosen == [1, 2, 4, 50, 51, 52]


def test_fewer_than_five_are_filled_up_whatever_the_reason() -> None:
    merges = [make_key(n, score=90 - n) for n in range(1, 8)]

    assert [merge.number for merge in choose_key(merges, set(range(1, 8)), (), 8, ALL)] == [1, 2, 3, 4, 5]


def test_the_limit_of_key_pull_requests_holds() -> None:
    merges = [make_key(n, reason=reason) for n, reason in enumerate([*KeyReason, *KeyReason], start=1)]

    assert len(choose_key(merges, {m.number for m in merges}, (), 8, ALL)) == 8
    assert len(choose_key(merges, {m.number for m in merges}, (), 3, ALL)) == 3


def test_who_must_act_by_a_rule_is_not_key_for_a_row_of_a_model() -> None:
    merge = make_key(1, reason=KeyReason.MUST_ACT)

    assert choose_key([merge], {1}, (), 8, {Origin.RULE: {1}, Origin.MODEL: {1}}) == (merge,)
    assert choose_key([merge], {1}, (), 8, {Origin.RULE: set(), Origin.MODEL: {1}}) == ()


@pytest.mark.parametrize(("reason", "key"), [(KeyReason.MUST_ACT, []), (KeyReason.CONTRACT, [1])])
def test_of_a_week_the_rows_of_rules_alone_bear_out_their_reason(reason: KeyReason, key: list[int]) -> None:
    digest = aggregate([read(make_key(1, reason=reason), actions=(make_action(),))], make_frame())

    assert [(row.number, row.origin) for row in digest.must_act] == [(1, Origin.MODEL)]
    assert [one.number for one in digest.key_pull_requests] == key
