"""How unlikely a coincidence is, as powers of ten; the less likely, the surer a theme."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import exp, lgamma, log, log10

_LOG_10 = log(10)
_SMALLEST = 1e-12
_TERMS = 12
"""Above the expectation the terms of a tail fall fast; later ones change nothing."""


@lru_cache(maxsize=100_000)
def drawn_tail(hits: int, draws: int, marked: int, total: int) -> float:
    """Return log10 of the probability of at least ``hits`` marked ones among ``draws`` of ``total`` (Fisher's test)."""
    draws, marked = min(draws, total), min(marked, total)
    if hits * total <= draws * marked:
        return 0.0
    terms = [
        _log_choose(marked, k) + _log_choose(total - marked, draws - k) - _log_choose(total, draws)
        for k in range(hits, min(draws, marked, hits + _TERMS) + 1)
        if draws - k <= total - marked
    ]
    return min(_log_sum(terms) / _LOG_10, 0.0) if terms else 0.0


def combined(logs: Sequence[float]) -> float:
    """Return log10 of the probability that the product of so many independent probabilities is as small (Fisher)."""
    total = -sum(logs) * _LOG_10
    tail = sum(exp(k * log(max(total, _SMALLEST)) - lgamma(k + 1)) for k in range(len(logs)))
    return min(log10(max(tail, _SMALLEST)) - total / _LOG_10, 0.0)


def corrected(tests: int) -> float:
    """Return what must be added to a log10 probability that is the best of ``tests`` (Bonferroni)."""
    return log10(max(tests, 1))


def _log_choose(total: int, chosen: int) -> float:
    return lgamma(total + 1) - lgamma(chosen + 1) - lgamma(total - chosen + 1)


def _log_sum(logs: list[float]) -> float:
    top = max(logs)
    return top + log(sum(exp(value - top) for value in logs))
