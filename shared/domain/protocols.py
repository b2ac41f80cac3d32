"""What the parts of the house expect of each other; implemented by the services, the sources and the store."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from typing import Literal, Protocol

from shared.domain.pull_request import PullRequest, RepositoryRef
from shared.domain.value import Value

Clock = Callable[[], datetime]
"""Returns the present as an aware UTC instant; passed in wherever the time matters."""

Progress = Callable[[int, int | None], None]
"""Called with (done, total or None) while a long piece of work goes on."""

SourceTexts = Mapping[str, tuple[str | None, str | None]]
"""The whole text before and after a merge of its changed files, by the path after (before for removed files); None
where there is no file on that side."""


class MergeSource(Protocol):
    """Where whole merges come from: merge records, a clone, the host's API."""

    @property
    def repository(self) -> RepositoryRef:
        """The repository that this source tells of."""

    def merged_between(self, start: datetime, end: datetime, progress: Progress | None = None) -> Iterator[PullRequest]:
        """Yield each pull request with ``start <= merged_at < end``, on any branch the source knows, oldest first."""

    def merge_times(self, start: datetime, end: datetime) -> Iterator[tuple[int, datetime]]:
        """Yield number and merge time of what ``merged_between`` would yield, oldest first, without reading changes."""

    def conventions(self) -> dict[str, str]:
        """Return the repository's own convention files (labeler.yml, CODEOWNERS), text by path."""

    def sources(self, pull_request: PullRequest) -> SourceTexts:
        """Return the whole texts of the files that the merge changed; empty where only patches are known."""


class Allowance(Value):
    """What a host's answer says of a credential's limit: requests left until ``reset_at``, out of ``limit``.

    ``wait_until`` is set by a refusal: nothing may be asked before it. ``backoff`` marks a refusal that named no time.
    """

    limit: int | None = None
    remaining: int | None = None
    reset_at: datetime | None = None
    wait_until: datetime | None = None
    backoff: bool = False


class Limiter(Protocol):
    """The budget of each credential for each resource (``core``, ``graphql``), shared by every process."""

    def spend(self, credential: str, resource: str, keep: int = 0) -> None:
        """Take one request out of the budget; Postponed when it must wait, or when no more than ``keep`` are left."""

    def note(self, credential: str, resource: str, allowance: Allowance) -> datetime | None:
        """Remember what an answer said, and return until when nothing may be asked now; None when it may."""


class CachedAnswer(Value):
    """An answer of the host with the tag that tells whether it still holds."""

    etag: str
    body: str


class AnswerCache(Protocol):
    """Answers that a host confirms for nothing: a 304 costs no budget."""

    def get(self, key: str) -> CachedAnswer | None:
        """Return the answer kept under ``key``, or None."""

    def put(self, key: str, answer: CachedAnswer) -> None:
        """Keep ``answer`` in place of the one before."""


class DetailDoor(Protocol):
    """Where the files and the review of one known merge come from."""

    def details(self, facts: PullRequest) -> PullRequest | None:
        """Return the merge with its files, or None when this source does not have it."""

    def sources(self, pull_request: PullRequest) -> SourceTexts:
        """Return the whole texts of the files that the merge changed; empty where only patches are known."""


class PlannedCall(Value):
    """A call of a model that is about to be sent: what it is for, and the most that it may take."""

    model: str
    purpose: Literal["read", "repair", "probe", "batch", "eval"]
    mode: str = ""
    input_tokens: int
    """By the safe estimate."""
    output_tokens: int
    """The limit that is sent along."""


class SettledCall(Value):
    """What became of a call; ``status`` is one of those of ``model_calls`` but ``reserved``.

    ``text`` is the answer as it came, kept in the transaction that settles the call, so that no lost worker can make it
    be asked for again.
    """

    status: Literal["answered", "refused", "cut", "timeout", "unsent", "unsettled"]
    input_tokens: int = 0
    cached_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    finish_reason: str | None = None
    error: str | None = None
    text: str | None = None


class Meter(Protocol):
    """Counts every call of a model before it is sent, against budgets that all processes share (R-61)."""

    def reserve(self, call: PlannedCall) -> int:
        """Commit the call and return its id; Postponed when a budget or the breaker makes it wait.

        Permanent when this merge may have no more calls.
        """

    def settle(self, call_id: int, outcome: SettledCall) -> None:
        """Write down what became of it, and what it took."""


class Learned(Value):
    """What a model on a server turned out to take; every field None until it is known."""

    mode: Literal["json_schema", "json_object", "text"] | None = None
    output_parameter: Literal["max_completion_tokens", "max_tokens"] | None = None
    temperature: bool | None = None
    """False where the model takes none but its own."""
    context_tokens: int | None = None
    """How much the server takes in all, where it said so when a request was too long."""


class ModelMemory(Protocol):
    """What was learned of each model, shared by every process; and whether it serves (the circuit breaker)."""

    def learned(self, model: str) -> Learned:
        """Return what is known of ``model``."""

    def learn(self, model: str, learned: Learned) -> None:
        """Remember it."""

    def admit(self, model: str) -> Literal["ask", "probe"]:
        """Whether it may be asked now: ``probe`` when a small question has to show first that it serves again.

        Postponed while the breaker is open or the server wants to be left alone. One process at a time probes.
        """

    def served(self, model: str) -> None:
        """The server gave an answer: failures in a row are over, the breaker is closed."""

    def failed(self, model: str, why: str, wait_until: datetime | None = None) -> datetime | None:
        """The server did not serve; ``wait_until`` is what it asked for. Return until when it rests, or None."""
