"""The objects that are nested in GitHub's payloads (accounts, repositories, labels), complete as GitHub sends them."""

from __future__ import annotations

import base64
import zlib
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

API = "https://api.github.com"
SITE = "https://github.com"

_ACCOUNT_URLS = {
    "followers_url": "/followers",
    "following_url": "/following{/other_user}",
    "gists_url": "/gists{/gist_id}",
    "starred_url": "/starred{/owner}{/repo}",
    "subscriptions_url": "/subscriptions",
    "organizations_url": "/orgs",
    "repos_url": "/repos",
    "events_url": "/events{/privacy}",
    "received_events_url": "/received_events",
}
_REPOSITORY_URLS = {
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
_MERGE_SETTINGS: dict[str, Any] = {
    "allow_squash_merge": True,
    "allow_merge_commit": True,
    "allow_rebase_merge": True,
    "allow_auto_merge": True,
    "delete_branch_on_merge": True,
    "allow_update_branch": True,
    "use_squash_pr_title_as_default": True,
    "squash_merge_commit_message": "PR_BODY",
    "squash_merge_commit_title": "PR_TITLE",
    "merge_commit_message": "PR_TITLE",
    "merge_commit_title": "MERGE_MESSAGE",
}
_FOUNDED = "2024-02-11T09:30:00Z"
_STANDING: dict[str, Any] = {
    "homepage": None,
    "size": 48_213,
    "stargazers_count": 9_412,
    "watchers_count": 9_412,
    "language": "Rust",
    **dict.fromkeys(("has_issues", "has_projects", "has_downloads", "has_wiki", "has_discussions"), True),
    "has_pages": False,
    "forks_count": 733,
    "mirror_url": None,
    "archived": False,
    "disabled": False,
    "open_issues_count": 268,
    "license": {
        "key": "apache-2.0",
        "name": "Apache License 2.0",
        "spdx_id": "Apache-2.0",
        "url": f"{API}/licenses/apache-2.0",
        "node_id": "MDc6TGljZW5zZTI=",
    },
    "allow_forking": True,
    "is_template": False,
    "web_commit_signoff_required": False,
    "topics": [],
    "forks": 733,
    "open_issues": 268,
    "watchers": 9_412,
}
"""What a payload says of a repository and nobody here reads."""


def stable_id(*parts: object) -> int:
    """An id beyond 32 bits for something whose real id a record does not tell: the same for the same parts."""
    return (1 << 32) + zlib.crc32("/".join(map(str, parts)).encode())


def node_id(prefix: str, *ids: int) -> str:
    """A global node id as GitHub makes them today: prefix, then MessagePack of zero and the ids in base64."""
    packed = bytes([0x91 + len(ids), 0])
    for number in ids:
        packed += b"\xce" + number.to_bytes(4, "big") if number < 1 << 32 else b"\xcf" + number.to_bytes(8, "big")
    return f"{prefix}_{base64.urlsafe_b64encode(packed).decode().rstrip('=')}"


def account(person: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The account object of ``{login, id, type}``; None stays None, as for a deleted account."""
    if not person or not person.get("login"):
        return None
    login, kind = str(person["login"]), str(person.get("type") or "User")
    number = int(person.get("id") or stable_id("account", login))
    url = f"{API}/users/{quote(login)}"
    return {
        "login": login,
        "id": number,
        "node_id": node_id("O" if kind == "Organization" else "U", number),
        "avatar_url": f"https://avatars.githubusercontent.com/u/{number}?v=4",
        "gravatar_id": "",
        "url": url,
        "html_url": f"{SITE}/apps/{login.removesuffix('[bot]')}" if kind == "Bot" else f"{SITE}/{login}",
        **{name: url + tail for name, tail in _ACCOUNT_URLS.items()},
        "type": kind,
        "user_view_type": "public",
        "site_admin": False,
    }


def repository(full_name: str, number: int, *, default_branch: str, private: bool, pushed_at: str) -> dict[str, Any]:
    """The repository object, as it stands in ``repository`` and, with merge settings, in ``head`` and ``base``."""
    owner, name = full_name.split("/", 1)
    url = f"{API}/repos/{full_name}"
    return {
        "id": number,
        "node_id": node_id("R", number),
        "name": name,
        "full_name": full_name,
        "private": private,
        "owner": account({"login": owner, "type": "Organization"}),
        "html_url": f"{SITE}/{full_name}",
        "description": None,
        "fork": False,
        "url": url,
        **{field: url + tail for field, tail in _REPOSITORY_URLS.items()},
        "created_at": _FOUNDED,
        "updated_at": pushed_at,
        "pushed_at": pushed_at,
        "git_url": f"git://github.com/{full_name}.git",
        "ssh_url": f"git@github.com:{full_name}.git",
        "clone_url": f"{SITE}/{full_name}.git",
        "svn_url": f"{SITE}/{full_name}",
        **_STANDING,
        "visibility": "private" if private else "public",
        "default_branch": default_branch,
    }


def with_merge_settings(shown: Mapping[str, Any], *, fork: bool) -> dict[str, Any]:
    """A repository as it is nested in ``head`` and ``base`` of a pull request."""
    return {**shown, "fork": fork, **_MERGE_SETTINGS}


def organization(login: str) -> dict[str, Any]:
    """The object under ``organization`` of a delivery for a repository that an organization owns."""
    number = stable_id("account", login)
    url = f"{API}/orgs/{login}"
    return {
        "login": login,
        "id": number,
        "node_id": node_id("O", number),
        "url": url,
        "repos_url": f"{url}/repos",
        "events_url": f"{url}/events",
        "hooks_url": f"{url}/hooks",
        "issues_url": f"{url}/issues",
        "members_url": f"{url}/members{{/member}}",
        "public_members_url": f"{url}/public_members{{/member}}",
        "avatar_url": f"https://avatars.githubusercontent.com/u/{number}?v=4",
        "description": None,
    }


def label(name: str, full_name: str) -> dict[str, Any]:
    """The label object of a repository's label."""
    number = stable_id("label", full_name, name)
    return {
        "id": number,
        "node_id": node_id("LA", number),
        "url": f"{API}/repos/{full_name}/labels/{quote(name)}",
        "name": name,
        "color": f"{number % 0x1000000:06x}",
        "default": False,
        "description": None,
    }
