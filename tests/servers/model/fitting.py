"""Answers of the scripted server: made to fit whatever schema was sent, faithful, obedient or invented."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from tests.servers.model.asked import Asked, texts_of

INVENTED_QUOTE = "words that stand in no merge of this world 8231"
INVENTED_TEXT = "Quentin Nobody made it 4711 times faster in #99999"
_ORDERS = (
    re.compile(
        r"\b(?:ignore|disregard|forget|override|you (?:must|are|should|will)|your (?:answer|task|output|reply)|instructions?|"
        r"respond|reply|output|repeat|system prompt|assistant|reviewers?|summari[sz]ers?|language models?|model|AI)\b|"
        r"https?://|(?<!\w)@\w|<[a-z!/]|\]\(",
        re.IGNORECASE,
    ),
    re.compile(
        r"\b(?:say|write|answer|print|mark|label|tag|tell|include|please|never|always|append|visit|click)\b",
        re.IGNORECASE,
    ),
    re.compile(r"\b(?:set|add|call|insert|do not|make|use)\b", re.IGNORECASE),
)
"""What looks like an order to a model, the plainest first: a title that begins with "Add" is hardly one."""
_PLACES = ("title", "body", "description", "diff", "patch")


@dataclass(frozen=True)
class Voice:
    """What the texts and the quotations of an answer say."""

    text: str
    quote: str
    place: str = "title"
    """Where the quotation stands, in the words of a schema that asks for it."""


def faithful(asked: Asked) -> Voice:
    """Repeats words of the merge, with a verbatim quotation of them."""
    texts = [(key, text.strip()) for key, text in texts_of(asked.document) if len(text.strip()) >= 12]
    for place in _PLACES:
        for key, text in texts:
            if key == place:
                line = next(line for line in text.splitlines() if line.strip())
                return Voice(line.strip(), line.strip(), place)
    return Voice(texts[0][1], texts[0][1]) if texts else Voice("Nothing is known.", "Nothing is known.")


def obedient(asked: Asked) -> Voice:
    """Repeats the line of the merge that looks most like an order, word for word from its beginning."""
    lines = [(key, line.strip()) for key, text in texts_of(asked.document) for line in text.splitlines()]
    for order in _ORDERS:
        for key, line in lines:
            if order.search(line):
                return Voice(line, line, key)
    return faithful(asked)


def inventing(_asked: Asked) -> Voice:
    """Says what stands nowhere."""
    return Voice(INVENTED_TEXT, INVENTED_QUOTE)


def inventing_on_quotes(asked: Asked) -> Voice:
    """Says what stands nowhere, and rests it on words that do stand in the merge."""
    return Voice(INVENTED_TEXT, faithful(asked).quote)


def ordered(asked: Asked) -> dict[str, Any]:
    """The fields that a text of the merge orders: a JSON object behind ``ANSWER:``; empty when none does."""
    for _, text in texts_of(asked.document):
        for found in re.finditer(r"ANSWER:\s*(?=\{)", text):
            try:
                value, _ = json.JSONDecoder().raw_decode(text, found.end())
            except ValueError:
                continue
            return dict(value)
    return {}


def answer_to(asked: Asked, voice: Callable[[Asked], Voice]) -> dict[str, Any]:
    """Return an answer that fits the schema that was sent; empty when none was."""
    schema = asked.schema
    if schema is None:
        return {}
    made = _Maker(schema, voice(asked)).value(schema, "")
    assert isinstance(made, dict), "the schema of an answer is an object's"
    return made


class _Maker:
    def __init__(self, schema: Mapping[str, Any], voice: Voice) -> None:
        self._definitions = schema.get("$defs", {})
        self._voice = voice

    def value(self, schema: Mapping[str, Any], name: str) -> Any:
        schema = self._resolved(schema)
        if "const" in schema:
            return schema["const"]
        if "enum" in schema:
            choices = schema["enum"]
            return self._voice.place if self._voice.place in choices else choices[0]
        kind = schema.get("type")
        if isinstance(kind, list):
            kind = next(one for one in kind if one != "null")
        if kind == "object" or "properties" in schema:
            return {key: self.value(one, key) for key, one in schema.get("properties", {}).items()}
        if kind == "array":
            wanted = max(1, schema.get("minItems", 1)) if schema.get("maxItems", 1) else 0
            return [self.value(schema.get("items", {}), name) for _ in range(wanted)]
        if kind in {"integer", "number"}:
            return max(schema.get("minimum", 0), schema.get("exclusiveMinimum", -1) + 1)
        if kind == "boolean":
            return False
        return None if kind == "null" else self._text(schema, name)

    def _resolved(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        while "$ref" in schema or "anyOf" in schema or "oneOf" in schema:
            if "$ref" in schema:
                schema = self._definitions[schema["$ref"].rsplit("/", 1)[-1]]
            else:
                choices = schema.get("anyOf") or schema["oneOf"]
                schema = next(one for one in choices if one.get("type") != "null")
        return schema

    def _text(self, schema: Mapping[str, Any], name: str) -> str:
        said = self._voice.quote if "quote" in name else self._voice.text
        return said[: schema.get("maxLength", 10_000)].ljust(schema.get("minLength", 0), ".")
