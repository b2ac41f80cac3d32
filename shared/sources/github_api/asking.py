"""Asks GraphQL about one repository by its name, and makes sure that the answer is about that very one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shared.code_host import CodeHost, path_of
from shared.domain.errors import Absent, Transient
from shared.domain.pull_request import RepositoryRef
from shared.sources.github_payloads import Tree, Unfit, repository_of, tree


def ask(
    host: CodeHost, document: str, repository: RepositoryRef, variables: Mapping[str, Any], *, keep: int = 0
) -> tuple[Tree, RepositoryRef]:
    """Return the answer's ``repository`` and the reference that it was found by.

    A name may have gone to another repository since (C-25, D-05): then the current name is learned by the numeric id,
    and the question asked once more. Absent when the repository cannot be seen. Other errors are those of the host.
    """
    found = _answered(host, document, repository, variables, keep)
    if _is_other(found, repository):
        repository = current(host, repository)
        found = _answered(host, document, repository, variables, keep)
    if not found or _is_other(found, repository):
        raise Absent(f"{host.host} does not show the repository {repository.full_name}.")
    return found, repository


def current(host: CodeHost, repository: RepositoryRef) -> RepositoryRef:
    """Return the repository as it is called now. Absent when it is gone, Transient for an answer that is no such."""
    body = host.read(path_of(repository), about=repository, conditional=True).body
    try:
        return repository_of(tree(body))
    except Unfit as error:
        raise Transient(f"{host.host} answered no repository for {repository.full_name}: {error}.") from error


def _answered(
    host: CodeHost, document: str, repository: RepositoryRef, variables: Mapping[str, Any], keep: int
) -> Tree:
    owner, _, name = repository.full_name.partition("/")
    answered = host.query(document, {"owner": owner, "name": name, **variables}, about=repository, keep=keep)
    return tree(answered.get("repository"))


def _is_other(found: Tree, repository: RepositoryRef) -> bool:
    number = found.get("databaseId")
    return isinstance(number, int) and repository.id is not None and number != repository.id
