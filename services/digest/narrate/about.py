"""How the digest was made: the account of coverage, window, search, rules, limits, and how to correct it."""

from __future__ import annotations

from services.digest.narrate import model_account
from services.digest.narrate.facts import Facts, Spans, paragraph
from shared.domain.digest import Paragraph, Span
from shared.rendering.addresses import search_url
from shared.rendering.figures import pointer
from shared.rendering.locale import Fill
from shared.rendering.model_words import mark


def paragraphs(facts: Facts) -> list[Paragraph]:
    """One line for each point."""
    points = [_made(facts), _window(facts), _ends(facts), _ledger(facts), _host(facts), *_read(facts)]
    points += [
        *model_account.points(facts),
        _degraded(facts),
        facts.locale.spans("about.counting"),
        facts.locale.spans("about.names"),
    ]
    points.append(facts.locale.spans("about.corrections"))
    return [paragraph(point, bullet=True) for point in points if point]


def _made(facts: Facts) -> Spans:
    provenance = facts.digest.provenance
    fills: dict[str, Fill] = {
        "ruleset": Span(kind="code", text=provenance.ruleset_version),
        "generated": facts.locale.minute(provenance.generated_at, facts.digest.period.timezone),
    }
    if provenance.mode == "model" and provenance.model:
        prompt = Span(kind="code", text=provenance.prompt_version or "–")
        fills |= {"model": Span(kind="code", text=provenance.model), "mark": mark(facts.locale)}
        return facts.locale.spans("about.made_model", prompt=prompt, **fills)
    return facts.locale.spans("about.made_alone" if provenance.readings else "about.made", **fills)


def _window(facts: Facts) -> Spans:
    period, locale = facts.digest.period, facts.locale
    return locale.spans(
        "about.window",
        branch=Span(kind="code", text=facts.digest.branch),
        start=locale.minute(period.start, period.timezone),
        end=locale.minute(period.end, period.timezone),
        search=Span(kind="link", text=locale.text("page.search"), url=search_url(facts.digest)),
    )


def _ends(facts: Facts) -> Spans:
    """The first and the last merge, so that the window can be checked."""
    if not facts.digest.pull_requests:
        return ()
    ordered = sorted(facts.digest.pull_requests, key=lambda listed: (listed.merged_at, listed.number))
    zone = facts.digest.period.timezone
    return facts.locale.spans(
        "about.ends",
        first=facts.pull_request(ordered[0].number),
        first_at=facts.locale.minute(ordered[0].merged_at, zone),
        last=facts.pull_request(ordered[-1].number),
        last_at=facts.locale.minute(ordered[-1].merged_at, zone),
    )


def _ledger(facts: Facts) -> Spans:
    if not facts.digest.merged_total:
        return ()
    ledger = facts.digest.ledger
    states = {
        name: facts.count(getattr(ledger, name), f"state:{name}")
        for name in ("featured", "grouped", "condensed", "failed")
    }
    parts = [facts.locale.spans("about.ledger", all=facts.count(facts.all_numbers, "all"), **states)]
    if facts.digest.items_total != facts.digest.merged_total:
        parts.append(facts.locale.spans("about.items", items=facts.figure("number(/items_total)")))
    return facts.locale.sentences(parts)


def _host(facts: Facts) -> Spans:
    """How many merges the host knows, and which of them are missing; else why that is not known (C-13, C-55)."""
    complete, zone = facts.digest.completeness, facts.digest.period.timezone
    if complete is None:
        return _unknown(facts)
    parts = [
        facts.locale.spans(
            "about.completeness",
            captured=facts.figure("number(/completeness/captured)"),
            known=facts.figure("number(/completeness/known_to_host)"),
            host=_host_name(facts),
            checked=facts.locale.minute(complete.checked_at, zone),
        )
    ]
    if complete.missing:
        parts.append(facts.locale.spans("about.missing", missing=facts.pull_requests(complete.missing)))
    return facts.locale.sentences(parts)


def _unknown(facts: Facts) -> Spans:
    gap = facts.digest.completeness_gap
    if gap is None or gap.why == "not-asked":
        return facts.locale.spans("about.completeness_unknown")
    if gap.since is None:
        return facts.locale.spans("about.gap.never-reached", host=_host_name(facts))
    since = facts.locale.minute(gap.since, facts.digest.period.timezone)
    return facts.locale.spans(f"about.gap.{gap.why}", host=_host_name(facts), since=since)


def _host_name(facts: Facts) -> Span:
    return Span(kind="code", text=facts.digest.host)


def _read(facts: Facts) -> list[Spans]:
    """How many of the changed files were seen, and of how many the patch was read."""
    coverage, locale = facts.digest.coverage, facts.locale
    if not facts.digest.merged_total:
        return []
    made = [
        locale.spans(
            "about.files",
            **{name: facts.figure(f"number(/coverage/files_{name})") for name in ("changed", "seen", "read")},
        )
    ]
    if coverage.unread:
        reasons = [
            locale.spans(
                "about.unread_reason",
                reason=facts.name("unread", reason),
                count=facts.figure(f"number(entry(/coverage/unread,{reason}))"),
            )
            for reason in sorted(coverage.unread)
        ]
        made.append(locale.spans("about.unread", reasons=locale.joined(reasons)))
    if coverage.patches_only:
        count = facts.figure("number(/coverage/patches_only)")
        made.append(locale.spans("about.patches_only", coverage.patches_only, count=count))
    for name in ("without_details", "partial"):
        numbers = getattr(coverage, name)
        if numbers:
            made.append(locale.spans(f"about.{name}", len(numbers), count=facts.count(numbers, name)))
    return [*made, _not_whole(facts)]


def _not_whole(facts: Facts) -> Spans:
    """How many merges have a list that was not read to its end, by list and by reason (C-26)."""
    lists = [
        facts.locale.spans(
            "about.cut_list",
            list=facts.name("cut.list", name),
            reason=facts.name("cut.reason", why),
            count=facts.figure(f"number({pointer('coverage', 'cut', name, why)})"),
        )
        for name, reasons in sorted(facts.digest.coverage.cut.items())
        for why in sorted(reasons)
    ]
    return facts.locale.spans("about.cut", lists=facts.locale.listed(lists, "joining.clause")) if lists else ()


def _degraded(facts: Facts) -> Spans:
    degraded = facts.digest.provenance.degraded
    if not degraded:
        return facts.locale.spans("about.not_degraded")
    parts = [
        facts.locale.spans(f"degraded.{reason}", **model_account.degraded(facts, reason))
        if facts.locale.knows(f"degraded.{reason}")
        else facts.rule_words(reason)
        for reason in degraded
    ]
    return facts.locale.spans("about.degraded", reasons=facts.locale.listed(parts, "joining.clause"))
