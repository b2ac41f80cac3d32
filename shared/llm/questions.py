"""What is asked of a language model, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from pydantic import BaseModel

from shared.domain.protocols import Meter
from shared.domain.reading import CallUsage

Mode = Literal["json_schema", "json_object", "text"]
"""How an answer is asked for: a strict schema, any JSON object, or nothing but words."""

TOO_LONG = "the request is too long for the model"
"""What the ledger says of a call that was refused for its length: the server did serve it."""


class TooLong(Exception):
    """The server says that the request is longer than the model takes: pack it smaller and ask again."""

    def __init__(self, context_tokens: int | None = None) -> None:
        super().__init__(TOO_LONG)
        self.context_tokens = context_tokens
        """How much it takes in all, where it said so."""


@dataclass(frozen=True)
class Question:
    """One question about one merge.

    ``document`` is the JSON text of the user's message; ``answer`` is the class whose strict JSON schema is asked for.
    """

    system: str
    document: str
    answer: type[BaseModel]
    name: str
    """What the schema is called: letters, digits, underscores."""
    model: str
    output_tokens: int
    estimated_tokens: int
    """Of system text and document, by the safe estimate."""
    again: bool = False
    """This merge was asked about before, in vain: its last call is sent only after a small question was answered."""


@dataclass(frozen=True)
class Completion:
    """What came of a question; without an ``answer`` no usable one came, and ``fault`` says why in a few words."""

    answer: BaseModel | None
    text: str
    """As it came; may be read again by ``read_answer``."""
    mode: Mode
    repaired: bool
    usage: CallUsage
    fault: str | None = None


class LanguageModel(Protocol):
    """A language model that answers questions in JSON."""

    def ask(self, question: Question, meter: Meter) -> Completion:
        """Ask with at most two requests, each reserved with the meter before it is sent.

        TooLong when the request has to be packed smaller, Postponed when the server does not serve now or a budget is
        used up, Permanent when this merge may have no call at all.
        """
