"""The head of a digest says whether all merges that the host knows are in it, in every language and channel."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from services.digest.narrate import narrate
from shared.domain.completeness import Completeness, CompletenessGap
from shared.domain.digest import Digest
from shared.rendering import html, markdown
from shared.settings.values import LANGUAGES
from tests.digest_builder import rich_digest

CHECKED = datetime(2026, 5, 11, 6, 0, tzinfo=UTC)


def told(**known: object) -> Digest:
    return narrate(rich_digest().model_copy(update={"completeness": None, **known}), LANGUAGES)


def head(digest: Digest, language: str = "en") -> str:
    return markdown.render(digest, language).split("\n## ")[0]


def test_all_that_the_host_knows_are_here() -> None:
    digest = told(completeness=Completeness(known_to_host=199, captured=199, checked_at=CHECKED))

    assert "- **Complete**: 199 of 199 merges known to `github.com` on Mon 2026-05-11 06:00 UTC." in head(digest)
    assert "199 个合并" in head(digest, "zh-CN")
    assert "199 of 199" not in html.render(digest, "zh-CN")
    assert "Complete" in html.render(digest, "en")


def test_what_is_missing_is_said_at_the_top() -> None:
    digest = told(completeness=Completeness(known_to_host=9, captured=8, checked_at=CHECKED, missing=(7,)))

    assert "**Incomplete**: 8 of 9 merges known to `github.com`" in head(digest)
    assert "[the missing ones](#about-this-digest)" in head(digest)


@pytest.mark.parametrize("why", ["blind", "not-reached", "not-covered", "left-out"])
def test_that_it_is_not_known_is_said_at_the_top(why: str) -> None:
    digest = told(completeness_gap=CompletenessGap(why=why, since=CHECKED))

    assert "**Perhaps incomplete**" in head(digest)
    assert "[why](#about-this-digest)" in head(digest)


def test_where_the_host_is_not_asked_the_head_says_nothing() -> None:
    assert "omplete**" not in head(told(completeness_gap=CompletenessGap(why="not-asked")))
