"""What is remembered beside a kept clone, and its lock."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from shared.sources.git_history.clone_folder import folder_name
from shared.sources.git_history.clone_state import CloneState, locked, read_state, told_age, write_state
from shared.sources.git_history.commands import GitFailure

NOW = datetime(2026, 5, 6, 12, 0, tzinfo=UTC)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    state = CloneState(tried_at=NOW, fetched_at=NOW - timedelta(hours=3), failure="no route to host")
    write_state(tmp_path / "state", state)

    assert read_state(tmp_path / "state") == state
    assert state.age(NOW) == timedelta(hours=3)
    assert state.age(NOW - timedelta(days=1)) == timedelta(0), "clocks differ"
    assert [file.name for file in tmp_path.iterdir()] == ["state"]


@pytest.mark.parametrize("content", [b"", b"{", b"[]", b'{"tried_at": "soon"}', b"\xff"])
def test_a_broken_memory_is_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "state").write_bytes(content)

    assert read_state(tmp_path / "state") == CloneState()
    assert read_state(tmp_path / "absent") == CloneState()
    assert CloneState().age(NOW) is None


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    with pytest.raises(GitFailure, match="cannot be written"):
        write_state(tmp_path / "absent" / "state", CloneState())
    with pytest.raises(GitFailure, match="cannot be written"), locked(tmp_path / "absent" / "lock", 0):
        pass


def test_one_holds_the_lock_at_a_time(tmp_path: Path) -> None:
    with locked(tmp_path / "lock", 0) as first, locked(tmp_path / "lock", 0.1) as second:
        assert (first, second) == (True, False)
    with locked(tmp_path / "lock", 0) as third:
        assert third


@pytest.mark.parametrize(
    ("seconds", "told"), [(0, "0 s"), (119, "119 s"), (120, "2 min"), (7_300, "2 h"), (200_000, "2 d")]
)
def test_an_age_is_told_in_words_of_its_size(seconds: float, told: str) -> None:
    assert told_age(timedelta(seconds=seconds)) == told


def test_no_two_addresses_share_a_folder() -> None:
    urls = ["https://host/a/b.git", "https://host/a-b.git", "ssh://host/a/b.git", "https://host/a/B.git"]

    assert len({folder_name(url) for url in urls}) == len(urls)
    assert all("/" not in folder_name(url) and folder_name(url).endswith(".git") for url in urls)
