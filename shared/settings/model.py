"""The settings classes: field names are those of ``mergecast.toml``; environment: ``MERGECAST_SECTION__FIELD``."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path

from pydantic import Field, SecretStr, model_validator

from shared.settings.code_host import GitHubSettings
from shared.settings.language_model import ModelSettings
from shared.settings.repository import RepositorySettings
from shared.settings.values import Duration, Language, Section, ZoneName

MEMORY_BROKER = "memory://"


def default_data_folder() -> Path:
    """``$XDG_DATA_HOME/mergecast``, by the XDG base directory rules ``~/.local/share/mergecast``."""
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "mergecast"


class WebhookSettings(Section):
    """The receiver of webhook deliveries."""

    secrets: tuple[SecretStr, ...] = ()
    """Secrets that a delivery may be signed with, several at once while they are rotated; none: the webhook is off."""
    max_body_bytes: int = Field(default=25 * 1024 * 1024, gt=0)
    """GitHub sends no payload above 25 MB."""
    max_unverified_bodies: int = Field(default=8, gt=0)
    """How many bodies may be held in memory before their signature is known."""
    body_timeout: Duration = timedelta(seconds=20)
    """How long a sender may take to deliver its body; GitHub itself gives up after 10 s."""


class ApiSettings(Section):
    """The internal API."""

    tokens: tuple[SecretStr, ...] = ()
    """Bearer tokens, several at once for rotation; none: the API is off."""
    page_size: int = Field(default=100, gt=0, le=500)


class DatabaseSettings(Section):
    """Where everything is kept."""

    url: SecretStr | None = None
    """SQLAlchemy URL (``postgresql://…`` or ``sqlite:///…``); none: SQLite in the data folder."""


class BrokerSettings(Section):
    """The doorbell."""

    url: SecretStr = SecretStr(MEMORY_BROKER)
    """``redis://…``; ``memory://`` is the embedded default, with the worker in the same process."""
    visibility_timeout: Duration = timedelta(seconds=900)
    hard_time_limit: Duration = timedelta(seconds=300)
    soft_time_limit: Duration = timedelta(seconds=240)

    @model_validator(mode="after")
    def _limits_in_order(self) -> BrokerSettings:
        """A task that may run past the visibility timeout is delivered again while it runs (R-20, L7)."""
        if not self.soft_time_limit < self.hard_time_limit < self.visibility_timeout:
            raise ValueError("soft_time_limit < hard_time_limit < visibility_timeout must hold")
        return self


class WorkerSettings(Section):
    """Leases and the ladder of tries (design law 6)."""

    concurrency: int = Field(default=2, gt=0)
    lease: Duration = timedelta(seconds=60)
    renew_every: Duration = timedelta(seconds=20)
    retry_waits: tuple[Duration, ...] = (
        timedelta(seconds=10),
        timedelta(minutes=1),
        timedelta(minutes=5),
        timedelta(minutes=30),
    )
    """Wait after the first, second … failed try; dead after one try more than there are waits."""
    sweep_every: Duration = timedelta(seconds=30)
    sweep_limit: int = Field(default=4000, gt=0, le=5000)
    """A sweep fits into the buffer of the doorbell."""
    overdue_after: Duration = timedelta(seconds=60)
    """``/readyz`` is red while a delivery has been due for longer than this."""
    deaf_after: Duration = timedelta(seconds=120)
    """A worker process ends itself when work was due for so long, nobody took any, and the broker answers."""


class DigestSettings(Section):
    """What each digest is like unless the repository says otherwise."""

    timezone: ZoneName = "UTC"
    languages: tuple[Language, ...] = Field(default=("en",), min_length=1)
    featured: int = Field(default=24, gt=0, le=60)
    """At most this many merges are told by name."""
    key_pull_requests: int = Field(default=8, gt=0, le=12)
    grace: Duration = timedelta(hours=6)
    """How long after its week a digest waits for merges that are not analysed yet."""


class PublisherSettings(Section):
    """Where digests are published."""

    folder: Path | None = None
    """Folder of published files; none: ``published`` in the data folder."""


class ClonesSettings(Section):
    """Clones that the reconciler keeps, so that facts are read from whole files."""

    keep: bool = False
    """Keep a clone of every listed repository that has no detail source of its own and says nothing else."""
    folder: Path | None = None
    """Folder of the kept clones; none: ``clones`` in the data folder."""
    fetch_every: Duration = timedelta(minutes=15)
    deadline: Duration = Field(default=timedelta(minutes=15), gt=timedelta(0))
    """How long making or fetching one clone may take."""
    wait: Duration = timedelta(hours=1)
    """How long after its merge an analysis waits for a remote that is away."""
    tokens: dict[str, SecretStr] = {}
    """Host → token that its https remotes are asked with; never given to any other host."""


class Settings(Section):
    """Everything; passed down from the start of a process, never mutated."""

    data_folder: Path = Field(default_factory=default_data_folder)
    webhook: WebhookSettings = WebhookSettings()
    api: ApiSettings = ApiSettings()
    database: DatabaseSettings = DatabaseSettings()
    broker: BrokerSettings = BrokerSettings()
    worker: WorkerSettings = WorkerSettings()
    digest: DigestSettings = DigestSettings()
    publisher: PublisherSettings = PublisherSettings()
    clones: ClonesSettings = ClonesSettings()
    github: GitHubSettings = GitHubSettings()
    model: ModelSettings = ModelSettings()
    repositories: tuple[RepositorySettings, ...] = ()
    """The watched repositories; empty: every signed one is."""

    @property
    def database_url(self) -> str:
        """The SQLAlchemy URL in force (a secret: it may hold a password)."""
        if self.database.url is not None and self.database.url.get_secret_value():
            return self.database.url.get_secret_value()
        return f"sqlite:///{self.data_folder / 'mergecast.sqlite3'}"

    @property
    def published_folder(self) -> Path:
        """The folder that the files channel writes to."""
        return self.publisher.folder or self.data_folder / "published"

    @property
    def clones_folder(self) -> Path:
        """The folder of the clones that are kept, and of those that the command line fetches."""
        return self.clones.folder or self.data_folder / "clones"

    @property
    def kept(self) -> tuple[RepositorySettings, ...]:
        """The listed repositories of which the reconciler keeps a clone."""
        return tuple(listed for listed in self.repositories if self._keeps(listed))

    def asks_host(self, listed: RepositorySettings) -> bool:
        """Whether the host's API is asked about this repository: for merges that never arrived, at least."""
        return self.github.enabled and listed.api is not False and listed.host == self.github.host

    @property
    def embedded(self) -> bool:
        """True when the worker and beat live in the serving process."""
        return self.broker.url.get_secret_value().startswith("memory:")

    def _keeps(self, listed: RepositorySettings) -> bool:
        if listed.keep_clone is not None:
            return listed.keep_clone
        return self.clones.keep and listed.records is None and listed.clone is None

    def repository(self, full_name: str) -> RepositorySettings:
        """The settings of one repository: its own, or the defaults of an unlisted one."""
        for listed in self.repositories:
            if listed.full_name.casefold() == full_name.casefold():
                return listed
        return RepositorySettings.model_construct(full_name=full_name, host=self.github.host)

    def watches(self, full_name: str) -> bool:
        """Whether merges of this repository make work."""
        return not self.repositories or any(r.full_name.casefold() == full_name.casefold() for r in self.repositories)
