"""One merge from the analysis by rules to the one with a reading, on both engines."""

from __future__ import annotations

from datetime import timedelta

from services.analyzer.pipeline import analyze_delivery
from services.analyzer.readings.read import fingerprint_of, read_merge
from shared.broker.task_names import TaskName
from shared.settings import RepositorySettings, Settings
from tests.builders import make_file, make_pull_request
from tests.integration.readings.house import BODY, House, tags_of_rules
from tests.integration.workers.inbox import analyses_stored, put
from tests.merge_payloads import FULL_NAME, merge_payload
from tests.servers.model.asked import Asked


def test_rules_are_stored_first_and_a_reading_is_rung_for(house: House) -> None:
    analysis = house.capture()

    assert (analysis.source, analysis.source_why) == ("rules", "the model has not read it yet")
    assert [task for task, _ in house.bell.rung] == [TaskName.READ_MERGE]
    assert house.counts() == {"new": 1}
    assert house.server.asked == []


def test_the_model_adds_a_second_analysis_and_changes_nothing_that_rules_found(house: House) -> None:
    by_rules = house.capture()

    assert house.work_off() == ["done"]

    read = house.analysis()
    assert (read.source, read.source_why, read.model) == ("model", "", "scripted")
    assert read.reading is not None
    assert read.reading.claims, "the scripted model quotes what it was shown"
    assert tags_of_rules(read) == tags_of_rules(by_rules)
    assert (read.facts, read.change_type, read.areas) == (by_rules.facts, by_rules.change_type, by_rules.areas)
    assert read.fingerprint == fingerprint_of(by_rules.fingerprint, read.prompt_version or "", "scripted", "English")
    assert read.reading.usage.requests == len(house.server.asked) == 1
    assert (read.reading.usage.input_tokens, read.reading.usage.output_tokens) == house.server.counted
    assert read.reading.seen.estimated_tokens <= house.settings.model.input_tokens
    assert analyses_stored(house.database) == 2


def test_a_redelivery_brings_the_reading_back_and_asks_nobody(house: House) -> None:
    house.capture()
    house.work_off()
    read = house.analysis()
    house.clock.move(timedelta(hours=1))

    assert house.capture() == read
    assert house.work_off() == []
    assert len(house.server.asked) == 1


def test_a_redelivery_brings_the_reading_back_when_no_model_is_set_any_more(house: House) -> None:
    house.capture()
    house.work_off()
    read = house.analysis()
    without = House(house.database, house.server, name="")
    without.clock.move(timedelta(hours=1))

    without.source.known = house.source.known
    assert without.capture() == read
    assert without.bell.rung == []


def test_without_a_model_nothing_is_made_and_the_analysis_says_so(database, server) -> None:
    house = House(database, server, name="")

    analysis = house.capture()

    assert (analysis.source, analysis.source_why) == ("rules", "no model is set")
    assert house.counts() == {}
    assert house.sweep() == 0
    assert house.bell.rung == []


def test_a_repository_that_is_switched_off_is_never_shown_not_even_what_was_asked_for_before(house: House) -> None:
    house.capture()
    off = RepositorySettings(full_name=FULL_NAME, model=False)
    reader = house.reader_of(Settings(model=house.settings.model, repositories=(off,)))
    (_, reading), *_ = house.bell.rung

    assert read_merge(reader, int(reading)) == "rules"
    assert house.analysis().source_why == "the model is switched off for this repository"
    assert house.server.asked == []


def test_c21_facts_edited_while_they_are_read_make_a_new_reading_and_the_old_one_is_superseded(house: House) -> None:
    house.capture()
    edited = merge_payload(
        101, action="edited", title="Keep the queue sorted", body=BODY, updated_at="2026-05-06T13:00:00Z"
    )
    delivery = put(house.database, edited).id
    outcomes: list[str] = []

    def while_it_answers(_asked: Asked) -> bool:
        if not outcomes:
            outcomes.append(analyze_delivery(house.analyzer, delivery))
        return False

    house.server.when(while_it_answers, "ok")

    assert house.work_off() == ["superseded", "done", "not-due"]
    assert outcomes == ["done"]
    read = house.analysis()
    assert (read.source, read.summary) == ("model", "Keep the queue sorted")
    assert house.counts() == {"superseded": 1, "done": 1}
    assert set(house.calls_of_merges().values()) == {1}


def test_the_same_question_is_not_asked_twice(house: House) -> None:
    """Rules see something new, and the model is shown the same: its answer is used again."""
    house.capture()
    house.work_off()
    first = house.analysis()
    house.clock.move(timedelta(hours=1))
    house.capture(labels=[{"name": "queue"}], action="labeled", updated_at="2026-05-06T13:00:00Z")
    assert house.work_off() == ["done"]

    second = house.analysis()
    assert second.fingerprint != first.fingerprint
    assert second.reading is not None
    assert first.reading is not None
    assert second.reading.claims == first.reading.claims
    assert second.reading.usage.requests == 0
    assert len(house.server.asked) == 1


def test_a_bump_by_a_bot_needs_no_model(house: House) -> None:
    bot, title = {"login": "dependabot[bot]", "id": 49699333, "type": "Bot"}, "Bump numpy from 2.1.0 to 2.2.0"
    file = make_file("requirements.txt", patch="@@ -1 +1 @@\n-numpy==2.1.0\n+numpy==2.2.0")
    house.source.known[101] = make_pull_request(101, title=title, user=bot, files=(file,))

    analysis = house.capture(title=title, user=bot)

    assert analysis.source_why == "rules tell all there is to know of such a change"
    assert house.counts() == {}


def test_below_the_lowest_importance_merges_are_left_to_rules(database, server) -> None:
    house = House(database, server, lowest_importance=90)

    assert house.capture().source_why == "its importance is below model.lowest_importance"
    assert house.counts() == {}


def test_the_important_few_are_read_by_the_strong_model(database, server) -> None:
    house = House(database, server, strong_name="scripted-strong", strong_from=-100)
    house.capture()
    house.work_off()

    assert house.analysis().model == "scripted-strong"
    assert [asked.body["model"] for asked in house.server.asked] == ["scripted-strong"]
