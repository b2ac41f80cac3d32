"""Reads ``labeler.yml``, version 4 or 5 of actions/labeler, as areas of files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import yaml
from yaml import CBaseLoader

from services.analyzer.area_names import convention_area
from services.analyzer.minimatch_globs import minimatch_glob
from services.analyzer.path_globs import PathGlobs
from shared.domain.errors import InvalidInput

LARGEST = 256 * 1024
"""Characters."""
MOST_ENTRIES = 5_000
"""Labels, rules and patterns, each alias and choice written out, and one for each 100 characters of a choice more.

A small file may stand for very much.
"""

_PROBES = ("\x01", "\x01/\x01/\x01.\x01")
"""Paths that nobody has: a label that fits these fits every path, and says nothing about where a file belongs."""
_OPTIONS = (
    "any-glob-to-any-file",
    "any-glob-to-all-files",
    "all-globs-to-any-file",
    "all-globs-to-all-files",
)

Fits = Callable[[str], bool]


@dataclass(frozen=True)
class LabelGlobs:
    """The files that a label is about."""

    area: str
    label: str
    globs: PathGlobs


@dataclass
class _Rule:
    """One rule: a file belongs to it when it fits one of ``wanted`` (if there are any) and each of ``needed``."""

    wanted: list[Fits] = field(default_factory=list)
    needed: list[Fits] = field(default_factory=list)

    def fits(self, path: str) -> bool:
        if not (self.wanted or self.needed):
            return False
        return (not self.wanted or any(fits(path) for fits in self.wanted)) and all(fits(path) for fits in self.needed)


@dataclass
class _Budget:
    left: int = MOST_ENTRIES
    patterns: list[str] = field(default_factory=list)
    compiled: dict[str, PathGlobs] = field(default_factory=dict)
    """By pattern: an alias may repeat it thousands of times."""

    def entries(self, value: Any) -> Iterator[Any]:
        """Yield ``value``, or its entries when it is a list, and count them."""
        for entry in value if isinstance(value, list) else [value]:
            self.spend(1)
            yield entry

    def spend(self, entries: int) -> None:
        """Count ``entries``; InvalidInput when there are too many by now."""
        self.left -= entries
        if self.left < 0:
            raise InvalidInput(f"it has more than {MOST_ENTRIES:,} entries")


def read_labeler(text: str) -> list[LabelGlobs]:
    """Return the areas of a labeler file, in its order; InvalidInput says what is wrong with it.

    The labeler asks whether a pull request gets a label; here it is asked which of its files the label is about: those
    that fit a pattern which one file has to fit, and all patterns that every file has to fit. Patterns on branches say
    nothing about files. https://github.com/actions/labeler
    """
    budget = _Budget()
    found = []
    for label, rules in _mapping(text).items():
        budget.patterns = []
        fits = _label(str(label), rules, budget)
        area = convention_area(str(label))
        if area and budget.patterns and not all(fits(probe) for probe in _PROBES):
            found.append(LabelGlobs(area, str(label), PathGlobs(fits, tuple(budget.patterns))))
    return found


def _mapping(text: str) -> dict[Any, Any]:
    """Every scalar stays text: labels such as ``on`` and ``1.0`` are names, and nothing is merged or constructed."""
    if len(text) > LARGEST:
        raise InvalidInput(f"it is larger than {LARGEST // 1024} KB")
    try:
        # The C loader bounds the depth; the other one takes minutes for a line of brackets.
        value = yaml.load(text, CBaseLoader)  # noqa: S506 - a base loader makes text, lists and mappings only
    except (yaml.YAMLError, ValueError, TypeError, RecursionError) as error:
        raise InvalidInput(f"it is not YAML{_place(error)}") from error
    if value in (None, ""):
        return {}
    if not isinstance(value, dict):
        raise InvalidInput("it is no mapping of labels")
    return value


def _place(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    return f": line {mark.line + 1}" if mark is not None else ""


def _label(label: str, rules: Any, budget: _Budget) -> Fits:
    """Version 4: one of the entries has to fit. Version 5: all of them, and bare options are one ``any`` together."""
    either: list[_Rule] = []
    merged = _Rule()
    for entry in budget.entries(rules):
        if isinstance(entry, str):
            either.append(_Rule(wanted=[glob.match for glob in _globs(entry, label, budget)]))
        elif not isinstance(entry, dict):
            raise InvalidInput(f"the rules of its label '{_short(label)}' are neither patterns nor options")
        elif _is_version_4(entry):
            either.append(_version_4(entry, label, budget))
        else:
            _version_5(entry, merged, label, budget)
    if merged.wanted or merged.needed:
        either.append(merged)
    return lambda path: any(rule.fits(path) for rule in either)


def _is_version_4(entry: dict[Any, Any]) -> bool:
    """Under ``any`` and ``all`` there are patterns, not options."""
    under = [entry.get("any"), entry.get("all")]
    first = next((value for value in under if value), None)
    return isinstance(first, str) or (isinstance(first, list) and isinstance(first[0], str))


def _version_4(entry: dict[Any, Any], label: str, budget: _Budget) -> _Rule:
    """A file has to fit all patterns of ``any``; every file has to fit all of ``all``."""
    rule = _Rule()
    if one := _globs(entry.get("any"), label, budget):
        rule.wanted.append(_all_of(one))
    if every := _globs(entry.get("all"), label, budget):
        rule.needed.append(_all_of(every))
    return rule


def _version_5(entry: dict[Any, Any], merged: _Rule, label: str, budget: _Budget) -> None:
    for key, value in entry.items():
        if key == "changed-files":
            _changed_files(value, merged, label, budget, all_hold=False)
        elif key in ("any", "all"):
            for options in budget.entries(value):
                if isinstance(options, dict) and "changed-files" in options:
                    _changed_files(options["changed-files"], merged, label, budget, all_hold=key == "all")


def _changed_files(value: Any, merged: _Rule, label: str, budget: _Budget, *, all_hold: bool) -> None:
    for options in budget.entries(value):
        if not isinstance(options, dict):
            raise InvalidInput(f"under 'changed-files' of its label '{_short(label)}' there are no options")
        for option, patterns in options.items():
            if option not in _OPTIONS:
                raise InvalidInput(f"its label '{_short(label)}' has the unknown option '{_short(str(option))}'")
            globs = _globs(patterns, label, budget)
            fits = _any_of(globs) if str(option).startswith("any-glob-") else _all_of(globs)
            must = all_hold and str(option).endswith("-to-all-files")
            (merged.needed if must else merged.wanted).append(fits)


def _globs(value: Any, label: str, budget: _Budget) -> list[PathGlobs]:
    globs = []
    for pattern in budget.entries(value if value is not None else []):
        if not isinstance(pattern, str):
            raise InvalidInput(f"a pattern of its label '{_short(label)}' is no text")
        if pattern:
            if pattern not in budget.compiled:
                budget.compiled[pattern] = minimatch_glob(pattern)
            globs.append(budget.compiled[pattern])
            budget.patterns.append(pattern)
            budget.spend(sum(1 + len(choice) // 100 for choice in globs[-1].patterns))
    return globs


def _any_of(globs: list[PathGlobs]) -> Fits:
    return lambda path: any(glob.match(path) for glob in globs)


def _all_of(globs: list[PathGlobs]) -> Fits:
    return lambda path: bool(globs) and all(glob.match(path) for glob in globs)


def _short(text: str) -> str:
    printable = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text[:60])
    return printable if len(text) <= 60 else f"{printable}…"
