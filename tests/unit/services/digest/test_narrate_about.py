"""How the digest was made: from how much of the changes."""

from __future__ import annotations

import pytest

from services.digest.narrate import narrate
from shared.domain.digest import Digest, Paragraph
from shared.domain.pull_request import Cut
from shared.rendering.figures import shown
from shared.rendering.locale import load_locale
from tests.digest_builder import rich_digest

LISTS = (
    "checks",
    "comments",
    "commits",
    "files",
    "linked_issues",
    "review_comments",
    "review_threads",
    "reviews",
)


@pytest.mark.parametrize("language", ["en", "zh-CN"])
@pytest.mark.parametrize("merges", [0, 1, 5])
def test_facts_from_patches_alone_are_counted(language: str, merges: int) -> None:
    coverage = rich_digest().coverage.model_copy(update={"patches_only": merges})
    told = narrate(rich_digest(coverage=coverage), [language]).sections[language]
    text = "\n".join(one.text for section in told if section.key == "about" for one in section.paragraphs)
    wanted = {
        ("en", 1): "The facts of 1 merge were read from its patches alone",
        ("en", 5): "The facts of 5 merges were read from their patches alone",
        ("zh-CN", 1): "1 个合并的事实只读自补丁",
        ("zh-CN", 5): "5 个合并的事实只读自补丁",
    }
    assert wanted.get((language, merges), "") in text
    assert ("Patches only" in text or "仅凭补丁" in text) == (merges > 0)


NOT_WHOLE = {
    "en": (
        "Not whole. Lists that were not read to their end, with the number of merges: "
        "results of checks – 2 (the host failed at the query each time); "
        "results of checks – 3 (not told without a credential); commits – 1 (the host gives no more)."
    ),
    "zh-CN": (
        "未读全。以下列表未读到末尾，附合并数：检查结果 2 个（代码托管平台每次查询均失败）；"
        "检查结果 3 个（没有凭据时不给出）；提交 1 个（代码托管平台不再给出更多）。"
    ),
}


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_c26_lists_that_are_not_whole_are_told_with_the_reason(language: str) -> None:
    cut = {"commits": {"host-limit": 1}, "checks": {"no-credential": 3, "failed": 2}}
    digest = rich_digest(coverage=rich_digest().coverage.model_copy(update={"cut": cut}))

    spans = [
        span
        for paragraph in about(digest, language)
        if paragraph.text == NOT_WHOLE[language]
        for span in paragraph.spans
    ]

    figures = [span for span in spans if span.kind == "figure"]
    assert [span.text for span in figures] == ["2", "3", "1"]
    assert [shown(span.source or "", digest.model_dump(mode="json")) for span in figures] == ["2", "3", "1"]


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_every_list_and_every_reason_has_words(language: str) -> None:
    words = load_locale(language)
    assert all(words.knows(f"cut.list.{name}") for name in LISTS)
    assert all(words.knows(f"cut.reason.{why}") for why in Cut)


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_where_every_list_is_whole_nothing_is_said_of_it(language: str) -> None:
    text = "\n".join(paragraph.text for paragraph in about(rich_digest(), language))
    assert "Not whole" not in text
    assert "未读全" not in text


def about(digest: Digest, language: str) -> list[Paragraph]:
    """The paragraphs of the section that says how the digest was made."""
    sections = narrate(digest, [language]).sections[language]
    return [paragraph for section in sections if section.key == "about" for paragraph in section.paragraphs]
