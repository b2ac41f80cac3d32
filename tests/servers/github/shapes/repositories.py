"""Repositories as GitHub's JSON has them: the form inside other objects, the full one and the short one."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tests.servers.github.moments import written
from tests.servers.github.shapes import accounts

if TYPE_CHECKING:
    from tests.servers.github.repositories import Repository

ENDINGS = {
    "forks_url": "/forks",
    "keys_url": "/keys{/key_id}",
    "collaborators_url": "/collaborators{/collaborator}",
    "teams_url": "/teams",
    "hooks_url": "/hooks",
    "issue_events_url": "/issues/events{/number}",
    "events_url": "/events",
    "assignees_url": "/assignees{/user}",
    "branches_url": "/branches{/branch}",
    "tags_url": "/tags",
    "blobs_url": "/git/blobs{/sha}",
    "git_tags_url": "/git/tags{/sha}",
    "git_refs_url": "/git/refs{/sha}",
    "trees_url": "/git/trees{/sha}",
    "statuses_url": "/statuses/{sha}",
    "languages_url": "/languages",
    "stargazers_url": "/stargazers",
    "contributors_url": "/contributors",
    "subscribers_url": "/subscribers",
    "subscription_url": "/subscription",
    "commits_url": "/commits{/sha}",
    "git_commits_url": "/git/commits{/sha}",
    "comments_url": "/comments{/number}",
    "issue_comment_url": "/issues/comments{/number}",
    "contents_url": "/contents/{+path}",
    "compare_url": "/compare/{base}...{head}",
    "merges_url": "/merges",
    "archive_url": "/{archive_format}{/ref}",
    "downloads_url": "/downloads",
    "issues_url": "/issues{/number}",
    "pulls_url": "/pulls{/number}",
    "milestones_url": "/milestones{/number}",
    "notifications_url": "/notifications{?since,all,participating}",
    "labels_url": "/labels{/name}",
    "releases_url": "/releases{/id}",
    "deployments_url": "/deployments",
}
NOTHING: dict[str, Any] = {
    **dict.fromkeys(("description", "homepage", "language", "mirror_url", "license")),
    **dict.fromkeys(("size", "stargazers_count", "watchers_count", "watchers", "forks_count", "forks"), 0),
    **dict.fromkeys(("fork", "has_pages", "has_discussions", "archived", "disabled", "is_template"), False),
    **dict.fromkeys(("has_issues", "has_projects", "has_wiki", "has_downloads", "allow_forking"), True),
    "web_commit_signoff_required": False,
    "topics": [],
}
"""What a repository of the stand-in has none of, and GitHub's defaults."""


def url(repository: Repository) -> str:
    """Return the API's address of a repository."""
    return f"{repository.world.api_url}/repos/{repository.full_name}"


def page(repository: Repository) -> str:
    """Return the address that people open."""
    return f"{repository.world.html_host}/{repository.full_name}"


def repository(one: Repository) -> dict[str, Any]:
    """Return the form that pull requests and webhook payloads hold."""
    at = written(one.created_at)
    return {
        **short(one),
        **NOTHING,
        "default_branch": one.default_branch,
        "visibility": "private" if one.private else "public",
        "open_issues": one.open_count,
        "open_issues_count": one.open_count,
        "created_at": at,
        "updated_at": written(one.updated_at),
        "pushed_at": at,
    }


def full(one: Repository) -> dict[str, Any]:
    """Return the form of ``GET /repos/{owner}/{repo}``."""
    merging = dict.fromkeys(("allow_rebase_merge", "allow_squash_merge", "allow_merge_commit"), True)
    more = {"permissions": {"admin": False, "push": False, "pull": True}, "subscribers_count": 0, "network_count": 0}
    organization = one.owner.type == "Organization"
    owner = {"organization": accounts.known(one.world, one.owner)} if organization else {}
    return repository(one) | merging | more | owner | {"custom_properties": {}}


def in_payload(one: Repository) -> dict[str, Any]:
    """Return the form at the top of webhook payloads."""
    return repository(one) | {"custom_properties": {}}


def short(one: Repository) -> dict[str, Any]:
    """Return the form that combined statuses hold."""
    return {
        "id": one.id,
        "node_id": one.node_id,
        "name": one.name,
        "full_name": one.full_name,
        "private": one.private,
        "owner": accounts.known(one.world, one.owner),
        "description": None,
        "fork": False,
        **_addresses(one.world.api_url, one.world.html_host, one.full_name),
    }


def named(one: Repository) -> dict[str, Any]:
    """Return the form in the list of what an installation covers."""
    keys = ("id", "node_id", "name", "full_name", "private")
    return {key: getattr(one, key) for key in keys}


@lru_cache(maxsize=10_000)
def _addresses(api: str, html: str, full_name: str) -> dict[str, str]:
    own = f"{api}/repos/{full_name}"
    ends = {key: own + ending for key, ending in ENDINGS.items()}
    host = html.partition("://")[2]
    return {
        "url": own,
        "html_url": f"{html}/{full_name}",
        "clone_url": f"{html}/{full_name}.git",
        "svn_url": f"{html}/{full_name}",
        "git_url": f"git://{host}/{full_name}.git",
        "ssh_url": f"git@{host}:{full_name}.git",
        **ends,
    }
