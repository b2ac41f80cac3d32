"""The digest as a whole: what holds for any week."""

from __future__ import annotations

from collections import Counter
from datetime import timedelta
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.digest.aggregate import aggregate, figures_of
from services.digest.ledger import LedgerBroken, keep_ledger
from services.digest.merges import Merge
from shared.domain.analysis import Coverage, Relation
from shared.domain.digest import Digest
from shared.domain.pull_request import Cut, DetailSource, Person
from shared.domain.taxonomy import ChangeType, KeyReason, RelationKind, Risk, Trait
from tests.builders import MERGED_AT
from tests.unit.services.digest.weeks import (
    WEEK,
    analysis_of,
    last_week,
    make_failure,
    make_frame,
    make_key,
    make_merge,
    make_tag,
)

TITLES = ("Fix the cache", "[db][1/3] Split pages", "[db][2/3] Write pages", 'Revert "Fix the cache"', "Bump tls to 2")
BOT = Person(login="renovate[bot]", type="Bot")


@st.composite
def weeks(draw: st.DrawFn) -> list[Merge]:
    """Weeks with everything in them: bots, reverts, shared commits, side branches, failures, duplicates."""
    merges: list[Merge] = []
    for number in draw(st.lists(st.integers(1, 40), max_size=25)):
        merged_at = WEEK.start + timedelta(hours=draw(st.integers(-30, 200)))
        base = draw(st.sampled_from(["main", "main", "main", "release/1"]))
        commit = f"{draw(st.integers(1, 20)):040x}"
        overrides = {"merged_at": merged_at, "base_ref": base, "merge_commit_sha": commit}
        if draw(st.integers(0, 6)) == 0:
            merges.append(make_failure(number, **overrides))
            continue
        tags = draw(st.lists(st.sampled_from([*Risk, *Trait]), unique=True, max_size=4))
        target = draw(st.one_of(st.none(), st.integers(1, 40)))
        relation = Relation(kind=draw(st.sampled_from(list(RelationKind))), source=number, target=target)
        merges.append(
            make_merge(
                number,
                draw(st.sampled_from(TITLES)),
                user=draw(st.sampled_from([Person(login="ada"), Person(login="grace"), BOT])),
                kind=draw(st.sampled_from(list(ChangeType))),
                tags=[make_tag(tag) for tag in tags],
                relations=(relation,),
                areas=draw(st.lists(st.sampled_from(["db", "web", "cli"]), unique=True)),
                score=draw(st.integers(-20, 60)),
                reason=draw(st.sampled_from([None, *KeyReason])),
                paths=draw(st.lists(st.sampled_from(["db/page.go", "web/a.ts", "docs/x.md"]), unique=True)),
                **overrides,
            )
        )
    return merges


def recount(digest: Digest) -> None:
    """Every count and list of the document follows from its list of pull requests."""
    numbers = [listed.number for listed in digest.pull_requests]
    ledger = digest.ledger
    states = [*ledger.featured, *ledger.grouped, *ledger.condensed, *ledger.failed]
    assert sorted(states) == sorted(numbers)
    assert len(set(states)) == len(states) == digest.merged_total
    assert {listed.number: listed.state for listed in digest.pull_requests} == {
        number: state for state in ("featured", "grouped", "condensed", "failed") for number in getattr(ledger, state)
    }
    typed = [number for group in digest.change_types.values() for number in group]
    assert sorted(typed) == sorted(numbers)
    by_area = Counter(area for listed in digest.pull_requests for area in listed.areas)
    assert {figure.name: len(figure.pull_requests) for figure in digest.areas} == dict(by_area)
    assert all(figure.share == round(len(figure.pull_requests) / digest.merged_total, 4) for figure in digest.areas)
    for finding in digest.risks:
        marked = {one.number for one in digest.pull_requests if f"risk:{finding.tag}" in one.tags}
        assert set(finding.pull_requests) == marked == set(finding.evidence)
    cited = [
        *(number for theme in digest.themes for number in theme.pull_requests),
        *(key.number for key in digest.key_pull_requests),
        *(item.number for item in digest.must_act),
        *(relation.source for relation in digest.relations),
        *digest.bots,
    ]
    assert set(cited) <= set(numbers)
    themed = [number for theme in digest.themes for number in theme.pull_requests]
    assert len(themed) == len(set(themed))
    assert {key.number for key in digest.key_pull_requests} <= set(ledger.featured)
    assert 0 <= digest.items_total <= digest.merged_total


@settings(max_examples=60)
@given(merges=weeks(), featured=st.integers(0, 24), branches=st.sampled_from([(), ("release/*",)]))
def test_every_count_recomputes_and_every_merge_has_one_state(
    merges: list[Merge], featured: int, branches: tuple[str, ...]
) -> None:
    digest = aggregate(merges, make_frame(featured=featured, branches=branches), earlier=last_week(merges))

    recount(digest)
    assert len(digest.ledger.featured) <= featured
    assert Digest.model_validate_json(digest.to_json()) == digest


@settings(max_examples=40)
@given(merges=weeks(), order=st.randoms(use_true_random=False))
def test_the_order_of_the_input_does_not_matter(merges: list[Merge], order: Random) -> None:
    unique = list({merge.number: merge for merge in merges}.values())
    shuffled = list(unique)
    order.shuffle(shuffled)

    assert aggregate(shuffled, make_frame(), earlier=last_week(shuffled)) == aggregate(
        unique, make_frame(), earlier=last_week(unique)
    )


