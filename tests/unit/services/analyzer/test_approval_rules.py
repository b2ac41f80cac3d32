"""Approval and standing requests for changes: told from the whole review, silent where it is not known."""

from __future__ import annotations

from typing import Any

import pytest

from shared.domain.pull_request import Cut, Person, Review
from shared.domain.taxonomy import Risk
from tests.builders import make_file
from tests.unit.services.analyzer.reviewed import PAGE, comment, evidence_of, merged, person, review


@pytest.mark.parametrize(
    ("reviews", "told"),
    [
        ((), "no other person reviewed it before the merge"),
        ((review("ada"),), "no other person reviewed it before the merge"),
        ((review("checker[bot]"),), "no other person reviewed it before the merge"),
        ((review("bea", "COMMENTED", "Nice."),), "bea reviewed it and does not approve it"),
        ((review("bea", "DISMISSED"),), "bea reviewed it and does not approve it"),
        ((review("bea", hours=9), review("bea", "CHANGES_REQUESTED")), "bea reviewed it and does not approve it"),
        ((review("bea", hours=9), review("bea", "DISMISSED")), "bea reviewed it and does not approve it"),
        ((review("bea", hours=-1),), "no other person reviewed it before the merge"),
        (
            (review("bea", "COMMENTED", "Hm."), review("cyd", "CHANGES_REQUESTED", "No.")),
            "2 other people reviewed it and none of them approves it",
        ),
    ],
)
def test_what_is_no_approval_is_told(reviews: tuple[Review, ...], told: str) -> None:
    assert evidence_of(merged(*reviews), Risk.UNAPPROVED)[0].why == told


@pytest.mark.parametrize(
    "reviews",
    [
        (review("bea"),),
        (review("bea", "CHANGES_REQUESTED", hours=9), review("bea")),
        (review("bea", hours=9), review("bea", "COMMENTED", "One more thought.")),
        (review("bea"), review("cyd", "CHANGES_REQUESTED")),
        (review("ghost"),),
        (review("bea", submitted_at=None),),
    ],
)
def test_an_approval_that_stands_is_believed(reviews: tuple[Review, ...]) -> None:
    assert not merged(*reviews).has(Risk.UNAPPROVED)


@pytest.mark.parametrize(
    "overrides",
    [
        {"reviews_known": False},
        {"cut": {"reviews": Cut.OUR_LIMIT}},
        {"cut": {"comments": Cut.NO_CREDENTIAL}},
        {"labels": ("LGTM", "bug")},
        {"comments": (comment("bea", "Thanks!\n/lgtm"),)},
        {"comments": (comment("bea", "@lander r+"),)},
        {
            "user": person("bumper[bot]"),
            "title": "Bump ring from 0.17.1 to 0.17.2",
            "files": (make_file("Cargo.lock"),),
        },
    ],
    ids=["unknown", "cut", "cut conversation", "label", "command", "landing command", "bump by a bot"],
)
def test_unapproved_is_silent_where_it_cannot_know(overrides: dict[str, Any]) -> None:
    assert not merged(**overrides).has(Risk.UNAPPROVED)


def test_a_bot_that_changes_code_needs_an_approval_like_everybody() -> None:
    assert merged(user=person("coder[bot]"), title="Add a queue").has(Risk.UNAPPROVED)


@pytest.mark.parametrize(
    "said",
    [
        [("bea", "/approve no-issue")],
        [("bea", "/LGTM")],
        [("bea", "r=me")],
        [("bea", "@lander r=bea,cyd rollup")],
        [("bea", "@lander: r+ p=1")],
        [("bea", "/lgtm cancel"), ("bea", "/lgtm")],
        [("bea", "r-"), ("cyd", "@lander r+")],
        [("bea", "/approve"), ("cyd", "/approve"), ("cyd", "/approve cancel")],
        [("bea", "/lgtm"), ("keeper[bot]", "/lgtm cancel")],
    ],
)
def test_the_last_command_can_approve(said: list[tuple[str, str]]) -> None:
    comments = tuple(comment(login, body, hours=9 - place) for place, (login, body) in enumerate(said))

    assert not merged(comments=comments).has(Risk.UNAPPROVED)


