"""The bundled sample: busy enough, odd enough, and delivered in GitHub's genuine shape."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Any

import pytest

from services.analyzer.examine import examine
from services.analyzer.rules import build_context
from services.cli import sample
from services.cli.sample import payloads, pull_requests, shapes
from services.webhook.signature import SignatureMismatch, verify
from shared.domain.errors import Ignored
from shared.domain.period import parse_week
from shared.domain.pull_request import PullRequest
from shared.domain.taxonomy import ReviewOutcome, Risk, Trait
from shared.settings import RepositorySettings
from shared.sources.github_events import MergeEvent, PingEvent, parse
from shared.sources.merge_records import MergeRecords, dump, parse_line

LINES = sample.RECORDS.read_bytes().splitlines()
RECORDS: list[dict[str, Any]] = [json.loads(line) for line in LINES]
BY_NUMBER = {record["number"]: record for record in RECORDS}
DELIVERIES = list(payloads.sample_deliveries(RECORDS))
WEEK = parse_week(sample.WEEK)
WHOLE = (datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC))


def of_week() -> list[PullRequest]:
    return list(MergeRecords(sample.RECORDS).merged_between(WEEK.start, WEEK.end))


def titled(words: str) -> list[dict[str, Any]]:
    return [record for record in RECORDS if words in record["title"]]


def strings(value: object) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from (key, *strings(item))
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)


def test_the_sample_is_busy_and_small() -> None:
    into_main = [merge for merge in of_week() if merge.base_ref == "main"]
    before = list(MergeRecords(sample.RECORDS).merged_between(WEEK.previous().start, WEEK.previous().end))

    assert len(into_main) >= 60
    assert len({merge.user.login for merge in into_main}) >= 15
    assert len(before) >= 30
    assert WEEK.previous().week == sample.WEEK_BEFORE
    assert sample.RECORDS.stat().st_size < 400_000


def test_records_survive_reading_and_writing() -> None:
    for number, line in enumerate(LINES, start=1):
        read = parse_line(line, number, sample.RECORDS)
        assert parse_line(dump(read).encode(), number, sample.RECORDS) == read


def test_names_are_invented_and_no_real_address_is_in_it() -> None:
    addresses = {address for text in strings(RECORDS) for address in re.findall(r"[A-Za-z0-9]@([\w-]+\.[\w.-]+)", text)}

    assert addresses <= {"example.org", "users.noreply.github.com"}
    assert {record["repository"] for record in RECORDS} == {sample.REPOSITORY}


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: str(record["number"]))
def test_totals_and_hunks_add_up(record: dict[str, Any]) -> None:
    files = record["files"]
    if record["changed_files"] == len(files):
        assert record["additions"] == sum(file["additions"] for file in files)
        assert record["deletions"] == sum(file["deletions"] for file in files)
    for file in files:
        if "patch" not in file:
            continue
        lines = file["patch"].split("\n")
        assert sum(line.startswith("+") for line in lines) == file["additions"]
        assert sum(line.startswith("-") for line in lines) == file["deletions"]
        for head in (line for line in lines if line.startswith("@@")):
            assert re.match(r"@@ -\d+(,\d+)? \+\d+(,\d+)? @@", head)


def test_odd_people_are_in_it() -> None:
    assert any(record["body"] is None for record in RECORDS)  # C-01
    assert any(record["body"] == "" for record in RECORDS)
    assert any(record["body"] and not record["body"].strip() for record in RECORDS)
    reviews = [review for record in RECORDS for review in record.get("reviews", ())]
    assert any(review["user"] is None and review["body"] is None for review in reviews)  # C-02
    assert any("submitted_at" not in review for review in reviews)
    assert any(record["user"] is None and record["head"]["repo"] is None for record in RECORDS)  # C-03, C-04
    assert any(record["merged_by"] is None for record in RECORDS)  # C-16
    authors = [record["user"] for record in RECORDS if record["user"]]
    bots = {user["login"] for user in authors if user["type"] == "Bot"}
    assert {"dependabot[bot]", "renovate[bot]"} < bots  # C-23
    assert any(not login.endswith("[bot]") for login in bots)
    assert "robot-lover" in {user["login"] for user in authors if user["type"] == "User"}
    assert any("Co-authored-by" in commit["commit"]["message"] for record in RECORDS for commit in record["commits"])


def test_odd_merges_are_in_it() -> None:
    numbers = {record["number"] for record in RECORDS}
    bases = {record["base"]["ref"] for record in RECORDS}
    assert {"release/1.8", "release/1.9"} < bases - {"main"}  # C-15
    commits = [record["merge_commit_sha"] for record in RECORDS]
    assert len(commits) - len(set(commits)) == 1  # C-16: two pull requests, one commit
    assert {
        int(found[1]) for record in RECORDS for found in re.finditer(r"lumen#(\d+)", record["body"] or "")
    } <= numbers
    assert titled('Revert "feat(console)')  # C-19
    assert titled("Reland ")
    assert len(titled("[Backport release/")) >= 3  # C-20
    assert len([record for record in RECORDS if re.search(r"\[\d/5\]", record["title"])]) >= 5
    assert len(titled("to the shared batch writer")) >= 6
    assert any("Stacked on #" in (record["body"] or "") for record in RECORDS)


def test_odd_text_is_in_it() -> None:
    titles = " ".join(record["title"] for record in RECORDS)
    for words in ("<script>", "`__init__`", "@types/node", "C#", "{{ 7*7 }}", "\u202e", "🌙", "深色"):
        assert words in titles  # C-27, C-28, C-29, C-32
    labels = {label["name"] for record in RECORDS for label in record["labels"]}
    accented = [label for label in labels if not label.isascii()]
    assert len(accented) == 2
    assert len({unicodedata.normalize("NFC", label) for label in accented}) == 1  # C-37
    assert any("\r\n" in (record["body"] or "") and "<!--" in record["body"] for record in RECORDS)  # C-31


def test_odd_changes_are_in_it() -> None:
    assert any(record["changed_files"] > len(record["files"]) for record in RECORDS)  # C-40
    assert any(not record["files"] for record in RECORDS)
    assert any(record["files"] and all(f["status"] == "renamed" for f in record["files"]) for record in RECORDS)  # C-43
    merges = {merge.number: merge for merge in MergeRecords(sample.RECORDS).merged_between(*WHOLE)}
    pointers = [merge.number for merge in merges.values() for file in merge.files or () if file.submodule]
    talked_of = [r["number"] for r in RECORDS for f in r["files"] if "Subproject commit" in f.get("patch", "")]
    assert len(pointers) == 1  # C-44
    assert len(talked_of) == 2
    assert any("-lock" in f["filename"] and f["additions"] > 1000 for r in RECORDS for f in r["files"])  # C-45
    assert all(record["base"]["repo"]["id"] > 2**32 for record in RECORDS)  # C-46


def test_review_with_a_story_is_in_it() -> None:
    context = build_context(RepositorySettings(full_name=sample.REPOSITORY))
    analyses = [examine(merge, context) for merge in of_week()]
    marks = {tag.value for analysis in analyses for tag in analysis.tags}
    outcomes = {point.outcome for analysis in analyses for point in analysis.review}

    assert {Risk.UNAPPROVED, Risk.CHANGES_REQUESTED, Risk.UNRESOLVED_THREADS} <= marks
    assert {Risk.MERGED_IN_MINUTES, Risk.FAILING_CHECKS} <= marks
    assert {Trait.FIRST_TIME_CONTRIBUTOR, Trait.LONG_CONTESTED} <= marks
    assert {ReviewOutcome.ASKED, ReviewOutcome.DEFERRED, ReviewOutcome.SETTLED} <= outcomes


def test_the_edges_of_the_week_are_in_it() -> None:
    times = {record["merged_at"] for record in RECORDS}

    assert {"2026-05-03T23:59:59Z", "2026-05-04T00:00:00Z", "2026-05-10T23:59:59Z", "2026-05-11T00:00:01Z"} <= times


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: str(record["number"]))
def test_a_closed_delivery_tells_the_facts_of_its_record(record: dict[str, Any]) -> None:
    event = parse("pull_request", payloads.closed(record).body)
    known = parse_line(json.dumps(record).encode(), 1, sample.RECORDS)

    assert isinstance(event, MergeEvent)
    assert event.starts_work
    assert event.pull_request.files is None
    told = event.pull_request
    for field in ("repository", "number", "title", "body", "user", "merged_by", "merged_at", "updated_at", "base_ref"):
        assert getattr(told, field) == getattr(known, field), field
    for field in ("labels", "merge_commit_sha", "additions", "deletions", "changed_files", "head_ref", "head_sha"):
        assert getattr(told, field) == getattr(known, field), field


def test_deliveries_carry_everything_that_github_sends() -> None:
    payload = json.loads(payloads.closed(BY_NUMBER[4911]).body)
    shown = payload["pull_request"]

    assert set(payload) == {"action", "number", "pull_request", "repository", "organization", "sender"}
    assert len(shown) >= 48
    assert len(payload["repository"]) >= 78
    assert len(shown["base"]["repo"]) >= 88
    assert shown["base"]["repo"]["id"] == payload["repository"]["id"]
    assert shown["merged"] is True
    assert set(shown["_links"]) == {
        *("self", "html", "issue", "comments", "review_comments", "review_comment", "commits", "statuses")
    }
    assert "files" not in shown
    gone = json.loads(payloads.closed(BY_NUMBER[4880]).body)["pull_request"]
    assert gone["user"] is gone["head"]["repo"] is gone["head"]["user"] is None


def test_most_pull_requests_come_from_forks_of_their_authors() -> None:
    head = json.loads(payloads.closed(BY_NUMBER[4864]).body)["pull_request"]["head"]

    assert head["repo"]["full_name"] == "bhanu-rk/lumen"
    assert head["repo"]["fork"] is True
    assert head["user"]["login"] == head["repo"]["owner"]["login"] == "bhanu-rk"
    assert head["label"].startswith("bhanu-rk:")


def test_deliveries_are_signed_as_github_signs_them() -> None:
    delivery = DELIVERIES[3]
    headers = delivery.headers_for(b"s3cret")

    assert verify([b"other", b"s3cret"], headers["X-Hub-Signature-256"].encode(), delivery.body) == 1
    with pytest.raises(SignatureMismatch):
        verify([b"other"], headers["X-Hub-Signature-256"].encode(), delivery.body)
    assert headers["User-Agent"].startswith("GitHub-Hookshot/")
    assert headers["X-GitHub-Event"] == "pull_request"
    assert headers["X-GitHub-Hook-Installation-Target-ID"] == str(RECORDS[0]["base"]["repo"]["id"])


def test_what_makes_no_work_is_among_the_deliveries() -> None:
    kinds: dict[str, int] = {}
    for delivery in DELIVERIES:
        try:
            event = parse(delivery.event, delivery.body)
            kind = "ping" if isinstance(event, PingEvent) else event.action
        except Ignored as ignored:
            kind = ignored.reason
        kinds[kind] = kinds.get(kind, 0) + 1

    assert kinds == {"ping": 1, "unknown-event": 1, "not-merged": 1, "closed": len(RECORDS), "edited": 2, "labeled": 2}
    ping = parse(DELIVERIES[0].event, DELIVERIES[0].body)
    assert isinstance(ping, PingEvent)
    assert ping.problems == ()


def test_c11_posting_the_sample_again_is_a_redelivery() -> None:
    again = list(payloads.sample_deliveries(RECORDS))

    assert [delivery.guid for delivery in again] == [delivery.guid for delivery in DELIVERIES]
    assert len({delivery.guid for delivery in DELIVERIES}) == len(DELIVERIES)


def test_c21_later_events_end_in_the_facts_of_the_records() -> None:
    last: dict[int, PullRequest] = {}
    for delivery in DELIVERIES[3:]:
        event = parse(delivery.event, delivery.body)
        assert isinstance(event, MergeEvent)
        last[event.pull_request.number] = event.pull_request

    for number, told in last.items():
        assert told.title == BY_NUMBER[number]["title"]
        assert list(told.labels) == [label["name"] for label in BY_NUMBER[number]["labels"]]


def test_records_of_git_history_make_whole_deliveries_too() -> None:
    record = {
        "repository": "some/where",
        "number": 7,
        "title": "A change",
        "body": None,
        "user": {"login": "somebody", "type": "User"},
        "merged_at": "2026-05-05T10:00:00Z",
        "base": {"ref": "main"},
        "labels": [],
    }
    first, second = payloads.closed(record), payloads.closed(record)
    event = parse("pull_request", first.body)

    assert first == second
    assert isinstance(event, MergeEvent)
    assert event.pull_request.repository.full_name == "some/where"
    assert set(pull_requests.pull_request(record)) == set(pull_requests.pull_request(BY_NUMBER[4911]))


@pytest.mark.parametrize(
    ("ids", "expected"),
    [((1,), "U_kgDOAAAAAQ"), ((5_000_000_000,), "U_kgDPAAAAASoF8gA"), ((1, 2), "U_kwDOAAAAAc4AAAAC")],
)
def test_c46_node_ids_hold_ids_of_any_size(ids: tuple[int, ...], expected: str) -> None:
    assert shapes.node_id("U", *ids) == expected
