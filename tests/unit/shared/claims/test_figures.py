"""A claim brings no figure of its own, and keeps the limits of its quotations."""

from __future__ import annotations

import pytest

from shared.claims.figures import lost_qualifiers, unsupported_figures


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
    "text", ["a" * 200_000, "up to " * 30_000, "1 " * 2_000, "\0\ud800 up to \udfff5", "1.8 per " * 9_000]
)
def test_hostile_text_neither_raises_nor_hangs(text):
    unsupported_figures(text, [text])
    lost_qualifiers(text, [text])
    lost_qualifiers("", [text])
