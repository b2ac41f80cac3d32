"""The account of the model: what it read, what became of what it said, what it was shown, and what that took."""

from __future__ import annotations

from services.digest.narrate.facts import Facts, Spans
from shared.domain.digest import Span
from shared.domain.provenance import MISSED, ReadingAccount
from shared.rendering.figures import pointer
from shared.rendering.locale import Fill

_PLACE = ("provenance", "readings")


def points(facts: Facts) -> list[Spans]:
    """A line for each point; none when no model was to read anything of the week."""
    account = facts.digest.provenance.readings
    if account is None:
        return []
    return [_read(facts, account), _claims(facts, account), _shown(facts, account), _spent(facts)]


def degraded(facts: Facts, reason: str) -> dict[str, Fill]:
    """What the sentence about a loss of the model needs: the claims, a moment or a count.

    Shares are told in whole percents, which may round to what the gate asks for.
    """
    account = facts.digest.provenance.readings
    if account is None:
        return {}
    if reason == "model-claims":
        return {name: _figure(facts, name) for name in ("kept", "claims")}
    if reason == "model-away" and account.away_since is not None:
        return {"since": facts.locale.minute(account.away_since, facts.digest.period.timezone)}
    missed = sorted(number for why in MISSED for number in account.unread.get(why, ()))
    return {"count": facts.count(missed, "missed")}


def _read(facts: Facts, account: ReadingAccount) -> Spans:
    locale = facts.locale
    fills: dict[str, Fill] = {
        "read": facts.count(account.read, "read"),
        "all": facts.count(facts.all_numbers, "all"),
    }
    parts = [locale.spans("about.read_by_model", **fills)]
    if len(account.models) > 1:
        models = [
            _counted(facts, (Span(kind="code", text=name),), facts.count(numbers, f"read_by:{name}"))
            for name, numbers in account.models.items()
        ]
        parts.append(locale.spans("about.models", models=locale.listed(models, "joining.clause")))
    if account.unread:
        reasons = [
            _counted(facts, locale.spans(f"model.unread.{why}"), facts.count(numbers, f"unread:{why}"))
            for why, numbers in account.unread.items()
        ]
        parts.append(locale.spans("about.by_rules_alone", reasons=locale.listed(reasons, "joining.clause")))
    return locale.sentences(parts)


def _counted(facts: Facts, name: Spans, count: Span) -> Spans:
    return facts.locale.spans("about.unread_reason", reason=name, count=count)


def _claims(facts: Facts, account: ReadingAccount) -> Spans:
    """How many claims were supported, and why others are not told."""
    if not account.read:
        return ()
    parts = [facts.locale.spans("about.claims", kept=_figure(facts, "kept"))]
    if account.dropped:
        reasons = [
            _counted(facts, facts.locale.spans(f"model.dropped.{why}"), _figure(facts, "dropped", why))
            for why in account.dropped
        ]
        parts.append(facts.locale.spans("about.dropped", reasons=facts.locale.listed(reasons, "joining.clause")))
    return facts.locale.sentences(parts)


def _shown(facts: Facts, account: ReadingAccount) -> Spans:
    """What the model did not see of the merges that it read."""
    if not account.read:
        return ()
    return facts.locale.spans(
        "about.shown",
        partial=facts.count(account.partial, "shown_in_part"),
        hidden=_figure(facts, "hidden"),
        redacted=_figure(facts, "redacted"),
    )


def _spent(facts: Facts) -> Spans:
    usage = facts.digest.usage
    if not usage.requests:
        return ()
    known = usage.cost_usd is not None
    cost = facts.locale.spans("about.cost", cost=facts.figure("dollars(/usage/cost_usd)")) if known else ()
    return facts.locale.spans(
        "about.spent",
        usage.requests,
        requests=facts.figure("number(/usage/requests)"),
        given=facts.figure("number(/usage/input_tokens)"),
        cached=facts.figure("number(/usage/cached_tokens)"),
        answered=facts.figure("number(/usage/output_tokens)"),
        cost=cost or facts.locale.spans("about.cost_unknown"),
    )


def _figure(facts: Facts, *steps: str) -> Span:
    return facts.figure(f"number({pointer(*_PLACE, *steps)})")
