"""The document as a whole: one JSON object, within its budget, the same for the same merge."""

from __future__ import annotations

import json

import pytest

from services.analyzer.packing import pack
from services.analyzer.packing.document import FIELDS
from services.cli.sample import RECORDS
from shared.claims.facts import KnownFacts
from shared.claims.quotes import QuoteIndex
from shared.domain.pull_request import ChangedFile, LinkedIssue, PullRequest
from shared.llm.tokens import estimated_tokens
from shared.sources.merge_records import parse_line
from tests.builders import make_analysis, make_file, make_pull_request
from tests.unit.services.analyzer.packing.packed import BUDGET, account, document, packed

LINES = RECORDS.read_bytes().splitlines()


def full(words: int = 4_000) -> PullRequest:
    """A merge of which every part is too long."""
    patch = "@@ -1,900 +1,900 @@\n" + "\n".join(f'+    call_{at}("\\\\n")' for at in range(words))
    files = tuple(ChangedFile(filename=f"src/part_{at}.py", patch=f"{patch}\n+{at}", additions=900) for at in range(40))
    return make_pull_request(
        title="Bound “the queue” " * 20, body='Because it "grew" without bound. ' * words, files=files
    )


@pytest.mark.parametrize("budget", [0, 1, 5, 20, 100, 1_000, 6_000, 50_000])
def test_the_budget_is_never_exceeded(budget: int) -> None:
    result = pack(full(), make_analysis(), budget)

    assert result.tokens == result.seen.estimated_tokens == estimated_tokens(result.document)
    assert result.tokens <= max(budget, 1)


def test_a_small_budget_still_holds_the_title_cut_with_an_ellipsis() -> None:
    title = json.loads(pack(full(), make_analysis(), 1_000).document)["title"]

    assert title.startswith("Bound “the queue”")
    assert title.endswith("…")


def test_fields_stand_in_a_fixed_order_and_empty_ones_are_left_out() -> None:
    fields = document(body="Why.", linked_issues=(LinkedIssue(number=3, title="It grows"),))

    assert list(fields) == [name for name in FIELDS if name in fields]
    assert set(fields) == {"title", "description", "linked_issues", "found_by_rules", "counts", "files"}
    assert fields["linked_issues"] == ["It grows"]
    assert fields["counts"] == {"changed_files": 1, "additions": 3, "deletions": 1, "kinds": {"source": 1}}


def test_names_of_areas_are_few_short_and_clean() -> None:
    found = document(analysis=make_analysis(areas=("co\u200bre", *(f"area-{at}-" + "x" * 500 for at in range(50)))))[
        "found_by_rules"
    ]

    assert found["areas"][0] == "core"
    assert len(found["areas"]) == 8
    assert max(map(len, found["areas"])) < 60


def test_what_is_shown_can_be_quoted() -> None:
    body = "It grew [without bound](https://example.com).\n\n> A reader waited\nfor minutes on end."
    merge = make_pull_request(
        body=body,
        files=(
            make_file(
                "src/a.py",
                patch="@@ -1,4 +1,4 @@ class Queue:\n     def put(self):\n-        self.limit = 100\n+        self.limit = 200\n",
            ),
        ),
    )
    fields = json.loads(pack(merge, make_analysis(), BUDGET).document)
    index = QuoteIndex(KnownFacts(merge))

    for line in fields["diffs"][0]["patch"].split("\n")[1:]:
        assert index.find(line[1:])
    assert index.find(fields["description"].split("\n")[-1])


def test_without_a_file_list_the_totals_are_told() -> None:
    fields = document(files=None, changed_files=7, additions=70, deletions=5)

    assert fields["counts"] == {"changed_files": 7, "additions": 70, "deletions": 5}
    assert account(packed(files=None, changed_files=7), "files").of_pieces == 7


@pytest.mark.parametrize("line", LINES[::10])
def test_the_same_merge_gives_the_same_document(line: bytes) -> None:
    merge = parse_line(line, 1, RECORDS)

    assert pack(merge, make_analysis(), BUDGET) == pack(merge, make_analysis(), BUDGET)


def test_braces_and_placeholders_are_kept_as_they_are() -> None:
    title = "Fix {user.__class__} and {{ 7*7 }} and %s ${HOME}"

    assert document(title=title)["title"] == title


def test_secrets_reach_neither_the_document_nor_the_account() -> None:
    token = "ghp_" + "Zx9K" * 9
    result = packed(
        title=f"Rotate {token}",
        body=f"It was `{token}`.",
        files=(make_file("src/a.py", patch=f'@@ -1 +1 @@\n+key = "{token}"'),),
    )

    assert token not in result.document
    assert sum(result.seen.redacted.values()) == 3


def test_the_redaction_is_the_one_that_is_passed() -> None:
    class Blackened:
        found = {"word": 1}

        def __init__(self, text: str) -> None:
            self.text = text.replace("queue", "█")

    result = pack(make_pull_request(body=None, files=()), make_analysis(), BUDGET, Blackened)

    assert json.loads(result.document)["title"] == "Keep the █ in order"
    assert result.seen.redacted["word"] >= 1


def test_the_account_says_what_was_cut_and_what_was_hidden() -> None:
    cut = packed(body="Why. " * 5_000 + "<!-- hidden -->")
    whole = packed(body="Why. <!-- hidden -->")

    assert account(cut, "body").characters < account(cut, "body").of_characters
    assert account(whole, "body").characters == account(whole, "body").of_characters == 4
    assert whole.seen.hidden == {"html-comment": 1}
    assert cut.seen.partial
