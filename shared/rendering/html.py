"""The digest as one self-contained HTML page: no script, no request, light and dark, on paper and on a phone."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

from shared.domain.digest import Digest, ListedPullRequest, Section, Span
from shared.rendering.anchors import slug
from shared.rendering.figures import shown
from shared.rendering.html_blocks import Item, items_of
from shared.rendering.html_text import HtmlText, words
from shared.rendering.literal import literal
from shared.rendering.locale import load_locale
from shared.rendering.number_lists import FULL_LIST, NumberList
from shared.rendering.page import STATES, Group, Page, legend, plan, remarks
from shared.rendering.page_templates import stylesheet, template

_FULL_LIST_ID = "full-list"


def render(digest: Digest, language: str) -> str:
    """Return the page in ``language``; InvalidInput when the digest was not narrated in it. Same in, same out."""
    return _Writer(plan(digest, language)).document()


class _Writer:
    """Prepares what the template shows; links go to ``ids``, where the list of each count is."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._ids = _ids_of(page)
        titles = {listed.number: listed.title for listed in page.digest.pull_requests}
        self._text = HtmlText(page.digest, titles, self._ids)

    def document(self) -> str:
        page, locale = self._page, self._page.locale
        zone = page.digest.period.timezone
        return template("digest.html.j2").render(
            page=page,
            digest=page.digest,
            t=locale.text,
            css=stylesheet(),
            nothing=locale.text("must_act.unknown"),
            span_of_days=locale.text_of(
                "page.days", first=locale.day(page.digest.period.start, zone), last=locale.day(page.last_instant, zone)
            ),
            head=[self._text.inline(line) for line in page.head],
            tiles=self._tiles(),
            coverage=self._coverage(),
            languages=[(language, load_locale(language).text("name")) for language in page.digest.sections],
            sections=[(section, section_id(section.key), self._items(section)) for section in page.sections],
            groups=[
                (words(group.name), self._ids[f"group:{group.area}"], self._entries(group)) for group in page.groups
            ],
            legend=self._text.inline(legend(locale)),
            lists=[(words(one.title), self._ids[one.key], self._list(one)) for one in page.lists],
            generated=locale.text_of(
                "page.generated",
                generated=locale.minute(page.digest.provenance.generated_at, zone),
                ruleset=page.digest.provenance.ruleset_version,
            ),
        )

    def _items(self, section: Section) -> list[Item]:
        return items_of(section, self._text)

    def _entries(self, group: Group) -> list[tuple[ListedPullRequest, Markup, Markup, list[Markup]]]:
        """Each merge with its link, its title and the remarks behind it."""
        return [
            (
                listed,
                self._text.pull_request(listed.number, tooltip=False),
                words(literal(listed.title).strip()),
                [self._text.inline(remark) for remark in remarks(listed, self._page)],
            )
            for listed in group.members
        ]

    def _list(self, numbers: NumberList) -> list[tuple[Markup, Markup, Markup]]:
        """Each number with its link, its title (where the document knows it) and the evidence of a risk mark."""
        known = self._page.by_number
        return [
            (
                self._text.pull_request(number, tooltip=False),
                words(literal(known[number].title).strip()) if number in known else Markup(""),
                self._text.inline(numbers.evidence.get(number, ())),
            )
            for number in numbers.numbers
        ]

    def _coverage(self) -> list[tuple[str, Markup, int]]:
        """State, its count, and its size in thousandths of the week."""
        digest = self._page.digest
        ledger = [(state, tuple(getattr(digest.ledger, state))) for state in STATES]
        return [
            (state, self._text.inline([_count(numbers, f"state:{state}")]), 1000 * len(numbers) // digest.merged_total)
            for state, numbers in ledger
            if digest.merged_total
        ]

    def _tiles(self) -> list[tuple[Markup, str, Markup]]:
        """The four numbers at the top: the number, its name, and what it was the week before."""
        digest, text = self._page.digest, self._page.locale.text
        must_act = tuple(dict.fromkeys(item.number for item in digest.must_act))
        marked = [
            one.number for one in digest.pull_requests if any(one.number in r.pull_requests for r in digest.risks)
        ]
        people = self._figure("number(length(/people))")
        inline = self._text.inline
        return [
            (
                inline([_count([one.number for one in digest.pull_requests], FULL_LIST)]),
                text("page.tile_merged"),
                self._before("merged_total"),
            ),
            (inline([people]), text("page.tile_people"), self._before("people")),
            (inline([_count(must_act, "must_act_any")]), text("page.tile_must_act"), Markup("")),
            (inline([_count(marked, "risk_any")]), text("page.tile_risk"), Markup("")),
        ]

    def _before(self, name: str) -> Markup:
        if self._page.digest.previous is None:
            return Markup("")
        before = self._figure(f"number(/previous/{name})")
        return self._text.inline(self._page.locale.spans("page.tile_before", before=before))

    def _figure(self, expression: str) -> Span:
        document = self._page.digest.model_dump(
            mode="json", by_alias=True, include={"merged_total", "previous", "people"}
        )
        return Span(kind="figure", text=shown(expression, document), source=expression)


def section_id(key: str) -> str:
    """The place of a section in the page."""
    return key.replace("_", "-")


def _count(numbers: Sequence[int], list_key: str) -> Span:
    return Span(kind="count", text=str(len(numbers)), pull_requests=tuple(numbers), list_key=list_key)


def _ids_of(page: Page) -> dict[str, str]:
    """A place in the page for each list and group, unique, and readable where its name has ASCII letters.

    An area that has both, because a count says more than its group, is found under its list.
    """
    keys = [f"group:{group.area}" for group in page.groups] + [numbers.key for numbers in page.lists]
    found = {FULL_LIST: _FULL_LIST_ID}
    for key in keys:
        named = key.replace("group:", "area:", 1).replace(":", "-").replace("_", "-")
        readable = "".join(c for c in slug(named) if c.isascii()).strip("-")
        wanted = f"list-{readable}"
        found[key] = wanted if wanted not in found.values() else f"{wanted}-{len(found)}"
    for group in page.groups:
        found.setdefault(f"area:{group.area}", found[f"group:{group.area}"])
    return found
