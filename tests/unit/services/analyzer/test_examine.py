"""One examination as a whole: summary, coverage, fingerprint, and texts that say nothing."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from services.analyzer.examine import examine, fingerprint
from services.analyzer.reading.prose import read_prose
from services.analyzer.rules import build_context
from shared.domain.pull_request import (
    CheckResult,
    Comment,
    Cut,
    DetailSource,
    Person,
    Review,
    ReviewThread,
    Unread,
)
from shared.domain.taxonomy import Risk
from shared.settings import RepositorySettings
from tests.builders import MERGED_AT, make_file, make_pull_request

SETTINGS = RepositorySettings(full_name="lumen/lumen")
CONTEXT = build_context(SETTINGS)
TEMPLATE = """<!-- Thanks for the pull request! Fixes #12? -->\r
## What does this change?   \r
\r
**Checklist**:\r
- [ ] Breaking change\r
- [ ] Depends on #10\r
<details><summary>More</summary></details>\r
---\r
"""


@pytest.mark.parametrize("body", [None, "", "   \r\n ", TEMPLATE])
def test_c01_without_a_description_everything_comes_from_title_labels_and_files(body):
    analysis = examine(make_pull_request(body=body, title="[Bugfix] Keep order (#101)"), CONTEXT)

    assert analysis.summary == "Keep order"
    assert analysis.change_type == "fix"
    assert analysis.areas == ("core",)


def test_c31_an_untouched_template_is_an_empty_description():
    assert read_prose(TEMPLATE).empty
    assert not examine(make_pull_request(body=TEMPLATE), CONTEXT).relations
    assert not examine(make_pull_request(body=TEMPLATE), CONTEXT).has(Risk.BREAKING_CHANGE)


def test_c31_what_was_written_into_a_template_is_read():
    prose = read_prose(TEMPLATE.replace("- [ ] Breaking", "Keeps order.\r\n- [x] Breaking"))

    assert "Keeps order." in prose.text
    assert prose.ticked == ("Breaking change",)
    assert "12" not in prose.text
    assert "#10" not in prose.text


@pytest.mark.parametrize(
    ("title", "summary"),
    [
        ("feat(api): add a door (#12)", "add a door"),
        ("[ROCm][2/N] Keep   order", "Keep order"),
        ("net/http: keep order", "net/http: keep order"),
        ("Keep order (fixes #3, #4)", "Keep order"),
        ("[WIP]", "[WIP]"),
        ("[CI][AMD]BugFix] Keep order", "Keep order"),
    ],
)
def test_the_summary_is_the_title_without_its_marks(title, summary):
    assert examine(make_pull_request(title=title), CONTEXT).summary == summary


def test_coverage_counts_what_was_read():
    files = (
        make_file("a.py", patch="@@ -1 +1 @@\n+x"),
        make_file("b.png", unread=Unread.BINARY),
        make_file("c.json"),
        make_file("d.py", status="renamed", previous_filename="e.py", additions=0, deletions=0),
    )
    coverage = examine(make_pull_request(files=files, changed_files=9), CONTEXT).coverage

    assert (coverage.files_changed, coverage.files_seen, coverage.files_read) == (9, 4, 2)
    assert coverage.unread == {"binary": 1, "not-given": 1}
    assert coverage.patch_bytes == len("@@ -1 +1 @@\n+x")
    assert coverage.partial


def test_a_payload_alone_says_so():
    coverage = examine(make_pull_request(files=None, changed_files=3), CONTEXT).coverage

    assert (coverage.source, coverage.files_seen, coverage.files_changed) == (DetailSource.PAYLOAD, 0, 3)


def test_the_fingerprint_follows_facts_and_configuration_but_not_the_time_of_an_update():
    pull_request = make_pull_request()
    later = pull_request.model_copy(update={"updated_at": MERGED_AT + timedelta(days=1)})
    other = build_context(SETTINGS.model_copy(update={"core_paths": ("lumen/**",)}))

    assert fingerprint(later, CONTEXT) == fingerprint(pull_request, CONTEXT)
    assert fingerprint(pull_request, build_context(SETTINGS)) == fingerprint(pull_request, CONTEXT)
    assert fingerprint(pull_request, other) != fingerprint(pull_request, CONTEXT)
    assert fingerprint(make_pull_request(title="Another"), CONTEXT) != fingerprint(pull_request, CONTEXT)
    assert fingerprint(make_pull_request(labels=("bug",)), CONTEXT) != fingerprint(pull_request, CONTEXT)
    assert fingerprint(make_pull_request(comments=(Comment(body="no"),)), CONTEXT) != fingerprint(pull_request, CONTEXT)


@pytest.mark.parametrize(
    "told",
    [
        {"reviews": (Review(state="APPROVED"),)},
        {"reviews_known": True},
        {"review_threads": (ReviewThread(resolved=False),)},
        {"review_comments": (Comment(body="In a follow-up."),)},
        {"checks": (CheckResult(name="build", conclusion="failure"),)},
        {"cut": {"reviews": Cut.OUR_LIMIT}},
        {"merged_by": Person(login="bea")},
        {"created_at": MERGED_AT - timedelta(minutes=3)},
        {"author_association": "FIRST_TIMER"},
    ],
    ids=lambda told: next(iter(told)),
)
def test_the_fingerprint_follows_everything_that_is_read_of_the_review(told: dict[str, Any]) -> None:
    assert fingerprint(make_pull_request(**told), CONTEXT) != fingerprint(make_pull_request(), CONTEXT)
