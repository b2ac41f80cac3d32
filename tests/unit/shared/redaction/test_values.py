"""Whole values, documents and sources come out without secrets."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

from shared.domain.pull_request import Comment, Commit, LinkedIssue, Review, ReviewThread
from shared.domain.reading import LONGEST_CLAIM, Quote
from shared.redaction import RedactedSource, redact_document, redact_pull_request, redact_texts, redact_value
from shared.sources.merge_records import MergeRecords, dump
from tests.builders import MERGED_AT, make_analysis, make_file, make_pull_request
from tests.secret_canaries import CANARIES, ISSUED

CANARY = ISSUED[0]


def test_r71_every_text_of_a_merge_is_redacted_and_the_rest_stays() -> None:
    said, secret = CANARY.said, CANARY.secret
    comment = Comment(body=said, path=f"docs/{secret}.md", line=3)
    pull_request = make_pull_request(
        title=said,
        body=said,
        labels=(secret, "kind/bug"),
        head_ref=f"topic/{secret}",
        commits=(Commit(sha="a" * 40, message=said),),
        files=(make_file("lumen/a.py", patch=f"@@ -1 +1 @@\n+{said}"), make_file(f"docs/{secret}.md")),
        reviews=(Review(body=said), Review(body=None)),
        review_comments=(comment,),
        comments=(Comment(body=said),),
        review_threads=(ReviewThread(comments=(comment,)),),
        linked_issues=(LinkedIssue(number=7, title=said),),
    )

    redacted = redact_pull_request(pull_request)

    assert secret not in redacted.model_dump_json()
    assert redacted.model_dump_json().count("[redacted:") == 14
    assert redacted.labels[1] == "kind/bug"
    assert redacted.commits[0].sha == "a" * 40
    assert redacted.files is not None
    assert redacted.files[0].filename == "lumen/a.py"
    assert redacted.merged_at == pull_request.merged_at
    assert redact_pull_request(redacted) is redacted


def test_a_value_without_secrets_is_the_same_object() -> None:
    pull_request = make_pull_request(body="The queue lost its order.")

    assert redact_value(pull_request) is pull_request


def test_keys_and_lists_within_a_value_are_redacted() -> None:
    analysis = make_analysis(summary=CANARY.said)
    coverage = analysis.coverage.model_copy(update={"unread": {CANARY.secret: 1, "binary": 2}})

    redacted = redact_value(analysis.model_copy(update={"coverage": coverage}))

    assert CANARY.secret not in redacted.model_dump_json()
    assert redacted.coverage.unread["binary"] == 2


def test_a_mark_that_is_longer_than_its_secret_keeps_the_text_within_its_limit() -> None:
    said = 'password="v7aQ2!xZ"'
    quote = Quote(text="x" * (LONGEST_CLAIM - len(said) - 1) + " " + said, field="diff")

    redacted = redact_value(quote)

    assert "v7aQ2!xZ" not in redacted.text
    assert Quote.model_validate_json(redacted.model_dump_json()) == redacted


def test_a_document_stays_json_and_as_it_was_written_without_secrets() -> None:
    clean = '{ "title":  "Keep the order" }'
    document = json.dumps({"texts": [canary.said for canary in CANARIES], "number": 101, CANARY.secret: None})

    redacted = redact_document(document)

    assert redact_document(clean) is clean
    assert json.loads(redacted)["number"] == 101
    assert [canary.name for canary in CANARIES if canary.secret in redacted] == []


def test_whole_texts_keep_their_paths_and_sides() -> None:
    texts = {"a.py": (None, f'KEY = "{CANARY.secret}"\nx = 1\n'), "b.py": ("y = 1\n", None)}

    assert redact_texts(texts) == {
        "a.py": (None, 'KEY = "[redacted:aws-access-key]"\nx = 1\n'),
        "b.py": ("y = 1\n", None),
    }
    assert redact_texts(None) is None


def test_a_source_tells_its_merges_without_secrets(tmp_path: Path) -> None:
    path = tmp_path / "merges.jsonl"
    path.write_text("".join(dump(make_pull_request(number, title=CANARY.said)) + "\n" for number in (1, 2)), "utf-8")
    source = RedactedSource(MergeRecords(path))
    span = MERGED_AT, MERGED_AT + timedelta(days=1)

    merges = list(source.merged_between(*span))

    assert [merge.title for merge in merges] == ["Uses [redacted:aws-access-key] since then."] * 2
    assert list(source.merge_times(*span)) == [(1, MERGED_AT), (2, MERGED_AT)]
    assert source.repository.full_name == "lumen/lumen"
    assert source.conventions() == {}
    assert source.sources(merges[0]) == {}


def test_an_escaped_sign_that_nobody_sees_hides_no_token_of_a_document() -> None:
    token = "gh" + "p_" + "a1B2" * 9
    document = json.dumps({"title": f"Use {token[:9]}\u200b{token[9:]}", "word": "caf\u00e9"})
    clean = json.dumps({"word": "caf\u00e9\u200b"})

    assert json.loads(redact_document(document)) == {"title": "Use [redacted:github]", "word": "café"}
    assert redact_document(clean) is clean
