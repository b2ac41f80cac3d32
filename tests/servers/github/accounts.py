"""Who acts in the stand-in: people, bots and organizations, and the personal tokens of people."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.servers.github.repositories import Repository

READER = {"metadata": "read", "contents": "read", "pull_requests": "read"}
"""The least rights that the product asks for (R-53); what a token has when a test says nothing."""


@dataclass
class Account:
    """A user, a bot or an organization; ``deleted`` ones are null wherever GitHub would name them."""

    id: int
    login: str
    type: str = "User"
    name: str | None = None
    deleted: bool = False

    @property
    def node_id(self) -> str:
        """The id that GraphQL knows it by."""
        return f"{self.type[0]}_{self.id}"


@dataclass
class Token:
    """A personal token: fine-grained with ``permissions``, or classic with ``scopes``."""

    name: str
    value: str = field(repr=False)
    account: Account
    permissions: dict[str, str]
    scopes: tuple[str, ...] | None
    repositories: tuple[str, ...] | None
    limit: int
    graphql_limit: int
    revoked: bool = False

    def reaches(self, repository: Repository) -> bool:
        """Whether the token's rights hold for a repository."""
        if self.scopes is not None:
            return not repository.private or "repo" in self.scopes
        return self.repositories is None or repository.goes_by(self.repositories)

    def level(self, permission: str) -> str:
        """Return "write", "read" or "" for a permission in GitHub's words."""
        if self.scopes is None:
            return self.permissions.get(permission, "")
        if permission == "repository_hooks":
            return _of_hooks(self.scopes)
        return "write" if {"repo", "public_repo"} & set(self.scopes) else "read"


def _of_hooks(scopes: tuple[str, ...]) -> str:
    if {"repo", "admin:repo_hook", "write:repo_hook"} & set(scopes):
        return "write"
    return "read" if "read:repo_hook" in scopes else ""
