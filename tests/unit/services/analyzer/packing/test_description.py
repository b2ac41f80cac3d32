"""Of a description the words of its author stay; the template, promises and long logs go."""

from __future__ import annotations

import pytest

from services.analyzer.packing.description import without_template, without_trailers

TEMPLATE = """\
## What does this do?

Bounds the queue by bytes.

## Why?

## Checklist

- [ ] I have added tests
- [x] I have read the guide
- [x] Breaking change

---

Signed-off-by: Ada Byron <ada@example.com>
"""


def test_a_filled_template_is_its_answers() -> None:
    assert without_template(TEMPLATE).split("\n") == [
        "## What does this do?",
        "Bounds the queue by bytes.",
        "## Checklist",
        "- [x] Breaking change",
    ]


def test_an_untouched_template_says_nothing() -> None:
    assert without_template("## What\n\n**Why:**\n\n### How\n\n- [ ] tests\n- [ ] docs\n\n***\n") == ""


def test_a_heading_stays_when_one_below_it_is_filled() -> None:
    assert without_template("## A\n### B\n### C\nwords\n## D\n") == "## A\n### C\nwords"


def test_how_it_was_tested_comes_last_but_results_keep_their_place() -> None:
    text = "## Test plan\nran it\n## Test results\n12 ms\n## Purpose\nfaster"

    assert without_template(text) == "## Test results\n12 ms\n## Purpose\nfaster\n## Test plan\nran it"


def test_a_long_log_is_cut_and_its_fence_closed() -> None:
    text = "```\n" + "\n".join(f"line {number}" for number in range(40)) + "\n```\nafter"
    lines = without_template(text).split("\n")

    assert lines[-4:] == ["line 9", "…", "```", "after"]


def test_a_table_keeps_its_cells_and_first_rows() -> None:
    rows = "\n".join(f"| case {number} | {number} ms |" for number in range(30))
    lines = without_template(f"| case | time |\n|---|---|\n{rows}").split("\n")

    assert lines[:2] == ["case | time", "case 0 | 0 ms"]
    assert lines[-1] == "…"


@pytest.mark.parametrize(
    "line",
    ["Signed-off-by: Ada <a@example.com>", "Co-authored-by: Bob <b@example.com>", "Reviewed-by: Bea", "/cc @bea"],
)
def test_trailers_go(line: str) -> None:
    assert without_trailers(f"Bound the queue\n\n{line}") == "Bound the queue"


def test_words_about_people_stay() -> None:
    assert without_trailers("Read by: nobody\nStep-by-step guide") == "Read by: nobody\nStep-by-step guide"
