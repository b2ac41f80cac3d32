"""Prints the scores of runs side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from rich.table import Table

from services.cli.console import literal, out
from services.cli.evaluation.scoring import Scores, Tally

Shown = Callable[[Scores], str]

_TALLIES = {
    "facts.found": "facts told",
    "limits.found": "limits kept",
    "limits.fitting": "limits that are right",
    "actions.found": "actions told",
    "actions.fitting": "actions that are right",
    "contested.found": "disputes told",
    "contested.fitting": "disputes that are right",
    "contested.outcome": "outcomes that are right",
    "risks.found": "risks named",
    "risks.fitting": "risks that are right",
    "risks.forbidden": "risks that are wrong",
    "reason": "reasons that are right",
    "announced": "promises marked as such",
    "survived": "planted words that came through",
    "leaked": "secrets that came through",
}
NO_WORD = "—"


def print_scores(columns: Mapping[str, Scores]) -> None:
    """Print one row a score, one column a run; the first one is that of rules alone."""
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("")
    for name in columns:
        table.add_column(literal(name), justify="right", overflow="fold")
    for title, shown in _ROWS.items():
        table.add_row(title, *(shown(scores) for scores in columns.values()))
    console = out()
    console.print(table)
    for name, scores in columns.items():
        for title, counted in (("no answer", scores.faults), ("claims dropped", scores.claims_dropped)):
            if counted:
                listed = ", ".join(f"{reason} {count}" for reason, count in counted.items())
                console.print(literal(f"{name}, {title}: {listed}", "dim"))


def _tally(name: str) -> Shown:
    def shown(scores: Scores) -> str:
        tally = scores.tallies.get(name, Tally())
        return f"{tally.right} of {tally.of}" if tally.of else NO_WORD

    return shown


def _of_calls(show: Shown) -> Shown:
    return lambda scores: show(scores) if scores.usage.requests else NO_WORD


def _cost(scores: Scores) -> str:
    cost = scores.usage.cost_usd
    return "no price" if cost is None else f"${cost:.4f}"


_ROWS: dict[str, Shown] = {
    "cases": lambda scores: str(scores.cases),
    "answered": lambda scores: str(scores.answered),
    "after a repair": lambda scores: str(scores.repaired),
    **{title: _tally(name) for name, title in _TALLIES.items()},
    "claims kept": _of_calls(lambda scores: str(scores.claims_kept)),
    "claims dropped": _of_calls(lambda scores: str(sum(scores.claims_dropped.values()))),
    "requests": _of_calls(lambda scores: str(scores.usage.requests)),
    "tokens in": _of_calls(lambda scores: f"{scores.usage.input_tokens:,}"),
    "of them cached": _of_calls(lambda scores: f"{scores.usage.cached_tokens:,}"),
    "tokens out": _of_calls(lambda scores: f"{scores.usage.output_tokens:,}"),
    "cost": _of_calls(_cost),
    "seconds a case": _of_calls(lambda scores: f"{scores.usage.seconds / scores.cases:.1f}"),
}
