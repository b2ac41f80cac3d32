"""A git clone as a source of merges: no token, no API call; also fetches one into a cache."""

from shared.sources.git_history.cache import fetch_clone
from shared.sources.git_history.history import GitHistory

__all__ = ["GitHistory", "fetch_clone"]
