"""Chooses the form and the language of an answer from what the request accepts (RFC 9110, section 12.5); pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

_QUALITY = re.compile(r"q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)", re.IGNORECASE | re.ASCII)


def media_type_for(accept: str | None, offers: Sequence[str]) -> str | None:
    """Return the offer that ``accept`` likes best, the earlier one among equals; None when it likes none.

    The most specific range that covers an offer decides on it: ``text/html;q=0, */*`` takes anything but HTML.
    Without a header everything is liked.
    """
    if accept is None or not accept.strip():
        return offers[0]
    ranges = list(_parse(accept))
    return _best(offers, [_quality(ranges, _media_ranges(offer)) for offer in offers])


def language_for(accept_language: str | None, offers: Sequence[str]) -> str:
    """Return the offered language that ``accept_language`` likes best; the first offer when it likes none.

    ``zh``, ``zh-Hans`` and ``zh-Hans-CN`` all find ``zh-CN``: a reader is better served by a near language than by an
    error, and RFC 9110 allows it.
    """
    if accept_language is None:
        return offers[0]
    ranges = [(wanted, quality) for whole, quality in _parse(accept_language) for wanted in _shortened(whole)]
    return _best(offers, [_quality(ranges, [*_shortened(offer.lower()), "*"]) for offer in offers]) or offers[0]


def _parse(header: str) -> Iterator[tuple[str, float]]:
    """Yield (range in lower case, quality); what has no valid quality is passed over."""
    for element in header.split(","):
        wanted, *parameters = (part.strip() for part in element.split(";"))
        weights = [parameter for parameter in parameters if parameter.lower().startswith("q=")]
        matched = _QUALITY.fullmatch(weights[0]) if weights else None
        if wanted and (matched or not weights):
            yield wanted.lower(), float(matched[1]) if matched else 1.0


def _media_ranges(media_type: str) -> list[str]:
    return [media_type, media_type.partition("/")[0] + "/*", "*/*"]


def _shortened(tag: str) -> list[str]:
    parts = tag.split("-")
    return ["-".join(parts[:length]) for length in range(len(parts), 0, -1)]


def _quality(ranges: Sequence[tuple[str, float]], covering: Sequence[str]) -> float:
    """The quality given by the first of ``covering`` (the most specific first) that was asked for."""
    for name in covering:
        given = [quality for wanted, quality in ranges if wanted == name]
        if given:
            return max(given)
    return 0.0


def _best(offers: Sequence[str], qualities: Sequence[float]) -> str | None:
    best = max(qualities)
    return offers[qualities.index(best)] if best > 0 else None
