"""The review of key pull requests, and marks of the review among the risks, in every language."""

from __future__ import annotations

from typing import Any

import pytest

from services.digest.merges import Merge
from services.digest.narrate import narrate
from services.digest.review import points_of, review_of
from services.digest.risks import ORDER, find_risks
from shared.domain.analysis import Evidence, ReviewPoint, Tag
from shared.domain.digest import Span
from shared.domain.pull_request import Comment, Cut, Person, Review, ReviewThread
from shared.domain.taxonomy import Namespace, ReviewOutcome, Risk
from shared.rendering import html, markdown
from shared.rendering.locale import load_locale
from tests.builders import make_analysis, make_pull_request
from tests.digest_builder import rich_digest
from tests.unit.services.digest.weeks import make_merge

PAGE = "https://github.com/lumen/lumen/pull/201#discussion_r7"
ASKED, DEFERRED, SETTLED = ReviewOutcome.ASKED, ReviewOutcome.DEFERRED, ReviewOutcome.SETTLED


def point(outcome: ReviewOutcome = ASKED, **overrides: Any) -> ReviewPoint:
    values: dict[str, Any] = {
        "person": "bea",
        "outcome": outcome,
        "quote": "Bound it by bytes too.",
        "path": "queue/take.py",
        "line": 7,
        "url": PAGE,
        "comments": 1,
    }
    return ReviewPoint(**(values | overrides))


def requested(outcome: ReviewOutcome = ASKED, **overrides: Any) -> ReviewPoint:
    return point(outcome, **({"changes_requested": True, "path": None, "line": None, "comments": 0} | overrides))


def with_points(*points: ReviewPoint) -> Merge:
    return Merge(make_pull_request(), make_analysis(review=points))


def test_what_was_declined_or_put_off_comes_first_and_two_are_enough() -> None:
    settled, asked, deferred = requested(SETTLED), requested(ASKED), point(DEFERRED, quote="Later?")

    assert points_of(with_points(settled, asked, deferred)) == (deferred, asked)


@pytest.mark.parametrize(
    ("told", "worth"),
    [
        (point(SETTLED, resolved=True), False),
        (point(ASKED), False),
        (point(ASKED, resolved=False, outdated=True), False),
        (point(ASKED, resolved=False), True),
        (point(SETTLED, comments=3), True),
        (point(ReviewOutcome.REJECTED), True),
        (requested(SETTLED), True),
        (requested(changes_requested=False), True),
    ],
)
def test_the_daily_business_of_a_review_is_not_told(told: ReviewPoint, worth: bool) -> None:
    assert points_of(with_points(told)) == ((told,) if worth else ())


def test_without_an_analysis_nothing_is_told() -> None:
    assert points_of(Merge(make_pull_request(), None, "lost")) == ()


def reviewed(*points: ReviewPoint, **overrides: Any) -> str:
    """What is said of the review of a merge of ada, of which everything is known."""
    values = {"user": Person(login="ada"), "reviews_known": True} | overrides
    return review_of(Merge(make_pull_request(**values), make_analysis(review=points)))


@pytest.mark.parametrize(
    ("login", "body", "silent"),
    [("cyd", "Please bound it.", True), ("cyd", " ", False), ("ada", "Note.", False), ("x[bot]", "Style.", False)],
)
def test_words_of_others_may_ask_for_something(login: str, body: str, silent: bool) -> None:
    who = Person(login=login, type="Bot" if login.endswith("[bot]") else "User")
    remark = Comment(user=who, body=body, path="a.py")
    approved = Review(user=Person(login="bea"), state="APPROVED")
    told = "" if silent else "The stored review asks for no change."

    assert reviewed(reviews=(approved,), review_comments=(remark,)) == told
    assert reviewed(reviews=(approved,), review_threads=(ReviewThread(path="a.py", comments=(remark,)),)) == told
    assert reviewed(reviews=(approved, Review(user=who, state="COMMENTED", body=body))) == told


@pytest.mark.parametrize(
    ("cut", "silent"),
    [
        ({"review_comments": Cut.OUR_LIMIT}, True),
        ({"review_threads": Cut.NOT_ALLOWED}, True),
        ({"review_threads": Cut.NO_CREDENTIAL}, False),
    ],
)
def test_remarks_that_were_not_seen_may_ask_for_something(cut: dict[str, Cut], silent: bool) -> None:
    told = reviewed(reviews=(Review(user=Person(login="bea"), state="APPROVED"),), cut=cut)

    assert told == ("" if silent else "The stored review asks for no change.")


