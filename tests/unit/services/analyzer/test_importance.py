"""Importance is a sum of factors, and key reasons come from evidence."""

from __future__ import annotations

import pytest

from services.analyzer.examine import examine
from services.analyzer.rules import build_context
from shared.domain.pull_request import Comment, Person, Review
from shared.domain.taxonomy import KeyReason
from shared.settings import RepositorySettings
from tests.builders import make_file, make_pull_request

CONTEXT = build_context(RepositorySettings(full_name="lumen/lumen"))


def importance(title="Add a queue", *files, **overrides):
    made = files or (make_file("lumen/net/queue.py", additions=400), make_file("tests/test_queue.py"))
    return examine(make_pull_request(title=title, files=made, **overrides), CONTEXT).importance


def test_the_score_is_the_sum_of_the_factors_and_each_says_why():
    found = importance("Refactor the async scheduler", make_file("lumen/scheduler.py", additions=900, deletions=500))

    assert found.score == sum(factor.points for factor in found.factors)
    assert all(factor.why and factor.points for factor in found.factors)


@pytest.mark.parametrize(
    ("title", "files", "reason"),
    [
        ("Fix CVE-2026-12345 in uploads", (), KeyReason.SECURITY),
        ("feat!: new client", (), KeyReason.MUST_ACT),
        ("Enable caching by default", (), KeyReason.MUST_ACT),
        ("Deprecate the old client", (), KeyReason.MUST_ACT),
        (
            "Fix token loss that silently degrades accuracy",
            (make_file("lumen/a.py", additions=40),),
            KeyReason.ASSUMPTION,
        ),
        (
            "[Bugfix] Fix a decorator silently swallowing test failures",
            (make_file("tests/util.py"),),
            KeyReason.ASSUMPTION,
        ),
        ("Faster decoding, 12% end to end", (), KeyReason.PERFORMANCE),
        ("[Perf] Rework the decoder", (), KeyReason.PERFORMANCE),
        (
            "Remove tree attention",
            (make_file("lumen/tree.py", status="removed", additions=0, deletions=500),),
            KeyReason.DECISION,
        ),
        ('Revert "Add a queue"', (make_file("lumen/queue.py", additions=0, deletions=300),), KeyReason.DECISION),
        (
            "Add a quantization back end",
            (make_file("lumen/q/new.py", status="added", additions=1500),),
            KeyReason.DECISION,
        ),
        ("Combine both runners", (make_file("lumen/run.py", additions=700, deletions=600),), KeyReason.CONTRACT),
        (
            "Tune parsing",
            (make_file("lumen/p.py", additions=90), make_file("lumen/h.json", additions=900, deletions=900)),
            KeyReason.CONTRACT,
        ),
    ],
)
def test_key_reasons(title, files, reason):
    found = importance(title, *files)

    assert found.reason is reason
    assert found.reason_why


@pytest.mark.parametrize(
    ("title", "files", "overrides"),
    [
        ("Bump numpy from 2.1 to 2.2", (make_file("requirements.txt"),), {}),
        ("Fix typo in the guide", (make_file("docs/a.md", additions=900),), {}),
        ("Fix a label", (make_file("lumen/a.py"),), {}),
        ("feat!: new client", (), {"user": Person(login="renovate[bot]", type="Bot")}),
        ("[CI] Replace the runners", (make_file(".github/workflows/a.yml", additions=900),), {}),
        ("Add tests for the queue", (make_file("tests/test_a.py", additions=900),), {}),
    ],
)
def test_nothing_routine_is_key(title, files, overrides):
    assert importance(title, *files, **overrides).reason is None


def test_the_order_is_what_a_maintainer_expects():
    titles = [
        importance("feat!: replace the wire protocol", make_file("lumen/wire.py", additions=900, deletions=400)).score,
        importance("Add a queue").score,
        importance("Fix a label", make_file("lumen/a.py")).score,
        importance("Fix typo", make_file("docs/a.md")).score,
        importance("Bump numpy to 2.2", make_file("requirements.txt"), user=Person(login="x[bot]", type="Bot")).score,
    ]

    assert titles == sorted(titles, reverse=True)
    assert len(set(titles)) == len(titles)


def test_a_contested_change_is_a_decision():
    talk = tuple(Comment(body="no") for _ in range(30))
    reviews = (Review(state="CHANGES_REQUESTED"),)

    assert importance(comments=talk, reviews=reviews).reason is KeyReason.DECISION
    assert importance(comments=talk).score > importance().score


@pytest.mark.parametrize(
    ("title", "reason"),
    [
        ("Add a cache for drawers", KeyReason.PERFORMANCE),
        ("Add drawers and fix the L2 cache crash", None),
        ("Support cache configuration", None),
    ],
)
def test_the_crash_of_a_cache_is_no_work_for_speed(title, reason):
    assert importance(title).reason is reason


@pytest.mark.parametrize(
    ("title", "files", "why"),
    [
        (
            "Remove tree attention",
            (make_file("lumen/tree.py", status="removed", additions=0, deletions=500),),
            "takes something away: “Remove tree attention”",
        ),
        (
            'Revert "Add a queue"',
            (make_file("lumen/queue.py", additions=0, deletions=300),),
            'takes back what was merged: “Revert "Add a queue"”',
        ),
    ],
)
def test_a_decision_is_told_in_the_words_of_the_title_once(title, files, why):
    assert importance(title, *files).reason_why == why


@pytest.mark.parametrize(("title", "broken"), [("Fix the silent drop of events", True), ("Fix silent mode", False)])
def test_silence_is_grave_only_where_something_goes_wrong_silently(title, broken):
    factors = importance(title, make_file("lumen/a.py", additions=60)).factors

    assert any(factor.name == "assumption-broken" for factor in factors) is broken


def test_a_payload_alone_still_gives_a_score():
    found = examine(make_pull_request(title="Add a queue", files=None, additions=900, changed_files=9), CONTEXT)

    assert found.importance.score > 10
