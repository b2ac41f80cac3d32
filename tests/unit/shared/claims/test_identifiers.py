"""What in a sentence can be checked, and what only looks like it."""

from __future__ import annotations

import time

import pytest

from shared.claims.identifiers import LONGEST_TEXT, MentionKind, mentioned


def kinds(text: str) -> list[tuple[str, str]]:
    return [(mention.kind.value, mention.text) for mention in mentioned(text)]


@pytest.mark.parametrize(
    ("text", "kind", "token"),
    [
        ("see harbor/master.py for it", "path", "harbor/master.py"),
        ("moved to harbor/berths/ now", "path", "harbor/berths/"),
        ("in ./tools/dock.sh", "path", "./tools/dock.sh"),
        ("reads settings.toml first", "path", "settings.toml"),
        ("the file `Makefile.d/quay`", "path", "Makefile.d/quay"),
        ("adds --max-quay-depth", "flag", "--max-quay-depth"),
        ("set --quay_depth=3", "flag", "--quay_depth"),
        ("pass `--tide-table FILE` twice", "flag", "--tide-table"),
        ("HARBOR_BERTH_LIMIT is read", "variable", "HARBOR_BERTH_LIMIT"),
        ("set `HARBOR_TIDE=1`", "variable", "HARBOR_TIDE"),
        ("set ${HARBOR_TIDE}", "variable", "HARBOR_TIDE"),
        ("calls dock.tide.measure often", "name", "dock.tide.measure"),
        ("calls assign() often", "name", "assign()"),
        ("a BerthPlan is made", "name", "BerthPlan"),
        ("a TPMooring is made", "name", "TPMooring"),
        ("the quay_depth grows", "name", "quay_depth"),
        ("uses std::harbor", "name", "std::harbor"),
        ("the field `berth`", "name", "berth"),
        ("the package ``quay-tools``", "name", "quay-tools"),
        ("runs `make all -j`", "code", "make all -j"),
        ("the HIP path", "acronym", "HIP"),
        ("in FP8 now", "acronym", "FP8"),
        ("pilot v0.1.13-rc5", "version", "v0.1.13-rc5"),
        ("pilot 0.1.13.post2", "version", "0.1.13.post2"),
        ("quay>=0.2.0", "version", ">=0.2.0"),
        ("built for CUDA 12.9", "version", "12.9"),
        ("needs version 2.4", "version", "2.4"),
        ("in 1.8 µs", "figure", "1.8 µs"),
        ("24 % more", "figure", "24 %"),
        ("80,000 calls", "figure", "80,000"),
        ("2.5x faster", "figure", "2.5x"),
        ("see https://harbor.example/a_b.", "url", "https://harbor.example/a_b"),
    ],
)
def test_each_kind_is_found_with_its_place(text, kind, token):
    found = next(mention for mention in mentioned(text) if mention.kind == kind)

    assert found.text == token
    assert text[found.start : found.end] == token
    assert found.quoted is ("`" in text)


@pytest.mark.parametrize(
    "text",
    [
        "Keep the queue in order, and nothing else.",
        "e.g. this, i.e. that, etc.",
        "merged on 2026-05-04 in 2026-W19 at 16:30",
        "on 04.05.2026",
        "fixes #4911 and quay/harbor#12, GH-77",
        "see CVE-2026-1234 and PORT-77",
        "[2/N] part 3/7",
        "and/or, read/write, input/output",
        "thanks @ada and ada@harbor.example",
        "the 3rd try in 2D, 0x1f",
        "bound to 127.0.0.1",
        "commit deadbeef12",
        "Node.js",
        "V2 and v3",
        "harbor.com",
        "`1` and `--`",
        "this PR is WIP, OK",
        "",
    ],
)
def test_look_alikes_are_nothing(text):
    assert kinds(text) == []


def test_brand_words_with_humps_are_names_like_any_other():
    assert kinds("GitHub and PyTorch") == [("name", "GitHub"), ("name", "PyTorch")]


def test_words_of_a_slash_are_read_one_by_one():
    assert kinds("HIP/ROC_M") == [("acronym", "HIP"), ("variable", "ROC_M")]


def test_chinese_needs_no_space_around_a_token():
    assert kinds("将AITER升级到v0.1.13，从1289 µs降至1.8 µs") == [
        ("acronym", "AITER"),
        ("version", "v0.1.13"),
        ("figure", "1289 µs"),
        ("figure", "1.8 µs"),
    ]


@pytest.mark.parametrize(
    ("text", "number", "unit"),
    [
        ("80,000", "80000", ""),
        ("80 000", "80000", ""),
        ("80\u202f000", "80000", ""),
        ("80_000", "80000", ""),
        ("1,234,567.50", "1234567.5", ""),
        ("24%", "24", "%"),
        ("24 percent", "24", "%"),
        ("1.8 \u00b5s", "1.8", "us"),
        ("1.8 \u03bcs", "1.8", "us"),
        ("1.8us", "1.8", "us"),
        ("719 times", "719", "x"),
        ("16–24 %", "16", "%"),
        ("from 1289 to 1.8 µs", "1289", "us"),
        ("3 GB/s", "3", "GB/s"),
        ("3 berths", "3", ""),
    ],
)
def test_figures_have_one_form(text, number, unit):
    found = mentioned(text)[0]

    assert (found.kind, found.number, found.unit) == (MentionKind.FIGURE, number, unit)


def test_a_long_text_is_read_to_its_bound():
    assert kinds(" " * LONGEST_TEXT + "HARBOR_TIDE") == []


@pytest.mark.parametrize(
    "text",
    [
        "a" * 200_000,
        "`" * 200_000,
        "--a" * 70_000,
        "a.b" * 70_000,
        "A_" * 100_000,
        "1," * 100_000,
        "1.1" * 70_000,
        "a/" * 100_000,
        "x@" * 100_000,
        "\0 \ud800 `\udfff` HARBOR_\0TIDE",
        "1" * 200_000,
        "0a" * 100_000,
    ],
    ids=lambda text: repr(text[:6]),
)
def test_hostile_text_neither_raises_nor_hangs(text):
    started = time.process_time()
    mentioned(text)

    assert time.process_time() - started < 5
