"""Joins merges of one week into stories: numbered series, references between them, shared words and places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from services.digest.areas import OTHER
from services.digest.grouping import joined
from services.digest.headings import lone_heading, shared_heading
from services.digest.merges import Merge, by_importance, by_number
from services.digest.series import find_series
from services.digest.themes.candidates import LARGEST
from services.digest.themes.choice import choose
from services.digest.themes.features import read_corpus
from services.digest.themes.wording import key_of_theme, name_of
from services.digest.titles import bare, key_of
from shared.domain.digest import DigestRelation, Theme
from shared.domain.taxonomy import ChangeType, RelationKind
from shared.domain.text import fold

BY_SERIES = "numbered-series"
BY_REFERENCE = "references"
BY_WORDS = "shared-words"
BY_SUBJECT = "shared-subject"
METHODS = (BY_SERIES, BY_REFERENCE, BY_WORDS, BY_SUBJECT)
"""Every value of ``Theme.found_by``: slugs, which a locale puts into words."""

SHOWN = 10
_AREAS = 3
_SPARE = 4
"""Candidates that are looked at for each theme that is shown: the rest could not become important enough."""
_TELLING = 5
"""The importance of a theme is that of its most important members."""
_STORY_WEIGHT = {BY_SERIES: 1.3, BY_REFERENCE: 1.2, BY_WORDS: 1.3, BY_SUBJECT: 1.0}
"""What authors told as one story counts for more than what only has its subject in common."""
_REFERENCES = frozenset({RelationKind.STACKED_ON, RelationKind.CONTINUES, RelationKind.RELANDS, RelationKind.BACKPORTS})
_CHORES = frozenset((ChangeType.CHORE, ChangeType.BUILD, ChangeType.CI, ChangeType.DOCS, ChangeType.STYLE))


@dataclass(frozen=True)
class _Story:
    key: str
    title: str
    numbers: tuple[int, ...]
    found_by: str


def find_themes(
    window: Sequence[Merge],
    earlier: Sequence[Merge],
    relations: Iterable[DigestRelation],
    left_out: AbstractSet[int],
    areas: Callable[[Merge], tuple[str, ...]],
) -> tuple[Theme, ...]:
    """Return at most ten themes of the window, the most important first; each merge is in one at most.

    ``earlier`` only says what is common anyway. Merges without an analysis, those of bots and those ``left_out`` (taken
    back) are in none. ``areas`` names the areas of a merge.
    """
    routine = _routine([*window, *earlier])
    usable = [
        merge
        for merge in window
        if merge.analysis and not merge.by_bot and merge.number not in left_out and _said(merge) not in routine
    ]
    merges = by_number(usable)
    links = [
        (relation.source, relation.to)
        for relation in relations
        if relation.kind in _REFERENCES and relation.source in merges and relation.to in merges
    ]
    stories = [
        _Story(key=key_of_theme("series", series.title), title=series.title, numbers=numbers, found_by=BY_SERIES)
        for series in find_series(usable)
        if (numbers := series.numbers)
    ]
    corpus = read_corpus(usable, earlier)
    chosen = choose(corpus, [number for story in stories for number in story.numbers])
    chosen.sort(key=lambda one: (-_weight(one.numbers, merges), one.order))
    for candidate in chosen[: SHOWN * _SPARE]:
        name = name_of(corpus, candidate)
        found_by = BY_WORDS if candidate.phrase else BY_SUBJECT
        stories.append(_Story(key_of_theme("theme", name), name, candidate.numbers, found_by))
    stories = _with_references(_same_name_joined(stories), links, merges)
    ordered = sorted(stories, key=lambda story: (-_importance(story, merges), story.key, story.numbers))
    themes = (_theme(story, merges, areas) for story in _with_unique_keys(ordered))
    return tuple(_told_apart(themes))[:SHOWN]


def _routine(merges: Iterable[Merge]) -> set[str]:
    """Titles that come back word for word and are chores: what is done every few days is no story."""
    chores = Counter(_said(merge) for merge in merges if merge.change_type in _CHORES)
    return {title for title, count in chores.items() if count > 1}


def _said(merge: Merge) -> str:
    return fold(bare(merge.pull_request.title))


def _same_name_joined(stories: Sequence[_Story]) -> list[_Story]:
    """Join a series with the theme of the same name, when both fit into one story."""
    joined_stories: dict[str, _Story] = {}
    for story in stories:
        name = key_of(story.title)
        known = joined_stories.get(name)
        if known is not None and len(known.numbers) + len(story.numbers) <= LARGEST:
            joined_stories[name] = replace(
                known, numbers=tuple(sorted((*known.numbers, *story.numbers))), found_by=BY_WORDS
            )
        else:
            joined_stories[name if known is None else f"{name} {len(joined_stories)}"] = story
    return list(joined_stories.values())


def _with_references(
    stories: Sequence[_Story], links: Sequence[tuple[int, int]], merges: Mapping[int, Merge]
) -> list[_Story]:
    """Let loose merges join the story that they refer to; what refers to each other outside of all is its own story."""
    home = {number: place for place, story in enumerate(stories) for number in story.numbers}
    members = [list(story.numbers) for story in stories]
    own: list[_Story] = []
    for group in joined(links):
        loose = [number for number in group if number not in home]
        places = sorted({home[number] for number in group if number in home})
        if len(places) == 1 and len(members[places[0]]) + len(loose) <= LARGEST:
            members[places[0]] += loose
        elif len(loose) > 1 and not places:
            lead = by_importance(merges[number] for number in loose)[0]
            own.append(
                _Story(
                    key=f"linked-{loose[0]}",
                    title=_title_of_linked(lead, [merges[number] for number in loose[:LARGEST]]),
                    numbers=tuple(loose[:LARGEST]),
                    found_by=BY_REFERENCE,
                )
            )
    return [replace(story, numbers=tuple(found)) for story, found in zip(stories, members, strict=True)] + own


def _title_of_linked(lead: Merge, members: Sequence[Merge]) -> str:
    titles = [bare(merge.pull_request.title) for merge in (lead, *(one for one in members if one is not lead))]
    return shared_heading(titles) or lone_heading(titles[0])


def _told_apart(themes: Iterable[Theme]) -> Iterator[Theme]:
    """Themes of the same title as a more important one get their area behind it; without one they are left out."""
    used: set[str] = set()
    for theme in themes:
        titles = (theme.title, *(f"{theme.title} ({area})" for area in theme.areas))
        title = next((title for title in titles if key_of(title) not in used), None)
        if title is not None:
            used.add(key_of(title))
            yield theme if title == theme.title else theme.model_copy(update={"title": title})


def _with_unique_keys(stories: Iterable[_Story]) -> list[_Story]:
    used: Counter[str] = Counter()
    unique: list[_Story] = []
    for story in stories:
        used[story.key] += 1
        unique.append(replace(story, key=f"{story.key}-{used[story.key]}") if used[story.key] > 1 else story)
    return unique


def _importance(story: _Story, merges: Mapping[int, Merge]) -> float:
    return _weight(story.numbers, merges) * _STORY_WEIGHT[story.found_by] + len(story.numbers) / 10


def _weight(numbers: Iterable[int], merges: Mapping[int, Merge]) -> int:
    return sum(sorted((max(merges[number].score, 0) for number in numbers), reverse=True)[:_TELLING])


def _theme(story: _Story, merges: Mapping[int, Merge], areas: Callable[[Merge], tuple[str, ...]]) -> Theme:
    counted = Counter(area for number in story.numbers for area in areas(merges[number]) if area != OTHER)
    ordered = sorted(counted, key=lambda area: (-counted[area], area))
    return Theme(
        key=story.key,
        title=story.title,
        pull_requests=story.numbers,
        found_by=story.found_by,
        areas=tuple(area for area in ordered if 2 * counted[area] >= len(story.numbers))[:_AREAS],
    )
