"""What is wrong with rendered pages of a digest, as parsers find it that know nothing of the product."""

from __future__ import annotations

import json
from collections.abc import Iterator

from tests.html_reading import page_problems
from tests.integration.safety.week import Told
from tests.integration.safety.words import problems_of_document
from tests.markdown_reading import read
from tests.unit.shared.rendering.test_hostile_text import ADDRESS, COMMIT, MENTION, REFERENCE


def problems_of_markdown(text: str, host: str) -> Iterator[str]:
    """Markup of strangers, links that lead elsewhere, and words in which the host sees mentions or references."""
    reading = read(text)
    yield from (f"raw HTML: {one}" for one in reading.raw_html)
    yield from (f"image: {one}" for one in reading.images)
    anchors = {f"#{part.anchor}" for part in reading.parts}
    for address, _ in reading.links:
        if address not in anchors and address != host and not address.startswith(f"{host}/"):
            yield f"link to {address}"
    for pattern in (MENTION, REFERENCE, ADDRESS, COMMIT):
        if found := pattern.search(reading.prose):
            yield f"{pattern.pattern}: {reading.prose[max(0, found.start() - 60) : found.end() + 60]!r}"


def problems_of(told: Told) -> list[str]:
    """All that is wrong with what a week let out."""
    host = f"https://github.com/{told.digest.repository}"
    found: list[str] = []
    for name, text in [*told.files.items(), *told.answers.items()]:
        bad: list[str] = []
        if name.endswith((".json", "application/json", "/analysis", "limit=500", "/digests")):
            bad = problems_of_document(json.loads(text))
        elif name.endswith((".md", "text/markdown")):
            bad = list(problems_of_markdown(text, host))
        elif name.endswith((f"{told.digest.period.week}/digest.en.html", "digest.zh-CN.html", "text/html")):
            bad = page_problems(text, host)
        found += [f"{name}: {one}" for one in bad]
    return found
