"""What is counted here and nowhere else: other branches, late arrivals, bots and dependency bumps."""

from __future__ import annotations

from services.digest.narrate.facts import Facts, paragraph
from shared.domain.digest import Paragraph, Span
from shared.domain.taxonomy import Trait

_MOST_BRANCHES = 8


def paragraphs(facts: Facts) -> list[Paragraph]:
    """A line for each kind that occurs; nothing when none does."""
    made = _branches(facts)
    digest, locale = facts.digest, facts.locale
    if digest.late:
        late = locale.spans("elsewhere.late", len(digest.late), count=facts.count(digest.late, "late"))
        made.append(paragraph(late, bullet=True))
    if digest.bots:
        bots = locale.spans("elsewhere.bots", len(digest.bots), count=facts.count(digest.bots, "bots"))
        made.append(paragraph(bots, bullet=True))
    bumps = [listed.number for listed in digest.pull_requests if f"trait:{Trait.VERSION_BUMP}" in listed.tags]
    if bumps:
        count = facts.count(bumps, "dependencies")
        made.append(paragraph(locale.spans("elsewhere.bumps", len(bumps), count=count), bullet=True))
    return made


def _branches(facts: Facts) -> list[Paragraph]:
    ordered = sorted(facts.digest.elsewhere.items(), key=lambda item: (-len(item[1]), item[0]))
    made = [
        paragraph(
            facts.locale.spans(
                "elsewhere.branch",
                len(numbers),
                branch=Span(kind="code", text=branch),
                count=facts.count(numbers, f"elsewhere:{branch}"),
            ),
            bullet=True,
        )
        for branch, numbers in ordered[:_MOST_BRANCHES]
    ]
    rest = [number for _, numbers in ordered[_MOST_BRANCHES:] for number in numbers]
    if rest:
        more = facts.locale.spans("elsewhere.branches", len(rest), count=facts.count(rest, "elsewhere_rest"))
        made.append(paragraph(more, bullet=True))
    return made
