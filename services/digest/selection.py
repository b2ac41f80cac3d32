"""Which merges are told by name, and which of them are key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence

from services.digest.gate import reason_is_judged
from services.digest.merges import Merge, by_importance
from services.digest.people import Credits
from services.digest.review import points_of, review_of
from services.digest.themes import BY_SERIES
from shared.domain.digest import DigestRelation, KeyPullRequest, Theme
from shared.domain.taxonomy import KeyReason, Origin, RelationKind, Trait

_OF_A_SERIES = 1
_OF_A_THEME = 3
_ALIKE = 1.5
_ALIKE_AT_MOST = 6
_SPARE = 8
"""Merges that are weighed for each one that is featured."""
_KEY_OF_A_THEME = 2
_KEY_OF_A_REASON = 3
_KEY_AT_LEAST = 5
_NEVER = (Trait.BOT, Trait.VERSION_BUMP, Trait.REVERTED)


def left_out(window: Sequence[Merge], relations: Iterable[DigestRelation], undone: Collection[int]) -> frozenset[int]:
    """Return who is never told on its own: bots, version bumps, what cancels out, copies of what is here already."""
    numbers = {merge.number for merge in window}
    copies = {
        relation.source
        for relation in relations
        if relation.kind in (RelationKind.BACKPORTS, RelationKind.SAME_COMMIT) and relation.to in numbers
    }
    unfit = {merge.number for merge in window if merge.by_bot or merge.has(*_NEVER) or merge.analysis is None}
    return frozenset(copies | unfit | set(undone))


def feature(window: Sequence[Merge], themes: Iterable[Theme], unfit: Collection[int], limit: int) -> tuple[int, ...]:
    """Return at most ``limit`` numbers, in the order in which they were chosen.

    The most important first; what shares an area or a theme with those chosen already comes a little later, so that the
    week is seen in its breadth. Of a numbered series only the most important part is chosen, of another theme at most
    three: the rest is told with it.
    """
    home = {number: (theme.key, _cap(theme)) for theme in themes for number in theme.pull_requests}
    fit = [merge for merge in by_importance(window) if merge.score > 0 and merge.number not in unfit]
    waiting = {merge.number: merge for merge in fit[: limit * _SPARE]}
    areas: Counter[str] = Counter()
    themes_used: Counter[str] = Counter()
    chosen: list[int] = []
    while waiting and len(chosen) < limit:
        number = min(waiting, key=lambda n: (-_worth(waiting[n], areas, themes_used[home.get(n, ("", 0))[0]]), n))
        merge = waiting.pop(number)
        theme, cap = home.get(number, ("", limit))
        if themes_used[theme] >= cap:
            continue
        themes_used[theme] += 1 if theme else 0
        areas.update(_areas(merge)[:1])
        chosen.append(number)
    return tuple(chosen)


def _worth(merge: Merge, areas: Counter[str], of_its_theme: int) -> float:
    alike = max((areas[area] for area in _areas(merge)[:1]), default=0)
    return merge.score - min(_ALIKE * alike, _ALIKE_AT_MOST) - _ALIKE * of_its_theme


def _areas(merge: Merge) -> tuple[str, ...]:
    return merge.analysis.areas if merge.analysis else ()


def choose_key(
    window: Sequence[Merge],
    featured: Collection[int],
    themes: Iterable[Theme],
    limit: int,
    acting: Mapping[Origin, Collection[int]],
) -> tuple[Merge, ...]:
    """Return at most ``limit`` of the featured merges that have a reason, the most important first.

    To be key because readers must act, a merge must be among those ``acting`` that ask them to, for the origin of
    its reason: a row of a model bears out no reason of a rule. Not more than two of a theme and three for one reason,
    unless fewer than five would be left.
    """
    home = {number: theme.key for theme in themes for number in theme.pull_requests}
    fit = [
        merge
        for merge in by_importance(window)
        if merge.number in featured
        and (why := _reason(merge)) is not None
        and (why is not KeyReason.MUST_ACT or merge.number in acting[_origin(merge)])
    ]
    used: Counter[str] = Counter()
    chosen: list[Merge] = []
    for merge in fit:
        theme, reason = f"theme:{home.get(merge.number)}", f"reason:{_reason(merge)}"
        crowded = merge.number in home and used[theme] >= _KEY_OF_A_THEME
        if len(chosen) < limit and not crowded and used[reason] < _KEY_OF_A_REASON:
            used.update((theme, reason))
            chosen.append(merge)
    for merge in fit:
        if len(chosen) < min(_KEY_AT_LEAST, limit) and merge not in chosen:
            chosen.append(merge)
    return by_importance(chosen)


def key_pull_requests(merges: Iterable[Merge], people: Credits) -> tuple[KeyPullRequest, ...]:
    """Return the key pull requests with the reason that each was chosen for; ``merges`` all have one."""
    made: list[KeyPullRequest] = []
    for merge in merges:
        reason = _reason(merge)
        if merge.analysis is not None and reason is not None:
            points = points_of(merge)
            made.append(
                KeyPullRequest(
                    number=merge.number,
                    title=merge.pull_request.title,
                    url=merge.pull_request.url,
                    author=people.of(merge)[0],
                    reason=reason,
                    reason_why=merge.analysis.importance.reason_why,
                    reason_origin=_origin(merge),
                    review="" if points else review_of(merge),
                    review_points=points,
                )
            )
    return tuple(made)


def _reason(merge: Merge) -> KeyReason | None:
    return merge.analysis.importance.reason if merge.analysis else None


def _origin(merge: Merge) -> Origin:
    """Who gave the reason to be key."""
    analysis = merge.analysis
    judged = analysis is not None and reason_is_judged(analysis.importance, analysis.reading)
    return Origin.MODEL if judged else Origin.RULE


def _cap(theme: Theme) -> int:
    return _OF_A_SERIES if theme.found_by == BY_SERIES else _OF_A_THEME
