"""The format of merge records: what a line holds, what is forgiven, which line is bad."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from shared.domain.errors import InvalidInput
from shared.domain.pull_request import (
    Comment,
    Commit,
    DetailSource,
    Person,
    RepositoryRef,
    Unread,
)
from shared.sources.merge_records import dump, parse_line
from shared.sources.record_heads import decode_head
from tests.builders import MERGED_AT
from tests.unit.shared.sources.plain_record import PATH, PLAIN, record


def test_a_plain_record() -> None:
    found = record()
    assert found.repository == RepositoryRef(full_name="lumen/lumen")
    assert (found.user.shown, found.merged_at, found.base_ref) == ("ada", MERGED_AT, "main")
    assert [(file.filename, file.unread) for file in found.files or ()] == [("a.py", Unread.NOT_GIVEN), ("c.py", None)]
    assert found.detail_source is DetailSource.RECORDS


def test_a_rich_record_in_the_shape_of_the_rest_api() -> None:
    found = record(
        base={"ref": "main", "sha": "b" * 40, "repo": {"id": 5_000_000_001, "default_branch": "main", "private": True}},
        html_url="https://git.corp.example/lumen/lumen/pull/7",
        head={"ref": "topic", "sha": "c" * 40, "repo": None},
        merged_by={"login": "queue", "type": "Bot"},
        updated_at="2026-05-07T12:00:00+02:00",
        labels=["bug", {"name": "Café"}, {"name": None}, 7],
        commits=[{"sha": "d" * 40, "commit": {"message": "One\n\nSigned-off-by: Ada <ada@x.example>"}}],
        review_comments=[
            {"user": None, "body": "Why?", "path": "a.py", "line": None, "created_at": "2026-05-05T12:00:00Z"}
        ],
        comments=[{"user": {"login": "bo"}, "body": None, "html_url": "javascript:x"}],
    )
    assert found.repository == RepositoryRef(
        full_name="lumen/lumen", id=5_000_000_001, host="git.corp.example", private=True, default_branch="main"
    )
    assert found.updated_at == datetime(2026, 5, 7, 10, tzinfo=UTC)
    assert (found.labels, found.head_ref, found.base_sha) == (("bug", "Café"), "topic", "b" * 40)
    assert found.commits == (Commit(sha="d" * 40, message="One\n\nSigned-off-by: Ada"),)
    assert (found.review_comments[0].user.shown, found.review_comments[0].path) == ("ghost", "a.py")
    assert found.comments == (Comment(user=Person(login="bo"), body=""),)


def test_counts_under_the_names_of_lists_are_no_lists() -> None:
    found = record(comments=3, review_comments=2, commits=1, files=None)
    assert (found.comments, found.review_comments, found.commits, found.files) == ((), (), (), None)
    assert (found.changed_files, found.detail_source) == (2, DetailSource.PAYLOAD)


def test_totals_are_the_hosts_or_the_sums() -> None:
    assert record(changed_files=4200).changed_files == 4200, "C-40: the list may end early"
    bare = {name: value for name, value in PLAIN.items() if name not in {"additions", "deletions", "changed_files"}}
    summed = parse_line(json.dumps(bare).encode(), 1, PATH)
    assert (summed.additions, summed.deletions, summed.changed_files) == (4, 1, 2)


def test_c02_reviews_without_text_or_reviewer() -> None:
    found = record(
        reviews=[
            {"user": None, "state": "APPROVED", "body": None, "submitted_at": "2026-05-05T12:00:00Z"},
            {"user": {"login": "bo"}, "state": "DISMISSED", "body": "", "submitted_at": "2026-05-05T12:00:00Z"},
            {"user": {"login": "cy"}, "state": "PENDING", "body": "not yet"},
            {"user": {"login": "di"}, "state": "COMMENTED", "body": "x"},
            None,
        ]
    )
    assert [(review.user.shown, review.state, review.body) for review in found.reviews] == [
        ("ghost", "APPROVED", None),
        ("bo", "DISMISSED", None),
    ]


def test_c24_co_authors_are_credited_once_and_without_addresses() -> None:
    messages = [
        "One\n\nCo-authored-by: Bo Reed <5+bo@users.noreply.github.com>\nCo-authored-by: nobody",
        "Two\n\nco-authored-by: bo reed <bo@example.org>\nCo-Authored-By: BO REED <5+BO@users.noreply.github.com>",
        "Three\n\nCo-authored-by: Helper[bot] <9+helper[bot]@users.noreply.github.com>\nCo-authored-by: Ada <ada@x.example>",
    ]
    commits = [{"sha": f"{number:040x}", "commit": {"message": text}} for number, text in enumerate(messages)]
    found = record(commits=commits, user={"login": "ada", "name": "Ada"})
    assert [person.shown for person in found.co_authors] == ["bo", "helper[bot]"]
    assert [person.shown for person in found.credited] == ["ada", "bo"]
    assert "@example.org" not in dump(found)
    assert "noreply" not in dump(found)


@pytest.mark.parametrize("patch", [None, ""])
def test_c41_no_patch(patch: str | None) -> None:
    def file(name: str, additions: int, status: str = "modified", **more: Any) -> dict[str, Any]:
        return {"filename": name, "status": status, "additions": additions, "deletions": 0, "patch": patch, **more}

    only_pictures = record(files=[file("a.png", 0, "added"), file("b.png", 0)])
    assert {one.unread for one in only_pictures.files or ()} == {Unread.BINARY}
    among_patches = record(
        files=[
            file("big.json", 60_000),
            file("strange", 0),
            file("__init__.py", 0, "added"),
            file("m.sh", 0, "changed"),
            {"filename": "a.py", "additions": 1, "patch": "@@ -0,0 +1 @@\n+1"},
        ]
    )
    assert [one.unread for one in among_patches.files or ()] == [Unread.TOO_LARGE, Unread.BINARY, None, None, None]


def test_c44_submodule_pointers() -> None:
    old, new = "a" * 40, "b" * 40
    pointer = f"@@ -1 +1 @@\n-Subproject commit {old}\n+Subproject commit {new}"
    added = f"@@ -0,0 +1 @@\n+Subproject commit {new}"
    text = f"@@ -1 +1,2 @@\n-Subproject commit {old}\n+Subproject commit {new}\n+more"
    files = [{"filename": str(at), "patch": patch} for at, patch in enumerate((pointer, added, text))]
    assert [file.submodule for file in record(files=files).files or ()] == [(old, new), (None, new), None]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (b"not json", "it is not JSON"),
        (b"\xff{}", "it is not UTF-8 (byte 0)"),
        (b"[1]", "it is not a JSON object"),
        (b"null", "it is not a JSON object"),
        (b'{"a": Infinity}', "it is not JSON"),
        (b"[" * 100_000, "it is not JSON"),
        ({"repository": None}, "'repository' is missing"),
        ({"repository": "../x"}, "'repository' is missing or unusable"),
        ({"number": None}, "'number' is missing"),
        ({"number": "7"}, "'number' is missing or unusable"),
        ({"title": None}, "'title' is missing"),
        ({"merged_at": None}, "tells of no merge"),
        ({"merged_at": "2026-05-06T12:00:00"}, "not a time with a zone"),
        ({"merged_at": 5}, "not a time with a zone"),
        ({"base": {}}, "'base.ref' is missing"),
        ({"files": 3}, "'files' is not a list"),
        ({"files": [{}]}, "has no filename"),
        ({"files": [{"filename": "a", "status": "eaten"}]}, "status"),
    ],
)
def test_a_bad_line_is_named(line: bytes | dict[str, Any], says: str) -> None:
    raw = line if isinstance(line, bytes) else json.dumps(PLAIN | line).encode()
    with pytest.raises(InvalidInput) as caught:
        parse_line(raw, 31, PATH)
    assert str(caught.value).startswith("Line 31 of merges.jsonl is no merge record: ")
    assert says in str(caught.value)


@pytest.mark.parametrize(
    "text",
    ['{"a":1,"b":{"a":[2]},"c":3}', ' { "c" : 3 , "b" : null } ', '{"\\u0061":1,"x":"\\"b\\""}', "{}", "[1]", "7"],
)
def test_the_head_of_an_object_is_part_of_it(text: str) -> None:
    whole = json.loads(text)
    for wanted in (frozenset({"a"}), frozenset({"a", "b"}), frozenset({"nothing"})):
        head = decode_head(text, wanted)
        assert head == (whole if not isinstance(whole, dict) else {name: whole[name] for name in head})
        assert not isinstance(whole, dict) or not wanted <= whole.keys() or wanted <= head.keys()


@pytest.mark.parametrize(
    "text", ["", "{", '{"a"', '{"a":}', '{"a":1 {"b":2}', ',"a":1}', '{"b":1,}', '{"b":NaN,"a":1}', '{"b":1 "a":2}']
)
def test_a_broken_head_is_noticed(text: str) -> None:
    with pytest.raises(ValueError):
        decode_head(text, frozenset({"a", "b"}))
