"""Commit messages taken apart, and the people in them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.domain.pull_request import Person
from shared.sources.commit_messages import body_of, co_authors_of, split, without_addresses
from shared.sources.people import Identity, credit, people_of, person_of, without

ADA = Identity("Ada Stone", "11+ada@users.noreply.github.com")


def shown(*identities: Identity) -> list[str]:
    return [person.shown for person in people_of(identities)]


@pytest.mark.parametrize(
    ("message", "body"),
    [
        ("Title", None),
        ("Title\n\nSigned-off-by: Ada <a@x.example>\nSigned-off-by: <>\nChange-Id: I12", None),
        ("Title\n\nWords.\n\nMore: words\n\nReviewed-by: Bo <b@x.example>", "Words.\n\nMore: words"),
        ("Title\r\n\r\nWords.\r\n\r\n---------\r\n\r\nCo-authored-by: nobody at all\r\n", "Words."),
        ("Title\n\n* first step\n\nwhy\n\n* second step\n\nSigned-off-by: Ada <a@x.example>\n\n* third", None),
        ("Title\n\n* one item\n* another item", "* one item\n* another item"),
        ("Title\n\n* a single item\n\nand words", "* a single item\n\nand words"),
        ("Title\n\n(cherry picked from commit abc)\nFixes: #12", "(cherry picked from commit abc)\nFixes: #12"),
        ("Title\n\nBREAKING CHANGE: the flag is gone", "BREAKING CHANGE: the flag is gone"),
        ("\n\nTitle\n \t\n", None),
    ],
)
def test_subject_and_body(message: str, body: str | None) -> None:
    said = split(message)
    assert (said.subject, said.body) == ("Title", body)


def test_c24_trailers() -> None:
    text = (
        "Co-authored-by: Bo <5+bo@users.noreply.github.com>\n  CO-AUTHORED-BY:Cy<cy@example.org>  \r\n"
        "Co-authored-by: nobody\nCo-authored-by: <>\nCo-authored-by: X <not an address>\nCo-authored-by: Y y@x.example\n"
        "Not-co-authored-by: Z <z@x.example>\nCo-authored-by: A <b> <c@x.example>"
    )
    assert co_authors_of(text) == (
        Identity("Bo", "5+bo@users.noreply.github.com"),
        Identity("Cy", "cy@example.org"),
        Identity("A <b>", "c@x.example"),
    )


def test_c24_addresses_are_taken_out_of_trailers_only() -> None:
    text = "See git@github.com:a/b and @types/node\nSigned-off-by: Ada Stone <a@x.example>\r\nReviewed-By: @bo <b@x.example>"
    assert without_addresses(text) == (
        "See git@github.com:a/b and @types/node\nSigned-off-by: Ada Stone\r\nReviewed-By: @bo"
    )


def test_c24_each_person_once() -> None:
    assert shown(
        Identity("Bo Reed", "bo@example.org"),
        Identity("BO REED", "5+Bo@users.noreply.github.com"),
        Identity("bo reed", "other@example.org"),
        Identity("B. Reed", "5+bo@users.noreply.github.com"),
        Identity("Cy", "cy@example.org"),
        Identity("Cyrus", "CY@example.org"),
        Identity("", "old@users.noreply.github.com"),
    ) == ["Bo", "Cy", "old"]


def test_people_of_one_name_and_two_accounts_stay_two() -> None:
    assert shown(
        Identity("Sam", "1+sam@users.noreply.github.com"),
        Identity("Sam", "2+sam2@users.noreply.github.com"),
        Identity("Sam", "sam@example.org"),
    ) == ["sam", "sam2", "Sam"]


@pytest.mark.parametrize(
    ("name", "email", "bot"),
    [
        ("dependabot[bot]", "49699333+dependabot[bot]@users.noreply.github.com", True),
        ("renovate[bot]", "bot@renovate.example", True),
        ("Helper", "noreply@vendor.example", True),
        ("Helper", "release-bot@example.org", True),
        ("Robot Lover", "7+robot-lover@users.noreply.github.com", False),
        ("Bo Abbot", "abbot@example.org", False),
        ("Ada", "11+ada@users.noreply.git.corp.example", False),
    ],
)
def test_c23_bots_are_told_by_account_or_mailbox(name: str, email: str, bot: bool) -> None:
    person = person_of(Identity(name, email))
    assert person is not None
    assert person.is_bot is bot


@pytest.mark.parametrize("name", ["", "  ", "a@b.example", "Ada <a@b.example>"])
def test_c24_a_name_that_is_an_address_is_no_name(name: str) -> None:
    assert person_of(Identity(name, "a@b.example")) is None
    assert credit(Identity(name, "a@b.example"), [ADA])[0] == Person()


def test_credit_puts_the_author_first_and_only_there() -> None:
    author, others = credit(Identity("Ada Stone", "ada@home.example"), [ADA, Identity("Bo", "b@x.example")])
    assert author == Person(login="ada", name="Ada Stone", id=11)
    assert [person.shown for person in others] == ["Bo"]
    assert without(others, Person(login="bo", name="Bo")) == ()


@given(st.text(max_size=300))
def test_no_message_raises(message: str) -> None:
    said = split(message)
    people_of(said.co_authors)
    assert said.body is None or said.body.strip()
    without_addresses(message)


@pytest.mark.parametrize(
    "line",
    ["Co-authored-by:" + " " * 300_000, "a-" * 150_000 + "by: <@>", "<" * 300_000, "x: " * 100_000, "* \n\n" * 80_000],
)
def test_hostile_messages_take_no_time(line: str) -> None:
    began = time.perf_counter()
    split(f"Title\n\n{line}\n{line}")
    body_of(line)
    without_addresses(f"x-by: @\n{line}")
    assert time.perf_counter() - began < 5