def test_a_review_with_points_is_not_said_to_ask_for_nothing() -> None:
    assert reviewed(point(SETTLED), reviews=(Review(user=Person(login="bea"), state="APPROVED"),)) == ""


def test_a_known_review_without_requests_says_so_and_an_unknown_one_nothing() -> None:
    approved = (Review(user=Person(login="bea"), state="APPROVED"),)
    silent = "The stored review asks for no change."

    assert reviewed(reviews=approved) == silent
    assert reviewed(reviews=approved, reviews_known=False) == ""
    assert reviewed(reviews=approved, cut={"reviews": Cut.OUR_LIMIT}) == ""
    assert reviewed() == ""
    of_a_bot = (Review(user=Person(login="x[bot]", type="Bot"), state="APPROVED"),)
    assert reviewed(reviews=of_a_bot) == ""


def test_where_most_of_it_was_discussed_is_told() -> None:
    comments = tuple(Comment(user=Person(login=f"r{n}"), body="Why?", path="db/page.go") for n in range(3))

    assert reviewed(review_comments=comments) == "Most of the discussion was about db/page.go."


def key_text(language: str, *points: ReviewPoint) -> tuple[str, tuple[Span, ...]]:
    digest = rich_digest()
    key = digest.key_pull_requests[0].model_copy(update={"review_points": points})
    told = narrate(digest.model_copy(update={"key_pull_requests": (key,)}), [language])
    section = next(part for part in told.sections[language] if part.key == "key_pull_requests")
    return section.paragraphs[-1].text, section.paragraphs[-1].spans


@pytest.mark.parametrize(
    ("told", "english", "chinese"),
    [
        (
            requested(SETTLED),
            "bea asked for changes: “Bound it by bytes too”; approved later by the same person (in the review).",
            "bea 要求修改：“Bound it by bytes too”；同一人随后批准（见评审）。",
        ),
        (
            requested(SETTLED, answer="Fine now."),
            "approved later by the same person: “Fine now” (in the review).",
            "同一人随后批准：“Fine now”（见评审）。",
        ),
        (requested(quote="", url=None), "bea asked for changes.", "bea 要求修改。"),
        (requested(changes_requested=False), "bea remarked: “Bound it", "bea 提出：“Bound it"),
        (
            point(DEFERRED, answer="In a follow-up."),
            "bea remarked on queue/take.py:7: “Bound it by bytes too”; put off: “In a follow-up” (in the review).",
            "bea 就 queue/take.py:7 提出：“Bound it by bytes too”；推迟：“In a follow-up”（见评审）。",
        ),
        (point(DEFERRED), "; to be done later (", "；留待以后（"),
        (point(ReviewOutcome.REJECTED, answer="I disagree."), "; declined: “I disagree” (", "；未采纳：“I disagree”（"),
        (point(SETTLED, answer="Done."), "; settled: “Done” (", "；已了结：“Done”（"),
        (point(SETTLED, resolved=True, resolved_by="ada"), "; marked as resolved by ada (", "；由 ada 标记为已解决（"),
        (point(SETTLED, resolved=True), "; marked as resolved (", "；已标记为解决（"),
        (point(resolved=False), "; left open (", "；未了结（"),
        (point(outdated=True), "; the place was changed afterwards (", "；该处随后有改动（"),
        (point(), "“Bound it by bytes too” (in the review).", "“Bound it by bytes too”（见评审）。"),
    ],
)
def test_a_request_is_told_with_its_end_in_every_language(told: ReviewPoint, english: str, chinese: str) -> None:
    assert english in key_text("en", told)[0]
    assert chinese in key_text("zh-CN", told)[0]


def test_words_of_strangers_are_quotes_and_the_page_is_a_link() -> None:
    _, spans = key_text("en", point(DEFERRED, answer="In a follow-up."))

    assert {
        span.text: span.kind for span in spans if span.text in {"bea", "Bound it by bytes too", "In a follow-up"}
    } == {
        "bea": "person",
        "Bound it by bytes too": "quote",
        "In a follow-up": "quote",
    }
    assert [(span.text, span.url) for span in spans if span.kind == "link"] == [("in the review", PAGE)]


