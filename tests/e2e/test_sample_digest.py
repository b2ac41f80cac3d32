"""The digest of the project's own sample week: the account holds and every number recomputes."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from services.cli import sample
from services.cli.one_week import digest_of_source
from services.cli.weeks import Wish
from shared.domain.digest import Digest
from shared.rendering import html, markdown
from shared.settings import Settings
from tests.recompute import problems

LANGUAGES = ("en", "zh-CN")
WEEKS = (sample.WEEK_BEFORE, sample.WEEK, "2026-W30")
PRESENT = datetime(2026, 11, 2, 6, tzinfo=UTC)


@pytest.fixture(scope="module")
def digests() -> dict[str, Digest]:
    wishes = {week: Wish(week=week, languages=LANGUAGES) for week in WEEKS}
    return {week: digest_of_source(Settings(), str(sample.RECORDS), wish, PRESENT)[0] for week, wish in wishes.items()}


@pytest.fixture(params=WEEKS)
def document(request: pytest.FixtureRequest, digests: dict[str, Digest]) -> Any:
    return json.loads(digests[request.param].to_json())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("week", WEEKS)
def test_every_number_of_the_markdown_recomputes(digests: dict[str, Digest], week: str, language: str) -> None:
    made = digests[week]

    assert problems(markdown.render(made, language), json.loads(made.to_json()), language) == []


def test_the_ledgers_four_sets_are_disjoint_and_add_up(document: Any) -> None:
    window = [listed["number"] for listed in document["pull_requests"]]
    states = {number: state for state, numbers in document["ledger"].items() for number in numbers}

    assert sum(map(len, document["ledger"].values())) == len(states) == document["merged_total"]
    assert sorted(states) == sorted(window)
    assert all(listed["state"] == states[listed["number"]] for listed in document["pull_requests"])
    assert len(document["ledger"]["featured"]) <= 24


def test_every_count_follows_from_the_list(document: Any) -> None:
    listed = {pull_request["number"]: pull_request for pull_request in document["pull_requests"]}
    types = Counter(pull_request["change_type"] for pull_request in listed.values())

    assert {kind: len(numbers) for kind, numbers in document["change_types"].items() if numbers} == types
    for area in document["areas"]:
        assert area["share"] == pytest.approx(len(area["pull_requests"]) / document["merged_total"], abs=0.001)
        assert set(area["pull_requests"]) <= set(listed)
    for risk in document["risks"]:
        assert set(map(str, risk["pull_requests"])) == set(risk["evidence"])
        assert risk["mechanism"]
        assert risk["verify"]


def test_every_section_rests_on_merges_and_both_languages_on_the_same(document: Any) -> None:
    told = {
        language: [
            (section["key"], [sorted(part["pull_requests"]) for part in section["paragraphs"]]) for section in sections
        ]
        for language, sections in document["sections"].items()
    }

    assert set(told) == set(LANGUAGES)
    assert told["en"] == told["zh-CN"]


def test_the_weeks_that_a_newcomer_sees(digests: dict[str, Digest]) -> None:
    week, before, empty = (digests[name] for name in (sample.WEEK, sample.WEEK_BEFORE, "2026-W30"))

    assert week.merged_total > 60
    assert week.previous is not None
    assert week.previous.merged_total == before.merged_total
    assert 5 <= len(week.key_pull_requests) <= 8
    assert week.provenance.mode == "rules"
    assert week.elsewhere
    assert (empty.merged_total, empty.key_pull_requests, empty.themes) == (0, (), ())
    for language in LANGUAGES:
        assert len(markdown.render(empty, language)) < 4000
        assert f'lang="{language}"' in html.render(empty, language)


def test_c16_merges_that_share_a_commit_are_two_numbers_and_one_item(digests: dict[str, Digest]) -> None:
    week = digests[sample.WEEK]
    pairs = [relation for relation in week.relations if relation.kind == "same-commit"]

    assert pairs
    assert week.items_total == week.merged_total - len(pairs)


def test_c19_what_was_reverted_in_the_same_week_is_neither_featured_nor_key(digests: dict[str, Digest]) -> None:
    week = digests[sample.WEEK]
    numbers = {listed.number for listed in week.pull_requests}
    reverts = [relation for relation in week.relations if relation.kind == "reverts" and relation.to in numbers]
    brought_back = {relation.to for relation in week.relations if relation.kind == "relands"}
    named = {*week.ledger.featured, *(key.number for key in week.key_pull_requests)}

    assert reverts
    assert not {relation.to for relation in reverts} - brought_back & named


def test_the_excerpt_in_the_readme_is_what_the_sample_says(digests: dict[str, Digest]) -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text("utf-8")
    excerpt = readme.split("<!-- excerpt -->")[1].split("<!-- /excerpt -->")[0]
    quoted = [line.removeprefix(">").strip() for line in excerpt.splitlines() if line.strip("> ")]
    told = re.sub(r"\[([^\]]*)\]\([^)\s]*\)", r"\1", markdown.render(digests[sample.WEEK], "en")).replace("**", "")

    assert len(quoted) == 4
    assert not [line for line in quoted if line not in told]
