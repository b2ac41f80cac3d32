"""What was asked for in review and how it ended: who, where, in whose words."""

from __future__ import annotations

from datetime import timedelta

import pytest

from services.analyzer.review_insight import review_points
from shared.domain.analysis import ReviewPoint
from shared.domain.pull_request import ReviewThread
from tests.builders import MERGED_AT, make_pull_request
from tests.unit.services.analyzer.reviewed import PAGE, comment, merged, person, review, thread

ASK = "Please bound the queue by bytes too."


def points(*threads: ReviewThread) -> tuple[ReviewPoint, ...]:
    return review_points(make_pull_request(review_threads=threads))


def test_a_request_is_told_with_person_day_page_and_words() -> None:
    (point,) = merged(review("bea", "CHANGES_REQUESTED", ASK)).review

    assert point.person == "bea"
    assert point.changes_requested
    assert point.outcome == "asked"
    assert (point.quote, point.url) == (ASK, PAGE)
    assert point.asked_at == MERGED_AT - timedelta(hours=5)


def test_an_approval_by_the_same_person_settles_it_and_its_words_are_kept() -> None:
    asked = review("bea", "CHANGES_REQUESTED", ASK, hours=9)
    (settled,) = merged(asked, review("bea", body="With the new bound it is fine.")).review
    (silent,) = merged(asked, review("bea")).review
    (other,) = merged(asked, review("cyd")).review

    assert (settled.outcome, settled.answer, settled.answered_by) == (
        "settled",
        "With the new bound it is fine.",
        "bea",
    )
    assert (silent.outcome, silent.answer) == ("settled", "")
    assert (other.outcome, other.answered_by) == ("asked", None)


def test_an_approval_that_puts_it_off_defers_it() -> None:
    asked = review("bea", "CHANGES_REQUESTED", ASK, hours=9)
    (point,) = merged(asked, review("bea", body="Fine, the rest in a follow-up.")).review

    assert point.outcome == "deferred"


def test_a_request_without_words_is_told_only_where_no_thread_holds_them() -> None:
    silent = review("bea", "CHANGES_REQUESTED")

    assert [point.quote for point in merged(silent).review] == [""]
    both = merged(silent, review_threads=(thread(("bea", "Is this lock needed at all?")),)).review
    assert [point.quote for point in both] == ["Is this lock needed at all?"]


def test_longer_remarks_without_a_decision_are_told_and_courtesies_are_not() -> None:
    uneasy = "I am uneasy: an upgrade that deletes data for old streams."
    found = merged(review("bea", "COMMENTED", uneasy), review("cyd", "COMMENTED", "Nice work, two nits.")).review

    assert [(point.person, point.quote, point.changes_requested) for point in found] == [("bea", uneasy, False)]


def test_only_an_approval_that_comes_later_settles_a_remark() -> None:
    uneasy = "I am uneasy: an upgrade that deletes data for old streams."
    remark = review("bea", "COMMENTED", uneasy)
    (before,) = merged(review("bea", hours=9), remark).review
    (after,) = merged(remark, review("bea", hours=1)).review

    assert (before.outcome, before.answered_by) == ("asked", None)
    assert (after.outcome, after.answered_by) == ("settled", "bea")


def test_an_approval_that_asks_for_something_later_is_told() -> None:
    later = "Please add the metrics in a follow-up."
    (point,) = merged(
        review("bea", body=later), review("cyd", body="Lovely work on the whole of it, thank you.")
    ).review

    assert (point.person, point.outcome, point.quote, point.answer) == ("bea", "deferred", later, "")


@pytest.mark.parametrize(
    ("answer", "resolved", "outcome"),
    [
        ("I would do that in a follow-up.", False, "deferred"),
        ("I would do that in a follow-up.", True, "deferred"),
        ("I won't change this, callers rely on it.", True, "rejected"),
        ("Done.", False, "settled"),
        ("It is guarded by the caller.", True, "settled"),
        ("It is guarded by the caller.", False, "asked"),
        ("It is guarded by the caller.", None, "asked"),
    ],
)
def test_the_authors_answer_outranks_the_mark_of_the_thread(answer: str, resolved: bool | None, outcome: str) -> None:
    (point,) = points(thread(("bea", "Is this lock needed?"), ("ada", answer), resolved=resolved))

    assert point.outcome == outcome
    assert (point.path, point.line, point.comments) == ("lumen/core/engine.py", 12, 2)
    assert point.answer == ("" if outcome in {"asked", "settled"} and "guarded" in answer else answer)


