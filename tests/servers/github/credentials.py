"""Who calls: nobody, a personal token, the app itself or one of its installations; and what each may do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import jwt

from tests.servers.github.accounts import Token
from tests.servers.github.exchange import Refusal
from tests.servers.github.installations import App, Installation, InstallationToken

if TYPE_CHECKING:
    from tests.servers.github.repositories import Repository
    from tests.servers.github.world import World

JWT_LIFE = 600
"""GitHub refuses an app's JSON web token that lives longer than ten minutes (docs.github.com, "Generating a JWT")."""
LEVELS = {"": 0, "read": 1, "write": 2, "admin": 3}


@dataclass(frozen=True)
class Credential:
    """Nobody; the other three are below."""

    name: str = "anonymous"
    limit: int = 60
    graphql_limit: int = 0
    refusal: str = "Requires authentication"

    def sees(self, repository: Repository) -> bool:
        """Whether a repository exists for the caller."""
        return not repository.private

    def may(self, repository: Repository, permission: str, level: str) -> bool:
        """Whether the caller has a right; everybody reads what is public."""
        return _public(repository, permission, level)

    def headers(self, accepted: str) -> dict[str, str]:
        """Return the headers that say what rights there are and what rights were needed."""
        return {"X-Accepted-GitHub-Permissions": accepted} if accepted else {}


@dataclass(frozen=True)
class Personal(Credential):
    """A personal token."""

    token: Token | None = None

    def sees(self, repository: Repository) -> bool:
        """See the class above."""
        assert self.token
        return not repository.private or self.token.reaches(repository)

    def may(self, repository: Repository, permission: str, level: str) -> bool:
        """See the class above."""
        assert self.token
        if _public(repository, permission, level):
            return True
        return self.token.reaches(repository) and LEVELS[self.token.level(permission)] >= LEVELS[level]

    def headers(self, accepted: str) -> dict[str, str]:
        """See the class above; a classic token is told of scopes."""
        assert self.token
        if self.token.scopes is None:
            return super().headers(accepted)
        return {"X-OAuth-Scopes": ", ".join(self.token.scopes), "X-Accepted-OAuth-Scopes": "repo" if accepted else ""}


@dataclass(frozen=True)
class OfApp(Credential):
    """The app itself, by its JSON web token."""

    app: App | None = None


@dataclass(frozen=True)
class OfInstallation(Credential):
    """An installation, by one of its tokens."""

    token: InstallationToken | None = None

    @property
    def installation(self) -> Installation:
        """The installation that the token is of."""
        assert self.token
        return self.token.installation

    def covers(self, repository: Repository) -> bool:
        """Whether the token was made for this repository."""
        assert self.token
        ids = self.token.repository_ids
        return self.installation.covers(repository) and (ids is None or repository.id in ids)

    def sees(self, repository: Repository) -> bool:
        """See the class above."""
        return not repository.private or self.covers(repository)

    def may(self, repository: Repository, permission: str, level: str) -> bool:
        """See the class above."""
        assert self.token
        if _public(repository, permission, level):
            return True
        return self.covers(repository) and LEVELS[self.token.permissions.get(permission, "")] >= LEVELS[level]


def recognized(world: World, authorization: str) -> Credential:
    """Return who an Authorization header is; a ``Refusal`` with 401 for a token that is worth nothing."""
    if not authorization:
        return Credential(limit=world.anonymous_limit)
    value = authorization.partition(" ")[2].strip()
    if value.count(".") == 2:
        return _app(world.app, value)
    if value in world.tokens and not world.tokens[value].revoked:
        token = world.tokens[value]
        kind = "Resource not accessible by personal access token"
        return Personal(f"token:{token.name}", token.limit, token.graphql_limit, kind, token)
    made = world.installation_tokens.get(value)
    if made is None or made.installation.deleted or made.expires_at <= world.now:
        raise Refusal(401, "Bad credentials")
    one = made.installation
    kind = "Resource not accessible by integration"
    return OfInstallation(f"installation:{one.id}", one.limit, one.graphql_limit, kind, made)


def _app(app: App, value: str) -> Credential:
    try:
        claims = jwt.decode(value, app.public_key, algorithms=["RS256"], leeway=60)
    except jwt.PyJWTError as error:
        raise Refusal(401, "A JSON web token could not be decoded") from error
    if str(claims.get("iss")) not in {str(app.id), app.client_id}:
        raise Refusal(404, "Integration not found")
    if claims["exp"] - claims["iat"] > JWT_LIFE + 120:
        raise Refusal(401, "'Expiration time' claim ('exp') is too far in the future")
    return OfApp(f"app:{app.id}", 5_000, 0, "Resource not accessible by integration", app)


def _public(repository: Repository, permission: str, level: str) -> bool:
    return level == "read" and not repository.private and permission not in {"repository_hooks", "administration"}
