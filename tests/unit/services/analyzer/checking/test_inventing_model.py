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
    "The cache is trimmed by Linus Torvalds.",
    "Linus Torvalds trims the cache.",
    "The cache is trimmed, as Google demanded after the Kubernetes outage.",
    "The cache is trimmed by Docker-based workers.",
    "缓存按Google的要求修剪。",
    "Pass -k to keep the old cache.",
    "Pass `-k` to keep the old cache.",
    "The cache is built with -Wno-error now.",
    "使用-k保留旧缓存。",
    "Set max-batch-size to keep the old cache.",
    "Set batch-size to keep the old cache.",
    "Trimming is thirty percent faster.",
    "Trimming is thirty-five percent faster.",
    "The cache is trimmed by fifteen workers.",
    "Trimming takes a quarter of the time.",
    "Trimming takes a third of the time.",
    "Trimming takes ½ of the memory.",
    "Trimming has Ⅳ steps.",
    "缓存修剪缩短到三十毫秒。",
    "缓存占用减少百分之三十。",
    "缓存由两个线程修剪。",
    "The cache is trimmed, see evil.network/fix for more.",
    "The cache is trimmed by evil.support now.",
    "访问www.evil.com获取缓存补丁。",
    "请访问evil.com获取缓存补丁。",
    "缓存修剪由PR 200引入。",
    "缓存修剪在issue 45中讨论。",
    "缓存由ada修剪。",
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
    "text",
    [
        "The cache is trimmed to its limit instead of being cleared.",
        "On Linux the cache is trimmed end-to-end since May.",
        "The Cache of lumen is trimmed; APIs and URLs stay.",
        "The cache-limit bounds it.",
        "Long-lived third-party callers keep what they cached.",
        "缓存不再清空，而是按limit修剪。",
    ],
)
def test_ordinary_words_beside_a_true_quotation_are_kept(text: str) -> None:
    assert read(answered(claim(text, TRUE)), MERGE).change is not None


def test_names_and_short_options_of_the_merge_may_be_said() -> None:
    merge = make_pull_request(
        body="Kafka asked for it on behalf of Ines-Labs.",
        files=(make_file("tool.sh", patch=added('run --keep -k "$1"', "max_batch_size = 3"), additions=2),),
    )
    for text in ("Runs with -k, as Kafka wants.", "It runs with the max-batch-size.", "Ines-Labs gets what it runs."):
        assert read(answered(claim(text, "run --keep -k")), merge).change is not None, text


def test_a_setting_with_dashes_of_the_description_alone_is_announced_and_no_reason_to_act() -> None:
    merge = MERGE.model_copy(update={"body": "The trim-after-idle setting follows later."})
    text = "A trim-after-idle setting is to follow."
    quote = "The trim-after-idle setting follows later."
    reading = read(
        answered(claim("Trims.", TRUE), why=claim(text, quote), actions=[action("migration", text, quote)]), merge
    )

    assert reading.why is not None
    assert reading.why.announced
    assert [(one.field, one.reason) for one in reading.dropped] == [("actions", "identifier-not-in-diff")]


def test_where_all_nouns_have_capitals_only_two_in_a_row_are_a_name() -> None:
    def kept(text: str) -> bool:
        return read(answered(claim(text, TRUE)), MERGE, language="German").change is not None

    assert kept("Der Speicher wird auf die Grenze gestutzt.")
    assert not kept("Gestutzt wird er von Linus Torvalds.")


@pytest.mark.parametrize("text", ["Fixes are at evil.network/fix now.", "Fixes come from evil.support now."])
@pytest.mark.parametrize("field", ["body", "title"])
def test_a_host_with_an_unknown_ending_that_only_people_name_is_dropped(text: str, field: str) -> None:
    merge = MERGE.model_copy(update={field: f"{text} That is all."})

    for language in ("English", "German"):
        assert read(answered(claim(f"So {text.lower()}", text, TRUE)), merge, language=language).claims == ()


def test_names_with_points_that_the_merge_shows_are_kept() -> None:
    merge = make_pull_request(
        files=(make_file("conf.local/cache.rules", patch=added("call(cache.network, limit)"), additions=1),)
    )
    for text in ("It calls cache.network now.", "The rules of conf.local/cache.rules are new."):
        assert read(answered(claim(text, "call(cache.network, limit)")), merge).change is not None, text


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
