"""Pull requests on both engines: whole values come back, facts by time, periods half-open, hostile text intact."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.domain.code_history import CodeHistory, LineOrigin
from shared.domain.errors import InvalidInput
from shared.domain.pull_request import (
    ChangedFile,
    Comment,
    Commit,
    DetailSource,
    Person,
    PullRequest,
    Review,
    Unread,
)
from shared.domain.text import clean_text
from shared.store import pull_requests, repositories
from shared.store.pull_requests import StoredPullRequest
from shared.store.session import Database
from tests.builders import MERGED_AT, REPOSITORY, make_file, make_pull_request

NOW = datetime(2026, 5, 6, 13, 0, tzinfo=UTC)


@pytest.fixture
def repository(database: Database) -> int:
    with database.transaction() as session:
        return repositories.ensure(session, REPOSITORY, NOW)


def save(database: Database, repository: int, pull_request: PullRequest, *, captured: bool = True) -> int:
    with database.transaction() as session:
        return pull_requests.save_facts(session, repository, pull_request, captured=captured, now=NOW)


def load(database: Database, repository: int, number: int, *, details: bool = True) -> StoredPullRequest:
    with database.reading() as session:
        stored = pull_requests.get(session, repository, number, details=details)
    assert stored is not None
    return stored


WHOLE = make_pull_request(
    4_000_000_001,
    body="Fixes it.\r\n\r\n<details>",
    user=Person(login="ada", id=4_000_000_000),
    co_authors=(Person(login=None, name="Bob"),),
    merged_by=Person(login="merge[bot]", type="Bot"),
    base_sha="b" * 40,
    head_ref="feature/é",
    labels=("bug", "Café"),
    files=(
        make_file(patch="@@ -1 +1 @@\n-a\n+b\n"),
        ChangedFile(filename="x.bin", status="renamed", previous_filename="y.bin", unread=Unread.BINARY),
        ChangedFile(filename="sub", submodule=("1" * 40, None)),
    ),
    commits=(Commit(sha="c" * 40, message="One\n\nTwo"),),
    reviews=(Review(user=Person(login="eve", id=4_000_000_000), state="APPROVED", body=None, submitted_at=MERGED_AT),),
    review_comments=(Comment(body="No.", path="x.py", line=3),),
    comments=(Comment(body="Yes.", created_at=MERGED_AT),),
    detail_source=DetailSource.API,
)


def test_a_whole_pull_request_comes_back_equal(database: Database, repository: int) -> None:
    row = save(database, repository, WHOLE)
    assert load(database, repository, WHOLE.number) == StoredPullRequest(id=row, pull_request=WHOLE, captured=True)


def test_c46_ids_beyond_32_bits_come_back(database: Database, repository: int) -> None:
    save(database, repository, WHOLE)
    stored = load(database, repository, 4_000_000_001).pull_request
    assert stored.repository.id == 5_000_000_001
    assert (stored.user.id, stored.reviews[0].user.id) == (4_000_000_000, 4_000_000_000)


def test_c46_a_number_that_no_host_gives_is_refused_in_one_line(database: Database, repository: int) -> None:
    with pytest.raises(InvalidInput, match="not one that a host gives"):
        save(database, repository, make_pull_request(2**63))
    with database.reading() as session:
        assert pull_requests.get(session, repository, 2**63) is None
        assert pull_requests.get(session, repository, -1) is None


def test_absurd_totals_and_account_ids_do_no_harm(database: Database, repository: int) -> None:
    absurd = make_pull_request(7, additions=2**70, user=Person(login="ada", id=2**70))
    save(database, repository, absurd)
    assert load(database, repository, 7).pull_request == absurd


def test_without_details_no_files_are_read(database: Database, repository: int) -> None:
    save(database, repository, WHOLE)
    facts = load(database, repository, WHOLE.number, details=False).pull_request
    assert facts.files is None
    assert facts.reviews == ()
    assert (facts.title, facts.changed_files, facts.labels) == (WHOLE.title, 3, WHOLE.labels)


def test_details_may_come_later_and_facts_stay(database: Database, repository: int) -> None:
    payload = make_pull_request(7, files=None, title="From the host", changed_files=1, additions=9)
    row = save(database, repository, payload)
    details = make_pull_request(7, title="From a clone", files=(make_file(),))
    with database.transaction() as session:
        pull_requests.save_details(session, row, payload.with_details(details), NOW)
    stored = load(database, repository, 7).pull_request
    assert (stored.title, stored.files, stored.additions) == ("From the host", (make_file(),), 9)
    assert stored.detail_source is DetailSource.RECORDS
    newer = payload.model_copy(update={"title": "Edited", "updated_at": NOW})
    save(database, repository, newer, captured=False)
    edited = load(database, repository, 7)
    assert (edited.pull_request.title, edited.pull_request.files) == ("Edited", (make_file(),))
    assert edited.captured


def test_the_history_is_kept_with_the_details(database: Database, repository: int) -> None:
    origin = LineOrigin(path="core/ring.py", lines=3, commit="a" * 40, number=90, subject="x", committed_at=MERGED_AT)
    history = CodeHistory(since=MERGED_AT, files_since=MERGED_AT, origins=(origin,), untraced={"binary": 2})
    whole = make_pull_request(history=history)

    save(database, repository, whole)

    assert load(database, repository, whole.number).pull_request.history == history
    assert load(database, repository, whole.number, details=False).pull_request.history is None


def told(seconds: int, **overrides: object) -> PullRequest:
    return make_pull_request(7, files=None, updated_at=MERGED_AT + timedelta(seconds=seconds), **overrides)


EVENTS = {
    "closed": told(0, title="First"),
    "edited": told(5, title="Second", body="New"),
    "labeled": told(9, title="Second", body="New", labels=("bug",), user=Person()),
    "redelivered": told(0, title="First"),
}


def test_r08_all_24_orders_give_the_same_row(database: Database, repository: int) -> None:
    expected = EVENTS["labeled"].model_copy(update={"user": Person(login="ada", id=11)})
    outcomes = set()
    for place, order in enumerate(permutations(EVENTS), start=1):
        for action in order:
            event = EVENTS[action].model_copy(update={"number": place})
            save(database, repository, event, captured=action in ("closed", "redelivered"))
        stored = load(database, repository, place)
        assert stored.captured
        outcomes.add(stored.pull_request.model_copy(update={"number": 7}).model_dump_json())
    assert outcomes == {expected.model_dump_json()}


def test_r08_events_of_one_second_are_told_apart_by_no_order(database: Database, repository: int) -> None:
    events = [told(3, title="A", labels=("x",)), told(3, title="B"), told(3, title="A", labels=("y",))]
    outcomes = set()
    for place, order in enumerate(permutations(events), start=1):
        for event in order:
            save(database, repository, event.model_copy(update={"number": place}))
        outcomes.add(load(database, repository, place).pull_request.model_copy(update={"number": 7}).model_dump_json())
    assert len(outcomes) == 1


def test_an_edit_before_the_merge_is_stored_but_not_captured(database: Database, repository: int) -> None:
    save(database, repository, EVENTS["edited"], captured=False)
    assert not load(database, repository, 7).captured
    with database.reading() as session:
        assert pull_requests.of_period(session, repository, MERGED_AT, NOW) == []
    save(database, repository, EVENTS["closed"], captured=True)
    save(database, repository, EVENTS["labeled"], captured=False)
    assert load(database, repository, 7).captured


def test_c04_a_login_known_before_is_kept(database: Database, repository: int) -> None:
    save(database, repository, told(0, user=Person(login="ada", id=11)))
    save(database, repository, told(5, user=Person()), captured=False)
    assert load(database, repository, 7).pull_request.user.login == "ada"


def test_r31_a_period_is_half_open(database: Database, repository: int) -> None:
    start, end = datetime(2026, 5, 4, tzinfo=UTC), datetime(2026, 5, 11, tzinfo=UTC)
    second = timedelta(seconds=1)
    for number, at in enumerate((start - second, start, start + second, end - second, end, end + second), start=1):
        save(database, repository, make_pull_request(number, merged_at=at))
    with database.reading() as session:
        inside = pull_requests.of_period(session, repository, start, end)
    assert [stored.pull_request.number for stored in inside] == [2, 3, 4]


def test_iterating_yields_every_merge_once_in_order(
    database: Database, repository: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pull_requests, "_BATCH", 3)
    for number in range(1, 11):
        save(database, repository, make_pull_request(number, merged_at=MERGED_AT + timedelta(hours=number // 4)))
    save(database, repository, make_pull_request(11), captured=False)
    with database.reading() as session:
        everything = list(pull_requests.iterate(session, repository))
        some = list(
            pull_requests.iterate(session, repository, MERGED_AT + timedelta(hours=1), NOW + timedelta(hours=1))
        )
    assert [pull_request.number for pull_request in everything] == list(range(1, 11))
    assert [pull_request.number for pull_request in some] == [4, 5, 6, 7]
    assert everything[0].files == (make_file(),)


def test_merge_commits_lead_to_numbers(database: Database, repository: int) -> None:
    save(database, repository, make_pull_request(5, merge_commit_sha="a" * 40))
    save(database, repository, make_pull_request(3, merge_commit_sha="a" * 40))
    save(database, repository, make_pull_request(9, merge_commit_sha="b" * 40))
    shas = ["a" * 40, "b" * 40, "c" * 40, *(f"{n:040x}" for n in range(1000))]
    with database.reading() as session:
        assert pull_requests.numbers_by_merge_commit(session, repository, shas) == {"a" * 40: 3, "b" * 40: 9}
        assert pull_requests.numbers_by_merge_commit(session, repository, ["x" * 9000, ""]) == {}


def test_a_pull_request_of_another_repository_is_not_found(database: Database, repository: int) -> None:
    save(database, repository, make_pull_request(7))
    with database.transaction() as session:
        other = repositories.ensure(session, REPOSITORY.model_copy(update={"id": 6, "full_name": "x/y"}), NOW)
    with database.reading() as session:
        assert pull_requests.get(session, other, 7) is None


@pytest.mark.parametrize("name", ["Caf\u00e9", "Cafe\u0301"])
def test_c37_stored_text_keeps_its_own_form(database: Database, repository: int, name: str) -> None:
    save(database, repository, make_pull_request(7, labels=(name,), files=(make_file(f"docs/{name}.md"),)))
    stored = load(database, repository, 7).pull_request
    assert stored.labels == (name,)
    assert stored.files == (make_file(f"docs/{name}.md"),)


def test_c38_a_cleaned_nul_is_stored(database: Database, repository: int) -> None:
    dirty = clean_text("a\x00b")
    hostile = make_pull_request(
        7, title=dirty, body=dirty, labels=(dirty,), files=(make_file(f"x/{dirty}", patch=f"+{dirty}"),)
    )
    save(database, repository, hostile)
    assert load(database, repository, 7).pull_request == hostile


texts = st.text(st.characters(exclude_categories=[]), max_size=60).map(clean_text)


def test_r41_any_text_comes_back_equal(database: Database, repository: int) -> None:
    numbers = iter(range(1, 100_000))

    @settings(max_examples=60)
    @given(texts, texts, texts, texts)
    def roundtrip(title: str, body: str, name: str, patch: str) -> None:
        pull_request = make_pull_request(
            next(numbers),
            title=title,
            body=body,
            user=Person(login=name or "ada"),
            base_ref=name,
            head_ref=body,
            merge_commit_sha=title,
            labels=(name, title),
            files=(make_file(name, patch=patch),),
            comments=(Comment(body=patch),),
        )
        save(database, repository, pull_request)
        assert load(database, repository, pull_request.number).pull_request == pull_request

    roundtrip()


@pytest.mark.parametrize("text", ["x" * 1_000_000, "\u202e\u2066" * 1000, "\ufffe\uffff\U0010ffff", "é" * 3000])
def test_r41_long_and_odd_text_fits_everywhere(database: Database, repository: int, text: str) -> None:
    hostile = make_pull_request(
        7,
        title=text,
        body=text,
        base_ref=text,
        head_ref=text,
        merge_commit_sha=text,
        user=Person(login=text),
        labels=(text,),
        files=(make_file(text, patch=text),),
    )
    save(database, repository, hostile)
    assert load(database, repository, 7).pull_request == hostile
    with database.reading() as session:
        assert pull_requests.numbers_by_merge_commit(session, repository, [text]) == {text: 7}
