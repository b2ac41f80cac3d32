"""What answers in a review say of a request, by plain wording; everything doubtful says nothing."""

from __future__ import annotations

import pytest

from services.analyzer.reading.remarks import is_content, outcome_told
from services.analyzer.reading.reviews import cut, plain


@pytest.mark.parametrize(
    ("words", "outcome"),
    [
        ("Good catch. I would rather do that in a follow-up, the header is touched there.", "deferred"),
        ("Will do in a later PR", "deferred"),
        ("I'll follow up with a cleanup.", "deferred"),
        ("Let's handle this in a separate pull request.", "deferred"),
        ("Deferred; this is deferred to the next release.", "deferred"),
        ("I opened an issue for it.", "deferred"),
        ("Out of scope here.", "deferred"),
        ("That is out of the scope of this change.", "deferred"),
        ("Deferred.", "deferred"),
        ("Deferred to a separate issue.", "deferred"),
        ("I'd like to defer this.", "deferred"),
        ("In a later PR.", "deferred"),
        ("Can be done in the next release", "deferred"),
        ("Let's keep that for a future change.", "deferred"),
        ("I won't change this, callers rely on it.", "rejected"),
        ("I’d rather keep it as it is.", "rejected"),
        ("This is intentional: the lock must outlive the call.", "rejected"),
        ("wontfix", "rejected"),
        ("I disagree, the copy is cheap.", "rejected"),
        ("Done.", "settled"),
        ("Good point, fixed!", "settled"),
        ("You're right, I've renamed it.", "settled"),
        ("addressed in abc1234", "settled"),
        ("Fixed - the buffers are pooled now.", "settled"),
        ("Removed, it was unused.", "settled"),
        ("Updated the docs.", "settled"),
        ("Won't fix here, but will follow up in a new PR.", "deferred"),
    ],
)
def test_plain_answers_of_an_author_are_understood(words: str, outcome: str) -> None:
    told = outcome_told(words, by_author=True)

    assert told is not None
    assert told[0] == outcome


@pytest.mark.parametrize(
    "words",
    [
        "",
        "This won't happen any more because the lock is taken first.",
        "Should I do that in a follow-up?",
        "No need to do this in a follow-up.",
        "This is a follow-up to the change of last week.",
        "Why would it be?",
        "Thanks!",
        "It was added by somebody else, I think.",
        "Added in 1.3 for the old clients.",
        "Changed by nobody for years.",
        "Which one do you prefer?",
        "The value is in the next field.",
        "I am not sure that it can be fixed.",
        "The lock is released when the guard goes out of scope.",
        "It fell out of scope before the call.",
        "Writes are deferred until the transaction commits.",
        "We deferred the import to avoid a cycle.",
        "The flush is deferred to the release of the lock.",
        "We use a hook to defer this until the commit.",
        "That API was removed in a later release, so the shim is needed.",
        "In a later release the API was removed.",
        "The flag is needed for the next release.",
        "It would be no good in a later PR?",
        "No need to do that in a later PR.",
        "Fixed-size buffers are required by the protocol here.",
        "Done-ness is counted twice.",
        "Updated rows are skipped by the index.",
        "Changed file names must be read twice.",
    ],
)
def test_doubtful_answers_say_nothing(words: str) -> None:
    assert outcome_told(words, by_author=True) is None


@pytest.mark.parametrize(
    ("words", "outcome"),
    [
        ("Never mind, I misread the loop.", "settled"),
        ("Makes sense, thanks.", "settled"),
        ("Fine as a follow-up.", "deferred"),
        ("I disagree.", None),
        ("Done?", None),
        ("Thanks, but please add a test.", None),
    ],
)
def test_the_person_who_asked_can_take_back_agree_or_wait(words: str, outcome: str | None) -> None:
    told = outcome_told(words, by_author=False)

    assert (told[0] if told else None) == outcome


def test_the_sentence_that_says_it_is_kept() -> None:
    told = outcome_told("Hm. I would do that in a follow-up! The rest is done.", by_author=True)

    assert told is not None
    assert told[1] == "I would do that in a follow-up!"


def test_long_thanks_are_no_agreement() -> None:
    assert is_content("LGTM")
    assert is_content("Thanks, got it.")
    assert not is_content("Thanks " + "for all of this work and the other " * 5)


@pytest.mark.parametrize(
    ("body", "words"),
    [
        (None, ""),
        ("> quoted\n\nWhy **not** `f(x)`?\r\n", "Why **not** `f(x)`?"),
        ("```suggestion\nx = 1\n```", ""),
        ("<!-- hidden -->See [the docs](https://x.example/a) ![pic](https://x.example/b.png)", "See the docs"),
        ("<details><summary>More</summary>\nIt “breaks”.\n</details>", 'More It "breaks".'),
    ],
)
def test_remarks_are_read_as_plain_words(body: str | None, words: str) -> None:
    assert plain(body) == words


def test_long_words_are_cut_between_two() -> None:
    assert cut("one two three", 20) == "one two three"
    assert cut("one two three", 11) == "one two…"
    assert cut("x" * 30, 10) == "x" * 9 + "…"
