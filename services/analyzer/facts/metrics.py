"""Metrics: their names and labels, as dashboards and alerts use them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import islice

from services.analyzer.facts.calls import Argument, Joined, arguments, joined, literal, named, positional
from services.analyzer.facts.change import Change, FileChange
from services.analyzer.facts.items import Found, Item, changed_items
from services.analyzer.facts.sides import Line, Side
from services.analyzer.facts.statements import Statement
from services.analyzer.facts.surfaces import mentions, operator_reach
from services.analyzer.reading.paths import FileKind
from shared.domain.facts import Fact, FactKind, Subject

name = "metrics"

MOST_METRICS = 20
"""In one statement."""
_KINDS = r"(?:Counter|Gauge|Histogram|Summary|UpDownCounter|ObservableCounter|ObservableGauge|ObservableUpDownCounter)"
_MADE = re.compile(
    rf"(?<![\w])(?P<call>(?:[\w.]{{1,60}}[.:]{{1,2}})?(?:(?:Int|Float|New)?{_KINDS}(?:Vec|Func|VecWithRegistry)?"
    rf"(?:::new|::with_opts)?|"
    r"create_(?:observable_)?(?:counter|gauge|histogram|up_down_counter)|create(?:Observable)?(?:Counter|Gauge|Histogram|"
    r"UpDownCounter)|(?:register_)?(?:int_)?(?:counter|gauge|histogram)(?:_vec)?!|_?(?:counter|gauge|histogram|summary)_cls|"
    r"(?:Int64|Float64)(?:Observable)?(?:Counter|Gauge|Histogram|UpDownCounter)|NewDesc|"
    r"(?:u64|f64|i64)_(?:observable_)?(?:counter|gauge|histogram)))\("
)
_OPTS = re.compile(rf"(?:{_KINDS}|Summary|)Opts\{{|prom\w{{0,20}}\.\w{{0,20}}Opts\{{")
_METRIC = re.compile(r"[A-Za-z_][\w.:/-]{2,120}")
_HINT = re.compile(r"[Cc]ounter|[Gg]auge|[Hh]istogram|Summary|NewDesc|\bName:")
_ONE_ARGUMENT = re.compile(r"create|!$|_(?:counter|gauge|histogram)$|Int64|Float64")
"""Makers that are known to be of a metric whatever else they are given."""
_LABELS = ("labelnames", "labelNames", "labels", "tag_keys")


def read(change: Change) -> Iterable[Fact]:
    """Yield the facts: CHANGED has the labels as written."""
    files = [file for file in change.product if _may_declare(file)]
    yield from changed_items(change, _declared, files, partial(_finish, change))


def _may_declare(file: FileChange) -> bool:
    if file.language is None or file.kind is FileKind.CI:
        return False
    return mentions(file, _HINT)


def _declared(file: FileChange, side: Side, statement: Statement) -> Iterator[Item]:
    text = joined(statement.lines)
    for found in islice(_MADE.finditer(text.bare), MOST_METRICS):
        given, end = arguments(text, found.end() - 1)
        metric = _name_of(given, text, found["call"])
        if metric is not None:
            labels = named(given, *_LABELS)
            shown = labels.text if labels else _listed(given)
            yield _item(metric, text.line_of(found.start(), end), shown)
    if file.language == "go":
        yield from _opened(side, statement)


def _item(metric: str, line: Line, labels: str | None) -> Item:
    return Item(Subject.METRIC, metric, None, line, identity=None, mention=metric, traits=(("labels", labels),))


def _name_of(given: tuple[Argument, ...], text: Joined, call: str) -> str | None:
    if not given:
        return None
    first = given[0]
    if first.text.startswith("{") and (inner := arguments(text, text.bare.index("{", first.start))[0]):
        by_name = named(inner, "name")
        metric = literal(by_name.text) if by_name else None
        return metric if metric and _METRIC.fullmatch(metric) else None
    by_name = named(given, "name")
    plain = positional(given)
    metric = literal(by_name.text) if by_name else literal(plain[0].text) if plain else None
    if metric is None or not _METRIC.fullmatch(metric):
        return None
    return metric if by_name or len(given) > 1 or _ONE_ARGUMENT.search(call) else None


def _listed(given: tuple[Argument, ...]) -> str | None:
    """Labels given by place: a list of strings behind the description."""
    plain = positional(given)
    return next((one.text for one in plain[2:4] if one.text.startswith(("[", "(", "&[", "[]string{"))), None)


def _opened(side: Side, statement: Statement) -> Iterator[Item]:
    """Options of a metric over several lines: ``prometheus.CounterOpts{`` and its fields below."""
    fragment = side.fragment_of(statement.number)
    if fragment is None:
        return
    for line in statement.lines:
        found = re.match(r"\s{0,80}Name:\s{0,20}(?P<name>\"[^\"]{1,120}\"),?\s{0,8}$", line.code)
        if not found:
            continue
        place = line.number - fragment.first
        above = fragment.lines[max(0, place - 6) : place]
        near = fragment.lines[max(0, place - 6) : place + 6]
        if not any(_OPTS.search(one.bare) for one in above):
            continue
        parts = [
            value[1]
            for part in ("Namespace", "Subsystem")
            for one in near
            if (value := re.match(rf"\s{{0,80}}{part}:\s{{0,20}}\"?([\w.]{{1,80}})\"?", one.code))
        ]
        yield _item("_".join([*parts, found["name"].strip('"')]), line, None)


def _finish(change: Change, fact: Fact, old: Found | None, new: Found | None) -> Fact | None:
    known = new or old
    if known is None:
        return None
    file = next(one for one in change.product if known.path in (one.path, one.path_before))
    reach, why = operator_reach(change, file, fact.name, "metric")
    back = fact.new if fact.kind is FactKind.RENAMED else None
    return fact.model_copy(update={"reach": reach, "reach_why": why, "way_back": back})
