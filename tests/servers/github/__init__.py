"""A stand-in for GitHub, with state that a test makes and that a real PyGithub reads.

    with GitHubServer() as github:
        github.world.token("reader")
        engine = github.world.add_repository("acme/engine")
        engine.open_pull("Keep the order").merge()
        github.faults.add(Fault("/files$", "not-found", times=2))
        ...  # github.api_url with the token "ghp_reader"; afterwards github.log

What happens in the world is in ``world``, ``repositories``, ``pull_requests`` and ``installations``; what goes wrong in ``faults``.
"""

from __future__ import annotations

from tests.servers.github.conversation import CommitSpec, FileSpec
from tests.servers.github.exchange import Answered
from tests.servers.github.faults import Fault
from tests.servers.github.server import GitHubServer
from tests.servers.github.world import World

__all__ = ["Answered", "CommitSpec", "Fault", "FileSpec", "GitHubServer", "World"]
