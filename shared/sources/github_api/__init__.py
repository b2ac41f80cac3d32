"""GitHub's API as a source: details of known merges, listings of them, a repository's own convention files."""

from shared.sources.github_api.api import GitHubApi
from shared.sources.github_api.listing import ListedPage, delivery_payload

__all__ = ["GitHubApi", "ListedPage", "delivery_payload"]
