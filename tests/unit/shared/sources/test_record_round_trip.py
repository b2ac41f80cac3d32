"""Merge records read back what they were written from, and no line raises anything unforeseen."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.code_history import CodeHistory, LineOrigin
from shared.domain.errors import InvalidInput
from shared.domain.pull_request import (
    ChangedFile,
    CheckResult,
    Comment,
    Commit,
    Cut,
    DetailSource,
    LinkedIssue,
    Person,
    PullRequest,
    RepositoryRef,
    Review,
    ReviewThread,
    Unread,
)
from shared.sources.merge_records import dump, parse_line
from tests.builders import MERGED_AT, make_pull_request
from tests.unit.shared.sources.plain_record import PATH, PLAIN, record

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), min_size=1, max_size=20)
WORDS = TEXT.filter(lambda text: text.strip() and "-by:" not in text.casefold())
TIMES = st.datetimes(
    datetime(1990, 1, 1),
    datetime(2100, 1, 1),
    timezones=st.sampled_from([UTC, timezone(timedelta(hours=8))]),
)
IDS = st.integers(0, 2**63 - 1)
SHAS = st.from_regex(r"\A[0-9a-f]{40}\Z")
PEOPLE = st.builds(
    Person, login=TEXT, name=st.none() | TEXT, id=st.none() | IDS, type=st.sampled_from(["User", "Bot"])
) | st.builds(Person, login=st.none(), name=TEXT)
FILES = st.builds(
    ChangedFile,
    filename=TEXT,
    status=st.sampled_from(["added", "removed", "modified", "renamed", "copied", "changed", "unchanged"]),
    additions=st.integers(0, 99),
    deletions=st.integers(0, 99),
    previous_filename=st.none() | TEXT,
    patch=st.none() | TEXT,
    unread=st.none() | st.sampled_from(Unread),
    submodule=st.none() | st.tuples(SHAS, st.none() | SHAS),
)
COMMENTS = st.lists(
    st.builds(
        Comment, user=PEOPLE, body=WORDS, created_at=st.none() | TIMES, path=st.none() | TEXT, line=st.none() | IDS
    ),
    max_size=2,
).map(tuple)
URLS = st.none() | st.just("https://git.corp.example/lumen/lumen/pull/7#said")
THREADS = st.builds(
    ReviewThread,
    path=st.none() | TEXT,
    line=st.none() | IDS,
    resolved=st.none() | st.booleans(),
    outdated=st.booleans(),
    resolved_by=st.none() | PEOPLE,
    comments=COMMENTS,
)
CHECKS = st.builds(CheckResult, name=TEXT, conclusion=st.sampled_from(["success", "timed_out", "pending"]), url=URLS)
ISSUES = st.builds(
    LinkedIssue,
    number=st.integers(1, 2**31),
    title=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=9),
    url=URLS,
    repository=st.none() | st.just("lumen/tools"),
)
PULL_REQUESTS = st.builds(
    PullRequest,
    repository=st.builds(
        RepositoryRef,
        full_name=st.from_regex(r"\A[a-z]{1,5}/[a-z.]{3,5}[a-z]\Z"),
        id=st.none() | IDS,
        host=st.sampled_from(["github.com", "git.corp.example:8443"]),
        private=st.none() | st.booleans(),
        default_branch=st.none() | TEXT,
    ),
    number=st.integers(1, 2**31),
    title=TEXT,
    body=st.none() | WORDS,
    user=PEOPLE,
    co_authors=st.lists(PEOPLE, max_size=2).map(tuple),
    merged_by=st.none() | PEOPLE,
    merged_at=TIMES,
    updated_at=st.none() | TIMES,
    base_ref=TEXT,
    base_sha=st.none() | SHAS,
    head_ref=st.none() | TEXT,
    head_sha=st.none() | SHAS,
    merge_commit_sha=st.none() | SHAS,
    labels=st.lists(TEXT, max_size=3, unique=True).map(tuple),
    additions=IDS,
    deletions=IDS,
    changed_files=IDS,
    files=st.lists(FILES, max_size=3).map(tuple),
    commits=st.lists(st.builds(Commit, sha=SHAS, message=WORDS), max_size=2).map(tuple),
    reviews=st.lists(
        st.builds(
            Review,
            user=PEOPLE,
            state=st.sampled_from(["APPROVED", "DISMISSED"]),
            body=st.none() | WORDS,
            submitted_at=TIMES,
        ),
        max_size=2,
    ).map(tuple),
    review_comments=COMMENTS,
    comments=COMMENTS,
    review_threads=st.none() | st.lists(THREADS, max_size=2).map(tuple),
    checks=st.none() | st.lists(CHECKS, max_size=2).map(tuple),
    linked_issues=st.lists(ISSUES, max_size=2).map(tuple),
    cut=st.dictionaries(st.sampled_from(["files", "commits", "checks"]), st.sampled_from(Cut)),
    created_at=st.none() | TIMES,
    author_association=st.none() | st.sampled_from(["MEMBER", "FIRST_TIME_CONTRIBUTOR"]),
    reviews_known=st.booleans(),
    detail_source=st.just(DetailSource.RECORDS),
).filter(lambda pull_request: pull_request.reviews_known or not pull_request.reviews)


@given(PULL_REQUESTS)
def test_a_record_survives_the_round_trip(pull_request: PullRequest) -> None:
    line = dump(pull_request)
    assert "\n" not in line
    assert parse_line(line.encode(), 1, PATH) == pull_request


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=10,
)


@given(
    st.dictionaries(
        st.sampled_from(
            [
                *PLAIN,
                *("reviews", "comments", "commits", "co_authors", "head", "merged_by"),
                *("review_threads", "checks", "linked_issues", "cut"),
            ]
        ),
        JSON,
    )
)
def test_no_record_raises_anything_but_invalid_input(changes: dict[str, Any]) -> None:
    try:
        found = record(**changes)
    except InvalidInput:
        return
    assert parse_line(dump(found).encode(), 1, PATH) == found


def test_the_history_of_a_clone_is_read_back_and_a_strange_one_is_left_out() -> None:
    origin = LineOrigin(path="core/ring.py", lines=3, commit="a" * 40, number=90, committed_at=MERGED_AT)
    history = CodeHistory(since=MERGED_AT, files_since=MERGED_AT, origins=(origin,))
    line = dump(make_pull_request(history=history))

    assert parse_line(line.encode(), 1, PATH).history == history
    for strange in ('"x"', "[]", '{"since": 3}', "17"):
        spoilt = json.loads(line) | {"history": json.loads(strange)}
        assert parse_line(json.dumps(spoilt).encode(), 1, PATH).history is None
