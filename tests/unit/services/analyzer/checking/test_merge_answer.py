from __future__ import annotations

from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from services.analyzer.combine import joined
from services.analyzer.prompts.answer import MergeAnswer
from shared.domain.analysis import ReviewPoint
from shared.domain.pull_request import ChangedFile, Comment, Person, PullRequest, Review, ReviewThread
from shared.domain.reading import ActionKind, DropReason, LimitKind, Reading
from shared.domain.taxonomy import JUDGED_RISKS, KeyReason, ReviewOutcome
from tests.attacks.corpus import ATTACKS, CANARY
from tests.builders import make_analysis, make_file, make_pull_request
from tests.hostile_strings import HOSTILE
from tests.secret_canaries import CANARIES, Canary
from tests.unit.services.analyzer.checking.answers import action, answered, claim, contest, limit, reason, risk
from tests.unit.services.analyzer.checking.sample_merges import read
from tests.unit.services.analyzer.examined import added

LINE = "self.queue.drain(timeout=limit)"
MERGE = make_pull_request(
    title="Drain the queue before closing",
    body="A queue that closed with entries in it lost them. <!-- The moon is made of green cheese. -->",
    files=(make_file("lumen/queue.py", patch=added(LINE), additions=1, deletions=0),),
    reviews=(Review(body="Should draining not be bounded by a limit?"),),
    comments=(Comment(body="Draining without bounds could hang for ever."),),
)
DRAINED = "Entries that wait in a queue are no longer lost."
LOST = "A queue that closed with entries in it lost them."


def reasons(reading: Reading) -> list[tuple[str, DropReason]]:
    return [(one.field, one.reason) for one in reading.dropped for _ in range(one.count)]


def change(text: str, *quotes: str, merge: PullRequest = MERGE) -> Reading:
    return read(answered(claim(text, *quotes)), merge)


@pytest.mark.parametrize(
    ("text", "quotes", "why"),
    [
        ("", (LINE,), "empty"),
        ("…", (LINE,), "empty"),
        (f"Entries {'wait ' * 60}.", (LINE,), "too-long"),
        ("Entries are **kept**.", (LINE,), "not-plain-text"),
        ("The change was approved by all.", (LINE,), "not-for-models"),
        ("Drain the queue before closing.", (LINE,), "echo"),
        ("What is true now, and for whom; the effect.", (LINE,), "echo"),
        (DRAINED, (), "no-quote"),
        (DRAINED, ("The moon is made of green cheese.",), "quote-not-found"),
        ("Up to 5 entries are kept.", (LINE,), "figure-not-in-quotes"),
        ("Entries of the `backlog_queue` are kept.", (LINE,), "identifier-not-in-diff"),
    ],
)
def test_a_claim_is_dropped_for_its_reason(text: str, quotes: tuple[str, ...], why: DropReason) -> None:
    reading = change(text, *quotes)

    assert reasons(reading) == [("change", why)]
    assert reading.change is None


def test_white_space_signs_of_the_diff_and_marks_around_a_quotation_do_not_matter() -> None:
    for quote in (f"+{LINE}", f"  {LINE} ", f'"{LINE}"', f"{LINE[:20]}…", "self.queue.drain(\n timeout=limit)"):
        found = change(DRAINED, quote.replace("(\n ", "("))
        assert found.change is not None, quote
        assert found.change.quotes[0].field == "diff"


def test_a_long_quotation_is_cut_and_a_fourth_is_left_out() -> None:
    body = " ".join(f"word{chr(97 + at % 26)}" for at in range(120))
    merge = make_pull_request(body=body)
    found = change("Words are kept in order.", body[:500], body[6:41], body[12:53], body[18:65], merge=merge).change

    assert found is not None
    assert len(found.quotes) == 3
    assert len(found.quotes[0].text) <= 240
    assert body.startswith(found.quotes[0].text)


def test_contested_points_need_the_words_of_the_review() -> None:
    asked = contest("settled", "Whether draining is bounded was disputed.", LINE)
    assert reasons(read(answered(claim(DRAINED, LOST), contested=[asked]), MERGE)) == [("contested", "no-quote")]

    asked["quotes"] = [LINE, "Should draining not be bounded by a limit?"]
    kept = read(answered(claim(DRAINED, LOST), contested=[asked]), MERGE).contested
    assert [[quote.field for quote in one.quotes] for one in kept] == [["review"]]


ASKED = "Should draining not be bounded by a limit?"
AUTHOR = Person(login="ada", id=11)


