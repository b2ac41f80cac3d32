"""Spans as HTML: every word escaped, strangers' words isolated, links to the host or to places in the page only."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from markupsafe import Markup, escape

from shared.domain.digest import Digest, Span
from shared.rendering.addresses import pull_request_url
from shared.rendering.literal import literal, runs

_ISOLATED = {
    "title": Markup('<bdi class="title">{}</bdi>'),
    "person": Markup('<bdi class="person">{}</bdi>'),
    "quote": Markup('<bdi class="quote">{}</bdi>'),
}
_PLAIN = {
    "code": Markup("<code>{}</code>"),
    "strong": Markup("<strong>{}</strong>"),
    "count": Markup('<span class="figure">{}</span>'),
    "figure": Markup('<span class="figure">{}</span>'),
    "mark": Markup('<span class="mark-of-model">{}</span>'),
}


@dataclass(frozen=True)
class HtmlText:
    """Turns spans into markup; ``list_ids`` says where in the page the list of a count is."""

    digest: Digest
    titles: Mapping[int, str]
    list_ids: Mapping[str, str]

    def inline(self, spans: Iterable[Span]) -> Markup:
        """Return the spans one after another."""
        return Markup("").join(self._span(span) for span in spans)

    def pull_request(self, number: int, *, tooltip: bool = True) -> Markup:
        """Return a link to the pull request; its title is the tooltip unless it stands beside it."""
        title = literal(self.titles.get(number, "")).strip() if tooltip else ""
        url = pull_request_url(self.digest, number)
        if not title:
            return Markup('<a class="pr" href="{}">#{}</a>').format(url, number)
        return Markup('<a class="pr" href="{}" title="{}">#{}</a>').format(url, title, number)

    def _span(self, span: Span) -> Markup:
        linked = self._linked(span)
        if linked is not None:
            return linked
        if span.kind == "model":
            return self._of_model(span)
        if span.kind in _ISOLATED:
            text = span.text if span.kind == "quote" else literal(span.text).strip()
            return _ISOLATED[span.kind].format(words(text))
        return _PLAIN.get(span.kind, Markup("{}")).format(literal(span.text))

    def _of_model(self, span: Span) -> Markup:
        """Words of a model as they are, backticks too, in the language that it writes."""
        language, text = self.digest.provenance.model_language, literal(span.text).strip()
        if language is None:
            return Markup('<bdi class="model">{}</bdi>').format(text)
        return Markup('<bdi class="model" lang="{}">{}</bdi>').format(language, text)

    def _linked(self, span: Span) -> Markup | None:
        """The span as a link, when it is one; only code makes addresses, and only these forms pass."""
        if span.kind == "pull_request" and span.number is not None:
            return self.pull_request(span.number)
        if span.kind == "mark" and span.number is not None:
            url = pull_request_url(self.digest, span.number)
            return Markup('<a class="mark-of-model" href="{}" title="#{}">{}</a>').format(url, span.number, span.text)
        if span.kind == "count" and span.pull_requests and span.list_key and span.list_key in self.list_ids:
            return Markup('<a class="count" href="#{}">{}</a>').format(self.list_ids[span.list_key], span.text)
        if span.kind == "link" and span.url and span.url.startswith(("https://", "#")):
            return Markup('<a href="{}">{}</a>').format(span.url, literal(span.text))
        return None


def words(text: str) -> Markup:
    """Return a line of a stranger, its code spans as code."""
    return Markup("").join(
        Markup("<code>{}</code>").format(run.text) if run.code else escape(run.text) for run in runs(literal(text))
    )
