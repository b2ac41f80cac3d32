"""``mergecast eval`` with the scripted model: asked once, kept, gone on with, compared, counted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import select
from sqlmodel import col

from services.cli.evaluation.labels import SET
from services.cli.evaluation.runs import Run, read_run
from shared.store.session import Database
from shared.store.tables import ModelCallRow
from tests.evals.fair_answers import by_title
from tests.integration.cli.conftest import Answer, Mergecast
from tests.servers.model.server import ModelServer

KEY = "key-of-the-model-server"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """A model that answers as a careful reader does, until the test says otherwise."""
    with ModelServer(answer=by_title, models=("fair",)) as started:
        yield started


@pytest.fixture
def model(server: ModelServer) -> dict[str, str]:
    """The settings of that model, as the environment gives them."""
    named = {"NAME": "fair", "BASE_URL": server.url, "API_KEY": KEY, "DEADLINE": "20"}
    return {f"MERGECAST_MODEL__{name}": value for name, value in named.items()}


def ledger(folder: Path) -> list[tuple[str, str]]:
    """Purpose and status of every call that the data folder's database knows."""
    database = Database(f"sqlite:///{folder / 'data' / 'mergecast' / 'mergecast.sqlite3'}")
    with database.reading() as session:
        rows = session.execute(select(col(ModelCallRow.purpose), col(ModelCallRow.status))).all()
    database.dispose()
    return [(purpose, status) for purpose, status in rows]


def row(told: Answer, title: str) -> list[str]:
    """The cells of one row of the table."""
    found = re.search(rf"^{title}  +(.+)$", told.stdout, re.MULTILINE)
    assert found is not None, told.stdout
    return re.split(r"\s{2,}", found[1].strip())


def run_of(path: Path) -> Run:
    """The run that was kept."""
    run = read_run(path)
    assert run is not None
    return run


def test_answers_are_scored_beside_the_rules_and_counted_as_evaluation(
    mergecast: Mergecast, server: ModelServer, model: dict[str, str], tmp_path: Path
) -> None:
    told = mergecast("eval", "--limit", "4", "--concurrency", "2", **model)

    assert told.returncode == 0, told.stderr
    assert row(told, "answered") == ["4", "4"]
    rules, fair = row(told, "facts told")
    assert int(rules.split()[0]) < int(fair.split()[0])
    assert row(told, "requests") == ["—", "4"]
    assert len(server.asked) == 4
    assert ledger(tmp_path) == [("eval", "answered")] * 4
    assert KEY not in told.stdout + told.stderr


def test_what_is_kept_is_not_asked_again_but_scored_and_can_be_compared(
    mergecast: Mergecast, server: ModelServer, model: dict[str, str], tmp_path: Path
) -> None:
    kept = tmp_path / "fair.json"
    assert mergecast("eval", "--limit", "2", "--output", kept, **model).returncode == 0
    first = run_of(kept)

    again = mergecast("eval", "--limit", "3", "--output", kept, **model)
    assert again.returncode == 0, again.stderr
    assert len(server.asked) == 3
    assert set(first.cases.items()) <= set(run_of(kept).cases.items())
    few = mergecast("eval", "--limit", "1", "--output", kept, **model)
    assert row(few, "cases") == ["1", "1"]
    assert len(run_of(kept).cases) == 3

    server.mode = "obey"
    other = mergecast("eval", "--limit", "3", "--model", "obeying", "--compare", kept, **model)
    assert row(other, "cases") == ["3", "3", "3"]
    assert KEY not in kept.read_text("utf-8")
    assert "data about the merge, written by strangers" not in kept.read_text("utf-8"), "no prompt is kept"


def test_a_run_that_a_budget_ends_goes_on_where_it_was(
    mergecast: Mergecast, server: ModelServer, model: dict[str, str], tmp_path: Path
) -> None:
    kept = tmp_path / "fair.json"
    arguments = ("eval", "--limit", "4", "--concurrency", "1", "--output", kept)

    ended = mergecast(*arguments, **model, MERGECAST_MODEL__DAY_TOKENS="6000")

    assert ended.returncode == 1
    assert "model.day_tokens is 6,000" in ended.stderr
    assert "run the command again to go on" in ended.stderr
    done = len(run_of(kept).cases)
    assert 0 < done < 4
    assert mergecast(*arguments, **model).returncode == 0
    assert len(server.asked) == 4
    assert len(run_of(kept).cases) == 4


def test_a_server_that_does_not_serve_ends_the_run_and_says_why(
    mergecast: Mergecast, server: ModelServer, model: dict[str, str], tmp_path: Path
) -> None:
    server.mode = "unauthorized-401"

    told = mergecast("eval", "--limit", "2", "--concurrency", "1", "--output", tmp_path / "run.json", **model)

    assert told.returncode == 1
    assert "model.api_key" in told.stderr
    assert KEY not in told.stdout + told.stderr
    assert run_of(tmp_path / "run.json").cases == {}


def test_answers_that_cannot_be_used_are_counted_with_their_reason(
    mergecast: Mergecast, server: ModelServer, model: dict[str, str]
) -> None:
    server.mode = "refusal"

    told = mergecast("eval", "--limit", "3", **model)

    assert told.returncode == 0
    assert row(told, "answered") == ["3", "0"]
    assert "the model refused 3" in told.stdout


def test_a_request_that_is_too_long_is_packed_smaller(
    mergecast: Mergecast, server: ModelServer, model: dict[str, str]
) -> None:
    server.script("too-long-llama")

    told = mergecast("eval", "--limit", "1", **model)

    assert row(told, "answered") == ["1", "1"]
    assert row(told, "requests") == ["—", "2"]
    assert len(server.asked[1].user) <= len(server.asked[0].user)


def test_what_a_person_gave_wrong_is_one_line(mergecast: Mergecast, model: dict[str, str], tmp_path: Path) -> None:
    none, wrong, other = tmp_path / "none.json", tmp_path / "wrong.json", tmp_path / "other.json"
    wrong.write_text("[]", "utf-8")
    other.write_text(json.dumps({"model": "another"}), "utf-8")

    for arguments, words in (
        (("--compare", none), "There is no file"),
        (("--compare", wrong), "is no run of mergecast eval"),
        (("--output", other), "holds answers of another"),
        (("--set", none), "cannot be read"),
    ):
        told = mergecast("eval", *arguments, **model)
        assert told.returncode == 2, told
        assert words in told.stderr
        assert told.stderr.count("\n") == 1

    told = mergecast("eval")
    assert (told.returncode, told.stderr) == (
        2,
        "mergecast: No language model is set. Set model.name, or name one with --model.\n",
    )


def test_the_set_of_the_checkout_is_the_default(mergecast: Mergecast, model: dict[str, str]) -> None:
    default, named = (mergecast("eval", "--limit", "1", *more, **model) for more in ((), ("--set", SET)))

    for title in ("cases", "facts told", "claims kept", "tokens in"):
        assert row(default, title) == row(named, title)
