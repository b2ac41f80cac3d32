"""Where GraphQL queries begin: repositories by name, nodes by id, the rate limit, and the rights of the caller."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tests.servers.github.graphql import pull_requests, repositories
from tests.servers.github.graphql.cost import Cost, QueryProblem
from tests.servers.github.moments import written
from tests.servers.github.shapes import repositories as addresses

if TYPE_CHECKING:
    from tests.servers.github.exchange import Request
    from tests.servers.github.repositories import Repository


class Root:
    """The fields of Query."""

    def __init__(self, request: Request, price: Cost) -> None:
        self._request, self._price = request, price
        self._world, self._caller = request.world, request.credential

    def repository(self, _info: Any, owner: str, name: str, **_more: Any) -> dict[str, Any]:
        """Return a repository by a name that it has or had."""
        found = self._world.repository_named(f"{owner}/{name}")
        if found is None or not self._there(found):
            raise QueryProblem("NOT_FOUND", f"Could not resolve to a Repository with the name '{owner}/{name}'.")
        return repositories.repository(found, self._request)

    def node(self, _info: Any, id: str) -> dict[str, Any]:  # noqa: A002 - GitHub's word
        """Return a repository or a pull request by its global id."""
        kind, _, number = id.partition("_")
        wanted = int(number) if number.isdigit() else 0
        for known in self._world.repositories.values():
            if not self._there(known):
                continue
            if kind == "R" and known.id == wanted:
                return repositories.repository(known, self._request)
            if kind == "PR" and (pull := known.pulls_by_id.get(wanted)):
                repositories.check_right(self._request, known, "pull_requests")
                return pull_requests.pull_request(pull, self._request)
        raise QueryProblem("NOT_FOUND", f"Could not resolve to a node with the global id of '{id}'")

    def nodes(self, info: Any, ids: list[str]) -> list[Any]:
        """Return several; one that is not there is null and an error of its own."""
        return [self._or_problem(info, one) for one in ids]

    def rateLimit(self, _info: Any, **_more: Any) -> dict[str, Any]:
        """Return what this query took and what is left."""
        window = self._world.limits.window(self._caller, "graphql")
        return window.shape() | {
            "cost": self._price.points,
            "nodeCount": self._price.nodes,
            "resetAt": written(window.reset_at),
        }

    def viewer(self, _info: Any) -> dict[str, Any]:
        """Return who asks."""
        return repositories.viewer(self._request)

    def _or_problem(self, info: Any, one: str) -> Any:
        try:
            return self.node(info, one)
        except QueryProblem as problem:
            return problem

    def _there(self, one: Repository) -> bool:
        if one.deleted or not self._caller.sees(one):
            return False
        if one.blocked:
            raise QueryProblem("FORBIDDEN", f"Repository access blocked: {addresses.page(one)}")
        return True