def test_an_empty_week_is_a_valid_short_digest() -> None:
    digest = aggregate([], make_frame(), earlier=[])

    recount(digest)
    assert digest.merged_total == digest.items_total == 0
    assert (digest.areas, digest.risks, digest.themes, digest.key_pull_requests, digest.follow_ups) == ((),) * 5
    assert digest.provenance.ruleset_version == "none"


@pytest.mark.parametrize(
    "merges",
    [
        [
            make_merge(n, f"Bump {n}", author="renovate[bot]", tags=(make_tag(Trait.BOT),), score=-20)
            for n in range(1, 9)
        ],
        [make_merge(n, f'Revert "{n}"', kind=ChangeType.REVERT, tags=(make_tag(Risk.REVERT),)) for n in range(1, 9)],
        [make_failure(n) for n in range(1, 9)],
        [make_merge(1, files=None, areas=())],
    ],
    ids=["only bots", "only reverts", "only failures", "one payload without details"],
)
def test_one_sided_weeks_make_a_digest(merges: list[Merge]) -> None:
    recount(aggregate(merges, make_frame(), earlier=last_week(merges)))


def test_c55_rows_that_are_not_analysed_are_listed_by_title_and_the_digest_is_marked() -> None:
    failures = [make_failure(number, title=f"Waiting {number}") for number in range(1, 6)]

    digest = aggregate([*failures, make_merge(6)], make_frame())

    assert digest.ledger.failed == (1, 2, 3, 4, 5)
    assert [one.title for one in digest.pull_requests if one.state == "failed"] == [f"Waiting {n}" for n in range(1, 6)]
    assert digest.provenance.degraded == ("failed-analyses",)
    assert digest.follow_ups[0].key == "analyse-again:1,2,3,4,5"
    assert digest.merged_total == 6


def test_c55_a_truly_empty_week_is_not_marked() -> None:
    assert aggregate([], make_frame()).provenance.degraded == ()


def test_titles_are_carried_as_they_are() -> None:
    hostile = "Support <details> in <T> \u202e @everyone `x` {user.__class__} %s"

    digest = aggregate([make_key(1, title=hostile)], make_frame())

    assert digest.pull_requests[0].title == digest.key_pull_requests[0].title == hostile


def test_a_week_so_far_is_marked() -> None:
    assert aggregate([], make_frame(so_far=True)).provenance.so_far


def test_coverage_is_added_up() -> None:
    def with_coverage(number: int, **coverage: object) -> Merge:
        merge = make_merge(number)
        values = {"source": DetailSource.CLONE, "files_changed": 4, "files_seen": 4, "files_read": 3} | coverage
        return Merge(merge.pull_request, analysis_of(merge).model_copy(update={"coverage": Coverage(**values)}))

    merges = [
        with_coverage(1, unread={"binary": 1}, patch_bytes=90, files_whole=2),
        with_coverage(2, files_changed=4_200, files_seen=3_000, unread={"binary": 2, "too-large": 1}, patch_bytes=90),
        with_coverage(3, source=DetailSource.PAYLOAD, files_changed=5, files_seen=0, files_read=0),
        make_failure(4, changed_files=7),
    ]

    account = aggregate(merges, make_frame()).coverage

    assert (account.files_changed, account.files_seen, account.files_read) == (4_216, 3_004, 6)
    assert account.unread == {"binary": 3, "too-large": 1}
    assert (account.partial, account.without_details) == ((2,), (3,))
    assert account.patches_only == 1


def test_c26_lists_that_are_not_whole_are_counted_by_list_and_reason() -> None:
    merges = [
        make_merge(1, cut={"commits": Cut.HOST_LIMIT, "checks": Cut.FAILED}),
        make_merge(2, cut={"checks": Cut.NO_CREDENTIAL}),
        make_failure(3, cut={"checks": Cut.NO_CREDENTIAL}),
        make_merge(4),
    ]

    account = aggregate(merges, make_frame()).coverage

    assert account.cut == {"checks": {"failed": 1, "no-credential": 2}, "commits": {"host-limit": 1}}
    assert aggregate([make_merge(4)], make_frame()).coverage.cut == {}


def test_figures_of_a_week_count_each_merge_once() -> None:
    merges = [
        make_merge(1, areas=("db", "web"), tags=(make_tag(Risk.CORE_PATH),), kind=ChangeType.FIX),
        make_merge(2, areas=("db",), kind=ChangeType.FIX, author="grace"),
    ]

    figures = figures_of(merges, "2026-W18")

    assert figures.merged_total == 2
    assert figures.change_types == {ChangeType.FIX: 2}
    assert figures.areas == {"db": 2, "web": 1}
    assert figures.risks == {"core-path": 1}
    assert figures.people == 2


def test_a_ledger_that_does_not_add_up_is_refused() -> None:
    with pytest.raises(LedgerBroken):
        keep_ledger([make_merge(1)], featured={2}, told=set())
    with pytest.raises(LedgerBroken):
        keep_ledger([make_merge(1), make_merge(1)], featured=set(), told=set())


def test_key_pull_requests_carry_their_reason() -> None:
    digest = aggregate([make_key(1, merged_at=MERGED_AT), make_merge(2, score=90)], make_frame())

    (key,) = digest.key_pull_requests
    assert (key.number, key.reason, key.reason_why) == (1, KeyReason.CONTRACT, "the title says so")
    assert digest.ledger.featured == (1, 2)
