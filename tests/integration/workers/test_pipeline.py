"""One delivery from claim to stored analysis, on both engines."""

from __future__ import annotations

import pytest

from services.analyzer.pipeline import analyze_delivery
from shared.domain.errors import InvalidInput
from shared.domain.pull_request import DetailSource
from shared.domain.text import clean_text
from shared.store import deliveries
from tests.builders import make_file, make_pull_request
from tests.integration.workers.inbox import NOW, Source, make_runtime, put, row, stored, work
from tests.merge_payloads import merge_payload


def test_a_merge_becomes_an_analysis_with_the_files_of_its_source(database):
    runtime = make_runtime(database, Source([make_pull_request(101, files=(make_file("lumen/queue.py"),))]))

    assert work(runtime, merge_payload(101)) == "done"

    pull_request, captured, analysis = stored(database)
    assert captured
    assert [file.filename for file in pull_request.files] == ["lumen/queue.py"]
    assert pull_request.detail_source is DetailSource.RECORDS
    assert analysis.number == 101
    assert analysis.coverage.files_seen == 1


def test_without_a_detail_source_the_coverage_says_so(database):
    delivery = put(database, merge_payload(101)).id

    assert analyze_delivery(make_runtime(database), delivery) == "done"

    pull_request, _, analysis = stored(database)
    assert pull_request.files is None
    assert analysis.coverage.source is DetailSource.PAYLOAD
    assert analysis.coverage.files_changed == 2
    assert analysis.coverage.files_seen == 0
    assert row(database, delivery).note is None


@pytest.mark.parametrize("error", [InvalidInput("line 3 is no JSON"), PermissionError(13, "Permission denied")])
def test_an_unreadable_detail_source_costs_the_details_and_not_the_analysis(database, error):
    source = Source()
    source.error = error
    delivery = put(database, merge_payload(101)).id

    assert analyze_delivery(make_runtime(database, source), delivery) == "done"

    assert stored(database)[2].coverage.source is DetailSource.PAYLOAD
    assert "could not be read" in row(database, delivery).note


def test_replay_repairs_an_analysis_once_the_source_can_be_read(database):
    source = Source([make_pull_request(101)])
    source.error = OSError(5, "Input/output error")
    runtime = make_runtime(database, source)
    delivery = put(database, merge_payload(101)).id
    analyze_delivery(runtime, delivery)

    source.error = None
    with database.transaction() as session:
        assert deliveries.replay(session, delivery, NOW)
    assert analyze_delivery(runtime, delivery) == "done"

    pull_request, _, analysis = stored(database)
    assert analysis.coverage.source is DetailSource.RECORDS
    assert len(pull_request.files) == 1


@pytest.mark.parametrize("action", ["edited", "labeled", "unlabeled"])
def test_c09_only_the_merge_itself_starts_work(database, action):
    runtime = make_runtime(database)

    assert work(runtime, merge_payload(101, action=action)) == "ignored"

    _, captured, analysis = stored(database)
    assert not captured
    assert analysis is None


@pytest.mark.parametrize("base", ["main", "release/1.x", "feature-a"])
def test_c15_a_merge_into_any_branch_is_captured(database, base):
    work(make_runtime(database), merge_payload(101, base=base))

    pull_request, captured, analysis = stored(database)
    assert captured
    assert pull_request.base_ref == base
    assert analysis is not None


def test_c38_nul_in_every_text_gives_the_same_row_on_both_engines(database):
    details = make_pull_request(101, files=(make_file("lumen/queue.py", patch=clean_text("@@ -1 +1 @@\n-a\n+b\x00c")),))
    runtime = make_runtime(database, Source([details]))

    outcome = work(
        runtime, merge_payload(101, title="Keep\x00order", body="be\x00fore \ud800", labels=[{"name": "k\x00ind"}])
    )

    assert outcome == "done"
    pull_request, _, analysis = stored(database)
    assert pull_request.title == "Keep\ufffdorder"
    assert pull_request.body == "be\ufffdfore \ufffd"
    assert pull_request.labels == ("k\ufffdind",)
    assert pull_request.files[0].patch.endswith("b\ufffdc")
    assert "\x00" not in analysis.model_dump_json()


def test_c46_ids_beyond_32_bits_are_kept_exactly(database):
    work(
        make_runtime(database),
        merge_payload(101, repository_id=5_000_000_000, user={"login": "ada", "id": 4_000_000_000}),
    )

    pull_request, _, _ = stored(database)
    assert pull_request.repository.id == 5_000_000_000
    assert pull_request.user.id == 4_000_000_000
