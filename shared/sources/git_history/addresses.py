"""Addresses of clones: which may be fetched, and which repository they name; pure."""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit, urlunsplit

from shared.domain.errors import InvalidInput
from shared.domain.pull_request import RepositoryRef
from shared.sources.github_payloads import full_name_of

PROTOCOLS = "https:http:ssh:git:file"
"""What git may speak when it fetches; above all not ``ext``, which runs a command."""

_SCP = re.compile(r"(?:[A-Za-z0-9_.-]+@)?([A-Za-z0-9][A-Za-z0-9.-]*):(?!/?/)(.+)", re.ASCII)
_REMOTE_HELPER = re.compile(r"[A-Za-z0-9+.-]+::")
_SAME_HOST = {"www.github.com": "github.com", "ssh.github.com": "github.com"}


def checked_url(url: str) -> str:
    """Return ``url`` when it is an address that may be fetched.

    InvalidInput for one that git would take for an option, that names a remote helper (``ext::…`` runs a command), or
    that speaks something other than https, http, ssh, git or file.
    """
    shown = without_credentials(url)
    if url.startswith("-") or _REMOTE_HELPER.match(url) or not url.isprintable() or " " in url:
        raise InvalidInput(f"'{shown}' is not an address that may be cloned.", _advice())
    if "://" in url:
        scheme, host = url.partition("://")[0].lower(), url.partition("://")[2]
        if scheme not in PROTOCOLS.split(":") or host.rpartition("@")[2].startswith("-"):
            raise InvalidInput(f"'{shown}' is not an address that may be cloned.", _advice())
        return url
    if not _SCP.fullmatch(url):
        raise InvalidInput(f"'{shown}' is not the URL of a clone.", _advice())
    return url


def without_credentials(url: str) -> str:
    """Return ``url`` without user name, password or token; fit to be shown and stored."""
    if "://" not in url:
        return url
    try:
        parts = urlsplit(url)
    except ValueError:
        return url.partition("://")[0] + "://…"
    user, at, host = parts.netloc.rpartition("@")
    keep = f"{user}@" if at and parts.scheme == "ssh" and ":" not in user else ""
    return urlunsplit((parts.scheme, keep + host, parts.path, "", ""))


def credentials_of(url: str) -> tuple[str, str | None] | None:
    """Return user name and password (None when there is none) of an http or https URL, None without a user name."""
    if url.partition("://")[0].lower() not in {"https", "http"}:
        return None
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    if parts.username is None:
        return None
    return unquote(parts.username), unquote(parts.password) if parts.password else None


def repository_of_url(url: str) -> RepositoryRef | None:
    """Return the repository that a remote's URL names (https, ssh, git or scp form), None for paths and other forms."""
    if "://" in url:
        try:
            parts = urlsplit(url)
            host, port = parts.hostname, parts.port
        except ValueError:
            return None
        if parts.scheme not in {"https", "http", "ssh", "git"} or not host:
            return None
        web_port = f":{port}" if port and parts.scheme in {"https", "http"} and port not in {80, 443} else ""
        return _reference(host + web_port, parts.path)
    matched = _SCP.fullmatch(url)
    return _reference(matched[1], matched[2]) if matched else None


def chosen_repository(name: str, host: str | None) -> RepositoryRef:
    """Return the repository that a person names as OWNER/NAME; InvalidInput when it is no such name."""
    full_name = full_name_of(name)
    if full_name is None or full_name.startswith("-"):
        raise InvalidInput(f"'{name}' is not a repository name.", "Write it as OWNER/NAME.")
    return RepositoryRef(full_name=full_name, host=host) if host else RepositoryRef(full_name=full_name)


def _reference(host: str, path: str) -> RepositoryRef | None:
    full_name = full_name_of(path.strip("/").removesuffix(".git").strip("/"))
    host = host.lower()
    return RepositoryRef(full_name=full_name, host=_SAME_HOST.get(host, host)) if full_name else None


def _advice() -> str:
    return "Use an https, ssh, git or file URL, such as https://github.com/OWNER/NAME."
