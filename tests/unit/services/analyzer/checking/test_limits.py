"""No claim loses a limit of the sentence or line around its quotations."""

from __future__ import annotations

import pytest

from tests.builders import make_file, make_pull_request
from tests.unit.services.analyzer.checking.answers import action, answered, claim, limit, reason, risk
from tests.unit.services.analyzer.checking.sample_merges import read
from tests.unit.services.analyzer.checking.test_inventing_model import MERGE, TRUE
from tests.unit.services.analyzer.examined import added

FASTER = "Trimming is up to 30 % faster on H100 GPUs."


def test_a_limit_of_the_quotation_may_not_be_lost() -> None:
    lost = read(answered(claim("Trimming is 30 % faster.", FASTER)), MERGE)
    kept = read(answered(claim("Trimming is up to 30 % faster on H100 GPUs.", FASTER)), MERGE)

    assert [(one.field, one.reason) for one in lost.dropped] == [("change", "limit-lost")]
    assert kept.change is not None


def test_no_claim_loses_a_limit_that_stands_right_outside_its_quotation() -> None:
    text, quote = "Trimming is 30 % faster on H100 GPUs.", "30 % faster on H100 GPUs"
    shown = make_file("b.py", patch=added("# tuned on H100 GPUs"), additions=1, deletions=0)
    merge = MERGE.model_copy(update={"files": (*(MERGE.files or ()), shown), "changed_files": 2})
    lost = read(
        answered(
            claim(text, quote),
            why=claim(text, quote),
            limits=[limit("hardware", text, quote)],
            actions=[action("migration", "Trimming on H100 GPUs is up to 30 %.", quote, way_back=text)],
            risks=[risk("slowdown", text, quote)],
            importance=reason("performance", text, quote),
        ),
        merge,
    )

    assert [claim.text for claim in lost.claims] == ["Trimming on H100 GPUs is up to 30 %."]
    assert lost.actions[0].way_back == ""
    assert {one.reason for one in lost.dropped} == {"limit-lost"}


@pytest.mark.parametrize(
    "body",
    [
        "Trimming is experimental and\nclears less of the cache.",
        "- one more point\n- experimental: it clears less of the cache, they say",
        "It is experimental, e.g. it clears less of the cache.",
    ],
)
def test_the_whole_sentence_around_a_quotation_counts(body: str) -> None:
    merge = MERGE.model_copy(update={"body": body})
    reading = read(answered(claim("Less is cleared.", "clears less of the cache")), merge)

    assert [one.reason for one in reading.dropped] == ["limit-lost"]


@pytest.mark.parametrize(
    "body",
    [
        "It is experimental. It clears less of the cache. On H100 it is not.",
        "Experimental:\n\n- on H100\n- clears less of the cache\n- off by default",
    ],
)
def test_the_sentences_before_and_behind_do_not(body: str) -> None:
    merge = MERGE.model_copy(update={"body": body})

    assert read(answered(claim("Less is cleared.", "clears less of the cache")), merge).change is not None


def test_a_limit_beside_a_quoted_piece_of_a_line_counts() -> None:
    merge = make_pull_request(
        files=(make_file("a.py", patch=added("self.cache.trim(limit)  # experimental"), additions=1),)
    )

    assert read(answered(claim("Less is cleared.", TRUE)), merge).claims == ()


def test_a_limit_need_not_name_the_other_limits_of_its_sentence() -> None:
    merge = MERGE.model_copy(update={"body": "It is experimental and off by default."})
    told = [limit("experimental", "It is experimental.", "It is experimental and off by default.")]
    none = [limit("other", "It is new.", "It is experimental and off by default.")]

    assert len(read(answered(claim("Trims.", TRUE), limits=told), merge).limits) == 1
    assert read(answered(claim("Trims.", TRUE), limits=none), merge).limits == ()
