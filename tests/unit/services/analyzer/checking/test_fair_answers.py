from __future__ import annotations

import pytest

from services.analyzer.prompts.answer import MergeAnswer
from shared.domain.reading import Reading
from tests.unit.services.analyzer.checking.fair_answers import FAIR
from tests.unit.services.analyzer.checking.fair_answers_too import MORE_FAIR
from tests.unit.services.analyzer.checking.sample_merges import analysis_of, merges, read

ANSWERS = FAIR | MORE_FAIR


def reading_of(number: int) -> Reading:
    return read(ANSWERS[number], merges()[number], analysis_of(number))


def claims_in(answer: MergeAnswer) -> int:
    single = (answer.effect, answer.change, answer.why, answer.importance)
    lists = (answer.limits, answer.actions, answer.contested, answer.risks)
    return sum(one is not None for one in single) + sum(map(len, lists))


def test_fair_answers_are_kept_nearly_whole() -> None:
    """A checker that drops everything is worthless: the gate of a digest wants 95 of 100 claims supported."""
    readings = {number: reading_of(number) for number in ANSWERS}
    kept = sum(len(reading.claims) for reading in readings.values())
    dropped = {number: reading.dropped for number, reading in readings.items() if reading.dropped}

    assert len(ANSWERS) >= 15
    assert sum(claims_in(answer) for answer in ANSWERS.values()) >= 70
    assert kept >= 0.95 * sum(claims_in(answer) for answer in ANSWERS.values()), dropped


@pytest.mark.parametrize("number", sorted(ANSWERS))
def test_every_kept_quotation_is_one_of_the_merge_and_has_its_place(number: int) -> None:
    known = {file.filename for file in merges()[number].files or ()}

    for claim in reading_of(number).claims:
        for quote in claim.quotes:
            assert quote.field in {"diff", "title", "body", "commit", "review", "comment"}
            assert quote.field != "diff" or (quote.path in known and quote.line)


def test_a_reading_tells_who_read_and_what_it_was_shown() -> None:
    reading = read(ANSWERS[4959], merges()[4959], mode="text", repaired=True, language="German")

    assert (reading.model, reading.mode, reading.repaired, reading.language) == ("some-model", "text", True, "German")
    assert reading.keywords == ("retry", "writer")
