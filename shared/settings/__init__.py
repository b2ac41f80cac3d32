"""Settings: one frozen class per concern, read once at start from the environment and ``mergecast.toml``."""

from shared.settings.code_host import GitHubSettings
from shared.settings.language_model import ModelSettings, PriceSettings
from shared.settings.loading import load_settings
from shared.settings.model import (
    ApiSettings,
    BrokerSettings,
    DatabaseSettings,
    DigestSettings,
    PublisherSettings,
    Settings,
    WebhookSettings,
    WorkerSettings,
)
from shared.settings.repository import RepositorySettings

__all__ = [
    "ApiSettings",
    "BrokerSettings",
    "DatabaseSettings",
    "DigestSettings",
    "GitHubSettings",
    "ModelSettings",
    "PriceSettings",
    "PublisherSettings",
    "RepositorySettings",
    "Settings",
    "WebhookSettings",
    "WorkerSettings",
    "load_settings",
]
