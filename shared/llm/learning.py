"""Learns once for each model what its server takes: the mode, the parameters, how much (C-58)."""

from __future__ import annotations

from dataclasses import replace

from shared.domain.protocols import Learned, ModelMemory
from shared.llm.forms import Form, OutputParameter
from shared.llm.questions import Mode
from shared.llm.refusals import Refusal
from shared.settings.language_model import ModelSettings


class Lessons:
    """Reads refusals of a form, remembers what they teach, and says how to put the request otherwise."""

    def __init__(self, settings: ModelSettings, memory: ModelMemory) -> None:
        self._settings = settings
        self._memory = memory

    def can_be_put_otherwise(self, model: str, form: Form, refusal: Refusal) -> bool:
        """Whether the refusal names a part of the form that settings and earlier lessons leave open."""
        if refusal.matter == "mode":
            return self._settings.mode == "auto" and form.mode != "text"
        if refusal.matter == "output_parameter":
            # A server that takes neither of both is not asked in turns for ever.
            known = self._memory.learned(model).output_parameter
            return self._settings.output_parameter == "auto" and known != form.output_parameter
        return refusal.matter == "temperature" and form.temperature is not None

    def other_form(self, model: str, form: Form, refusal: Refusal) -> Form:
        """Remember what the refusal teaches; return the form for a second request.

        That request is the last one, so it goes without a temperature, and one whose mode was refused with no mode at
        all unless the server names the one to take: the next merge tries the mode in between.
        """
        plain = replace(form, temperature=None)
        if refusal.matter == "mode":
            step: Mode = "json_object" if form.mode == "json_schema" else "text"
            self._memory.learn(model, Learned(mode=step))
            return replace(plain, mode=step if refusal.takes_objects else "text")
        if refusal.matter == "output_parameter":
            other: OutputParameter = (
                "max_tokens" if form.output_parameter == "max_completion_tokens" else "max_completion_tokens"
            )
            self._memory.learn(model, Learned(output_parameter=other))
            return replace(plain, output_parameter=other)
        if refusal.matter == "temperature":
            self._memory.learn(model, Learned(temperature=False))
        return plain

    def schema_was_passed_over(self, model: str, form: Form) -> None:
        """The answer had nothing of the schema until it was given in words: so it is from now on."""
        if self._settings.mode == "auto" and form.mode == "json_schema":
            self._memory.learn(model, Learned(mode="json_object"))

    def context(self, model: str, tokens: int | None) -> None:
        """The server takes so many tokens in all; None where it did not say."""
        if tokens is not None:
            self._memory.learn(model, Learned(context_tokens=tokens))
