"""Makes the webhook secret and the API token when none is set, keeps them in the data folder, shows them once."""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from pydantic import SecretStr

from shared.domain.errors import InvalidInput
from shared.settings import Settings

FILE = "credentials.json"
_SECRET, _TOKEN = "webhook_secret", "api_token"


@dataclass(frozen=True)
class Credentials:
    """A webhook secret and an API token; ``repr`` shows neither."""

    webhook_secret: SecretStr
    api_token: SecretStr


def credentials_file(settings: Settings) -> Path:
    """Return where generated credentials are kept."""
    return settings.data_folder / FILE


def ensure_credentials(settings: Settings) -> tuple[Settings, Credentials | None]:
    """Return settings in which webhook and API have a secret, and the credentials if they were made just now.

    What the operator set stays in force; the file only fills in for what is not set, so nothing is ever open. The
    data folder must exist. InvalidInput when the file cannot be read, written, or is not ours alone.
    """
    if _set(settings.webhook.secrets) and _set(settings.api.tokens):
        return settings, None
    stored = _read(credentials_file(settings))
    made = None if stored else _make(credentials_file(settings))
    return _with(settings, stored or made), made


def stored_credentials(settings: Settings) -> Settings:
    """Return settings with the credentials of an earlier start filled in, if there were any; makes none."""
    return _with(settings, _read(credentials_file(settings)))


def _with(settings: Settings, credentials: Credentials | None) -> Settings:
    if credentials is None:
        return settings
    webhook, api = settings.webhook, settings.api
    if not _set(webhook.secrets):
        webhook = webhook.model_copy(update={"secrets": (credentials.webhook_secret,)})
    if not _set(api.tokens):
        api = api.model_copy(update={"tokens": (credentials.api_token,)})
    return settings.model_copy(update={"webhook": webhook, "api": api})


def _set(values: tuple[SecretStr, ...]) -> bool:
    return any(value.get_secret_value() for value in values)


def _read(path: Path) -> Credentials | None:
    try:
        with path.open(encoding="utf-8") as file:
            if os.fstat(file.fileno()).st_mode & 0o077:
                raise InvalidInput(f"{path} can be read by others.", f"Run: chmod 600 {path}")
            values = json.load(file)
        return Credentials(SecretStr(_word(values[_SECRET])), SecretStr(_word(values[_TOKEN])))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror}.", "Check its permissions.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise InvalidInput(
            f"{path} does not hold credentials.", "Remove it, and new ones are made at the next start."
        ) from error


def _word(value: object) -> str:
    if not isinstance(value, str) or not value:
        raise ValueError
    return value


def _make(path: Path) -> Credentials:
    made = {_SECRET: secrets.token_urlsafe(32), _TOKEN: secrets.token_urlsafe(32)}
    try:
        # Private from its first moment, and never over one that somebody else has just made.
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            json.dump(made, file, indent=2)
            file.write("\n")
    except OSError as error:
        raise InvalidInput(
            f"{path} cannot be written: {error.strerror}.", "Set data_folder to a writable place, or set the secrets."
        ) from error
    return Credentials(SecretStr(made[_SECRET]), SecretStr(made[_TOKEN]))
