"""``explain`` and the summary of a digest say what a model read of a merge, and of how many."""

from __future__ import annotations

import pytest

from services.cli.explain import show
from services.cli.summary import print_summary
from services.digest.narrate import narrate
from shared.domain.provenance import Provenance, ReadingAccount
from shared.domain.reading import (
    ActionClaim,
    CallUsage,
    Claim,
    ContestedClaim,
    Dropped,
    LimitClaim,
    Quote,
    Reading,
    ReasonClaim,
    RiskClaim,
    Seen,
    Shown,
)
from shared.domain.taxonomy import KeyReason, ReviewOutcome, Risk
from tests.builders import make_analysis, make_pull_request
from tests.digest_builder import GENERATED_AT, empty_digest

QUOTES = (Quote(text="wake(readers.popleft())", field="diff", path="engine.py", line=12),)
READING = Reading(
    model="reader-1",
    prompt_version="1",
    language="English",
    repaired=True,
    effect=Claim(text="Readers are woken in order.", quotes=QUOTES, announced=True),
    why=Claim(text="They starved.", quotes=(Quote(text="readers starve", field="body"),)),
    limits=(LimitClaim(text="On Linux alone.", quotes=QUOTES, kind="platform"),),
    actions=(ActionClaim(text="Raise the limit.", quotes=QUOTES, kind="new-default", way_back="Set it to old."),),
    contested=(ContestedClaim(text="The order was disputed.", quotes=QUOTES, outcome=ReviewOutcome.DEFERRED),),
    risks=(RiskClaim(text="Two may wake.", quotes=QUOTES, risk=Risk.CONCURRENCY),),
    reason=ReasonClaim(text="Nobody may rely on it.", quotes=QUOTES, reason=KeyReason.ASSUMPTION),
    keywords=("queue", "order"),
    dropped=(Dropped(field="risks", reason="quote-not-found", count=2),),
    seen=Seen(
        shown=(
            Shown(part="title", characters=10, of_characters=10),
            Shown(part="diff", characters=50, of_characters=90, pieces=1, of_pieces=3),
        ),
        hidden={"html-comment": 1},
        redacted={"token": 2},
    ),
    usage=CallUsage(requests=2, input_tokens=900, cached_tokens=100, output_tokens=80, cost_usd=0.0021, seconds=3.25),
)


@pytest.fixture(autouse=True)
def wide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")


@pytest.mark.parametrize(
    "line",
    [
        "read by reader-1 (prompt 1, English)",
        "effect: announced: Readers are woken in order.",
        "“wake(readers.popleft())” in engine.py:12",
        "why: They starved.",
        "“readers starve” in body",
        "limit (platform): On Linux alone.",
        "to act on (new-default, way back: Set it to old.): Raise the limit.",
        "contested (deferred): The order was disputed.",
        "risk (concurrency): Two may wake.",
        "reason (assumption): Nobody may rely on it.",
        "keywords: queue, order",
        "dropped: 2 of risks (quote-not-found)",
        "shown: title whole, diff 50 of 90 characters and 1 of 3 pieces",
        "taken out first: 1 html-comment, 2 secret token",
        "took: 2 requests, 900 tokens in (100 cached), 80 out, 3.2 s, $0.0021 (answered as json_schema, repaired)",
    ],
)
def test_a_reading_is_explained(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    show(make_pull_request(101), make_analysis(101, reading=READING, model="reader-1", source="model"))
    assert line in capsys.readouterr().out


def test_a_cost_that_nobody_knows_is_not_told_as_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    unpriced = READING.model_copy(update={"usage": CallUsage(requests=1), "dropped": (), "seen": Seen()})
    show(make_pull_request(101), make_analysis(101, reading=unpriced))
    told = capsys.readouterr().out
    assert "took: 1 request, 0 tokens in (0 cached), 0 out, 0.0 s, cost not known" in told
    assert "dropped: nothing" in told
    assert "shown: not known" in told


def test_why_rules_alone_examined_a_merge_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    show(make_pull_request(101), make_analysis(101, source_why="the model has not read it yet"))
    assert "by rules alone: the model has not read it yet" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("account", "told"),
    [
        (ReadingAccount(read=(1, 2), unread={"away": (3,)}), "2 of 0 merges read (by rules alone: 1 away)"),
        (ReadingAccount(read=(1,), refused="claims"), "1 of 0 merges read; not told: claims"),
    ],
)
def test_the_summary_says_what_the_model_read(
    account: ReadingAccount, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    provenance = Provenance(ruleset_version="test", generated_at=GENERATED_AT, readings=account)
    print_summary(narrate(empty_digest(provenance=provenance), ["en"]))
    assert told in capsys.readouterr().out


def test_the_summary_does_not_speak_of_a_model_where_none_is_set(capsys: pytest.CaptureFixture[str]) -> None:
    print_summary(narrate(empty_digest(), ["en"]))
    assert "merges read" not in capsys.readouterr().out
