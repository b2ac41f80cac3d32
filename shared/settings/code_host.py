"""The settings of the code host: where its API is, and what it is asked with."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, model_validator

from shared.settings.values import Duration, Section

_LOOPBACK = ("127.0.0.1", "localhost", "::1")


class GitHubSettings(Section):
    """GitHub, or a GitHub Enterprise server: nothing is asked of it without a credential, unless ``anonymous``."""

    host: str = "github.com"
    api_url: str | None = None
    """None: ``https://api.github.com``, for another host ``https://HOST/api/v3``."""
    token: SecretStr = SecretStr("")
    """A personal access token that may read contents, pull requests and metadata."""
    app_id: str = ""
    """Id (or client id) of the GitHub App that reads."""
    private_key: SecretStr = SecretStr("")
    """The App's private key (PEM)."""
    private_key_file: Path | None = None
    write_token: SecretStr = SecretStr("")
    """Another token, for publishing alone: analyses never write."""
    anonymous: bool = False
    """Ask without any credential: 60 requests an hour, about 15 merges; no GraphQL."""
    timeout: Duration = Field(default=timedelta(seconds=10), gt=timedelta(0))
    reconcile_every: Duration = Field(default=timedelta(hours=1), gt=timedelta(0))
    overlap: Duration = Field(default=timedelta(hours=24), gt=timedelta(0))
    """How far behind the watermark each reconciliation begins."""
    own_files: bool = False
    """Whether ``.github/mergecast.toml`` of watched repositories may override the operator's settings."""

    @model_validator(mode="after")
    def _fits_together(self) -> GitHubSettings:
        if self.app_id and self.token.get_secret_value():
            raise ValueError("give token or app_id, not both")
        if self.app_id and not (self.private_key.get_secret_value() or self.private_key_file):
            raise ValueError("app_id needs private_key_file or private_key")
        if self.private_key.get_secret_value() and self.private_key_file:
            raise ValueError("give private_key or private_key_file, not both")
        url = urlsplit(self.address)
        if url.scheme != "https" and not (url.scheme == "http" and url.hostname in _LOOPBACK):
            raise ValueError("api_url must begin with https://")
        if url.username or url.password or url.query or url.fragment:
            raise ValueError("api_url must be an address alone")
        return self

    @property
    def address(self) -> str:
        """Where the API is, without a slash at its end."""
        if self.api_url:
            return self.api_url.rstrip("/")
        return "https://api.github.com" if self.host == "github.com" else f"https://{self.host}/api/v3"

    @property
    def has_credential(self) -> bool:
        """Whether there is anything to ask with."""
        return bool(self.token.get_secret_value() or self.app_id)

    @property
    def enabled(self) -> bool:
        """Whether the API may be asked at all."""
        return self.has_credential or self.anonymous
