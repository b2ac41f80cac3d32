"""The settings of the language model: which server, which model, how much may be spent."""

from __future__ import annotations

from datetime import timedelta
from typing import Literal
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator, model_validator

from shared.settings.values import Duration, Section

_LOOPBACK = ("127.0.0.1", "localhost", "::1")
LONGEST_DEADLINE = timedelta(seconds=230)
"""Below the soft time limit of a task, with time left to write down what came of the call."""


class PriceSettings(Section):
    """What a million tokens of one model cost, in US dollars."""

    input: float = Field(ge=0)
    cached: float | None = Field(default=None, ge=0)
    """Of input that the server had cached; None: as any other input."""
    output: float = Field(ge=0)
    batch: float = Field(default=0.5, gt=0, le=1)
    """What part of it the Batch API takes."""


class ModelSettings(Section):
    """A server that speaks OpenAI's chat completions, and its model; without a name merges are read by rules alone."""

    name: str = ""
    """The model of every merge; empty: no model is asked."""
    strong_name: str = ""
    """The model of the important few, on the same server; empty: the same model."""
    strong_from: int = 30
    """The importance (by rules) from which on ``strong_name`` reads a merge."""
    lowest_importance: int = -100
    """Merges below this are left to rules."""
    base_url: str = "https://api.openai.com/v1"
    api_key: SecretStr = SecretStr("")
    """Empty: none is sent, as local servers want it."""
    api: Literal["openai", "azure"] = "openai"
    api_version: str = ""
    """Azure alone: the date of its API."""
    internal: bool = False
    """The server is in your own network: plain http and private addresses are allowed."""
    mode: Literal["auto", "json_schema", "json_object", "text"] = "auto"
    """How an answer is asked for; ``auto`` learns what the server takes."""
    output_parameter: Literal["auto", "max_completion_tokens", "max_tokens"] = "auto"
    temperature: float | None = Field(default=0.0, ge=0, le=2)
    """None: none is sent (``auto`` learns where a model refuses it)."""
    extra: dict[str, str | int | float | bool | dict[str, str | int | float | bool]] = {}
    """Fields that are sent along as they are, such as ``reasoning_effort``."""
    language: str = Field(default="English", min_length=2, max_length=40)
    """What the model writes; digests word the rest in each of their languages."""
    deadline: Duration = Field(default=timedelta(seconds=60), gt=timedelta(0), le=LONGEST_DEADLINE)
    """For one call, by the wall clock, whatever arrives meanwhile."""
    input_tokens: int = Field(default=6_000, ge=3_000, le=200_000)
    """At most this is sent for one merge, by the safe estimate."""
    output_tokens: int = Field(default=900, ge=200, le=16_000)
    concurrency: int = Field(default=4, gt=0, le=64)
    """Calls at a time, over all workers."""
    merge_tokens: int = Field(default=30_000, ge=0)
    """For one merge in all, tokens in and out; 0: nothing, as for the other budgets."""
    day_tokens: int = Field(default=3_000_000, ge=0)
    week_tokens: int = Field(default=10_000_000, ge=0)
    merge_cost: float | None = Field(default=None, ge=0)
    """In US dollars, by ``prices``; None: no limit but that of tokens."""
    day_cost: float | None = Field(default=None, ge=0)
    week_cost: float | None = Field(default=None, ge=0)
    prices: dict[str, PriceSettings] = {}
    """By the name of the model."""
    batch: bool = False
    """Merges that a backfill brought go through the server's Batch API: half the price, up to a day."""

    @field_validator("base_url")
    @classmethod
    def _is_address(cls, value: str) -> str:
        url = urlsplit(value)
        if url.scheme not in {"http", "https"} or not url.hostname:
            raise ValueError("base_url must be an address such as https://api.openai.com/v1")
        if url.username or url.password or url.query or url.fragment:
            raise ValueError("base_url must be an address alone")
        return value.rstrip("/")

    @model_validator(mode="after")
    def _fits_together(self) -> ModelSettings:
        url = urlsplit(self.base_url)
        if url.scheme == "http" and url.hostname not in _LOOPBACK and not self.internal:
            raise ValueError("base_url must begin with https:// (internal = true allows http in your own network)")
        if self.strong_name and not self.name:
            raise ValueError("strong_name needs name")
        if self.api == "azure" and not self.api_version:
            raise ValueError('api = "azure" needs api_version')
        costs = {"merge_cost": self.merge_cost, "day_cost": self.day_cost, "week_cost": self.week_cost}
        limited = [name for name, limit in costs.items() if limit is not None]
        unpriced = [name for name in self.names if name not in self.prices]
        if limited and unpriced:
            raise ValueError(f"{limited[0]} needs the price of {unpriced[0]} under prices")
        return self

    @property
    def enabled(self) -> bool:
        """Whether a model is asked at all."""
        return bool(self.name)

    @property
    def names(self) -> tuple[str, ...]:
        """The models in use, the routine one first."""
        return tuple(dict.fromkeys(name for name in (self.name, self.strong_name) if name))

    def name_for(self, importance: int) -> str:
        """The model that reads a merge of this importance; empty when none does."""
        if not self.name or importance < self.lowest_importance:
            return ""
        return self.strong_name if self.strong_name and importance >= self.strong_from else self.name
