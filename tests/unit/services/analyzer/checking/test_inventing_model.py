"""Nothing that a model invents is kept: not beside true quotations, and not with quotations of its own (R-63)."""

from __future__ import annotations

import pytest

from tests.builders import make_file, make_pull_request
from tests.unit.services.analyzer.checking.answers import action, answered, claim, contest, limit, reason, risk
from tests.unit.services.analyzer.checking.sample_merges import read
from tests.unit.services.analyzer.examined import added

PATCH = added(
    'parser.add_argument("--cache-limit", default=512)', "self.cache.trim(limit)", gone=("self.cache.clear()",)
)
MERGE = make_pull_request(
    4200,
    title="perf(cache): trim instead of clear",
    body="Trimming is up to 30 % faster on H100 GPUs. It is experimental. The flag --cache-mode follows later.",
    files=(make_file("lumen/cache.py", patch=PATCH, additions=2, deletions=1),),
)
TRUE = "self.cache.trim(limit)"
FASTER = "Trimming is up to 30 % faster on H100 GPUs."

INVENTED = (
    "The cache is trimmed, which is 40 % faster.",
    "The cache is trimmed in 12 ms.",
    "The cache is trimmed twice as fast as before.",
    "The cache is trimmed three times for each request.",
    "The cache is trimmed since 2026-05-01.",
    "The cache is trimmed to close CVE-2026-1234.",
    "The cache is trimmed from version 3.2.1 on.",
    "The cache is trimmed by CacheTrimmer.",
    "The cache is trimmed in lumen/core/trimmer.py.",
    "The cache is trimmed unless --no-trim is given.",
    "The cache is trimmed when LUMEN_CACHE_TRIM is set.",
    "The cache is trimmed by `trim_all`.",
    "The cache is trimmed on MI300X.",
    "The cache is trimmed as in PyTorch.",
    "The cache is trimmed, as pull request 4199 asked.",
    "The cache is trimmed, see #4199.",
    "The cache is trimmed, as 4200 says.",
    "The cache is trimmed, says ada.",
    "Der Cache wird dreimal so schnell, 3x.",
    "缓存修剪速度提高三倍。",
    "缓存修剪速度提高 40%。",
)


@pytest.mark.parametrize("text", INVENTED)
def test_an_invention_beside_a_true_quotation_is_dropped(text: str) -> None:
    said = claim(text, TRUE)
    reading = read(
        answered(
            said,
            effect=said,
            why=said,
            limits=[limit("other", text, TRUE)],
            actions=[action("removal", text, TRUE)],
            contested=[contest("settled", text, TRUE)],
            risks=[risk("slowdown", text, TRUE)],
            importance=reason("performance", text, TRUE),
        ),
        MERGE,
    )

    assert reading.claims == ()
    assert reading.dropped_in_all == 8


@pytest.mark.parametrize(
    "quote",
    [
        "self.cache.trim(limit * 2)",
        "Trimming is up to 90 % faster on H100 GPUs.",
        "The maintainers decided to trim the cache.",
        "trim(",
        "",
        "the",
        "ming is up to 30 % faster",
    ],
)
def test_an_invented_quotation_is_no_evidence(quote: str) -> None:
    assert read(answered(claim("The cache is trimmed.", quote)), MERGE).change is None


def test_an_invented_quotation_beside_a_true_one_goes_alone() -> None:
    change = read(answered(claim("The cache is trimmed, not emptied.", "an invented quotation", TRUE)), MERGE).change

    assert change is not None
    assert [quote.text for quote in change.quotes] == [TRUE]
    assert (change.quotes[0].field, change.quotes[0].path) == ("diff", "lumen/cache.py")


def test_a_limit_of_the_quotation_may_not_be_lost() -> None:
    lost = read(answered(claim("Trimming is 30 % faster.", FASTER)), MERGE)
    kept = read(answered(claim("Trimming is up to 30 % faster on H100 GPUs.", FASTER)), MERGE)

    assert [(one.field, one.reason) for one in lost.dropped] == [("change", "limit-lost")]
    assert kept.change is not None


def test_what_only_the_description_names_is_announced_and_no_reason_to_act() -> None:
    quote = "The flag --cache-mode follows later."
    text = "A flag --cache-mode is to follow later."
    reading = read(
        answered(claim("Trims.", TRUE), effect=claim(text, quote), actions=[action("removal", text, quote)]), MERGE
    )

    assert reading.effect is not None
    assert reading.effect.announced
    assert reading.actions == ()
    assert ("actions", "identifier-not-in-diff") in {(one.field, one.reason) for one in reading.dropped}


def test_where_the_diff_was_not_read_whole_an_action_is_kept_as_announced() -> None:
    unread = make_pull_request(
        title=MERGE.title, body=MERGE.body, files=(*(MERGE.files or ()), make_file("big.bin", patch=None))
    )
    text = "A flag --cache-mode is to follow later."
    actions = read(
        answered(claim("Trims.", TRUE), actions=[action("removal", text, "The flag --cache-mode follows later.")]),
        unread,
    ).actions

    assert [one.announced for one in actions] == [True]


def test_what_only_the_author_says_is_told_as_his_promise_where_the_whole_diff_was_read() -> None:
    promised = "Trimming is experimental."
    quote = "It is experimental. The flag"
    said = read(
        answered(claim("Trims.", TRUE), effect=claim(promised, quote), actions=[action("migration", promised, quote)]),
        MERGE,
    )
    shown = read(answered(claim("Trims.", TRUE), effect=claim(promised, quote, TRUE)), MERGE)
    partly = read(
        answered(claim("Trims.", TRUE), effect=claim(promised, quote)),
        MERGE.model_copy(update={"files": (*(MERGE.files or ()), make_file("big.bin", patch=None))}),
    )

    assert (said.effect and said.effect.announced, said.actions[0].announced) == (True, True)
    assert said.change is not None
    assert not said.change.announced
    assert shown.effect is not None
    assert not shown.effect.announced
    assert partly.effect is not None
    assert not partly.effect.announced, "what was not read may show it"
