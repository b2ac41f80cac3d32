"""Opens the language model by the settings; its client is imported only then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from shared.domain.errors import InvalidInput
from shared.domain.protocols import Clock, Meter, ModelMemory
from shared.llm.questions import LanguageModel
from shared.settings.language_model import ModelSettings

if TYPE_CHECKING:
    from shared.llm.batches import ModelBatches
    from shared.llm.probing import Probed


def open_language_model(settings: ModelSettings, memory: ModelMemory, clock: Clock) -> LanguageModel:
    """Return the model that the settings name; nothing is asked yet.

    InvalidInput when no model is set, or the key cannot be sent.
    """
    _check(settings)
    # A second to import, which whoever reads merges by rules alone does not spend.
    from shared.llm.asking import ChatModel  # noqa: PLC0415 - openai is imported only when a model is asked
    from shared.llm.wire import Wire  # noqa: PLC0415 - openai is imported only when a model is asked

    return ChatModel(settings, Wire(settings), memory, clock)


def open_batches(settings: ModelSettings, memory: ModelMemory, clock: Clock) -> ModelBatches:
    """Return the Batch API of the server that the settings name; else as ``open_language_model``."""
    _check(settings)
    from shared.llm.batches import ModelBatches  # noqa: PLC0415 - openai is imported only when a model is asked
    from shared.llm.wire import Wire  # noqa: PLC0415 - openai is imported only when a model is asked

    return ModelBatches(settings, Wire(settings), memory, clock)


def try_model(settings: ModelSettings, model: str, memory: ModelMemory, meter: Meter, clock: Clock) -> Probed:
    """Ask ``model`` a small question now, whatever is known of it, and return whether it serves and how fast.

    ``memory`` is only read. What the meter raises passes; InvalidInput as ``open_language_model``.
    """
    _check(settings)
    from shared.llm.probing import probe  # noqa: PLC0415 - openai is imported only when a model is asked
    from shared.llm.wire import Wire  # noqa: PLC0415 - openai is imported only when a model is asked

    return probe(settings, model, Wire(settings), memory, meter, clock)


def _check(settings: ModelSettings) -> None:
    if not settings.enabled:
        raise InvalidInput("No language model is set.", "Set model.name, and model.base_url where it is your own.")
    key = settings.api_key.get_secret_value()
    if key and not (key.isascii() and key.isprintable() and " " not in key):
        raise InvalidInput("The key of the language model cannot be sent.", "Set model.api_key without blanks in it.")
