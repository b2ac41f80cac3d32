"""A quotation is found word for word, whatever its white space, and never by likeness."""

from __future__ import annotations

import pytest

from shared.claims.quotes import QuoteIndex, find_quote
from shared.domain.pull_request import Comment, Commit, Review
from tests.unit.shared.claims.merges import changed, known

BODY = "This raises the berth limit.\r\n\r\nIt’s “off by default”,\nso nothing\u200b changes for others."


@pytest.mark.parametrize(
    ("quote", "field", "path", "line"),
    [
        ('parser.add_argument("--max-quay-depth", help="deepest quay")', "diff", "harbor/master.py", 42),
        ("DRIFT = dock.tide.measure(timeout=2.5)\n\ndef assign(self):", "diff", "harbor/master.py", 12),
        ("+DRIFT = dock.tide.measure(timeout=2.5)\n \n def assign(self):", "diff", "harbor/master.py", 12),
        ("BERTH_LIMIT = 80000", "diff", "harbor/master.py", 11),
        ("import os   BERTH_LIMIT = 80000", "diff", "harbor/master.py", 10),
        ('raises the berth limit. It\'s "off by default"', "body", None, None),
        ("so nothing changes for others", "body", None, None),
        ("Raise the pilot to", "title", None, None),
        ("moors the second ship", "commit", None, None),
        ("a doubt about the tide", "review", None, None),
        ("should this be a berth?", "review", "harbor/master.py", 42),
        ("thanks, merging it now", "comment", None, None),
    ],
)
def test_a_quotation_has_its_place(quote, field, path, line):
    facts = known(
        body=BODY,
        commits=(Commit(sha="a", message="First\n\nmoors the second ship"),),
        reviews=(Review(body="a doubt  about the\ttide"),),
        review_comments=(Comment(body="should this be a berth?", path="harbor/master.py", line=42),),
        comments=(Comment(body="thanks, merging it now"),),
    )
    place = find_quote(quote, facts)

    assert place is not None
    assert (place.field, place.path, place.line) == (field, path, line)


@pytest.mark.parametrize(
    "quote",
    [
        "",
        "berth",
        "the limit",
        "----------------",
        "raises the berth limits.",
        "aises the berth limit",
        "raises the berth lim",
        "raises a berth limit",
        "Raises the berth limit",
        "BERTH_LIMIT = 80000 BERTH_LIMIT",
        "def assign(self): # a ship waits",
        "x" * 9_000,
        "\0\ud800 not there at all",
    ],
)
def test_what_is_not_there_word_for_word_is_not_found(quote):
    assert find_quote(quote, known(body=BODY)) is None


def test_a_quotation_never_reaches_from_one_comment_into_the_next():
    facts = known(comments=(Comment(body="the tide is high"), Comment(body="and the quay is low")))

    assert find_quote("the tide is high", facts)
    assert find_quote("tide is high and the quay", facts) is None


def test_a_quotation_never_reaches_from_one_file_into_the_next():
    facts = known(
        changed("a.py", "@@ -0,0 +1 @@\n+the_last_line = 1"), changed("b.py", "@@ -0,0 +1 @@\n+the_first_line = 2")
    )

    assert find_quote("the_last_line = 1 the_first_line = 2", facts) is None


def test_one_index_answers_many_quotations():
    index = QuoteIndex(known(body=BODY))

    assert index.find("so nothing changes for others")
    assert index.find("BERTH_LIMIT = 80000")
    assert index.find("ARG PILOT=v1.5.0").path == "deploy/Dockerfile"
    assert index.find("nothing like this anywhere") is None


def test_composed_letters_are_tolerated():
    assert find_quote("the cafe\u0301 is closed", known(body="the caf\u00e9 is closed"))
