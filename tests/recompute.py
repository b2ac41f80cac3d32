"""Checks that every number of a rendered digest recomputes from its ``digest.json``.

Nothing of the product is used: the Markdown is read by an independent parser and the figures are computed here again.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from datetime import datetime
from fractions import Fraction
from typing import Any

from tests.markdown_reading import Reading, read, unmarked

_DATE = re.compile(r"\d{4}-\d{2}-\d{2}( \S+)? \d{2}:\d{2}|\d{4}-\d{2}-\d{2}|\d{4}-W\d{2}")
_OF_STRANGERS = frozenset({"title", "person", "quote", "code", "model"})
_UNUSED: dict[str, Any] = {"source": None, "pull_requests": [], "number": None, "list_key": ""}
"""The document leaves out what a span does not use."""
_STATES = ("featured", "grouped", "condensed", "failed")


def problems(markdown: str, document: Mapping[str, Any], language: str) -> list[str]:
    """Return what does not recompute; an empty list is a clean digest."""
    reading = read(markdown)
    found = [*_ledger(document), *_head(reading, document)]
    for section in document["sections"][language]:
        found += _section(section, reading, document)
    found += _full_list(reading, document)
    found += _lists(reading)
    return found


def evaluate(expression: str, document: Mapping[str, Any]) -> str:
    """Compute a figure again from the words of its source; see the grammar in the product's documentation."""
    name, arguments = _call(expression)
    if name == "days":
        first, second = (datetime.fromisoformat(_at(argument, document)) for argument in arguments)
        return f"{Fraction(_half_up(Fraction(int((second - first).total_seconds()), 8640)), 10).__float__():.1f}"
    if name == "dollars":
        return _dollars(Fraction(str(_at(arguments[0], document))))
    values = [_value(argument, document) for argument in arguments]
    if name == "number":
        return _grouped(values[0])
    if name == "difference":
        return _signed(values[0] - values[1])
    share = Fraction(100 * values[0], values[1])
    if name == "share":
        return "<1%" if values[0] and _half_up(share) == 0 else f"{_half_up(share)}%"
    if name == "change":
        return _signed(_half_up(share - 100)) + "%"
    raise ValueError(expression)


def _section(section: Mapping[str, Any], reading: Reading, document: Mapping[str, Any]) -> Iterator[str]:
    """The rendered section says what the document says, and each span of it recomputes."""
    heading = next((part for part in reading.parts if part.level == 2 and part.title == section["title"]), None)
    if heading is None:
        yield f"section {section['key']} is missing"
        return
    rendered = _plain("".join(part.title + part.text for part in reading.below(heading.anchor)))
    expected = section["title"]
    for paragraph in section["paragraphs"]:
        spans = [span for cell in paragraph["cells"] for span in cell] or paragraph["spans"]
        expected += "".join(span["text"] for span in spans)
        for span in spans:
            yield from _span(_UNUSED | span, section["key"], document)
    if _plain(_cleaned(expected)) != rendered:
        yield f"section {section['key']} is not rendered as it stands in the document"


def _span(span: Mapping[str, Any], key: str, document: Mapping[str, Any]) -> Iterator[str]:
    kind, text = span["kind"], span["text"]
    if kind == "figure":
        if not span["source"]:
            yield f"{key}: figure {text} has no source"
        elif evaluate(span["source"], document) != text:
            yield f"{key}: {span['source']} is {evaluate(span['source'], document)}, not {text}"
    elif kind == "count":
        if _grouped(len(set(span["pull_requests"]))) != text:
            yield f"{key}: {text} counts {len(set(span['pull_requests']))} pull requests"
        yield from _known_list(span, key, document)
    elif kind == "pull_request":
        if text != f"#{span['number']}":
            yield f"{key}: link {text} goes to {span['number']}"
    elif kind not in _OF_STRANGERS and re.search(r"\d", _DATE.sub("", text)):
        yield f"{key}: a number stands in plain words: {text!r}"


def _known_list(span: Mapping[str, Any], key: str, document: Mapping[str, Any]) -> Iterator[str]:
    """A count whose list the document holds under its own name must hold exactly that list."""
    kind, _, name = span["list_key"].partition(":")
    lists: dict[str, Any] = {
        "all": [one["number"] for one in document["pull_requests"]],
        "state": document["ledger"].get(name),
        "type": document["change_types"].get(name),
        "area": next((area["pull_requests"] for area in document["areas"] if area["name"] == name), None),
        "risk": _marked(document, name, "rule"),
        "risk-model": _marked(document, name, "model"),
        "theme": next((theme["pull_requests"] for theme in document["themes"] if theme["key"] == name), None),
        "elsewhere": document["elsewhere"].get(name),
        "bots": document["bots"],
        "late": document["late"],
        "key": [key_one["number"] for key_one in document["key_pull_requests"]],
        "must_act_any": [row["number"] for row in document["must_act"]],
        "read": (document["provenance"]["readings"] or {}).get("read"),
        "unread": (document["provenance"]["readings"] or {"unread": {}})["unread"].get(name),
        "risk_any": [number for risk in document["risks"] for number in risk["pull_requests"]],
    }
    wanted = lists.get(kind)
    if wanted is not None and set(wanted) != set(span["pull_requests"]):
        yield f"{key}: the list {span['list_key']} is another one"


def _marked(document: Mapping[str, Any], tag: str, origin: str) -> list[int] | None:
    found = [risk["pull_requests"] for risk in document["risks"] if (risk["tag"], risk["origin"]) == (tag, origin)]
    return found[0] if found else None


def _ledger(document: Mapping[str, Any]) -> Iterator[str]:
    everything = [number for state in _STATES for number in document["ledger"][state]]
    numbers = [one["number"] for one in document["pull_requests"]]
    if sorted(everything) != sorted(numbers) or len(numbers) != document["merged_total"]:
        yield "the ledger is not the week"


