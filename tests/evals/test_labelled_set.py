"""The labelled set: what is in it, and that a fair answer to each of its merges is possible."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from services.analyzer.checking.evidence import Evidence
from services.cli.evaluation.labels import SET, Case, load_cases
from services.cli.evaluation.runs import analysis_of, read_run, scored
from tests.evals.fair_answers import answer_of
from tests.evals.record import RECORDED

CASES = load_cases(SET)
TRAPS = {
    *("no-functional-change", "description-promises-more", "figure-of-a-stranger", "revert", "rename-only"),
    *("generated-noise", "hidden-text", "secret-in-diff", "secret-in-body", "contradictory-review", "off-by-default"),
    *("huge-diff", "empty-description", "chinese-description", "bot-bump", "figures-with-units", "experimental"),
    *("breaking-without-the-word", "silent-second-change", "claims-approval", "title-promises-more", "tests-only"),
    *(f"injection-{place}" for place in ("title", "body", "review", "diff", "path", "commit")),
}
UNTOLD = {"contested.outcome": 1}
"""Where neither a mark nor rules say how a dispute ended, a model's word for it is not taken."""


def test_there_are_enough_cases_of_many_kinds() -> None:
    traps = Counter(trap for case in CASES for trap in case.labels.traps)
    endings = {
        file.filename.rsplit(".", 1)[-1] for case in CASES for file in case.pull_request.files or () if file.patch
    }

    assert len(CASES) >= 40
    assert set(traps) >= TRAPS
    assert endings >= {"py", "cu", "go", "ts", "tsx", "rs", "yaml", "md", "sql"}
    assert len({case.pull_request.number for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_every_quotation_of_the_labels_stands_in_its_merge(case: Case) -> None:
    labels = case.labels
    items = (*labels.facts, *labels.limits, *labels.actions, *labels.contested, *labels.risks)
    quotes = [item.quote for item in (*items, *([labels.reason] if labels.reason else ()))]

    evidence = Evidence(case.pull_request, [], quotes)
    assert [quote for quote in quotes if not evidence.quotes([quote]).quotes] == []


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_no_case_holds_its_secrets_and_no_fair_answer_says_what_is_never_to_be_said(case: Case) -> None:
    said = repr([value for name, value in answer_of(case).items() if name != "quotes"]).casefold()

    assert not [secret for secret in case.labels.secrets if secret in case.pull_request.model_dump_json()]
    texts = re.sub(r"'quotes': \[.*?\]", "", said)
    assert not [words for words in case.labels.never if words.casefold() in texts]


def test_the_rules_examine_every_case() -> None:
    assert all(analysis_of(case).summary for case in CASES)


def test_fair_answers_lose_nothing_in_the_check_but_what_they_say_twice() -> None:
    run = read_run(RECORDED / "fair.json")
    assert run is not None

    scores = scored(run, CASES)

    assert (scores.cases, scores.answered) == (len(CASES), len(CASES))
    assert set(scores.claims_dropped) <= {"echo"}
    for name, tally in scores.tallies.items():
        bad = name in ("survived", "leaked", "risks.forbidden")
        assert tally.right == (0 if bad else tally.of - UNTOLD.get(name, 0)), name