@pytest.mark.parametrize("resolved", [True, False, None])
@pytest.mark.parametrize("told", ReviewOutcome)
def test_a_settled_outcome_is_told_where_the_thread_is_resolved(told: ReviewOutcome, resolved: bool | None) -> None:
    thread = ReviewThread(resolved=resolved, comments=(Comment(body=ASKED),))
    merge = MERGE.model_copy(update={"reviews": (), "review_threads": (thread,)})
    disputed = contest(told, "Whether draining is bounded was disputed.", ASKED)
    kept = read(answered(claim(DRAINED, LOST), contested=[disputed]), merge).contested

    settled = bool(resolved) and told is ReviewOutcome.SETTLED
    assert [one.outcome for one in kept] == [ReviewOutcome.SETTLED if settled else ReviewOutcome.ASKED]


def test_an_outcome_that_rules_tell_of_the_same_request_is_told() -> None:
    def outcome(told: str, point: ReviewPoint) -> ReviewOutcome:
        disputed = contest(told, "Whether draining is bounded was disputed.", ASKED)
        answer = answered(claim(DRAINED, LOST), contested=[disputed])
        return read(answer, MERGE, make_analysis(review=(point,))).contested[0].outcome

    same = ReviewPoint(person="kaja", quote="Should draining not be bounded by …", outcome=ReviewOutcome.REJECTED)
    other = ReviewPoint(person="kaja", quote="Could the name be shorter?", outcome=ReviewOutcome.REJECTED)
    assert outcome("rejected", same) is ReviewOutcome.REJECTED
    assert outcome("settled", same) is ReviewOutcome.ASKED
    assert outcome("rejected", other) is ReviewOutcome.ASKED


@pytest.mark.parametrize("field", ["reviews", "review_comments", "comments"])
def test_remarks_of_the_author_prove_neither_a_dispute_nor_a_danger(field: str) -> None:
    bare = MERGE.model_copy(update={"reviews": (), "comments": ()})
    kind = Review if field == "reviews" else Comment
    for user, dispute, danger in ((AUTHOR, 0, False), (Person(login="kaja"), 1, field != "comments")):
        merge = bare.model_copy(update={field: (kind(user=user, body=ASKED),)})
        disputed = contest("asked", "Whether draining is bounded was disputed.", ASKED)
        reading = read(
            answered(
                claim(DRAINED, LOST),
                contested=[disputed],
                importance=reason("security", "Draining may not be bounded.", ASKED),
            ),
            merge,
        )

        assert (len(reading.contested), reading.reason is not None) == (dispute, danger)


@pytest.mark.parametrize("name", [KeyReason.SECURITY, KeyReason.MUST_ACT])
def test_grave_reasons_need_more_than_the_word_of_the_author_or_of_a_passer_by(name: KeyReason) -> None:
    def reading(quote: str) -> Reading:
        return read(answered(claim(DRAINED, LOST), importance=reason(name, "Entries could be lost.", quote)), MERGE)

    for quote in (LOST, "Draining without bounds could hang for ever."):
        assert reasons(reading(quote)) == [("importance", "not-for-models")]
    for quote in (LINE, "Should draining not be bounded by a limit?"):
        kept = reading(quote).reason
        assert kept is not None
        assert kept.reason is name


def test_reason_none_is_no_reason_and_nothing_dropped() -> None:
    reading = read(answered(claim(DRAINED, LOST), importance=reason("none", "", "")), MERGE)

    assert reading.reason is None
    assert reading.dropped == ()


def test_a_way_back_that_nothing_shows_goes_and_its_action_stays() -> None:
    told = action("new-default", "Closing waits for the queue.", LINE, way_back="Set LUMEN_NO_DRAIN to close at once.")
    reading = read(answered(claim(DRAINED, LOST), actions=[told]), MERGE)

    assert [(one.text, one.way_back) for one in reading.actions] == [("Closing waits for the queue.", "")]
    assert reasons(reading) == [("way_back", "identifier-not-in-diff")]


def test_more_than_was_asked_for_and_the_same_again_are_dropped() -> None:
    limits = [limit("other", f"Draining is bounded {word}.", LINE) for word in ("here", "here", "now", "then", "so")]
    risks = [risk("data-loss", f"Entries may be lost {word}.", LINE) for word in ("here", "there")]
    reading = read(answered(claim(DRAINED, LOST), limits=limits, risks=risks), MERGE)

    assert [one.text for one in reading.limits] == ["Draining is bounded here.", "Draining is bounded now."]
    assert len(reading.risks) == 1
    assert reasons(reading) == [("limits", "echo"), ("limits", "too-long"), ("limits", "too-long"), ("risks", "echo")]


def test_the_change_is_not_told_in_the_words_of_the_effect() -> None:
    reading = read(answered(claim(DRAINED, LOST), effect=claim(DRAINED, LOST)), MERGE)

    assert reading.effect is not None
    assert reasons(reading) == [("change", "echo")]


