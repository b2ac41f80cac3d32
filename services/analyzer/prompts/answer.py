"""The answer that a model is asked for: one plain JSON schema, read more patiently than it is asked."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, GetJsonSchemaHandler
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema

from shared.domain.reading import LONGEST_CLAIM, ActionKind, LimitKind
from shared.domain.taxonomy import JUDGED_RISKS, KeyReason, ReviewOutcome, Risk

LONGEST_QUOTE = 200
LONGEST_KEYWORD = 40
MOST_QUOTES = 3
MOST_CLAIMS = 3
MOST_CONTESTED = 2
MOST_KEYWORDS = 8
NO_REASON = "none"

_PATIENCE = 4_000
"""Characters, and a hundredth of it pieces, that are still read: one sentence too long costs itself, not the answer."""


class _Asked:
    """What the schema says of a field, beside the validation that reads it."""

    def __init__(self, **schema: Any) -> None:
        self._schema = schema

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        given = {key: value for key, value in handler(core).items() if key not in {"maxLength", "maxItems"}}
        return {**given, **self._schema}


class _Words:
    """A closed vocabulary written out in its place, without a definition to refer to."""

    def __init__(self, *words: str) -> None:
        self._words = list(words)

    def __get_pydantic_json_schema__(self, core: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"type": "string", "enum": self._words}


def _without_titles(schema: JsonSchemaValue) -> None:
    """Titles and descriptions repeat names and prompt, at the price of tokens in every call."""
    for part in (schema, *schema.get("properties", {}).values()):
        part.pop("title", None)
        part.pop("description", None)


def _judged(value: Any) -> Any:
    if value not in JUDGED_RISKS:
        raise ValueError("no risk that a model may judge")
    return value


def _reason(value: Any) -> Any:
    return None if value == NO_REASON else value


Text = Annotated[str, Field(max_length=_PATIENCE), _Asked(maxLength=LONGEST_CLAIM)]
QuoteText = Annotated[str, Field(max_length=_PATIENCE), _Asked(minLength=10, maxLength=LONGEST_QUOTE)]
Quotes = Annotated[tuple[QuoteText, ...], Field(max_length=_PATIENCE // 100), _Asked(minItems=1, maxItems=MOST_QUOTES)]
Keyword = Annotated[str, Field(max_length=_PATIENCE), _Asked(maxLength=LONGEST_KEYWORD)]
JudgedRisk = Annotated[Risk, BeforeValidator(_judged), _Words(*JUDGED_RISKS)]
Outcome = Annotated[ReviewOutcome, _Words(*ReviewOutcome)]
Reason = Annotated[KeyReason | None, BeforeValidator(_reason), _Words(*KeyReason, NO_REASON)]


class AnswerPart(BaseModel):
    """One object of the answer: every key required, no others, frozen."""

    model_config = ConfigDict(frozen=True, extra="forbid", json_schema_extra=_without_titles)


class AnsweredClaim(AnswerPart):
    """A sentence with the words of the merge that it rests on."""

    text: Text
    quotes: Quotes


class AnsweredLimit(AnswerPart):
    """A condition under which the change holds."""

    kind: LimitKind
    text: Text
    quotes: Quotes


class AnsweredAction(AnswerPart):
    """What a reader has to do or to know, and how to get the old behaviour back."""

    kind: ActionKind
    text: Text
    way_back: Text
    quotes: Quotes


class AnsweredContest(AnswerPart):
    """A point that was contested in review."""

    text: Text
    outcome: Outcome
    quotes: Quotes


class AnsweredRisk(AnswerPart):
    """A risk with the way in which it comes about."""

    risk: JudgedRisk
    mechanism: Text
    quotes: Quotes


class AnsweredImportance(AnswerPart):
    """Why many readers should know; ``reason`` is None where the answer says ``none``."""

    reason: Reason
    why: AnsweredClaim


Limits = Annotated[tuple[AnsweredLimit, ...], Field(max_length=_PATIENCE // 100), _Asked(maxItems=MOST_CLAIMS)]
Actions = Annotated[tuple[AnsweredAction, ...], Field(max_length=_PATIENCE // 100), _Asked(maxItems=MOST_CLAIMS)]
Contests = Annotated[tuple[AnsweredContest, ...], Field(max_length=_PATIENCE // 100), _Asked(maxItems=MOST_CONTESTED)]
Risks = Annotated[tuple[AnsweredRisk, ...], Field(max_length=_PATIENCE // 100), _Asked(maxItems=MOST_CLAIMS)]
Keywords = Annotated[tuple[Keyword, ...], Field(max_length=_PATIENCE // 100), _Asked(maxItems=MOST_KEYWORDS)]


class MergeAnswer(AnswerPart):
    """What a model says of one merge; nothing of it is believed before ``checking`` has looked."""

    effect: AnsweredClaim | None
    change: AnsweredClaim
    why: AnsweredClaim | None
    limits: Limits
    actions: Actions
    contested: Contests
    risks: Risks
    importance: AnsweredImportance | None
    keywords: Keywords
