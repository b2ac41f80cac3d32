"""Commit messages are shown only where they add to title and description."""

from __future__ import annotations

from typing import Any

from shared.domain.pull_request import Commit
from tests.unit.services.analyzer.packing.packed import account, document, packed


def shown(*messages: str, **overrides: Any) -> list[str]:
    commits = tuple(Commit(sha=f"{at:040x}", message=message) for at, message in enumerate(messages))
    found: list[str] = document(commits=commits, **overrides).get("commits", [])
    return found


def test_a_message_with_news_is_shown_without_its_trailers() -> None:
    messages = shown("Wake the sleeping reader before the writer blocks\n\nSigned-off-by: Ada <ada@example.com>")

    assert messages == ["Wake the sleeping reader before the writer blocks"]


def test_messages_that_repeat_title_or_description_are_left_out() -> None:
    assert shown("Keep the queue in order", "Bound it by bytes", body="Bound it by bytes.") == []


def test_housekeeping_is_left_out() -> None:
    assert (
        shown("Merge branch 'main' into queue of orders", "fixup! wake the reader up early", "address review comments")
        == []
    )


def test_a_message_is_told_once() -> None:
    assert len(shown("Wake the sleeping reader early", "Wake the sleeping reader early")) == 1


def test_the_account_tells_of_all_messages() -> None:
    commits = tuple(Commit(sha="a" * 40, message=text) for text in ("Wake the sleeping reader early", "wip"))
    told = account(packed(commits=commits), "commits")

    assert (told.pieces, told.of_pieces) == (1, 2)
