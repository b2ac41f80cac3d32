"""The review of a key pull request: who asked for what, in whose words, how it ended, and where it stands."""

from __future__ import annotations

from services.digest.narrate.facts import Facts, Spans
from shared.domain.analysis import ReviewPoint
from shared.domain.digest import KeyPullRequest, Span
from shared.domain.taxonomy import ReviewOutcome
from shared.rendering.locale import Fill

_QUOTE = 160
_ANSWER = 100
_WITH_WORDS = frozenset({"settled", "rejected", "deferred", "approved_saying"})


def review(facts: Facts, key: KeyPullRequest) -> Spans:
    """What is told of the review, with its label; nothing where nothing is known."""
    words = told(facts, key)
    return facts.locale.spans("key.review", review=words) if words else ()


def told(facts: Facts, key: KeyPullRequest) -> Spans:
    """A sentence for each request that the aggregation chose, else its own words."""
    if key.review_points:
        return facts.locale.sentences([_point(facts, point) for point in key.review_points])
    return facts.rule_words(key.review) if key.review else ()


def _point(facts: Facts, point: ReviewPoint) -> Spans:
    clauses = [clause for clause in (_asked(facts, point), _end(facts, point)) if clause]
    words = facts.locale.listed(clauses, "joining.clause")
    if point.url is None:
        return facts.locale.spans("key.review_point", told=words)
    page = Span(kind="link", text=facts.locale.text("key.review_page"), url=point.url)
    return facts.locale.spans("key.review_point_linked", told=words, page=page)


def _asked(facts: Facts, point: ReviewPoint) -> Spans:
    locale, person, quote = facts.locale, facts.person(point.person), _quote(point.quote, _QUOTE)
    if point.changes_requested and not point.quote:
        return locale.spans("key.review_requested_silently", person=person)
    if point.changes_requested:
        return locale.spans("key.review_requested", person=person, quote=quote)
    if point.path is None:
        return locale.spans("key.review_remarked", person=person, quote=quote)
    place = Span(kind="quote", text=f"{point.path}:{point.line}" if point.line else point.path)
    return locale.spans("key.review_remarked_at", person=person, place=place, quote=quote)


def _end(facts: Facts, point: ReviewPoint) -> Spans:
    """How it ended: in the words that say so, else by the mark of the host; nothing where neither tells."""
    key = _kind_of_end(point)
    if key is None:
        return ()
    fills: dict[str, Fill] = {}
    if key in _WITH_WORDS:
        fills["answer"] = _quote(point.answer, _ANSWER)
    if key == "resolved_by":
        fills["person"] = facts.person(point.resolved_by or "")
    return facts.locale.spans(f"key.review_ends.{key}", **fills)


def _kind_of_end(point: ReviewPoint) -> str | None:
    approved = point.outcome is ReviewOutcome.SETTLED and point.comments == 0
    if approved:
        return "approved_saying" if point.answer else "approved"
    if point.outcome is not ReviewOutcome.ASKED and point.answer:
        return str(point.outcome)
    if point.outcome is ReviewOutcome.DEFERRED:
        return "put_off"
    if point.resolved:
        return "resolved_by" if point.resolved_by else "resolved"
    if point.outdated:
        return "outdated"
    return "left_open" if point.resolved is False else None


def _quote(words: str, longest: int) -> Span:
    """Words of a stranger, cut where they are long; the full stop is that of the sentence around them."""
    short = words if len(words) <= longest else words[: longest - 1].rstrip() + "…"
    return Span(kind="quote", text=short.removesuffix("."))
