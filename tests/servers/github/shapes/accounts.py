"""Accounts as GitHub's JSON has them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tests.servers.github.accounts import Account
from tests.servers.github.moments import written

if TYPE_CHECKING:
    from tests.servers.github.world import World

ENDINGS = {
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


def account(world: World, who: Account | None) -> dict[str, Any] | None:
    """Return the short form of an account, or None for one that is gone."""
    return None if who is None or who.deleted else known(world, who)


def known(world: World, who: Account) -> dict[str, Any]:
    """Return the short form of an account that is there."""
    return {
        "login": who.login,
        "id": who.id,
        "node_id": who.node_id,
        "gravatar_id": "",
        "type": who.type,
        "user_view_type": "public",
        "site_admin": False,
        **_addresses(world.api_url, world.html_host, who.login, who.id),
    }


def public_user(world: World, who: Account) -> dict[str, Any]:
    """Return the form of ``GET /users/{username}``."""
    at = written(world.moment(None))
    nothing = dict.fromkeys(("company", "location", "email", "hireable", "bio", "twitter_username"))
    counts = dict.fromkeys(("public_repos", "public_gists", "followers", "following"), 0)
    return known(world, who) | nothing | counts | {"name": who.name, "blog": "", "created_at": at, "updated_at": at}


def private_user(world: World, who: Account) -> dict[str, Any]:
    """Return the form of ``GET /user``."""
    keys = ("private_gists", "total_private_repos", "owned_private_repos", "disk_usage", "collaborators")
    return public_user(world, who) | dict.fromkeys(keys, 0) | {"two_factor_authentication": True}


def organization(world: World, who: Account) -> dict[str, Any]:
    """Return an organization as webhook payloads name it."""
    url = f"{world.api_url}/orgs/{who.login}"
    return {
        "login": who.login,
        "id": who.id,
        "node_id": who.node_id,
        "url": url,
        "repos_url": f"{url}/repos",
        "events_url": f"{url}/events",
        "hooks_url": f"{url}/hooks",
        "issues_url": f"{url}/issues",
        "members_url": f"{url}/members{{/member}}",
        "public_members_url": f"{url}/public_members{{/member}}",
        "avatar_url": f"{world.html_host}/avatars/{who.id}",
        "description": "",
    }


@lru_cache(maxsize=10_000)
def _addresses(api: str, html: str, login: str, number: int) -> dict[str, str]:
    url = f"{api}/users/{login}"
    page = f"{html}/apps/{login.removesuffix('[bot]')}" if login.endswith("[bot]") else f"{html}/{login}"
    ends = {key: url + ending for key, ending in ENDINGS.items()}
    return {"url": url, "html_url": page, "avatar_url": f"{html}/avatars/{number}", **ends}
