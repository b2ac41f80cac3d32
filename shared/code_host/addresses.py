"""Where something is at the host: paths by numeric id, redirects and page links that are followed only to the host."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import parse_qsl, urlencode, urlsplit

from shared.domain.errors import Transient
from shared.domain.pull_request import RepositoryRef

GRAPHQL = "/graphql"

_REPOSITORY = re.compile(r"^/(?:repositories/\d+|repos/[^/]+/[^/]+)(?=/|$)")
_WAY_OUT = "Look at github.api_url and at proxies on the way."


@dataclass(frozen=True)
class Request:
    """One request: ``path`` below the API's address, without a query."""

    method: str
    path: str
    parameters: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, object] | None = field(default=None, repr=False)
    etag: str | None = None

    @property
    def resource(self) -> str:
        """Which of the host's budgets it draws on."""
        return "graphql" if self.path == GRAPHQL else "core"

    @property
    def what(self) -> str:
        """The request as error texts name it."""
        return f"{self.method} {self.path}"

    @property
    def key(self) -> str:
        """Path and parameters as one text, the same for the same request."""
        return f"{self.path}?{urlencode(sorted(self.parameters.items()))}"

    @property
    def fingerprint(self) -> str:
        """A short text, the same for the same request, its body included."""
        body = json.dumps(self.body, sort_keys=True, default=str)
        return hashlib.sha256(f"{self.method} {self.key} {body}".encode("utf-8", "replace")).hexdigest()[:16]


def path_of(repository: RepositoryRef) -> str:
    """Return where a repository is: by its id, which a rename does not change; by name while no id is known (R-52)."""
    return f"/repos/{repository.full_name}" if repository.id is None else f"/repositories/{repository.id}"


def moved(request: Request, location: str, address: str) -> Request:
    """Return the request at the place that a redirect names; its own query is kept where the place names none (P1).

    ``address`` is the API's. Transient when the place is not below it: no credential goes to another host.
    """
    path, query = _below(location, address)
    if path is None:
        raise Transient(f"{request.what} was sent on to an address that is not the API's.", _WAY_OUT)
    return replace(request, path=path, parameters={**request.parameters, **query})


def page_query(request: Request, url: str | None, address: str) -> dict[str, str] | None:
    """Return the query of a link to another page of the same list; None without a link.

    The host writes a repository's number into such links where its name was asked for. Transient when the link leads
    anywhere else.
    """
    if url is None:
        return None
    path, query = _below(url, address)
    if path is None or _REPOSITORY.sub("", path) != _REPOSITORY.sub("", request.path):
        raise Transient(f"The answer to {request.what} names a next page that is elsewhere.", _WAY_OUT)
    return query


def _below(url: str, address: str) -> tuple[str | None, dict[str, str]]:
    """The path below the API's address and the query; no path when the address is another."""
    base = urlsplit(address)
    try:
        parts = urlsplit(url)
        same = (not parts.netloc and not parts.scheme) or _origin(url) == _origin(address)
    except ValueError:
        return None, {}
    prefix = base.path.rstrip("/")
    if not same or not parts.path.startswith(f"{prefix}/"):
        return None, {}
    return parts.path.removeprefix(prefix), dict(parse_qsl(parts.query, keep_blank_values=True))


def _origin(url: str) -> tuple[str, str | None, int | None]:
    parts = urlsplit(url)
    return parts.scheme, parts.hostname, parts.port or {"https": 443, "http": 80}.get(parts.scheme)
