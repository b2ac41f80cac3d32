"""A file of merge records: windows, repositories, details, and lines that are named."""

from __future__ import annotations

import json
import os
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from shared.domain.errors import InvalidInput
from shared.domain.pull_request import (
    PullRequest,
    RepositoryRef,
)
from shared.sources import merge_records
from shared.sources.merge_records import MergeRecords, dump
from tests.builders import MERGED_AT, make_file, make_pull_request
from tests.unit.shared.sources.plain_record import PLAIN


def write(path: Path, *pull_requests: PullRequest) -> Path:
    path.write_text("".join(dump(one) + "\n" for one in pull_requests), "utf-8")
    return path


def numbers(records: MergeRecords, start: datetime = MERGED_AT, days: int = 7) -> list[int]:
    return [one.number for one in records.merged_between(start, start + timedelta(days=days))]


def test_the_file_names_its_bad_line(tmp_path: Path) -> None:
    path = tmp_path / "merges.jsonl"
    path.write_text(dump(make_pull_request(1)) + "\n\n  \n{broken\n")
    with pytest.raises(InvalidInput, match=rf"Line 4 of {path}"):
        numbers(MergeRecords(path))
    with pytest.raises(InvalidInput, match="cannot be read: No such file"):
        numbers(MergeRecords(tmp_path / "absent.jsonl"))
    with pytest.raises(InvalidInput, match="cannot be read: Is a directory"):
        numbers(MergeRecords(tmp_path))


def test_a_line_without_end_is_refused_before_it_fills_the_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(merge_records, "MAX_LINE", 1000)
    path = tmp_path / "merges.jsonl"
    path.write_bytes(b" " * 5000)
    with pytest.raises(InvalidInput, match=r"Line 1 .* too long"):
        numbers(MergeRecords(path))


def test_windows_line_ends_and_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "merges.jsonl"
    text = "\r\n".join(dump(make_pull_request(number)) for number in (1, 2)) + "\r\n"
    path.write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert numbers(MergeRecords(path)) == [1, 2]


def test_the_window_is_half_open_and_sorted(tmp_path: Path) -> None:
    times = {
        1: timedelta(days=7),
        2: timedelta(0),
        3: timedelta(days=7, seconds=-1),
        4: timedelta(seconds=-1),
        5: timedelta(0),
    }
    path = write(
        tmp_path / "m.jsonl", *(make_pull_request(at, merged_at=MERGED_AT + delta) for at, delta in times.items())
    )
    seen: list[tuple[int, int | None]] = []
    found = MergeRecords(path).merged_between(MERGED_AT, MERGED_AT + timedelta(days=7), lambda *done: seen.append(done))
    assert [one.number for one in found] == [2, 5, 3]
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_several_repositories(tmp_path: Path) -> None:
    other = RepositoryRef(full_name="Lumen/Docs")
    path = write(
        tmp_path / "m.jsonl", make_pull_request(1), make_pull_request(1, repository=other), make_pull_request(2)
    )
    with pytest.raises(InvalidInput, match=r"2 repositories.*--repository: Lumen/Docs, lumen/lumen"):
        numbers(MergeRecords(path))
    with pytest.raises(InvalidInput, match=r"no merges of a/b.*those of Lumen/Docs, lumen/lumen"):
        numbers(MergeRecords(path, "a/b"))
    assert numbers(MergeRecords(path, "lumen/LUMEN")) == [1, 2]
    assert MergeRecords(path, "lumen/docs").repository == other


def test_an_empty_file(tmp_path: Path) -> None:
    path = write(tmp_path / "m.jsonl")
    with pytest.raises(InvalidInput, match="holds no merge record"):
        numbers(MergeRecords(path))
    assert numbers(MergeRecords(path, "lumen/lumen")) == []
    assert MergeRecords(path, "lumen/lumen").repository == RepositoryRef(full_name="lumen/lumen")


def test_the_newest_record_of_a_merge_counts_and_the_file_is_read_again_when_it_changes(tmp_path: Path) -> None:
    later = MERGED_AT + timedelta(hours=1)
    new, old = make_pull_request(1, title="New", updated_at=later), make_pull_request(1, title="Old")
    path = write(tmp_path / "m.jsonl", new, old)
    records = MergeRecords(path)
    assert [one.title for one in records.merged_between(MERGED_AT, later)] == ["New"]
    write(path, new, old, make_pull_request(1, title="Newer", updated_at=later), make_pull_request(2))
    os.utime(path, ns=(1, 1))
    assert [one.title for one in records.merged_between(MERGED_AT, later)] == ["Newer", "Keep the queue in order"]


def test_details(tmp_path: Path) -> None:
    path = write(tmp_path / "m.jsonl", make_pull_request(1), make_pull_request(2))
    records = MergeRecords(path)
    found = records.details(make_pull_request(2, files=None))
    assert found is not None
    assert found.files == (make_file(),)
    assert records.details(make_pull_request(3)) is None
    assert records.conventions() == {}


def test_d05_a_number_of_an_earlier_repository_of_the_same_name_is_another(tmp_path: Path) -> None:
    old, new = (RepositoryRef(full_name="lumen/lumen", id=number, default_branch="main") for number in (1, 2))
    path = write(
        tmp_path / "m.jsonl",
        make_pull_request(1, repository=old, title="Old"),
        make_pull_request(1, repository=new, title="New"),
    )
    records = MergeRecords(path)
    assert len(numbers(records)) == 2
    for repository, title in ((old, "Old"), (new, "New")):
        found = records.details(make_pull_request(1, repository=repository))
        assert found is not None
        assert found.title == title


def test_a_record_without_the_numeric_id_takes_the_one_of_the_file(tmp_path: Path) -> None:
    path = write(tmp_path / "m.jsonl", make_pull_request(1))
    with path.open("a") as file:
        file.write(json.dumps(PLAIN) + "\n")
    assert {one.repository.id for one in MergeRecords(path).merged_between(MERGED_AT, MERGED_AT + timedelta(1))} == {
        5_000_000_001
    }


def test_patches_are_read_once_and_one_record_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = write(tmp_path / "m.jsonl", *(make_pull_request(number) for number in range(1, 51)))
    indexed: list[Any] = []
    parsed: list[int] = []
    head, parse = merge_records.head_of_line, merge_records.parse_line
    monkeypatch.setattr(merge_records, "head_of_line", lambda *args: indexed.append(head(*args)) or indexed[-1])
    monkeypatch.setattr(merge_records, "parse_line", lambda *args: parsed.append(args[1]) or parse(*args))
    merges = MergeRecords(path).merged_between(MERGED_AT, MERGED_AT + timedelta(1))
    assert next(merges).number == 1
    assert len(indexed) == 50
    assert not any("files" in known for known in indexed)
    assert parsed == [1]
    merges.close()
