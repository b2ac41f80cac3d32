"""A plain sentence beside true words that speak of something else is an invention like any other."""

from __future__ import annotations

from tests.unit.services.analyzer.checking.answers import action, answered, claim, limit, reason, risk
from tests.unit.services.analyzer.checking.sample_merges import read
from tests.unit.services.analyzer.checking.test_inventing_model import MERGE, TRUE

PLAIN = "Passengers are refunded at midnight."


def test_a_sentence_that_shares_no_word_with_what_it_quotes_is_dropped_from_every_field() -> None:
    reading = read(
        answered(
            claim(PLAIN, TRUE),
            effect=claim(PLAIN, TRUE),
            why=claim(PLAIN, TRUE),
            limits=[limit("other", PLAIN, TRUE)],
            actions=[action("migration", PLAIN, TRUE, way_back=PLAIN)],
            risks=[risk("slowdown", PLAIN, TRUE)],
            importance=reason("performance", PLAIN, TRUE),
        ),
        MERGE,
    )

    assert reading.claims == ()
    assert {one.reason for one in reading.dropped} == {"unrelated-to-quotes"}
    assert len(reading.dropped) == 7


def test_words_of_the_title_and_of_the_file_that_is_quoted_are_words_in_common() -> None:
    assert MERGE.files
    line = next(line[1:] for line in (MERGE.files[0].patch or "").splitlines() if line[:1] == "+")
    folder = MERGE.files[0].filename.split("/")[0]
    said = f"The {folder} folder holds it."

    assert read(answered(claim(said, line)), MERGE).change is not None


def test_what_may_follow_is_told_in_words_of_the_description() -> None:
    merge = MERGE.model_copy(update={"body": "Entries that were never read are dropped first."})
    reading = read(answered(claim("Trims.", TRUE), risks=[risk("data-loss", "Entries may be dropped.", TRUE)]), merge)

    assert [one.text for one in reading.risks] == ["Entries may be dropped."]


def test_in_another_language_it_cannot_be_told() -> None:
    assert read(answered(claim("Reisende werden um Mitternacht entschädigt.", TRUE)), MERGE, language="German").change
