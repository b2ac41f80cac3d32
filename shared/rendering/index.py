"""The index page over weeks and repositories, in the look of the digests."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from urllib.parse import quote

from shared.domain.digest import Digest
from shared.domain.period import zone_of
from shared.domain.text import fold
from shared.rendering.figures import integer
from shared.rendering.locale import load_locale
from shared.rendering.page_templates import stylesheet, template


@dataclass(frozen=True)
class IndexEntry:
    """A published digest and the folder of its pages, relative to the index, parts joined by ``/``."""

    digest: Digest
    folder: str


def render(entries: Iterable[IndexEntry], language: str = "en") -> str:
    """Return the page: repositories by name, the newest week first. InvalidInput when there is no such language."""
    locale = load_locale(language)
    by_repository: dict[str, list[IndexEntry]] = {}
    for entry in sorted(entries, key=lambda entry: (fold(entry.digest.repository), entry.digest.repository)):
        by_repository.setdefault(entry.digest.repository, []).append(entry)
    return template("index.html.j2").render(
        language=language,
        t=locale.text,
        css=stylesheet(),
        count=locale.text_of("index.count", len(by_repository), count=integer(len(by_repository))),
        repositories=[
            (repository, [_row(entry) for entry in sorted(found, key=_newest_first, reverse=True)])
            for repository, found in by_repository.items()
        ],
    )


def _newest_first(entry: IndexEntry) -> tuple[str, str]:
    return entry.digest.period.start.isoformat(), entry.folder


def _row(entry: IndexEntry) -> dict[str, object]:
    digest, period = entry.digest, entry.digest.period
    zone = zone_of(period.timezone)
    return {
        "digest": digest,
        "first": f"{period.start.astimezone(zone):%Y-%m-%d}",
        "last": f"{(period.end - timedelta(seconds=1)).astimezone(zone):%Y-%m-%d}",
        "merged": integer(digest.merged_total),
        "generated": f"{digest.provenance.generated_at.astimezone(zone):%Y-%m-%d %H:%M} {period.timezone}",
        "pages": [
            (language, load_locale(language).text("name"), quote(f"{entry.folder}/digest.{language}.html"))
            for language in digest.sections
        ],
    }
