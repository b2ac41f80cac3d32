"""From a GraphQL request to its answer: validated against GitHub's own schema, charged, executed on the state."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from graphql import (
    DocumentNode,
    GraphQLError,
    GraphQLObjectType,
    GraphQLSchema,
    build_schema,
    execute_sync,
    parse,
    validate,
)

from tests.servers.github.credentials import OfApp, OfInstallation
from tests.servers.github.exchange import Answer, Refusal, Request
from tests.servers.github.graphql.cost import Cost, QueryProblem, cost
from tests.servers.github.graphql.root import Root

SDL = Path(__file__).parents[3] / "third_party" / "github_api" / "schema.graphql"


@cache
def schema() -> GraphQLSchema:
    """Return the slice of GitHub's schema that the stand-in answers.

    Numbers of repositories do not stop at 32 bits here, though the schema says Int: tests use such numbers (C-46).
    """
    built = build_schema(SDL.read_text("utf-8"))
    for kind in built.type_map.values():
        if isinstance(kind, GraphQLObjectType) and "databaseId" in kind.fields:
            kind.fields["databaseId"].type = built.type_map["BigInt"]
    return built


def answer(request: Request) -> tuple[Answer, list[str]]:
    """Return the answer, and what the stand-in itself could not say (a null where GitHub has none)."""
    caller, limits = request.credential, request.world.limits
    if isinstance(caller, OfApp):
        raise Refusal(401, "Bad credentials")
    if isinstance(caller, OfInstallation) and caller.installation.suspended_at:
        raise Refusal(403, "This installation has been suspended")
    window = limits.window(caller, "graphql")
    if caller.name == "anonymous":
        raise Refusal(403, "API rate limit exceeded for 127.0.0.1.", window.headers("graphql"))
    asked = request.json
    query, variables = asked.get("query") or "", asked.get("variables") or {}
    try:
        document = _document(query)
        price = cost(schema(), document, variables)
    except QueryProblem as problem:
        return Answer(200, {"errors": [{"type": problem.kind, "message": str(problem)}]}, window.headers("graphql")), []
    except _Invalid as invalid:
        return Answer(200, {"errors": invalid.errors}, window.headers("graphql")), []
    if window.remaining < price.points:
        message = f"API rate limit exceeded for {caller.name.replace(':', ' ID ')}."
        body = {"errors": [{"type": "RATE_LIMITED", "message": message}]}
        return Answer(200, body, window.headers("graphql") | {"X-RateLimit-Remaining": "0"}), []
    window.used += price.points
    body, failures = _executed(request, document, price, variables, asked.get("operationName"))
    return Answer(200, body, window.headers("graphql")), failures


class _Invalid(Exception):
    def __init__(self, errors: list[dict[str, Any]]) -> None:
        super().__init__(errors)
        self.errors = errors


@lru_cache(maxsize=200)
def _checked(query: str) -> tuple[DocumentNode | None, list[dict[str, Any]]]:
    try:
        document = parse(query)
    except GraphQLError as error:
        return None, [dict(error.formatted)]
    return document, [dict(error.formatted) for error in validate(schema(), document)]


def _document(query: str) -> DocumentNode:
    document, errors = _checked(query)
    if errors or document is None:
        raise _Invalid(errors)
    return document


def _executed(
    request: Request, document: DocumentNode, price: Cost, variables: dict[str, Any], operation: str | None
) -> tuple[dict[str, Any], list[str]]:
    result = execute_sync(
        schema(),
        document,
        Root(request, price),
        variable_values=variables,
        operation_name=operation,
        type_resolver=lambda value, _info, _kind: value["__typename"],
    )
    body: dict[str, Any] = {"data": result.data}
    failures = []
    for error in result.errors or ():
        problem = error.original_error
        kind = problem.kind if isinstance(problem, QueryProblem) else ""
        failures += [] if kind or problem is None else [f"GraphQL {error.path}: {problem!r}"]
        failures += [f"GraphQL {error.path}: {error.message}"] if problem is None and error.path else []
        body.setdefault("errors", []).append({"type": kind, **error.formatted} if kind else dict(error.formatted))
    return body, failures