@pytest.mark.parametrize(
    "said",
    [
        [("bea", "/lgtm"), ("bea", "/lgtm cancel")],
        [("bea", "/lgtm"), ("cyd", "/lgtm cancel")],
        [("bea", "/lgtm"), ("ada", "/remove-lgtm")],
        [("bea", "/approve"), ("bea", "/approve cancel")],
        [("bea", "@lander r+"), ("cyd", "@lander r-")],
        [("bea", "r=me"), ("bea", "r-")],
        [("bea", "r=requests.get(url)")],
        [("bea", "@lander r=requests.get(url)")],
        [("bea", "r=me with the nits done")],
        [("bea", "```\nr=x\n```")],
        [("bea", "r+1 is an odd name.")],
        [("bea", "/lgtm-later")],
    ],
)
def test_a_command_that_was_taken_back_or_is_none_approves_nothing(said: list[tuple[str, str]]) -> None:
    comments = tuple(comment(login, body, hours=9 - place) for place, (login, body) in enumerate(said))

    assert merged(comments=comments).has(Risk.UNAPPROVED)
    assert merged(comments=comments[::-1]).has(Risk.UNAPPROVED), "the time counts, not the order in the list"


def test_commands_after_the_merge_change_nothing() -> None:
    assert merged(comments=(comment("bea", "/lgtm", hours=-1),)).has(Risk.UNAPPROVED)
    taken_back_late = (comment("bea", "/lgtm"), comment("bea", "/lgtm cancel", hours=-1))
    assert not merged(comments=taken_back_late).has(Risk.UNAPPROVED)


def test_an_author_cannot_approve_by_command() -> None:
    assert merged(comments=(comment("ada", "/lgtm"),)).has(Risk.UNAPPROVED)


def test_what_looks_like_an_approval_is_named_with_who_merged() -> None:
    reviews = (review("bea", "DISMISSED"), review("checker[bot]"), review("cyd", hours=-2))
    found = evidence_of(merged(*reviews, merged_by=Person(login="ada", id=11)), Risk.UNAPPROVED)

    assert [one.why for one in found] == [
        "bea reviewed it and does not approve it",
        "the review of bea was dismissed",
        "checker[bot], which approves it, is a bot",
        "cyd approved it on 2026-05-06, after the merge",
        "merged by its author",
    ]
    assert {one.url for one in found[1:4]} == {PAGE}


def test_a_request_that_stands_is_told_with_who_when_and_the_words() -> None:
    reviews = (
        review(
            "bea",
            "CHANGES_REQUESTED",
            "> old text\n\nPlease bound the **queue** ([why](https://x.example/y)).",
            hours=30,
        ),
        review("bea", "COMMENTED", "Thanks for the answer."),
        review("cyd", "CHANGES_REQUESTED", hours=9),
        review("cyd"),
        review("dot[bot]", "CHANGES_REQUESTED", "Sign the agreement."),
    )
    (found,) = evidence_of(merged(*reviews), Risk.CHANGES_REQUESTED)

    assert found.why == "bea asked for changes on 2026-05-05 and has not taken that back"
    assert found.quote == "Please bound the **queue** (why)."
    assert found.url == PAGE


@pytest.mark.parametrize("last", ["APPROVED", "DISMISSED"])
def test_a_request_that_was_taken_back_is_not_told(last: str) -> None:
    assert not merged(review("bea", "CHANGES_REQUESTED", hours=9), review("bea", last)).has(Risk.CHANGES_REQUESTED)


def test_a_request_after_the_merge_says_so() -> None:
    (found,) = evidence_of(merged(review("bea", "CHANGES_REQUESTED", hours=-3)), Risk.CHANGES_REQUESTED)

    assert found.why == "bea asked for changes on 2026-05-06, after the merge"
    assert found.quote is None


@pytest.mark.parametrize("overrides", [{"reviews_known": False}, {"cut": {"reviews": Cut.NO_CREDENTIAL}}])
def test_a_review_that_is_not_whole_tells_of_no_standing_request(overrides: dict[str, Any]) -> None:
    assert not merged(review("bea", "CHANGES_REQUESTED"), **overrides).has(Risk.CHANGES_REQUESTED)


def test_names_of_reviewers_notify_and_link_nothing() -> None:
    odd = Person(login=None, name="  Bea @all #12 “x”; y ")
    (found,) = evidence_of(merged(Review(user=odd, state="CHANGES_REQUESTED")), Risk.CHANGES_REQUESTED)

    assert found.why == "Bea all 12 x y asked for changes and has not taken that back"


def test_only_pages_of_the_host_are_linked() -> None:
    elsewhere = review("bea", "CHANGES_REQUESTED", html_url="https://github.com.example/lumen")

    assert evidence_of(merged(elsewhere), Risk.CHANGES_REQUESTED)[0].url is None
