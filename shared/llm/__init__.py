"""Language models: the one door to them, and the only import of their client."""

from shared.llm.answer_texts import read_answer
from shared.llm.opening import open_batches, open_language_model, try_model
from shared.llm.prices import cost_of
from shared.llm.questions import TOO_LONG, Completion, LanguageModel, Question, TooLong
from shared.llm.tokens import estimated_tokens

__all__ = [
    "TOO_LONG",
    "Completion",
    "LanguageModel",
    "Question",
    "TooLong",
    "cost_of",
    "estimated_tokens",
    "open_batches",
    "open_language_model",
    "read_answer",
    "try_model",
]
