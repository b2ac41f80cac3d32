"""The names that a file takes from elsewhere, which importers of the file can then take from it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from services.analyzer.facts.sides import Fragment, Line, Side

_MOST_LINES = 400
"""Of one list of names."""
_PYTHON = re.compile(r"\s{0,40}from (?P<module>[\w.]{1,200}) import (?P<names>.{0,480})")
_TYPESCRIPT = re.compile(r"\s{0,40}export (?:type )?(?P<names>\{.{0,480})")
_SOURCE = re.compile(r"\} from [\"'](?P<module>[^\"']{1,200})")
_RUST = re.compile(r"\s{0,40}pub use (?P<names>.{0,480})")
_NAME = re.compile(r"(?P<name>[\w$]{1,120})(?: as (?P<alias>[\w$]{1,120}))?(?: ?[,;)}\n]| ?$)")


@dataclass(frozen=True, slots=True)
class Imported:
    """One name as it can be taken from the file, its name where it comes from, that module as far as it is known."""

    name: str
    original: str
    module: str
    line: Line


def imports_of(side: Side, language: str | None) -> tuple[Imported, ...]:
    """Return the names that a Python file imports, a TypeScript file exports again, a Rust file uses publicly."""
    form = _FORMS.get(language or "")
    return tuple(one for fragment in side.fragments for one in _listed(fragment, form)) if form else ()


@dataclass(frozen=True, slots=True)
class _Form:
    """How a language begins such a statement, the bracket that keeps its list open, and the words that come first."""

    begins: re.Pattern[str]
    opening: str
    closing: str
    word: str


_FORMS = {
    "python": _Form(_PYTHON, "(", ")", "from "),
    "typescript": _Form(_TYPESCRIPT, "{", "}", "export "),
    "rust": _Form(_RUST, "{", "}", "pub use "),
}


def _listed(fragment: Fragment, form: _Form) -> Iterator[Imported]:
    """Yield the names of each statement of this form, over lines while its bracket is open."""
    lines = fragment.lines
    held: list[tuple[str, str, int]] = []
    module, depth, begun = "", 0, 0
    for place, code in enumerate(lines.code):
        if depth == 0:
            matched = form.begins.match(code) if code.lstrip().startswith(form.word) else None
            if matched is None:
                continue
            module, names = matched.groupdict().get("module") or "", matched["names"]
            held, begun = [], place
        else:
            names = code
        held += [(one["alias"] or one["name"], one["name"], place) for one in _NAME.finditer(names)]
        depth += code.count(form.opening) - code.count(form.closing)
        if depth <= 0 or place - begun > _MOST_LINES:
            source = _SOURCE.search(code)
            yield from (
                Imported(alias, name, source["module"] if source else module, lines[at]) for alias, name, at in held
            )
            depth = 0
