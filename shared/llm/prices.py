"""What a call of a model costs: the name under which whoever asks models finds the arithmetic of the settings."""

from shared.settings.prices import cost_of

__all__ = ["cost_of"]