def test_long_quotes_are_cut_again_for_reading() -> None:
    text, _ = key_text("en", point(DEFERRED, quote="word " * 47 + "end", answer="later " * 39))

    assert max(len(part) for part in text.split("“")[1:]) < 200


def test_the_english_words_stand_in_the_document_too() -> None:
    digest = rich_digest()
    key = digest.key_pull_requests[0].model_copy(update={"review_points": (requested(SETTLED),)})
    told = narrate(digest.model_copy(update={"key_pull_requests": (key,)}), ["zh-CN"])

    assert told.key_pull_requests[0].review.startswith("bea asked for changes: “Bound it by bytes too”")


def mark(risk: Risk, **evidence: Any) -> Tag:
    return Tag(namespace=Namespace.RISK, value=risk, rule="test", evidence=(Evidence(**evidence),))


def test_marks_of_the_review_are_told_with_their_words_place_and_page() -> None:
    tag = mark(
        Risk.UNRESOLVED_THREADS,
        why="a thread of bea is neither resolved nor outdated",
        quote="Is it; or (not)?",
        path="queue/take.py:7",
        url=PAGE,
    )
    (found,) = find_risks([make_merge(201, tags=(tag,))])
    whole = rich_digest(risks=(found,))
    told = narrate(whole, ["en", "zh-CN"])

    assert found.links == {201: PAGE}
    line = "a thread of bea is neither resolved nor outdated: “Is it; or (not)?” (queue/take.py:7)"
    assert found.evidence[201] == line
    english = "\n".join(part.text for part in told.sections["en"][5].paragraphs)
    chinese = "\n".join(part.text for part in told.sections["zh-CN"][5].paragraphs)
    assert f"#201: {line} (see there)" in english
    assert "bea 开启的一处讨论既未解决也未过时：“Is it; or (not)?”（queue/take.py:7）（见原处）" in chinese
    assert f"]({PAGE})" in markdown.render(told, "en")
    assert f'href="{PAGE}"' in html.render(told, "zh-CN")


def test_the_link_is_that_of_the_evidence_that_is_told() -> None:
    bea, cyd = (Evidence(why=f"{who} asked for changes", url=url) for who, url in (("bea", None), ("cyd", PAGE)))
    dot = Evidence(why="dot asked for changes", url=PAGE + "9")

    def found(risk: Risk, *evidence: Evidence) -> tuple[str, dict[int, str]]:
        tag = Tag(namespace=Namespace.RISK, value=risk, rule="test", evidence=evidence)
        (one,) = find_risks([make_merge(201, tags=(tag,))])
        return one.evidence[201], one.links

    assert found(Risk.CHANGES_REQUESTED, bea, cyd) == (bea.why, {})
    assert found(Risk.CHANGES_REQUESTED, cyd, bea) == (cyd.why, {201: PAGE})
    assert found(Risk.UNAPPROVED, bea, cyd) == (f"{bea.why}; {cyd.why}", {201: PAGE})
    assert found(Risk.UNAPPROVED, bea, bea, dot) == (bea.why, {})


def test_the_document_has_its_risks_in_the_order_of_the_page() -> None:
    tags = tuple(mark(risk, why="seen") for risk in sorted(ORDER))
    found = find_risks([make_merge(201, tags=tags)])
    whole = narrate(rich_digest(risks=found), ["en"])
    section = next(part for part in whole.sections["en"] if part.key == "risks")
    headings = [part.text for part in section.paragraphs if part.heading]

    assert [one.tag for one in found] == list(ORDER)
    titles = [load_locale("en").text(f"risks.{risk}.title") for risk in ORDER]
    assert [any(title in heading for heading in headings) for title in titles] == [True] * len(ORDER)
    assert [heading.startswith(title) for heading, title in zip(headings, titles, strict=True)] == [True] * len(ORDER)


def test_marks_without_a_page_have_no_link() -> None:
    tag = mark(Risk.UNAPPROVED, why="no other person reviewed it before the merge")
    (found,) = find_risks([make_merge(201, tags=(tag,))])

    assert found.links == {}
    assert found.evidence[201] == "no other person reviewed it before the merge"
