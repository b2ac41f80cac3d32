"""A claim brings no figure of its own, and keeps the limits of its quotations."""

from __future__ import annotations

import pytest

from shared.claims.figures import lost_qualifiers, unsupported_digits, unsupported_figures, unsupported_number_words


@pytest.mark.parametrize(
    ("claim", "quotes", "lost"),
    [
        ("80,000 calls in 1.8 µs", ["1.8 µs per call"], ("80,000",)),
        ("80,000 calls in 1.8 µs", ["80 000 calls", "1.8\u03bcs"], ()),
        ("719 times faster", ["from 1289 µs to 1.8 µs"], ("719 times",)),
        ("from 1289 to 1.8 µs", ["1289 µs before, 1.8 µs after"], ()),
        ("24% less", ["24 % less"], ()),
        ("24 ms less", ["24 % less"], ("24 ms",)),
        ("16–24 % less", ["16 % to 24 %"], ()),
        ("3x and 3x", ["2x"], ("3x",)),
        ("for v0.1.13 in #4911 since 2026-05-04", [""], ()),
        ("no figure at all", [], ()),
        ("吞吐提升 319 %", ["up to 319%"], ()),
        ("24.0 %", ["24 %"], ()),
    ],
)
def test_figures_must_stand_in_the_quotations(claim, quotes, lost):
    assert unsupported_figures(claim, quotes) == lost


@pytest.mark.parametrize(
    ("claim", "quote", "lost"),
    [
        ("319 % faster", "up to 319 % faster", ("up to",)),
        ("up to 319 % faster", "up to 319 % faster", ()),
        ("提升最高 319 %", "up to 319 % faster", ()),
        ("it is faster", "up to 319 % faster", ()),
        ("30 lines go", "about 30 lines go", ("about",)),
        ("~30 lines go", "about 30 lines go", ()),
        ("80,000 calls in 1.8 µs", "1.8 µs per call", ("per call",)),
        ("1.8 µs for each call", "1.8 µs per call", ()),
        ("24 percent more", "24 per cent more", ()),
        ("tides are kept", "tides are kept, off by default", ("off by default",)),
        ("tides are kept; opt-in", "tides are kept, off by default", ()),
        ("a new planner", "an experimental planner", ("experimental",)),
        ("实验性规划器", "an experimental planner", ()),
        ("5 % more", "5 % more, depending on the tide", ("depending on",)),
        ("it works", "not yet complete", ("not yet",)),
        ("faster", "faster on H100", ("H100",)),
        ("faster on h100 cards", "faster on H100", ()),
        ("faster", "faster on GPUs", ("GPUs",)),
        ("faster on the GPU", "faster on GPUs", ()),
        ("the HPU path", "the HIP path", ("HIP",)),
        ("faster", "faster for #4911", ()),
    ],
)
def test_limits_are_kept(claim, quote, lost):
    assert lost_qualifiers(claim, [quote]) == lost


@pytest.mark.parametrize(
    ("claim", "quote", "lost"),
    [
        ("since 2026-05-01", "merged on 2026-05-01", ()),
        ("since 2026-05-01", "merged on 2026-04-01", ("05",)),
        ("closes CVE-2026-1234", "see CVE-2026-1234", ()),
        ("closes CVE-2026-1234", "a hole of 2026", ("1234",)),
        ("uses sha256 sums", "sha256(text)", ()),
        ("uses sha256 sums", "sha1(text)", ("256",)),
        ("30 % more on H100 by v1.2.3", "", ()),
        ("at 12:30", "", ("12", "30")),
    ],
)
def test_digits_of_no_token_stand_in_the_quotation(claim, quote, lost):
    """Figures, names and versions are checked elsewhere."""
    assert unsupported_digits(claim, [quote]) == lost


@pytest.mark.parametrize(
    ("claim", "quote", "lost"),
    [
        ("Two leaders vote", "2 leaders", ()),
        ("votes twice", "votes two times", ()),
        ("votes twice", "votes a second time", ("twice",)),
        ("two nodes", "both nodes of a pair", ("two",)),
        ("a thousand calls", "for k, m in calls", ("thousand",)),
        ("a thousand calls", "1k calls", ()),
        ("thirty percent faster", "faster", ("thirty",)),
        ("thirty percent faster", "30 % faster", ()),
        ("thirty-five workers", "35 workers", ()),
        ("thirty-five workers", "30 or 5 workers", ("thirty-five",)),
        ("fifteen workers", "workers", ("fifteen",)),
        ("a quarter less", "25 % less", ()),
        ("a quarter less", "less", ("quarter",)),
        ("a third of it, by third-party code", "some of it", ("third",)),
        ("third parties", "", ()),
        ("½ of the memory", "of the memory", ("½",)),
        ("½ of the memory", "half of the memory", ()),
        ("Ⅳ workers", "workers", ("Ⅳ",)),
        ("缩短到三十毫秒", "更短", ("三十毫秒",)),
        ("缩短到三十毫秒", "30 ms", ()),
        ("减少百分之二十", "减少", ("百分之二十",)),
        ("减少百分之二十", "减少 20%", ()),
        ("提高fifteen倍", "", ("fifteen",)),
        ("两个节点", "2 nodes", ()),
        ("一个节点, 千字节, 十分稳定", "", ()),
        ("three times as fast", "three-fold gain", ()),
        ("three times as fast", "a gain", ("three",)),
        ("doubled throughput", "2x the throughput", ()),
        ("halves the memory", "50 % less memory", ()),
        ("halves the memory", "less memory", ("halves",)),
        ("a dozen calls for one", "12 calls", ()),
        ("seven days", "7 * 24 * 60", ()),
        ("hundreds of calls", "hundreds of requests", ()),
        ("the double type, once, first", "", ()),
        ("提高三倍", "三倍的吞吐量", ()),
        ("提高三倍", "更高的吞吐量", ("三倍",)),
        ("减半", "", ("减半",)),
    ],
)
def test_numbers_in_words_stand_in_the_quotation_in_some_form(claim, quote, lost):
    assert unsupported_number_words(claim, [quote]) == lost


@pytest.mark.parametrize(
    "text",
    [
        "a" * 200_000,
        "up to " * 30_000,
        "1 " * 2_000,
        "\0\ud800 up to \udfff5",
        "1.8 per " * 9_000,
        "三" * 50_000,
        "½ 二点" * 9_000,
    ],
)
def test_hostile_text_neither_raises_nor_hangs(text):
    unsupported_figures(text, [text])
    lost_qualifiers(text, [text])
    lost_qualifiers("", [text])
    unsupported_digits(text, [text])
    unsupported_number_words(text, [text])