def test_the_last_answer_that_says_something_counts() -> None:
    (point,) = points(
        thread(
            ("bea", "Is this lock needed?"),
            ("ada", "In a follow-up."),
            ("ada", "Done after all."),
            ("ada", "See above."),
        )
    )

    assert (point.outcome, point.answer) == ("settled", "Done after all.")


@pytest.mark.parametrize(
    ("after", "resolved", "outcome", "answer"),
    [
        ((), False, "settled", "Done."),
        (("The second call still takes it.",), False, "asked", ""),
        (("Where?",), None, "asked", ""),
        (("The second call still takes it.",), True, "settled", "Done."),
        (("Thanks, looks good.",), False, "settled", "Thanks, looks good."),
        (("Thanks.", "But the second call still takes it."), False, "asked", ""),
        (
            ("Fine, the rest in a follow-up.", "See the list above."),
            False,
            "deferred",
            "Fine, the rest in a follow-up.",
        ),
    ],
)
def test_done_settles_only_what_the_person_who_asked_does_not_go_on_about(
    after: tuple[str, ...], resolved: bool | None, outcome: str, answer: str
) -> None:
    said = (("bea", "Is this lock needed?"), ("ada", "Done."), *(("bea", words) for words in after))
    (point,) = points(thread(*said, resolved=resolved))

    assert (point.outcome, point.answer) == (outcome, answer)


def test_what_others_say_after_done_changes_nothing() -> None:
    (point,) = points(thread(("bea", "Is this lock needed?"), ("ada", "Done."), ("cyd", "I still see it.")))

    assert point.outcome == "settled"


def test_what_a_third_person_says_decides_nothing() -> None:
    (point,) = points(thread(("bea", "Is this lock needed?"), ("cyd", "Do it in a follow-up.")))

    assert point.outcome == "asked"


def test_who_resolved_it_and_that_the_place_changed_are_kept() -> None:
    resolved = thread(("bea", "Is this lock needed?"), resolved=True, resolved_by=person("ada"), outdated=True)
    (point,) = points(resolved)

    assert (point.resolved, point.resolved_by, point.outdated) == (True, "ada", True)


def test_bots_the_author_and_mere_marks_are_left_out() -> None:
    assert not points(
        thread(("linter[bot]", "This line is far too long.")),
        thread(("ada", "Note to the reviewers here.")),
        thread(("bea", "nit")),
        thread(("bea", "```suggestion\nx = 1\n```")),
    )


def test_comments_on_one_line_are_a_thread_where_no_source_tells_of_threads() -> None:
    said = (
        comment("bea", "Should the age count from the first record?", path="a.py", line=3),
        comment("bea", "And what is this for?", path="a.py"),
        comment("ada", "I would do that in a follow-up.", path="a.py", line=3),
    )
    first, second = review_points(make_pull_request(review_comments=said))

    assert (first.outcome, first.comments, first.resolved) == ("deferred", 2, None)
    assert (second.outcome, second.comments) == ("asked", 1)


def test_at_most_eight_the_weightiest_first() -> None:
    short = [thread(("bea", f"Is part {place} needed?"), path="lumen/a.py", line=place) for place in range(9)]
    long = thread(("bea", "Why is it so?"), ("ada", "Hm."), ("bea", "Still."), path="docs/a.md")
    core = thread(("bea", "Is the engine right?"))
    asked = review("cyd", "CHANGES_REQUESTED", ASK)
    analysis = merged(asked, review_threads=(*short, core, long))

    assert len(analysis.review) == 8
    assert [point.quote for point in analysis.review[:3]] == [ASK, "Why is it so?", "Is the engine right?"]
    assert analysis.review == merged(asked, review_threads=(*short, core, long)).review


def test_quotes_are_short_plain_and_on_one_line() -> None:
    (point,) = points(thread(("bea", "Why “this”?\n" + "word " * 200)))

    assert len(point.quote) <= 240
    assert point.quote.startswith('Why "this"? word word')
    assert point.quote.endswith("…")
