"""The line on completeness: how many merges the host knows, which are missing, or why that is not known."""

from __future__ import annotations

import pytest

from services.digest.narrate import narrate
from shared.domain.completeness import Completeness, CompletenessGap
from shared.domain.digest import Digest, Span
from tests.digest_builder import GENERATED_AT, rich_digest


def line(digest: Digest, language: str) -> tuple[str, tuple[Span, ...]]:
    told = narrate(digest, [language]).sections[language]
    heading = {"en": "Completeness.", "zh-CN": "完整性。"}[language]
    (one,) = [one for part in told if part.key == "about" for one in part.paragraphs if one.text.startswith(heading)]
    return one.text, one.spans


@pytest.mark.parametrize(
    ("language", "wanted"),
    [
        ("en", "198 of 200 merges known to github.com on Mon 2026-05-11 06:00 UTC. Missing here: #301, #305."),
        ("zh-CN", "github.com 已知 200 个合并，已收录 198 个。此处缺少：#301、#305。"),
    ],
)
def test_missing_merges_are_counted_and_linked(language: str, wanted: str) -> None:
    complete = Completeness(known_to_host=200, captured=198, checked_at=GENERATED_AT, missing=(301, 305))
    text, spans = line(rich_digest(completeness=complete), language)
    assert wanted in text
    assert [span.number for span in spans if span.kind == "pull_request"] == [301, 305]


@pytest.mark.parametrize(
    ("why", "english", "chinese"),
    [
        ("blind", "has not let this repository be read since Mon 2026-05-11 06:00 UTC", "不允许读取此仓库"),
        ("not-reached", "was last asked with success on Mon 2026-05-11 06:00 UTC", "上次成功查询"),
        ("not-covered", "merges before Mon 2026-05-11 06:00 UTC were not compared", "之前的合并尚未"),
        ("left-out", "lists from Mon 2026-05-11 06:00 UTC on, something could not be read", "无法读取的条目"),
        ("not-asked", "The host was not asked", "未向代码托管平台查询"),
    ],
)
def test_what_is_not_known_says_why(why: str, english: str, chinese: str) -> None:
    gap = CompletenessGap.model_validate({"why": why, "since": GENERATED_AT})
    digest = rich_digest(completeness=None, completeness_gap=gap)
    assert english in line(digest, "en")[0]
    assert chinese in line(digest, "zh-CN")[0]


def test_a_host_that_was_never_reached_is_no_host_that_knows_of_nothing() -> None:
    digest = rich_digest(completeness=None, completeness_gap=CompletenessGap(why="not-reached"))
    assert "github.com was not reached yet" in line(digest, "en")[0]
    assert "尚未连上 github.com" in line(digest, "zh-CN")[0]
