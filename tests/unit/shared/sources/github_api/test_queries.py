"""Every GraphQL document is valid by GitHub's own schema."""

from __future__ import annotations

from pathlib import Path

import pytest
from graphql import GraphQLSchema, build_schema, parse, validate

from shared.sources.convention_paths import CONVENTION_KINDS
from shared.sources.github_api import queries
from shared.sources.github_api.queries import CONVENTION_ALIASES, DOCUMENTS

SCHEMA = Path(__file__).parents[4] / "third_party" / "github_api" / "schema.graphql"


@pytest.fixture(scope="module")
def schema() -> GraphQLSchema:
    return build_schema(SCHEMA.read_text("utf-8"))


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.split("(")[0].split()[-1])
def test_a_document_is_valid(schema: GraphQLSchema, document: str) -> None:
    assert validate(schema, parse(document)) == []


def test_every_document_of_the_module_is_listed() -> None:
    written = [value for value in vars(queries).values() if isinstance(value, str) and value.startswith("\nquery ")]

    assert sorted(written) == sorted(DOCUMENTS)


def test_every_convention_file_is_asked_for_once() -> None:
    assert sorted(CONVENTION_ALIASES.values()) == sorted(path for kind in CONVENTION_KINDS for path in kind)
