"""Hostile words through both renderers, read back by parsers that know nothing of the product."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, lru_cache

import pytest

from services.digest.narrate import narrate
from shared.domain.analysis import ReviewPoint
from shared.domain.digest import Digest, KeyPullRequest, MustAct, Theme
from shared.domain.taxonomy import KeyReason, ReviewOutcome
from shared.rendering import html, markdown
from shared.rendering.markdown_text import code, words
from tests.digest_builder import REPOSITORY, make_listed, rich_digest, titled_digest
from tests.hostile_strings import HOSTILE, ORDINARY
from tests.html_reading import Page, page_problems, read_page
from tests.markdown_reading import Reading, read, shown, unmarked

LANGUAGES = ("en", "zh-CN")
HOST = f"https://github.com/{REPOSITORY}"

MENTION = re.compile(r"(?<!\w)@[A-Za-z0-9_]|[\w.+-]@[\w-]")
REFERENCE = re.compile(r"#\d|\bGH-\d", re.IGNORECASE)
ADDRESS = re.compile(r"[A-Za-z0-9+.-]://|(?<![A-Za-z0-9])www\.|\bmailto:\w|\bxmpp:\w", re.IGNORECASE)
COMMIT = re.compile(r"\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,40}\b")


def hostile_digest(hostile: str) -> Digest:
    """A digest in which one string stands wherever a stranger has a say."""
    digest = rich_digest()
    texts = {"title": hostile, "author": hostile}
    key = {**texts, "number": 201, "url": "javascript:alert(1)", "reason": KeyReason.CONTRACT, "reason_why": hostile}
    said = dict.fromkeys(("person", "quote", "path", "answer", "resolved_by"), hostile)
    outcomes = (ReviewOutcome.REJECTED, ReviewOutcome.SETTLED)
    key |= {"review_points": tuple(ReviewPoint(**said, outcome=outcome, comments=2) for outcome in outcomes)}
    must_act = dict.fromkeys(("old", "new", "way_back", "place"), hostile or None) | {"what": hostile}
    theme = Theme(key="t", title=hostile, pull_requests=(202, 203), found_by=hostile, areas=(hostile,))
    update = {
        "branch": hostile or "main",
        "pull_requests": tuple(one.model_copy(update=texts) for one in digest.pull_requests),
        "key_pull_requests": (KeyPullRequest(**key),),
        "must_act": (MustAct(number=201, kind="breaking-change", **must_act),),
        "themes": (theme,),
        "risks": tuple(
            risk.model_copy(update={"evidence": dict.fromkeys(risk.evidence, hostile)}) for risk in digest.risks
        ),
        "follow_ups": tuple(item.model_copy(update={"text": hostile}) for item in digest.follow_ups),
        "relations": tuple(
            relation.model_copy(update={"evidence": hostile, "label": hostile}) for relation in digest.relations
        ),
        "elsewhere": {hostile: (198, 199)},
        "people": (hostile,),
    }
    return narrate(digest.model_copy(update=update), ["en"])


@dataclass(frozen=True)
class Rendered:
    """One hostile string wherever it can stand, in English, written once for all tests."""

    markdown: str
    html: str
    reading: Reading
    page: Page


@cache
def rendered(hostile: str) -> Rendered:
    digest = hostile_digest(hostile)
    written, page = markdown.render(digest, "en"), html.render(digest, "en")
    return Rendered(written, page, read(written), read_page(page))


@lru_cache
def all_titles(language: str) -> tuple[str, str, Digest]:
    """One week whose merges have all the hostile titles, as Markdown and as HTML."""
    digest = narrate(titled_digest([*HOSTILE, *ORDINARY]), [language])
    return markdown.render(digest, language), html.render(digest, language), digest


@lru_cache
def page_text() -> str:
    return _readable(read_page(all_titles("en")[1]).text)


hostile_strings = pytest.mark.parametrize("hostile", HOSTILE, ids=lambda text: ascii(text)[:40])


@hostile_strings
def test_c27_titles_are_shown_literally_in_markdown(hostile: str) -> None:
    calm, found = rendered("calm").reading, rendered(hostile).reading
    assert found.raw_html == []
    assert found.images == []
    assert not re.search(r"<[a-zA-Z/!?]", _without_code(rendered(hostile).markdown))
    assert sum(part.items for part in found.parts) == sum(part.items for part in calm.parts)
    assert len(found.parts) == len(calm.parts)
    # A rule that says "#12" means a pull request of the repository, and gets a link.
    extra = len(re.findall(r"(?:^|[\s(,])#[1-9]", hostile))
    assert len(calm.links) <= len(found.links) <= len(calm.links) + 60 * extra


@hostile_strings
def test_c27_titles_are_shown_literally_in_html(hostile: str) -> None:
    calm, found = rendered("calm").page, rendered(hostile).page
    assert page_problems(rendered(hostile).html, HOST) == []
    assert found.counts["li"] == calm.counts["li"]
    assert found.counts["tr"] == calm.counts["tr"]
    assert found.counts["bdi"] >= calm.counts["bdi"] - calm.text.count("calm")


@pytest.mark.parametrize("language", LANGUAGES)
def test_c27_a_week_of_hostile_titles_loses_no_merge(language: str) -> None:
    written, page, digest = all_titles(language)
    reading = read(written)
    numbers = {f"#{listed.number}" for listed in digest.pull_requests}
    assert {text for _, text in reading.links if text.startswith("#")} == numbers
    assert read_page(page).pull_requests == numbers
    assert page_problems(page, HOST) == []


@hostile_strings
def test_c27_every_link_goes_to_the_host_or_into_the_document(hostile: str) -> None:
    reading = rendered(hostile).reading
    anchors = {f"#{part.anchor}" for part in reading.parts}
    for address, _ in reading.links:
        assert address.startswith(f"{HOST}/") or address == HOST or address in anchors, address


@pytest.mark.parametrize("title", [*ORDINARY, *(h for h in HOSTILE if h.isascii() and h.isprintable())], ids=ascii)
def test_c28_titles_read_as_the_author_wrote_them(title: str) -> None:
    assert _readable(shown(f"x {words(title)} x")) == _readable(f"x {title} x")
    assert _readable(title) in page_text()


@pytest.mark.parametrize(
    ("title", "written"),
    [
        ("Fix `__init__` in foo_bar*", "Fix `__init__` in foo_bar\\*"),
        ("snake_case_name", "snake_case_name"),
        ("C#", "C#"),
        ("2 * 3", "2 * 3"),
        ("unbalanced ` backtick", "unbalanced \\` backtick"),
        ("[Bugfix][Core] Fix it", "[Bugfix][Core] Fix it"),
        ("use `a_b` and `c*d`", "use `a_b` and `c*d`"),
        ("__init__", "\\_\\_init\\_\\_"),
        ("100% & more", "100% & more"),
    ],
)
def test_c28_no_more_is_escaped_than_must_be(title: str, written: str) -> None:
    assert words(title) == written


@pytest.mark.parametrize(
    "text", [h for h in HOSTILE if h.strip() and h.isprintable() and h.isascii()], ids=lambda text: ascii(text)[:40]
)
@pytest.mark.parametrize("cell", [False, True])
def test_c28_code_is_shown_as_code(text: str, cell: bool) -> None:
    table = f"|a|b|\n|-|-|\n|{code(text, cell=True)}|end|\n" if cell else f"x {code(text)} end"
    assert _readable(shown(table)).endswith(_readable(f"{text}end"))


@hostile_strings
def test_c29_nobody_is_mentioned(hostile: str) -> None:
    prose = rendered(hostile).reading.prose
    assert not MENTION.search(prose)


@pytest.mark.parametrize("name", ["ada", "dependabot[bot]", "@ada", "Ada <ada@example.org>"])
def test_c29_names_are_plain_and_readable(name: str) -> None:
    digest = narrate(rich_digest(pull_requests=tuple(_by(name))), ["en"])
    written = markdown.render(digest, "en")
    assert name in unmarked(read(written).prose)
    assert not MENTION.search(read(written).prose)


@hostile_strings
def test_c30_nothing_but_our_own_links_refers_to_anything(hostile: str) -> None:
    prose = rendered(hostile).reading.prose
    prose = prose.replace("2026.05", "")
    assert not REFERENCE.search(prose)
    assert not ADDRESS.search(prose)
    assert not COMMIT.search(prose)


@pytest.mark.parametrize("hostile", ["abc\u202edef", "\u2066x\u2069", "\u202a\u202b\u202c\u202d\u2067\u2068"])
def test_c32_overrides_are_made_visible(hostile: str) -> None:
    digest = hostile_digest(hostile)
    for text in (markdown.render(digest, "en"), html.render(digest, "en")):
        assert not set(text) & set("\u202a\u202b\u202c\u202d\u202e\u2066\u2067")
        assert f"⟨U+{ord(hostile.strip('abcx')[0]):04X}⟩" in text


@pytest.mark.parametrize("title", ["שלום עולם", "مرحبا بالعالم", "تصحيح `code` في foo_bar"])
def test_c32_text_that_is_written_from_right_to_left_stays_and_is_isolated(title: str) -> None:
    digest = narrate(titled_digest([title, "after it"]), ["en"])
    written, page = markdown.render(digest, "en"), html.render(digest, "en")
    assert f"\u2068{title}\u2069" in written
    plain = title.replace("`code`", "<code>code</code>")
    assert f'<bdi class="title">{plain}</bdi>' in page
    assert "after it" in written


@pytest.mark.parametrize("hidden", ["\u200b", "\u2060", "\ufeff", "\u00ad", "\U000e0041", "\u180e", "\u3164", "\u200d"])
def test_c32_what_cannot_be_seen_goes(hidden: str) -> None:
    digest = narrate(titled_digest([f"be{hidden}fore"]), ["en"])
    for text in (markdown.render(digest, "en"), html.render(digest, "en")):
        assert hidden not in text
        assert "before" in text


def _by(name: str) -> list:
    return [make_listed(number, author=name, co_authors=(name,)) for number in range(201, 213)]


def _without_code(text: str) -> str:
    """Code spans show their content as it is, tags included."""
    return re.sub(r"(?<!\\)(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)", "", text)


def _readable(text: str) -> str:
    """What is left when code marks and the width of spaces do not count."""
    return re.sub(r"[\s`]+", "", unmarked(text))
