"""What a language model says of a merge, as spans: its words, the sign behind them, and what they quote."""

from __future__ import annotations

from shared.domain.digest import Span
from shared.domain.reading import Claim, Quote
from shared.rendering.locale import Locale

Spans = tuple[Span, ...]

_LONGEST_QUOTE = 160


def mark(locale: Locale, number: int | None = None) -> Span:
    """Return the sign that what stands before it is of a model; with ``number`` it leads to the pull request."""
    return Span(kind="mark", text=locale.text("model.mark"), number=number)


def clause(claim: Claim, number: int, locale: Locale) -> Spans:
    """Return ``claim`` as a part of a sentence; one that only the description shows is told as announced."""
    return locale.spans("model.clause", claim=_words(claim, number, locale, "inside"), mark=mark(locale, number))


def sentence(claim: Claim, number: int, locale: Locale) -> Spans:
    """Return ``claim`` as a sentence of its own."""
    return locale.spans("model.sentence", claim=_words(claim, number, locale, "first"), mark=mark(locale, number))


def said_by_model(text: str, number: int, locale: Locale) -> Spans:
    """Return other words of a model about the merge, such as the way back of an action."""
    return locale.spans("model.clause", claim=Span(kind="model", text=text, number=number), mark=mark(locale, number))


def quoting(claim: Claim, number: int, locale: Locale) -> Spans:
    """Return ``claim`` with the first words that it rests on and where they stand."""
    quote = claim.quotes[0]
    words = Span(kind="quote", text=_short(quote.text))
    told = clause(claim, number, locale)
    return locale.spans("model.quoting", claim=told, quote=words, place=_place(quote, locale))


def _words(claim: Claim, number: int, locale: Locale, where: str) -> Spans:
    words = (Span(kind="model", text=claim.text, number=number),)
    return locale.spans(f"model.announced.{where}", claim=words) if claim.announced else words


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1].rstrip() + "…"


def _place(quote: Quote, locale: Locale) -> Span:
    """The line of the file; of words that stand in no file, which part of the merge they are from."""
    if quote.path is None:
        key = f"model.fields.{quote.field}"
        return Span(text=locale.text(key) if locale.knows(key) else quote.field)
    return Span(kind="code", text=f"{quote.path}:{quote.line}" if quote.line else quote.path)
