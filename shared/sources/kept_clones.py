"""Which clone is kept of a repository, by its settings."""

from __future__ import annotations

from urllib.parse import urlsplit

from shared.domain.errors import InvalidInput
from shared.domain.protocols import Clock
from shared.settings import RepositorySettings, Settings
from shared.sources.git_history.addresses import credentials_of
from shared.sources.git_history.remote import remote_of
from shared.sources.git_history.upkeep import KeptClone


def kept_clone(settings: Settings, repository: RepositorySettings, clock: Clock) -> KeptClone:
    """Return the clone that is kept of ``repository``; nothing is touched yet.

    Only https, ssh and (named by the settings) file are spoken. InvalidInput for another address, and for one that
    holds a password: it would stand in the open in a settings file.
    """
    url = repository.remote_url
    if (credentials_of(url) or ("", None))[1] is not None:
        raise InvalidInput(
            f"clone_url of {repository.full_name} holds a password.", "Give a token in clones.tokens instead."
        )
    token = settings.clones.tokens.get(_host_of(url))
    protocols = "file" if url.startswith("file:") else "https:ssh"
    return KeptClone(
        remote_of(url, token.get_secret_value() if token else None, protocols), settings.clones_folder, clock
    )


def _host_of(url: str) -> str:
    """The host, with its port where one is named; empty where the address names none."""
    try:
        return urlsplit(url).netloc.rpartition("@")[2].lower()
    except ValueError:
        return ""
