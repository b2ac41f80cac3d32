"""What a query costs and whether it asks for too much (docs.github.com, "Rate limits and query limits for the GraphQL API")."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graphql import DocumentNode, GraphQLSchema, get_named_type
from graphql.language import (
    FieldNode,
    FragmentDefinitionNode,
    FragmentSpreadNode,
    IntValueNode,
    OperationDefinitionNode,
    VariableNode,
)

MOST_RECORDS, MOST_NODES = 100, 500_000


class QueryProblem(Exception):
    """A query or a field that GitHub answers with an error of its own type, still with HTTP 200."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


@dataclass
class Cost:
    """Requests that GitHub counts itself as making, and nodes that may come back."""

    requests: int = 0
    nodes: int = 0

    @property
    def points(self) -> int:
        """What is taken from the hourly limit: a hundredth of the requests, one at least."""
        return max(1, round(self.requests / 100))


def cost(schema: GraphQLSchema, document: DocumentNode, variables: dict[str, Any]) -> Cost:
    """Return the cost of a valid query; a ``QueryProblem`` for one that is not bounded, or too much so."""
    fragments = {one.name.value: one for one in document.definitions if isinstance(one, FragmentDefinitionNode)}
    counted = Cost()

    def walk(node: Any, parent: Any, times: int) -> None:
        for selection in node.selection_set.selections if node.selection_set else ():
            if isinstance(selection, FragmentSpreadNode):
                fragment = fragments[selection.name.value]
                walk(fragment, schema.type_map[fragment.type_condition.name.value], times)
            elif isinstance(selection, FieldNode):
                field(selection, parent, times)
            else:
                condition = selection.type_condition
                walk(selection, schema.type_map[condition.name.value] if condition else parent, times)

    def field(node: FieldNode, parent: Any, times: int) -> None:
        if node.name.value.startswith("__"):
            return
        kind = get_named_type(parent.fields[node.name.value].type)
        if kind.name.endswith("Connection"):
            counted.requests += times
            times *= _records(node, variables)
            counted.nodes += times
        walk(node, kind, times)

    for one in document.definitions:
        if isinstance(one, OperationDefinitionNode):
            walk(one, schema.query_type, 1)
    if counted.nodes > MOST_NODES:
        asked = f"This query requests up to {counted.nodes:,} possible nodes"
        raise QueryProblem("MAX_NODE_LIMIT_EXCEEDED", f"{asked} which exceeds the maximum limit of {MOST_NODES:,}.")
    return counted


def _records(node: FieldNode, variables: dict[str, Any]) -> int:
    name = node.name.value
    for argument in node.arguments or ():
        if argument.name.value in {"first", "last"}:
            value = argument.value
            if isinstance(value, VariableNode):
                given = variables.get(value.name.value)
            else:
                given = value.value if isinstance(value, IntValueNode) else None
            if given is None:
                continue
            if not 1 <= int(given) <= MOST_RECORDS:
                excess = f"Requesting {given} records on the `{name}` connection exceeds the"
                limit = f"`{argument.name.value}` limit of {MOST_RECORDS} records."
                raise QueryProblem("EXCESSIVE_PAGINATION", f"{excess} {limit}")
            return int(given)
    message = f"You must provide a `first` or `last` value to properly paginate the `{name}` connection."
    raise QueryProblem("MISSING_PAGINATION_BOUNDARIES", message)
