"""Of the review the contested points come first, people are roles, and bots are not heard."""

from __future__ import annotations

from typing import Any

from tests.unit.services.analyzer.packing.packed import account, document, packed
from tests.unit.services.analyzer.reviewed import comment, person, review, thread

AUTHOR = person("ada")
ASK = "Please bound the queue by bytes too, not by its length alone."


def shown(**overrides: Any) -> list[dict[str, Any]]:
    entries: list[dict[str, Any]] = document(user=AUTHOR, **overrides)["review"]
    return entries


def test_requests_for_changes_come_first_then_threads_by_length() -> None:
    entries = shown(
        reviews=(
            review("bea", body="Reads well to me, thanks for the many tests here."),
            review("cyd", "CHANGES_REQUESTED", ASK),
        ),
        review_threads=(
            thread(("bea", "Is this lock needed at all?"), resolved=True),
            thread(("bea", "What if it is empty?"), ("ada", "Then it waits."), ("bea", "For how long?")),
        ),
    )

    assert [entry["remarks"][0]["says"] for entry in entries] == [
        ASK,
        "What if it is empty?",
        "Is this lock needed at all?",
        "Reads well to me, thanks for the many tests here.",
    ]
    assert entries[0]["remarks"][0]["verdict"] == "changes requested"
    assert (entries[1]["at"], entries[1]["state"], entries[2]["state"]) == (
        "lumen/core/engine.py:12",
        "open",
        "resolved",
    )


def test_people_are_roles_and_the_author_is_told_apart() -> None:
    (entry,) = shown(
        review_threads=(thread(("bea", "What if it is empty?"), ("ada", "Then it waits."), ("cyd", "Fine.")),)
    )

    assert [remark["by"] for remark in entry["remarks"]] == ["reviewer 1", "author", "reviewer 2"]


def test_of_a_long_thread_its_opening_and_its_end_are_shown_and_the_rest_is_counted() -> None:
    talk = tuple(("bea" if at % 2 else "ada", f"Remark number {at} of this thread.") for at in range(1, 10))
    result = packed(user=AUTHOR, review_threads=(thread(*talk),))

    assert account(result, "review").pieces == 4
    assert account(result, "review").of_pieces == 9
    assert "number 1 " in result.document
    assert "number 5 " not in result.document
    assert "number 9 " in result.document


def test_bots_commands_pings_and_quotations_are_left_out() -> None:
    fields = document(
        user=AUTHOR,
        comments=(
            comment("ci[bot]", "All of your many checks have passed with flying colours today."),
            comment("bea", "/retest all of the failing checks once more please, dear robot"),
            comment("bea", "ping"),
            comment("bea", "> said before\n\nThis also changes what a client sees when the queue is full."),
        ),
        review_threads=(thread(("lint[bot]", "This line is too long for me.")),),
    )

    assert [entry["remarks"][0]["says"] for entry in fields["review"]] == [
        "This also changes what a client sees when the queue is full."
    ]


def test_long_remarks_are_cut() -> None:
    (entry,) = shown(reviews=(review("bea", "CHANGES_REQUESTED", "word " * 2_000),))

    assert len(entry["remarks"][0]["says"]) < 600
    assert entry["remarks"][0]["says"].endswith("…")