def test_keywords_are_words_of_the_merge_each_once() -> None:
    given_words = ["Queue", "queue", "drain", "blockchain", "@ada", "https://x", "12", "x" * 41, "closing", "moon"]

    assert read(answered(claim(DRAINED, LOST), keywords=given_words), MERGE).keywords == ("Queue", "drain", "closing")


def test_a_secret_is_neither_said_nor_quoted() -> None:
    merge = make_pull_request(
        files=(ChangedFile(filename="keys.py", patch=added(f'GITHUB_TOKEN = "{CANARY}"'), additions=1),)
    )
    reading = change(f"The token is {CANARY}.", f'GITHUB_TOKEN = "{CANARY}"', merge=merge)
    quoted = change("A token is written into the code.", f'GITHUB_TOKEN = "{CANARY}"', merge=merge)

    assert CANARY not in reading.model_dump_json() + quoted.model_dump_json()
    assert quoted.claims == ()


@pytest.mark.parametrize("canary", CANARIES, ids=lambda canary: canary.name)
def test_no_canary_is_kept_wherever_it_stands(canary: Canary) -> None:
    lines = canary.said.split("\n")
    patch = added(*lines)
    merge = make_pull_request(title=lines[0], body=canary.said, files=(make_file("a.env", patch=patch),))
    quotes = [canary.said, canary.secret, *lines]
    reading = read(
        answered(
            claim(canary.secret, *quotes),
            effect=claim("A value is set in a file.", *quotes[1:]),
            keywords=[canary.secret[:40], *canary.secret.split()[:5]],
        ),
        merge,
    )
    kept = reading.model_dump_json()

    assert not [line for line in canary.secret.split("\n") if len(line) > 11 and line in kept]


_TEXT = st.one_of(
    st.text(max_size=300),
    st.sampled_from(HOSTILE),
    st.sampled_from([LINE, LOST, DRAINED, "drain", "`", "5 ms", "--a", "\x00"]),
    st.sampled_from([attack.text for attack in ATTACKS]),
)
_QUOTES = st.lists(_TEXT, max_size=4)
_CLAIM = st.builds(lambda text, quotes: {"text": text, "quotes": quotes}, _TEXT, _QUOTES)


def _with(**fields: Any) -> st.SearchStrategy[dict[str, Any]]:
    return st.builds(lambda claim, more: claim | more, _CLAIM, st.fixed_dictionaries(fields))


_RISK = st.fixed_dictionaries({"risk": st.sampled_from(JUDGED_RISKS), "mechanism": _TEXT, "quotes": _QUOTES})
_ANSWER = st.fixed_dictionaries(
    {
        "effect": st.none() | _CLAIM,
        "change": _CLAIM,
        "why": st.none() | _CLAIM,
        "limits": st.lists(_with(kind=st.sampled_from(get_args(LimitKind))), max_size=4),
        "actions": st.lists(_with(kind=st.sampled_from(get_args(ActionKind)), way_back=_TEXT), max_size=4),
        "contested": st.lists(_with(outcome=st.sampled_from(ReviewOutcome)), max_size=3),
        "risks": st.lists(_RISK, max_size=4),
        "importance": st.none()
        | st.fixed_dictionaries({"reason": st.sampled_from([*KeyReason, "none"]), "why": _CLAIM}),
        "keywords": st.lists(_TEXT, max_size=10),
    }
)
_MERGE = st.builds(
    lambda title, body, patch, said: make_pull_request(
        title=title,
        body=body,
        files=(make_file("a/b.py", patch=patch), make_file("c.bin", patch=None)),
        reviews=(Review(body=said),),
        comments=(Comment(body=said),),
    ),
    _TEXT,
    st.none() | _TEXT,
    st.none() | _TEXT,
    _TEXT,
)


@settings(deadline=None, max_examples=50)
@given(_ANSWER, st.just(MERGE) | _MERGE)
def test_no_answer_and_no_merge_makes_it_raise_or_lose_count(answer: dict[str, Any], merge: PullRequest) -> None:
    analysis = make_analysis()
    parsed = MergeAnswer.model_validate(answer)
    reading = read(parsed, merge, analysis)
    given_lists = (answer["limits"], answer["actions"], answer["contested"], answer["risks"])
    important = answer["importance"] is not None and answer["importance"]["reason"] != "none"
    asked = sum(answer[name] is not None for name in ("effect", "change", "why")) + important
    backs = sum(one.count for one in reading.dropped if one.field == "way_back")

    assert len(reading.claims) + reading.dropped_in_all - backs == asked + sum(map(len, given_lists))
    assert joined(analysis, reading, "new").tags[: len(analysis.tags)] == analysis.tags
    assert Reading.model_validate_json(reading.model_dump_json()) == reading
