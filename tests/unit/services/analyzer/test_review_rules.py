"""Open threads, quick merges, failed checks, first contributions and long contests."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from services.analyzer.rules import build_context
from services.analyzer.rules.long_contested import rounds_of
from shared.domain.analysis import Analysis
from shared.domain.pull_request import CheckResult, Person, Review, ReviewThread
from shared.domain.taxonomy import KeyReason, Risk, Trait
from shared.settings import RepositorySettings
from tests.builders import MERGED_AT, make_file, make_pull_request
from tests.unit.services.analyzer.examined import analysed
from tests.unit.services.analyzer.reviewed import PAGE, comment, evidence_of, merged, person, review, thread


def test_open_threads_are_counted_and_the_longest_is_quoted() -> None:
    threads = (
        thread(("bea", "Is this lock needed?"), path="lumen/a.py", line=3),
        thread(("cyd", "What if the queue is empty?"), ("ada", "Then it waits."), ("cyd", "For ever?")),
        thread(("bea", "Typo."), resolved=True),
        thread(("bea", "Typo."), outdated=True),
    )
    first, second = evidence_of(merged(review_threads=threads), Risk.UNRESOLVED_THREADS)

    assert first.why == "2 threads are neither resolved nor outdated, the longest by cyd"
    assert (first.path, first.quote, first.url) == ("lumen/core/engine.py:12", "What if the queue is empty?", PAGE)
    assert second.why == "a thread of bea is neither resolved nor outdated"
    assert second.path == "lumen/a.py:3"


@pytest.mark.parametrize(
    "threads",
    [
        None,
        (),
        (thread(("bea", "Why?"), resolved=None),),
        (thread(("ada", "Note to reviewers."), ("bea", "Why?")),),
        (thread(("linter[bot]", "Line too long.")),),
        (thread(("bea", "Is this right?"), ("ada", "Yes, see the test."), ("bea", "Thanks, makes sense.")),),
        (ReviewThread(resolved=False),),
    ],
    ids=["unknown", "none", "state unknown", "of the author", "of a bot", "content", "empty"],
)
def test_threads_that_leave_nothing_open_are_silent(threads: tuple[ReviewThread, ...] | None) -> None:
    assert not merged(review_threads=threads).has(Risk.UNRESOLVED_THREADS)


def test_thanks_that_ask_on_leave_a_thread_open() -> None:
    open_still = thread(("bea", "Is this right?"), ("ada", "Yes."), ("bea", "Thanks, but please add a test."))

    assert merged(review_threads=(open_still,)).has(Risk.UNRESOLVED_THREADS)


def after(seconds: float, *files: str, **overrides: Any) -> Analysis:
    return analysed(
        *(files or ("lumen/core/engine.py",)), created_at=MERGED_AT - timedelta(seconds=seconds), **overrides
    )


@pytest.mark.parametrize(
    ("seconds", "told"),
    [
        (0, "merged within a minute of being opened"),
        (60, "merged within a minute of being opened"),
        (61, "merged within 2 minutes of being opened"),
        (600, "merged within 10 minutes of being opened"),
    ],
)
def test_a_merge_within_minutes_says_how_many(seconds: float, told: str) -> None:
    assert [one.why for one in evidence_of(after(seconds), Risk.MERGED_IN_MINUTES)] == [told]


def test_a_quick_merge_by_the_author_says_so() -> None:
    found = evidence_of(after(90, merged_by=Person(login="Ada", id=11)), Risk.MERGED_IN_MINUTES)

    assert found[1].why == "merged by its author"


@pytest.mark.parametrize(
    ("seconds", "overrides"),
    [
        (601, {}),
        (-60, {}),
        (60, {"user": person("coder[bot]")}),
        (60, {"title": 'Revert "Add a queue"'}),
        (60, {"title": "[Backport release/1.8] Add a queue (#90)"}),
        (60, {"title": "Bump ring from 0.17.1 to 0.17.2", "files": (make_file("Cargo.lock"),)}),
        (60, {"files": (make_file("docs/queue.md"),)}),
        (60, {"files": None, "changed_files": 1}),
    ],
    ids=["late", "clock", "bot", "revert", "backport", "bump", "docs", "payload only"],
)
def test_what_may_be_quick_is_not_told(seconds: float, overrides: dict[str, Any]) -> None:
    assert not after(seconds, **overrides).has(Risk.MERGED_IN_MINUTES)


def test_without_a_time_of_opening_nothing_is_quick() -> None:
    assert not merged(created_at=None).has(Risk.MERGED_IN_MINUTES)


def checks(*results: tuple[str, str]) -> tuple[CheckResult, ...]:
    return tuple(
        CheckResult(name=name, conclusion=conclusion, url=f"https://github.com/lumen/lumen/runs/{place}")
        for place, (name, conclusion) in enumerate(results)
    )


def test_failed_checks_are_named_and_open_ones_told_apart() -> None:
    results = checks(("build", "success"), ("unit “x”", "failure"), ("e2e", "timed_out"), ("lint", "pending"))
    failed, open_still = evidence_of(merged(checks=results), Risk.FAILING_CHECKS)

    assert failed.why == '2 of 4 checks had failed: “unit "x", e2e”'
    assert failed.url == "https://github.com/lumen/lumen/runs/1"
    assert open_still.why == "1 of 4 checks had not ended: “lint”"


@pytest.mark.parametrize("conclusion", ["failure", "timed_out", "startup_failure", "action_required"])
def test_every_kind_of_failure_counts(conclusion: str) -> None:
    assert merged(checks=checks(("build", conclusion))).has(Risk.FAILING_CHECKS)


@pytest.mark.parametrize("conclusion", ["success", "cancelled", "skipped", "neutral", "stale", "pending"])
def test_what_did_not_fail_is_no_failure(conclusion: str) -> None:
    assert not merged(checks=checks(("build", conclusion))).has(Risk.FAILING_CHECKS)


@pytest.mark.parametrize("results", [None, ()])
def test_unknown_checks_are_silent(results: tuple[CheckResult, ...] | None) -> None:
    assert not merged(checks=results).has(Risk.FAILING_CHECKS)


def test_pages_of_other_hosts_are_not_linked_from_checks() -> None:
    results = (CheckResult(name="build", conclusion="failure", url="https://ci.example/7"),)

    assert evidence_of(merged(checks=results), Risk.FAILING_CHECKS)[0].url is None


@pytest.mark.parametrize(
    ("association", "login", "first"),
    [
        ("FIRST_TIME_CONTRIBUTOR", "ada", True),
        ("FIRST_TIMER", "ada", True),
        ("CONTRIBUTOR", "ada", False),
        ("NONE", "ada", False),
        (None, "ada", False),
        ("FIRST_TIMER", "coder[bot]", False),
    ],
)
def test_a_first_contribution_is_what_the_host_calls_one(association: str | None, login: str, first: bool) -> None:
    analysis = merged(author_association=association, user=person(login))

    assert analysis.has(Trait.FIRST_TIME_CONTRIBUTOR) is first


def rounds(*reviews: Review, **overrides: Any) -> int:
    return rounds_of(make_pull_request(reviews=reviews, **overrides))


def asks(login: str, hours: float) -> Review:
    return review(login, "CHANGES_REQUESTED", "No.", hours=hours)


def test_a_round_ends_with_the_author_or_with_the_next_decision_of_the_same_person() -> None:
    assert rounds(asks("bea", 9)) == 0
    assert rounds(asks("bea", 9), review("bea", hours=8)) == 1
    assert rounds(asks("bea", 9), asks("bea", 8), review("bea", hours=7)) == 2
    assert rounds(asks("bea", 9), review("ada", "COMMENTED", hours=8)) == 1
    assert rounds(asks("bea", 9), comments=(comment("ada", "Done.", hours=8),)) == 1


def test_requests_at_the_same_time_are_one_round() -> None:
    assert rounds(asks("bea", 9), asks("cyd", 8), review("bea", hours=7), review("cyd", hours=6)) == 1


def test_others_comments_and_what_came_after_the_merge_end_no_round() -> None:
    assert rounds(asks("bea", 9), review("bea", "COMMENTED", hours=8), review("cyd", hours=7)) == 0
    assert rounds(asks("bea", 9), review("bea", hours=-1)) == 0
    assert rounds(asks("dot[bot]", 9), review("dot[bot]", hours=8)) == 0


def test_three_rounds_are_long_contested_and_a_decision() -> None:
    reviews = (asks("bea", 99), asks("bea", 88), asks("bea", 77), review("bea", hours=66))
    big = make_file("lumen/net/queue.py", additions=400)
    analysis = merged(*reviews, created_at=MERGED_AT - timedelta(days=4, hours=3), files=(big,))

    assert [one.why for one in evidence_of(analysis, Trait.LONG_CONTESTED)] == [
        "3 rounds of changes asked for and looked at again",
        "open for 4 days",
    ]
    assert analysis.importance.reason is KeyReason.DECISION
    assert analysis.importance.reason_why.startswith("long contested in review, 3 rounds")


def test_one_day_is_no_days() -> None:
    reviews = (asks("bea", 20), asks("bea", 15), asks("bea", 10), review("bea", hours=5))
    analysis = merged(*reviews, created_at=MERGED_AT - timedelta(days=1, hours=3))

    assert [one.why for one in evidence_of(analysis, Trait.LONG_CONTESTED)][1:] == ["open for 1 day"]


@pytest.mark.parametrize(
    ("days", "people", "said", "contested"),
    [(21, 2, 25, True), (20, 2, 25, False), (21, 1, 25, False), (21, 2, 24, False)],
)
def test_weeks_with_much_said_by_several_are_long_contested(days: int, people: int, said: int, contested: bool) -> None:
    remarks = tuple(comment(f"reviewer-{place % people}", path="a.py", line=place) for place in range(said))
    own = tuple(comment(login, path="a.py", line=1) for login in ("ada", "linter[bot]") for _ in range(9))
    opened = MERGED_AT - timedelta(days=days)
    analysis = merged(review_comments=(*remarks, *own), created_at=opened)

    assert analysis.has(Trait.LONG_CONTESTED) is contested
    if contested:
        why = evidence_of(analysis, Trait.LONG_CONTESTED)[0].why
        assert why == "open for 21 days, with 25 remarks of 2 reviewers"


def test_a_payload_alone_says_nothing_about_the_review() -> None:
    alone = analysed(files=None, changed_files=3, created_at=MERGED_AT - timedelta(minutes=2), user=person("ada"))
    marks = {Risk.UNAPPROVED, Risk.CHANGES_REQUESTED, Risk.UNRESOLVED_THREADS, Risk.MERGED_IN_MINUTES}

    assert not {tag.value for tag in alone.tags} & {*marks, Risk.FAILING_CHECKS, Trait.LONG_CONTESTED}
    assert alone.review == ()


def test_marks_that_are_switched_off_are_not_set_and_not_counted() -> None:
    settings = RepositorySettings(full_name="lumen/lumen", risks={Risk.UNAPPROVED: False, Risk.CORE_PATH: True})
    analysis = merged(context=build_context(settings))

    assert merged().has(Risk.UNAPPROVED)
    assert not analysis.has(Risk.UNAPPROVED)
    assert analysis.has(Risk.CORE_PATH)
    assert "unapproved" not in {factor.name for factor in analysis.importance.factors}
    assert analysis.fingerprint != merged().fingerprint
