"""Co-authors from the authors of commits and from trailers: each once, people only, no address kept (C-24)."""

from __future__ import annotations

from typing import Any

import pytest

from shared.domain.pull_request import Person
from shared.sources.github_api.credits import co_authors, signer_of

ADA = Person(login="ada", id=11)


def signer(name: str, email: str, login: str | None = None, number: int | None = None) -> dict[str, Any]:
    user = None if login is None else {"login": login, "databaseId": number}
    return {"name": name, "email": email, "user": user}


OWN = signer("Ada North", "ada@mail.example", "ada", 11)


@pytest.mark.parametrize(
    ("signers", "texts", "told", "shown"),
    [
        ([OWN], [], [], []),
        ([OWN, signer("Bea", "bea@mail.example", "bea", 12)], [], [], ["bea"]),
        ([OWN, signer("Bea", "bea@mail.example")], [], [], ["Bea"]),
        ([signer("Ada at home", "ada@home.example")], [], [], []),
        ([], ["Co-authored-by: Bea <bea@mail.example>"], [], ["Bea"]),
        (
            [OWN, signer("Bea", "bea@mail.example", "bea", 12)],
            ["Co-authored-by: B. Stone <BEA@mail.example>"],
            [],
            ["bea"],
        ),
        (
            [signer("Bea", "bea@mail.example", "bea", 12)],
            ["Co-authored-by: Bea <other@mail.example>"],
            [Person(login=None, name="Bea")],
            ["bea"],
        ),
        ([OWN, signer("renovate[bot]", "29139614+renovate[bot]@users.noreply.github.com")], [], [], []),
        ([signer("Ada", "a@mail.example", "ada-new", 11)], [], [], []),
        ([OWN], ["Co-authored-by: Ada North <ada@mail.example>"], [Person(login="cy")], ["cy"]),
        ([OWN], [], [Person(login="helper[bot]", type="Bot")], []),
    ],
)
def test_people_beside_the_author(
    signers: list[dict[str, Any]], texts: list[str], told: list[Person], shown: list[str]
) -> None:
    found = co_authors(ADA, signers, texts, told)

    assert [person.shown for person in found] == shown
    assert "@" not in "".join(person.model_dump_json() for person in found)


@pytest.mark.parametrize("account", [None, {}, {"login": None}])
def test_a_rest_commit_without_an_account_has_its_name_alone(account: Any) -> None:
    commit = {"author": account, "commit": {"author": {"name": "Bea", "email": "bea@mail.example"}}}

    assert signer_of(commit) == {"name": "Bea", "email": "bea@mail.example", "user": None}


def test_a_rest_commit_with_an_account_has_the_form_of_graphql() -> None:
    commit = {"author": {"login": "bea", "id": 12}, "commit": {"author": {"name": "Bea", "email": "b@mail.example"}}}

    assert signer_of(commit) == signer("Bea", "b@mail.example", "bea", 12)
