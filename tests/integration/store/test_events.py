"""Counted events and remembered pings on both engines."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from shared.store import events
from shared.store.session import Database

NOW = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)


def test_events_are_counted_by_kind_and_reason(database: Database) -> None:
    with database.transaction() as session:
        for seconds in range(3):
            events.count_event(session, "issues", "opened", "unknown-event", NOW + timedelta(seconds=seconds))
        events.count_event(session, "push", None, "unknown-event", NOW)
    with database.reading() as session:
        first, second = events.event_counts(session)
    assert (first.event, first.action, first.reason, first.count) == ("issues", "opened", "unknown-event", 3)
    assert (first.first_at, first.last_at) == (NOW, NOW + timedelta(seconds=2))
    assert (second.event, second.action, second.count) == ("push", "", 1)


def test_endless_event_names_are_counted_together(database: Database) -> None:
    with database.transaction() as session:
        for number in range(events.MOST_KINDS + 30):
            events.count_event(session, f"invented-{number}", "x", "unknown-event", NOW)
        events.count_event(session, "invented-0", "x", "unknown-event", NOW)
    with database.reading() as session:
        counted = events.event_counts(session)
    assert len(counted) == events.MOST_KINDS + 1
    assert counted[0].event == events.OTHER
    assert counted[0].count == 30
    assert next(count for count in counted if count.event == "invented-0").count == 2


def test_r41_an_event_name_that_no_index_holds_is_counted(database: Database) -> None:
    with database.transaction() as session:
        events.count_event(session, "e\x00" * 5000, "\ud800", "unknown-event", NOW)
    with database.reading() as session:
        assert [count.count for count in events.event_counts(session)] == [1]


def test_c05_the_last_ping_of_each_hook_is_remembered(database: Database) -> None:
    for hook_id, zen, at in ((7, "Old.", 0), (7, "New.", 5), (2**40, "Other.", 3)):
        with database.transaction() as session:
            events.remember_ping(
                session,
                NOW + timedelta(seconds=at),
                hook_id=hook_id,
                zen=zen,
                events=("pull_request", "push"),
                content_type="json",
                repository="lumen/lumen",
                problems=("Too many events.",),
            )
    with database.reading() as session:
        first, second = events.last_pings(session)
    assert (first.hook_id, first.zen, first.events) == (7, "New.", ("pull_request", "push"))
    assert (first.content_type, first.problems) == ("json", ("Too many events.",))
    assert second.hook_id == 2**40


def test_a_ping_that_tells_nothing_is_remembered(database: Database) -> None:
    with database.transaction() as session:
        events.remember_ping(
            session, NOW, hook_id=None, zen="\x00", events=(), content_type=None, repository=None, problems=()
        )
    with database.reading() as session:
        (ping,) = events.last_pings(session)
    assert (ping.hook, ping.zen) == ("unknown", "\ufffd")
