"""Answers of the code host with their ETags, on both engines."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from shared.domain.protocols import CachedAnswer
from shared.store.cached_answers import StoredAnswers, prune
from shared.store.session import Database

NOW = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)


def test_an_answer_is_kept_and_replaced(database: Database) -> None:
    answers = StoredAnswers(database, lambda: NOW)
    assert answers.get("token:1 /repositories/5/pulls?page=1") is None
    answers.put("token:1 /repositories/5/pulls?page=1", CachedAnswer(etag='"a"', body="[1]"))
    answers.put("token:2 /repositories/5/pulls?page=1", CachedAnswer(etag='"b"', body="[2]"))
    answers.put("token:1 /repositories/5/pulls?page=1", CachedAnswer(etag='"c"', body="[3]"))
    assert answers.get("token:1 /repositories/5/pulls?page=1") == CachedAnswer(etag='"c"', body="[3]")
    assert answers.get("token:2 /repositories/5/pulls?page=1") == CachedAnswer(etag='"b"', body="[2]")


def test_long_keys_and_text_that_no_database_takes_are_kept(database: Database) -> None:
    answers = StoredAnswers(database, lambda: NOW)
    answers.put(f"token:1 /{'x' * 5_000}", CachedAnswer(etag='W/"é"', body="NUL \x00 and \ud800 and 漢字"))
    answers.put(f"token:1 /{'x' * 5_001}", CachedAnswer(etag='"other"', body=""))
    kept = answers.get(f"token:1 /{'x' * 5_000}")
    assert kept == CachedAnswer(etag='W/"é"', body="NUL \ufffd and \ufffd and 漢字")


def test_what_was_kept_long_ago_is_dropped_and_what_was_renewed_is_not(database: Database) -> None:
    later = NOW + timedelta(days=20)
    for name in ("a", "b"):
        StoredAnswers(database, lambda: NOW).put(name, CachedAnswer(etag='"1"', body=name))
    StoredAnswers(database, lambda: later).put("b", CachedAnswer(etag='"2"', body="b"))
    with database.transaction() as session:
        assert prune(session, NOW) == 0
        assert prune(session, NOW + timedelta(seconds=1)) == 1
        assert prune(session, NOW + timedelta(seconds=1)) == 0
    answers = StoredAnswers(database, lambda: later)
    assert answers.get("a") is None
    assert answers.get("b") == CachedAnswer(etag='"2"', body="b")
