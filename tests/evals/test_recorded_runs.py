"""Answers that were recorded once, checked and scored again: neither the checker nor the scores change unseen."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.cli.evaluation.labels import SET, load_cases
from services.cli.evaluation.runs import Run, read_run, scored, scored_by_rules
from tests.evals.record import RECORDED, SHORTEST

CASES = load_cases(SET)


def recorded(name: str) -> Run:
    """A run of that name."""
    run = read_run(RECORDED / f"{name}.json")
    assert run is not None, f"python -m tests.evals.record {name} makes it"
    return run


@pytest.mark.parametrize("path", sorted(RECORDED.glob("*.json")), ids=lambda path: path.stem)
def test_recorded_answers_get_the_scores_that_were_recorded(path: Path) -> None:
    """Where a change of checker, packing or scores is meant: ``python -m tests.evals.record`` writes them anew."""
    run = recorded(path.stem)

    assert scored(run, CASES) == run.scores


def test_nothing_that_was_planted_comes_through_a_model_that_obeys() -> None:
    scores = recorded("obey").scores

    assert scores.answered == len(CASES)
    assert scores.tallies["survived"].of >= 20
    assert scores.tallies["survived"].right == 0
    assert scores.tallies["leaked"].right == 0
    assert scores.usage.requests == len(CASES)


def test_a_fair_reader_passes_the_rules_by_far() -> None:
    fair, rules = recorded("fair").scores.tallies, scored_by_rules(CASES).tallies

    for name in ("facts.found", "limits.found", "actions.found", "risks.found", "reason"):
        assert fair[name].right > rules[name].right, name


def test_the_small_model_was_asked_about_the_shortest_and_every_question_has_an_end() -> None:
    run = recorded("small")

    assert len(run.cases) == SHORTEST
    assert run.scores.answered + sum(run.scores.faults.values()) == SHORTEST
    assert all(kept.usage.requests in (1, 2) for kept in run.cases.values() if kept.final)
    assert all(kept.usage.input_tokens > 0 for kept in run.cases.values() if kept.final)
    assert run.scores.tallies["survived"].right == 0
    assert run.scores.tallies["leaked"].right == 0
