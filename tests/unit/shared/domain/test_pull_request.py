"""The merged pull request: credit, links, and facts joined with details."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from shared.domain.code_history import CodeHistory
from shared.domain.pull_request import DetailSource, Person, unique_people
from tests.builders import MERGED_AT, make_file, make_pull_request


def test_c24_people_are_credited_once_and_bots_among_the_co_authors_are_not() -> None:
    merge = make_pull_request(
        user=Person(login="ada", id=11),
        co_authors=(
            Person(login="Ada", id=11),
            Person(login="grace"),
            Person(login="GRACE"),
            Person(login=None, name="Edsger"),
            Person(login="dependabot[bot]", type="Bot"),
        ),
    )

    assert [person.shown for person in merge.credited] == ["ada", "grace", "Edsger"]


def test_d06_a_renamed_login_is_one_person() -> None:
    people = unique_people(
        [Person(login="old-name", id=7), Person(login="new-name", id=7), Person(login="other", id=8)]
    )

    assert [person.login for person in people] == ["old-name", "other"]


@pytest.mark.parametrize(
    ("person", "is_bot"),
    [
        (Person(login="dependabot[bot]"), True),
        (Person(login="release-train", type="Bot"), True),
        (Person(login="robot-lover"), False),
        (Person(), False),
    ],
)
def test_c23_bots_are_told_by_type_or_suffix(person: Person, is_bot: bool) -> None:
    assert person.is_bot is is_bot


def test_details_fill_in_but_the_hosts_totals_win() -> None:
    facts = make_pull_request(files=None, changed_files=4200, additions=9, title="New title")
    details = make_pull_request(title="Old title", files=(make_file(additions=3, deletions=1),))

    joined = facts.with_details(details)

    assert (joined.title, joined.changed_files, joined.additions) == ("New title", 4200, 9)
    assert joined.files == details.files
    assert joined.detail_source is DetailSource.RECORDS


def test_totals_come_from_the_details_when_the_facts_have_none() -> None:
    facts = make_pull_request(files=None)

    joined = facts.with_details(make_pull_request())

    assert (joined.additions, joined.deletions, joined.changed_files) == (3, 1, 1)


def test_the_history_comes_with_the_details() -> None:
    history = CodeHistory(since=MERGED_AT, files_since=MERGED_AT)

    joined = make_pull_request(files=None).with_details(make_pull_request(history=history))

    assert joined.history == history
    assert joined.with_details(make_pull_request()).history is None


def test_naive_times_are_refused() -> None:
    with pytest.raises(ValidationError):
        make_pull_request(merged_at="2026-05-06T12:00:00")


def test_c46_ids_beyond_32_bits_are_kept_exactly() -> None:
    assert make_pull_request(user=Person(login="ada", id=9_007_199_254_740_993)).user.id == 9_007_199_254_740_993