def _head(reading: Reading, document: Mapping[str, Any]) -> Iterator[str]:
    """The lines above the first section: their numbers are totals of the document."""
    head = ""
    for part in reading.parts:
        if part.level == 2:
            break
        head += part.text
    for known in (document["repository"], document["branch"], document["provenance"]["model"] or "\ufffc"):
        head = head.replace(known, " ")
    previous = document["previous"] or {}
    allowed = {_grouped(document["merged_total"]), _grouped(previous.get("merged_total", 0))}
    allowed |= {_grouped(len(document["ledger"][state])) for state in _STATES}
    if document["provenance"]["readings"]:
        allowed.add(_grouped(len(document["provenance"]["readings"]["read"])))
    if previous.get("merged_total"):
        allowed.add(evaluate("change(/merged_total,/previous/merged_total)", document))
    for token in re.findall(r"[+−±]?\d[\d,.]*%?", _DATE.sub(" ", head)):
        if token.rstrip(".,") not in allowed:
            yield f"head: {token} does not recompute"


def _full_list(reading: Reading, document: Mapping[str, Any]) -> Iterator[str]:
    """Each merge once, with its own size; the number in a group's heading is the length of the group."""
    if not document["pull_requests"]:
        return
    entries = [link for part in _groups(reading) for link in part.links if re.fullmatch(r"#\d+", link[1])]
    numbers = {one["number"]: one for one in document["pull_requests"]}
    if not set(numbers) <= {int(text[1:]) for _, text in entries}:
        yield "the full list lacks merges"
    for part in _groups(reading):
        if int(re.findall(r"\((\d+)\)$", part.title)[0]) != part.items:
            yield f"full list: {part.title} has {part.items} entries"
        for line in part.text.strip().split("\n"):
            yield from _size(line, numbers)


def _size(line: str, numbers: Mapping[int, Mapping[str, Any]]) -> Iterator[str]:
    found = re.match(r"[FGCX] #(\d+) ", line)
    if found is None:
        return
    one = numbers[int(found[1])]
    if f"+{_grouped(one['additions'])} −{_grouped(one['deletions'])}" not in line:
        yield f"full list: the size of #{one['number']} is wrong in {line!r}"


def _groups(reading: Reading) -> list[Any]:
    """The parts of the full list: below the heading whose groups hold marked entries."""
    return [part for part in reading.parts if part.level == 3 and re.match(r"[FGCX] #\d+ ", part.text)]


def _lists(reading: Reading) -> Iterator[str]:
    """A number that is a link is the number of pull requests below the heading that it leads to."""
    for part in reading.parts:
        for address, text in part.links:
            if not address.startswith("#"):
                continue
            try:
                target = reading.below(address[1:])
            except StopIteration:
                yield f"{address} leads nowhere"
                continue
            number = text.replace(",", "")
            if number.isdecimal() and int(number) != _length(target):
                yield f"{text} leads to a list of {_length(target)}: {address}"


def _length(parts: list[Any]) -> int:
    if any(part.items for part in parts):
        return sum(part.items for part in parts)
    return len({text for part in parts for _, text in part.links if re.fullmatch(r"#\d+", text)})


def _cleaned(text: str) -> str:
    """What renderers do to a stranger's characters: overrides get names, what cannot be seen goes."""
    text = re.sub("[\u202a-\u202e\u2066-\u2069]", lambda found: f"⟨U+{ord(found[0]):04X}⟩", text)
    return "".join(c for c in text if unicodedata.category(c) not in {"Cf", "Cc"} or c in "\u200c\u200d")


def _plain(text: str) -> str:
    """Comparable text: no code marks, no space, none of the characters that only steer links and direction."""
    return re.sub(r"[\s`]+", "", unmarked(text))


def _call(expression: str) -> tuple[str, list[str]]:
    name, _, rest = expression.partition("(")
    depth, arguments = 0, [""]
    for character in rest[:-1]:
        if character == "," and depth == 0:
            arguments.append("")
            continue
        depth += {"(": 1, ")": -1}.get(character, 0)
        arguments[-1] += character
    return name, arguments


def _value(argument: str, document: Mapping[str, Any]) -> int:
    if argument.startswith("/"):
        return int(_at(argument, document))
    name, arguments = _call(argument)
    found = _at(arguments[0], document)
    if name == "length":
        return len(found)
    if name == "entry":
        return int(found.get(arguments[1], 0))
    if name == "total":
        return sum(one[arguments[1]] for one in document["pull_requests"] if one["number"] in found)
    if name == "authors":
        return len({one["author"] for one in document["pull_requests"] if one["number"] in found})
    raise ValueError(argument)


def _at(pointer: str, document: Any) -> Any:
    for step in pointer.split("/")[1:]:
        key = step.replace("~1", "/").replace("~0", "~")
        document = document[int(key)] if isinstance(document, list) else document[key]
    return document


def _half_up(value: Fraction) -> int:
    """Round to the nearest whole number, halves away from zero."""
    rounded = int(abs(value) + Fraction(1, 2))
    return rounded if value >= 0 else -rounded


def _grouped(value: int) -> str:
    digits = f"{abs(value):,}" if abs(value) >= 10_000 else str(abs(value))
    return f"−{digits}" if value < 0 else digits


def _dollars(amount: Fraction) -> str:
    cents = _half_up(100 * amount)
    return "<0.01" if amount and not cents else f"{cents // 100:,}.{cents % 100:02}"


def _signed(value: int) -> str:
    return "±0" if value == 0 else ("+" if value > 0 else "") + _grouped(value)
