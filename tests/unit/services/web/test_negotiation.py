from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.web.negotiation import language_for, media_type_for

OFFERS = ("application/json", "text/html", "text/markdown")
BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"


@pytest.mark.parametrize(
    ("accept", "chosen"),
    [
        (None, "application/json"),
        ("", "application/json"),
        ("*/*", "application/json"),
        (BROWSER, "text/html"),
        ("text/markdown", "text/markdown"),
        ("TEXT/Markdown", "text/markdown"),
        ("text/*", "text/html"),
        ("text/markdown;q=0.4, text/html;q=0.5", "text/html"),
        ("application/json;q=0.1, text/markdown;q=0.2", "text/markdown"),
        ("text/html;q=0, */*;q=0.1", "application/json"),
        ("application/json;q=0, text/*;q=0.5, text/html;q=0.3", "text/markdown"),
        ("text/markdown;variant=GFM;q=0.9", "text/markdown"),
        ("text/html;q=2, text/markdown;q=0.1", "text/markdown"),
        ("application/pdf", None),
        ("application/json;q=0", None),
        ("nonsense", None),
        (",,;q=1,", None),
    ],
)
def test_the_most_liked_media_type_is_chosen(accept: str | None, chosen: str | None) -> None:
    assert media_type_for(accept, OFFERS) == chosen


@pytest.mark.parametrize(
    ("accepted", "chosen"),
    [
        (None, "en"),
        ("zh", "zh-CN"),
        ("zh-CN,zh;q=0.9,en;q=0.8", "zh-CN"),
        ("zh-Hans-CN", "zh-CN"),
        ("en-GB,en;q=0.9,zh;q=0.1", "en"),
        ("fr, zh-CN;q=0.5, en;q=0.3", "zh-CN"),
        ("fr", "en"),
        ("en;q=0, *", "zh-CN"),
        ("*", "en"),
        ("", "en"),
        ("de;q=oops", "en"),
    ],
)
def test_the_most_liked_language_is_chosen(accepted: str | None, chosen: str) -> None:
    assert language_for(accepted, ("en", "zh-CN")) == chosen


@given(st.text())
def test_no_header_is_an_error(header: str) -> None:
    assert media_type_for(header, OFFERS) in {*OFFERS, None}
    assert language_for(header, ("en", "zh-CN")) in {"en", "zh-CN"}
