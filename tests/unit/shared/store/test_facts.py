"""What events told of a pull request is joined to one value, whatever the order they arrive in."""

from __future__ import annotations

from datetime import timedelta
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.pull_request import DetailSource, Person, PullRequest
from shared.store.facts import bare, first_learned, join
from tests.builders import MERGED_AT, make_pull_request

GHOST = Person()
ADA = Person(login="ada", id=11)
ADA_RENAMED = Person(login="ada-l", id=11)


def told(seconds: int | None, **overrides: object) -> PullRequest:
    at = None if seconds is None else MERGED_AT + timedelta(seconds=seconds)
    return bare(make_pull_request(updated_at=at, **overrides))


def joined(events: list[PullRequest]) -> PullRequest:
    facts, learned = events[0], first_learned(events[0])
    for event in events[1:]:
        facts, learned = join(facts, learned, event)
    return facts


def test_facts_carry_no_details() -> None:
    facts = bare(make_pull_request())
    assert facts.files is None
    assert facts.detail_source is DetailSource.PAYLOAD


EVENTS = [
    told(0, title="First", labels=()),
    told(5, title="Second", labels=()),
    told(9, title="Second", labels=("bug",)),
    told(0, title="First", labels=()),
]


@pytest.mark.parametrize("order", list(permutations(EVENTS)))
def test_r08_every_order_gives_the_newest_facts(order: tuple[PullRequest, ...]) -> None:
    assert joined(list(order)) == EVENTS[2]


people = st.sampled_from([GHOST, ADA, ADA_RENAMED, Person(login=None, name="Ada L."), Person(login="bob")])
commits = st.none() | st.sampled_from(["a" * 40, "b" * 40])
events = st.builds(
    told,
    st.integers(0, 3),
    title=st.sampled_from("xyz"),
    body=st.none() | st.sampled_from("pq"),
    user=people,
    merged_by=st.none() | people,
    merge_commit_sha=commits,
    head_ref=st.none() | st.sampled_from("uv"),
    labels=st.lists(st.sampled_from("lmn"), max_size=2).map(tuple),
)


@given(st.lists(events, min_size=1, max_size=5).flatmap(lambda some: st.tuples(st.just(some), st.permutations(some))))
def test_r08_the_outcome_depends_on_no_order(orders: tuple[list[PullRequest], list[PullRequest]]) -> None:
    first, second = orders
    assert joined(first) == joined(second)
    assert joined([*first, *first]) == joined(first)


@pytest.mark.parametrize("order", list(permutations([told(0, user=ADA), told(3, user=GHOST, title="Later")])))
def test_c04_an_author_who_became_a_ghost_keeps_the_login(order: tuple[PullRequest, ...]) -> None:
    facts = joined(list(order))
    assert facts.user == ADA
    assert facts.title == "Later"


@pytest.mark.parametrize(
    "order", list(permutations([told(0, user=ADA), told(3, user=ADA_RENAMED), told(6, user=GHOST)]))
)
def test_d06_a_renamed_author_is_known_by_the_newest_login(order: tuple[PullRequest, ...]) -> None:
    assert joined(list(order)).user == ADA_RENAMED


def test_an_account_outranks_the_name_on_a_commit() -> None:
    name_only = Person(login=None, name="Ada L.")
    assert joined([told(None, user=name_only), told(0, user=ADA)]).user == ADA
    assert joined([told(0, user=ADA), told(None, user=name_only)]).user == ADA
    assert joined([told(0, user=GHOST), told(None, user=name_only)]).user == name_only


def test_a_source_without_times_does_not_overwrite_an_event() -> None:
    event, clone = told(0, title="From the host"), told(None, title="From a clone", merge_commit_sha=None)
    assert joined([event, clone]) == event
    assert joined([clone, event]) == event


def test_what_the_event_lacks_is_learned_from_a_clone() -> None:
    event, clone = told(0, merge_commit_sha=None), told(None, merge_commit_sha="c" * 40)
    assert joined([event, clone]).merge_commit_sha == "c" * 40
    assert joined([clone, event]).merge_commit_sha == "c" * 40


def test_a_clone_read_again_wins_over_its_first_reading() -> None:
    first, again = told(None, title="zzz"), told(None, title="aaa", merge_commit_sha="0" * 40)
    assert joined([first, again]) == again


def test_a_description_that_was_emptied_stays_empty() -> None:
    assert joined([told(0, body="Text"), told(4, body=None)]).body is None
