"""What rules say, in another language."""

from __future__ import annotations

import pytest

from shared.rendering.locale import load_locale
from shared.rendering.phrasebook import said


def chinese(words: str) -> str:
    return "".join(span.text for span in said(words, load_locale("zh-CN")))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("words of the title", "标题用词"),
        ("folder 'core' (a/core/x.py); folder 'engine' (b.py)", "目录“core”（a/core/x.py）；目录“engine”（b.py）"),
        ("words of the title: “a; b (c)”", "标题用词：“a; b (c)”"),
        (
            "source file of settings; its patch was not seen (a.py); words of the title",
            "属于设置的源文件，未见其补丁（a.py）；标题用词",
        ),
        ("Also changed by #1, #2 (x/y.py)", "同一文件还被 #1, #2 改动（x/y.py）"),
        (
            "12 added lines of code, and none of the 3 changed files is a test (a.py)",
            "新增 12 行代码，改动的 3 个文件中没有测试（a.py）",
        ),
        ("something nobody foresaw", "something nobody foresaw"),
        ("something nobody foresaw; words of the title", "something nobody foresaw；标题用词"),
        ("", ""),
    ],
)
def test_known_sentences_are_translated_and_others_stay(words: str, told: str) -> None:
    assert chinese(words) == told


def test_english_stays_as_the_rule_wrote_it() -> None:
    words = "Also changed by #1, #2; words of the title"
    assert "".join(span.text for span in said(words, load_locale("en"))) == words


def test_numbers_of_pull_requests_become_links_but_not_those_of_strangers() -> None:
    for language in ("en", "zh-CN"):
        spans = said("Also changed by #12, org/repo#13 (a.py): “fixes #14”", load_locale(language))
        assert [span.number for span in spans if span.kind == "pull_request"] == [12]


def test_very_long_words_are_not_searched() -> None:
    assert chinese("folder '" * 2_000) == "folder '" * 2_000
