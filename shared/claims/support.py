"""Whether the facts of a merge support what a sentence names, and where: diff before tree before words."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum

from shared.claims.facts import KnownFacts
from shared.claims.haystack import Haystack, Place
from shared.claims.identifiers import Mention, MentionKind, mentioned
from shared.claims.matching import Form, forms_of, search
from shared.domain.value import Value


class Where(StrEnum):
    """What supports a token, strongest first."""

    ADDED = "added"
    REMOVED = "removed"
    CONTEXT = "context"
    PATH = "path"
    TREE = "tree"
    DESCRIPTION = "description"
    REVIEW = "review"
    NOWHERE = "nowhere"


IN_DIFF = frozenset({Where.ADDED, Where.REMOVED, Where.CONTEXT, Where.PATH})


class Support(Value):
    """Where a token was found; ``found_as`` is set when not the token itself but a form or part of it stands there."""

    where: Where
    place: Place | None = None
    found_as: str | None = None


class Finding(Value):
    """What became of one token; ``complete`` is True when the whole diff was searched, so that absence is evidence."""

    mention: Mention
    support: Support
    complete: bool
    gaps: tuple[str, ...] = ()
    """What of the diff was not searched."""

    @property
    def in_diff(self) -> bool:
        """Whether the merged diff shows it."""
        return self.support.where in IN_DIFF

    @property
    def announced_only(self) -> bool:
        """Whether only the description has it: the whole diff was searched, and the tree where it could be asked."""
        return self.complete and self.support.where is Where.DESCRIPTION


def check(text: str, facts: KnownFacts) -> tuple[Finding, ...]:
    """Return a finding for every checkable token of ``text``, in its order."""
    return tuple(find(mention, facts) for mention in mentioned(text))


def announced_only(text: str, facts: KnownFacts) -> tuple[Finding, ...]:
    """Return the findings of ``text`` that only the description supports: announced, not done."""
    return tuple(finding for finding in check(text, facts) if finding.announced_only)


def find(mention: Mention, facts: KnownFacts) -> Finding:
    """Return the strongest place of a token: the diff outranks the tree, the tree the description, that the review.

    Within one of these the token itself outranks a form of it; a form in the diff outranks the token itself elsewhere.
    """
    forms = forms_of(mention)
    whole = True
    for group in _groups(mention, facts):
        for near in (False, True):
            for where, hay in group:
                for form in forms:
                    if form.near is near:
                        found = search(hay, form)
                        whole = whole and found.whole
                        if found.position is not None:
                            return _finding(mention, facts, _support(where, hay, form, found.position), whole=whole)
        if group[0][0] in IN_DIFF and (support := _in_tree(mention, facts, forms)):
            return _finding(mention, facts, support, whole=whole)
    return _finding(mention, facts, Support(where=Where.NOWHERE), whole=whole)


def _groups(mention: Mention, facts: KnownFacts) -> Iterator[list[tuple[Where, Haystack]]]:
    """The texts in which to look, strongest first; a path is looked for among the changed paths first."""
    diff = [(Where.ADDED, facts.added), (Where.REMOVED, facts.removed), (Where.CONTEXT, facts.context)]
    path = (Where.PATH, facts.paths)
    yield [path, *diff] if mention.kind is MentionKind.PATH else [*diff, path]
    yield [(Where.DESCRIPTION, facts.description)]
    yield [(Where.REVIEW, facts.review)]


def _in_tree(mention: Mention, facts: KnownFacts, forms: tuple[Form, ...]) -> Support | None:
    """The tree is asked for the token as it is written; figures stand everywhere in a tree, which says nothing."""
    if facts.tree is None or mention.kind is MentionKind.FIGURE:
        return None
    path = facts.tree(forms[0].needle)
    return Support(where=Where.TREE, place=Place(field="tree", path=path)) if path is not None else None


def _support(where: Where, hay: Haystack, form: Form, position: int) -> Support:
    found = hay.text[position : position + len(form.needle)]
    return Support(where=where, place=hay.place(position), found_as=found if form.near else None)


def _finding(mention: Mention, facts: KnownFacts, support: Support, *, whole: bool) -> Finding:
    return Finding(mention=mention, support=support, complete=whole and not facts.gaps, gaps=facts.gaps)
