"""Words that a rule wrote about a merge, with pull request numbers made into links."""

from __future__ import annotations

import re

from shared.domain.digest import Span

_NUMBER = re.compile(r"(?:(?<=^)|(?<=[\s(,]))#([1-9]\d{0,8})\b")
_QUOTED = re.compile(r"“[^”]*”")


def linked(text: str) -> tuple[Span, ...]:
    """Return ``text`` as quotes, and as links wherever it names a pull request of this repository, as in ``#12``.

    What stands between “ and ” are words of a stranger: their numbers stay words.
    """
    made: list[Span] = []
    done = 0
    quoted = [found.span() for found in _QUOTED.finditer(text)]
    for found in _NUMBER.finditer(text):
        if any(start < found.start() < end for start, end in quoted):
            continue
        made.extend(_quote(text[done : found.start()]))
        made.append(Span(kind="pull_request", text=found[0], number=int(found[1])))
        done = found.end()
    return (*made, *_quote(text[done:]))


def _quote(text: str) -> tuple[Span, ...]:
    return (Span(kind="quote", text=text),) if text else ()
