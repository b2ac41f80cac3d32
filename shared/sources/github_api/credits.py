"""Who else wrote a pull request: the authors of its commits and those that its texts name; pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from shared.domain.pull_request import Person
from shared.sources.commit_messages import co_authors_of
from shared.sources.github_payloads import Tree, string, tree, whole
from shared.sources.people import Identity, account_of, people_of, without


def co_authors(
    author: Person, signers: Sequence[Tree], texts: Iterable[str], told: Sequence[Person]
) -> tuple[Person, ...]:
    """Return the people beside ``author``, each once, with the login where one is known, bots left out (C-24).

    ``signers`` are authors of commits (``name``, ``email`` and the ``user`` that the host knows behind them), ``texts``
    the messages and the description with their trailers, ``told`` those that an event named already. Who signs commits
    with an address that no account claims is taken for the author, unless the author signs others with an account.
    """
    identities = [_identity(signer) for signer in signers]
    accounts = {
        address: identity
        for signer, identity in zip(signers, identities, strict=True)
        if (address := _address(signer)) and identity.email.casefold() != address
    }
    named = [identity for text in texts for identity in co_authors_of(text)]
    if not any(_is(identity, author) for identity in identities):
        identities = [identity for identity in identities if account_of(identity.email)[0] is not None]
    identities += [accounts.get(identity.email.strip().casefold(), identity) for identity in named]
    found = [person for person in without(people_of(identities), author) if not person.is_bot]
    return (*found, *_others(told, found))


def signer_of(commit: Tree) -> Tree:
    """Return the author of a REST commit in GraphQL's form; the account may be null or an empty object."""
    account, written = tree(commit.get("author")), tree(tree(commit.get("commit")).get("author"))
    user = {"login": account["login"], "databaseId": account.get("id")} if string(account.get("login")) else None
    return {"name": written.get("name"), "email": written.get("email"), "user": user}


def _identity(signer: Tree) -> Identity:
    """Name and address of a signer, with the address that tells the account where the host told it."""
    name, user = string(signer.get("name")) or "", tree(signer.get("user"))
    login, number = string(user.get("login")), whole(user.get("databaseId"))
    if login is None:
        return Identity(name, string(signer.get("email")) or "")
    account = login if number is None else f"{number}+{login}"
    return Identity(name, f"{account}@users.noreply.github.com")


def _is(identity: Identity, author: Person) -> bool:
    """Whether ``author`` signs with this account."""
    login, number = account_of(identity.email)
    return login is not None and not without((Person(login=login, id=number),), author)


def _address(signer: Tree) -> str:
    address: Any = signer.get("email")
    return address.strip().casefold() if isinstance(address, str) else ""


def _others(told: Sequence[Person], found: Sequence[Person]) -> tuple[Person, ...]:
    others = tuple(person for person in told if not person.is_bot)
    for person in found:
        others = without(others, person)
    return others
