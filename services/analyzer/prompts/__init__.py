"""What a model is asked about a merge: a versioned text, a plain schema, and the question made of them."""

from services.analyzer.prompts.answer import MergeAnswer
from services.analyzer.prompts.question import fixed_tokens, question_for
from services.analyzer.prompts.wording import PROMPT_VERSION, prompt_version, system_text

__all__ = ["PROMPT_VERSION", "MergeAnswer", "fixed_tokens", "prompt_version", "question_for", "system_text"]
