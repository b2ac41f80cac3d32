"""Turns the analysed merges of one week into its digest as data; pure, and the same for any order of its input."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from services.digest.act_on_facts import facts_of
from services.digest.areas import AreaMap
from services.digest.figures import area_figures, change_types_of, coverage_of, figures_of
from services.digest.findings import Findings
from services.digest.follow_ups import follow_up
from services.digest.frame import Frame
from services.digest.gate import by_rules, readings_of, refusal_of, with_mode
from services.digest.ledger import keep_ledger, states_of, told_in_groups
from services.digest.membership import Membership, branches_elsewhere, sort_out
from services.digest.merges import Merge, by_importance, tagged
from services.digest.must_act import find_must_act, shown_of
from services.digest.people import Credits, bots_of
from services.digest.readings import account_of, language_of, told_readings, usage_of
from services.digest.relations import resolve, same_commit, undone
from services.digest.risks import find_risks
from services.digest.selection import choose_key, feature, key_pull_requests, left_out
from services.digest.taken_back import taken_back
from services.digest.themes import find_themes
from services.digest.window_rules import WINDOW_RULES
from shared.domain.analysis import Tag
from shared.domain.digest import Digest, ListedPullRequest, MustAct, State, Theme, WeekFigures
from shared.domain.provenance import MISSED, Provenance, ReadingAccount, Refusal, Usage
from shared.domain.taxonomy import Namespace, Origin, Risk

__all__ = ["Frame", "aggregate", "figures_of"]

NO_RULES = "none"
"""Ruleset version of a week in which nothing was analysed and the frame names none."""


def aggregate(
    merges: Sequence[Merge],
    frame: Frame,
    *,
    earlier: Sequence[Merge] | None = None,
    late: Sequence[Merge] = (),
    previous_digest: Digest | None = None,
    refused: Refusal | None = None,
) -> Digest:
    """Return the digest of ``frame``'s week without sections.

    When the gate refuses what models said of the week, or it was ``refused`` before, rules alone make the digest.
    ``merges`` may hold merges of other weeks and branches; membership goes by ``merged_at`` and base branch alone.
    ``earlier`` are the merges of the week before (None when that week is not stored), ``late`` those of sealed weeks
    that arrived since. Raises ``LedgerBroken`` rather than return a digest whose states do not add up.
    """
    members = sort_out(merges, frame, earlier, late)
    refused = refused or refusal_of(members.window)
    account = account_of(members.window, frame, refused)
    usage = frame.usage or usage_of(members.window)
    week = _look(_examined(_without_models(members) if refused else members, frame.switched_off), frame)
    return with_mode(_digest(week, frame, previous_digest, _provenance(week.members.window, frame, account), usage))


def _without_models(members: Membership) -> Membership:
    return replace(
        members,
        window=tuple(map(by_rules, members.window)),
        earlier=None if members.earlier is None else tuple(map(by_rules, members.earlier)),
        elsewhere=tuple(map(by_rules, members.elsewhere)),
        late=tuple(map(by_rules, members.late)),
    )


def _digest(week: _Week, frame: Frame, previous_digest: Digest | None, provenance: Provenance, usage: Usage) -> Digest:
    window = week.members.window
    told = told_in_groups(week.themes, week.findings.relations, week.must_act) | week.findings.cancelled
    ledger = keep_ledger(window, {merge.number for merge in week.findings.featured}, told)
    people = Credits((*week.members.background, *window))
    previous = _previous(week.members, frame, week.areas)
    return Digest(
        repository=frame.repository.full_name,
        host=frame.repository.host,
        branch=frame.branch,
        period=frame.period,
        merged_total=len(window),
        items_total=len(window) - sum(len(shared) - 1 for shared in same_commit(window)),
        pull_requests=_listed(window, states_of(ledger), people, week.areas),
        ledger=ledger,
        elsewhere=branches_elsewhere(week.members.elsewhere),
        completeness=frame.completeness,
        completeness_gap=frame.completeness_gap,
        change_types=change_types_of(window),
        areas=area_figures(window, week.areas, previous.areas if previous else None),
        risks=find_risks(window),
        themes=week.themes,
        key_pull_requests=key_pull_requests(week.findings.key, people),
        readings=told_readings(week.findings.featured, {merge.number for merge in week.findings.key}),
        facts=facts_of(window),
        must_act=week.must_act,
        must_act_cut=week.must_act_cut,
        relations=tuple(week.findings.relations),
        follow_ups=follow_up(week.findings, previous_digest),
        taken_back=taken_back(week.findings.relations, previous_digest),
        people=people.everybody(window),
        bots=bots_of(window),
        late=tuple(sorted(merge.number for merge in week.members.late)),
        previous=previous,
        coverage=coverage_of(window),
        provenance=provenance,
        usage=usage,
    )


@dataclass(frozen=True)
class _Week:
    """What was found out about one week, before it is counted and put into words."""

    findings: Findings
    areas: AreaMap
    themes: tuple[Theme, ...]
    must_act: tuple[MustAct, ...]
    must_act_cut: tuple[int, ...]

    @property
    def members(self) -> Membership:
        return self.findings.members


def _look(members: Membership, frame: Frame) -> _Week:
    window = members.window
    relations = resolve(members)
    cancelled = frozenset(number for pair in undone(window, relations) for number in pair)
    areas = AreaMap.of(window)
    themes = find_themes(window, members.background, relations, cancelled, areas.areas)
    featured = feature(window, themes, left_out(window, relations, cancelled), frame.featured)
    to_act = find_must_act(window, cancelled)
    ruled = frozenset(row.number for row in to_act if row.origin is Origin.RULE)
    acting = {Origin.RULE: ruled, Origin.MODEL: frozenset(row.number for row in to_act)}
    findings = Findings(
        members=members,
        relations=relations,
        cancelled=cancelled,
        acting=ruled,
        key=choose_key(window, featured, themes, frame.key_pull_requests, acting),
        featured=tuple(merge for merge in by_importance(window) if merge.number in featured),
    )
    shown, cut = shown_of(to_act)
    return _Week(findings=findings, areas=areas, themes=themes, must_act=shown, must_act_cut=cut)


def _examined(members: Membership, off: frozenset[Risk]) -> Membership:
    """The members with the tags that only a window shows; the week before is examined alone, for its figures."""
    window = tagged(members.window, _wanted(members.window, members.background, off))
    earlier = members.earlier
    if earlier is not None:
        earlier = tagged(earlier, _wanted(earlier, (), off))
    return replace(members, window=window, earlier=earlier)


def _wanted(window: Sequence[Merge], before: Sequence[Merge], off: frozenset[Risk]) -> Iterator[tuple[int, Tag]]:
    """What the window rules find, less the risk marks that are switched off."""
    for rule in WINDOW_RULES:
        for number, tag in rule.examine(window, before):
            if not (tag.namespace is Namespace.RISK and tag.value in off):
                yield number, tag


def _previous(members: Membership, frame: Frame, areas: AreaMap) -> WeekFigures | None:
    if members.earlier is None:
        return None
    return figures_of(members.earlier, frame.period.previous().week, areas)


def _listed(
    window: Sequence[Merge], states: Mapping[int, State], people: Credits, areas: AreaMap
) -> tuple[ListedPullRequest, ...]:
    listed: list[ListedPullRequest] = []
    for merge in window:
        author, co_authors = people.of(merge)
        pull_request = merge.pull_request
        listed.append(
            ListedPullRequest(
                number=merge.number,
                title=pull_request.title,
                url=pull_request.url,
                author=author,
                co_authors=co_authors,
                bot=merge.by_bot,
                merged_at=merge.merged_at,
                additions=pull_request.additions,
                deletions=pull_request.deletions,
                changed_files=pull_request.changed_files,
                change_type=merge.change_type,
                areas=areas.areas(merge),
                tags=tuple(tag.name for tag in by_rules(merge).tags),
                importance=merge.score,
                state=states[merge.number],
                partial=merge.analysis is not None and merge.analysis.coverage.partial,
            )
        )
    return tuple(listed)


def _provenance(window: Sequence[Merge], frame: Frame, account: ReadingAccount | None) -> Provenance:
    analyses = [merge.analysis for merge in window if merge.analysis is not None]
    versions = sorted({analysis.ruleset_version for analysis in analyses})
    readings = readings_of(window)
    failed = ("failed-analyses",) if len(analyses) < len(window) else ()
    return Provenance(
        mode="model" if readings else "rules",
        model=", ".join(sorted({reading.model for reading in readings})) or None,
        prompt_version=", ".join(sorted({reading.prompt_version for reading in readings})) or None,
        model_language=language_of(window),
        ruleset_version=", ".join(versions) or frame.ruleset_version or NO_RULES,
        generated_at=frame.generated_at,
        degraded=tuple(dict.fromkeys((*frame.degraded, *failed, *_degraded(account)))),
        so_far=frame.so_far,
        readings=account,
    )


def _degraded(account: ReadingAccount | None) -> Iterator[str]:
    """What a reader misses of the model; merges that were left to rules on purpose are no loss."""
    if account is None:
        return
    if account.refused is not None:
        yield f"model-{account.refused}"
    if account.away_since is not None:
        yield "model-away"
    if any(account.unread.get(reason) for reason in MISSED):
        yield "model-unread"
