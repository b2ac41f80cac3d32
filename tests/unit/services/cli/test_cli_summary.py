"""The short table after a digest, and ages as people say them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from services.cli.deliveries import age
from services.cli.explain import show
from services.cli.one_week import most_used_base
from services.cli.summary import print_summary
from shared.domain.analysis import Coverage, Evidence, Factor, Importance, Relation, Tag
from shared.domain.digest import CoverageAccount, Digest, Ledger, Provenance, RiskFinding, Theme, WeekFigures
from shared.domain.period import parse_week
from shared.domain.pull_request import DetailSource
from shared.domain.taxonomy import KeyReason, Namespace, Origin, RelationKind
from tests.builders import make_analysis, make_pull_request


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(-5, "0 s"), (0, "0 s"), (119, "119 s"), (120, "2 min"), (7199, "119 min"), (7200, "2 h"), (172_800, "2 d")],
)
def test_an_age_is_said_in_its_largest_unit(seconds: int, said: str) -> None:
    assert age(timedelta(seconds=seconds)) == said


def test_the_summary_tells_totals_and_shows_titles_literally(capsys: pytest.CaptureFixture[str]) -> None:
    made = Digest(
        repository="lumen/lumen",
        branch="main",
        period=parse_week("2026-W19"),
        merged_total=1,
        items_total=1,
        ledger=Ledger(condensed=(1,)),
        elsewhere={"release/1.x": (2, 3)},
        themes=(Theme(key="t", title="[bold]\x1b[2J " + "x" * 90, pull_requests=(1,)),),
        risks=(RiskFinding(tag="risk:hot-file", origin=Origin.RULE, pull_requests=(1,), evidence={}),),
        previous=WeekFigures(week="2026-W18", merged_total=4),
        coverage=CoverageAccount(files_changed=3, files_seen=3, files_read=2, unread={"binary": 1}),
        provenance=Provenance(ruleset_version="1", generated_at=datetime(2026, 5, 11, tzinfo=UTC), so_far=True),
    )

    print_summary(made, 1.234)
    told = capsys.readouterr().out

    assert "2026-W19 UTC (so far)" in told
    assert "1 pull request (4 the week before)" in told
    assert "0 featured, 0 grouped, 1 condensed, 0 failed" in told
    assert "2 into other branches" in told
    assert "[bold] [2J xxx" in told
    assert "hot-file 1" in told
    assert "2 of 3 changed files (1 binary)" in told
    assert "1.2 s" in told
    assert max(map(len, told.splitlines())) <= 80


def test_an_explanation_shows_every_tag_with_its_evidence(capsys: pytest.CaptureFixture[str]) -> None:
    evidence = tuple(Evidence(why=f"reason {number}", path="a.py", quote="words") for number in range(7))
    analysis = make_analysis(
        tags=(Tag(namespace=Namespace.RISK, value="core-path", rule="core-path", evidence=evidence),),
        relations=(Relation(kind=RelationKind.BACKPORTS, source=101, target_commit="a" * 40, confidence=0.5),),
        importance=Importance(
            score=7,
            reason=KeyReason.CONTRACT,
            reason_why="an interface changes",
            factors=(Factor(name="contract", points=9, why="an interface"), Factor(name="bot", points=-2, why="a bot")),
        ),
        coverage=Coverage(
            source=DetailSource.PAYLOAD, files_changed=3, files_seen=1, files_read=0, unread={"binary": 1}
        ),
    )

    show(make_pull_request(), analysis)
    told = capsys.readouterr().out

    assert "reason 4 in a.py “words”" in told
    assert "and 2 more" in told
    assert "backports commit aaaaaaaaaaaa, confidence 50%" in told
    assert "read 0 of 3 changed files from payload; not read: 1 binary; the file list is" in told
    for words in ("+9", "-2", "7  sum", "A candidate for key, as contract: an interface changes"):
        assert words in told


def test_the_most_used_base_stands_in_for_an_unknown_default_branch() -> None:
    merges = [make_pull_request(number, base_ref=base) for number, base in enumerate(("a", "b", "b"), start=1)]

    assert most_used_base(merges) == "b"
    assert most_used_base([]) == "main"
