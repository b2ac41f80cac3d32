"""What ``doctor`` says about the rights of the reading credential: enough for every analysis, and none to write."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from services.cli.checks import Finding
from services.cli.github_questions import Questions, bounded, tree
from shared.code_host import path_of
from shared.domain.errors import Absent, Parked, Permanent
from shared.domain.pull_request import RepositoryRef

FINE_GRAINED, CLASSIC = "github_pat_", "ghp_"
"""How personal tokens begin (docs.github.com, "GitHub's token formats")."""
NEEDED = {
    "metadata": "the repository itself",
    "pull_requests": "pull requests, their files and their review",
    "contents": "commits, CODEOWNERS and labeler.yml",
}
"""Without one of these an analysis knows less than the digest promises."""
WISHED = {"checks": "results of checks", "statuses": "commit statuses", "issues": "the issues that a merge closes"}
_WRITING_SCOPES = ("repo", "public_repo", "write:", "admin:", "delete", "workflow")
_MAY_BE_MISSING = ".github/CODEOWNERS"
"""A file that a readable repository need not have."""
_LESS = "A reading credential is enough: publishing has its own, github.write_token."


def words(permission: str) -> str:
    """Return a permission as GitHub's screens call it: ``pull_requests`` is «Pull requests»."""
    shown = {"statuses": "Commit statuses", "repository_hooks": "Webhooks"}
    return shown.get(permission, permission.replace("_", " ").capitalize())


def granted(name: str, permissions: Mapping[str, Any], mend: str) -> Iterator[Finding]:
    """Yield what an App's granted ``permissions`` are enough for; ``mend`` says where they are changed."""
    lacking = [right for right in NEEDED if right not in permissions]
    wished = [right for right in WISHED if right not in permissions]
    writing = sorted(right for right, level in permissions.items() if level != "read")
    for right in lacking:
        yield Finding(name, "wrong", f"{NEEDED[right]} cannot be read", f"Give «{words(right)}: Read-only»: {mend}")
    for right in wished:
        yield Finding(name, "warning", f"{WISHED[right]} are not read", f"Give «{words(right)}: Read-only»: {mend}")
    if writing:
        told = f"may write {bounded(', '.join(writing))}, which no analysis needs"
        yield Finding(name, "warning", told, f"Set them to Read-only: {mend}")
    if not lacking:
        read = [words(right).lower() for right in (*NEEDED, *WISHED) if right in permissions]
        yield Finding(name, "good", f"reads {', '.join(read)}")


def may_write(token: str, scopes: str | None, *, push: bool = False, private: bool = False) -> bool:
    """Whether a personal token may change a repository that it sees, which is ``private`` or not.

    ``scopes`` is the header X-OAuth-Scopes of classic tokens, None where it is not known. Only the scope ``repo`` shows
    a classic token private repositories, and it writes too (docs.github.com, "Scopes for OAuth apps"). Of a
    fine-grained token nothing tells: ``push`` is its owner's right, so it is given the benefit of the doubt.
    """
    if scopes is not None:
        return any(scope.strip().startswith(_WRITING_SCOPES) for scope in scopes.split(","))
    return (push and not token.startswith(FINE_GRAINED)) or (private and token.startswith(CLASSIC))


def tried(questions: Questions, ref: RepositoryRef, *, private: bool) -> Iterator[Finding]:
    """Yield what a token reads of one repository by reading one of each; three requests.

    A public one is open to all, and costs none. Postponed when the host does not answer.
    """
    name = f"rights in {ref.full_name}"
    if not private:
        yield Finding(name, "good", "it is public: pull requests, contents and checks can be read")
        return
    settings_page = "at Settings → Developer settings → Personal access tokens."
    place, branch = path_of(ref), ref.default_branch or "HEAD"
    one_each: tuple[tuple[str, str, Mapping[str, str]], ...] = (
        ("pull_requests", f"{place}/pulls", {"state": "closed", "per_page": "1"}),
        ("contents", f"{place}/contents/{_MAY_BE_MISSING}", {}),
        ("checks", f"{place}/commits/{branch}/check-runs", {"per_page": "1"}),
    )
    read = [right for right, path, query in one_each if _readable(questions, ref, path, query)]
    for right, what in NEEDED.items():
        if right not in (*read, "metadata"):
            mend = f"Give the token «{words(right)}: Read-only» {settings_page}"
            yield Finding(name, "wrong", f"{what} cannot be read", mend)
    if "checks" not in read:
        mend = "No fine-grained token can be given this right; a GitHub App can. Everything else works without."
        yield Finding(name, "warning", f"{WISHED['checks']} are not read", mend)
    if {"pull_requests", "contents"} <= set(read):
        yield Finding(name, "good", f"private; reads {', '.join(words(right).lower() for right in read)}")


def too_much(name: str) -> Finding:
    """Return the warning of a reading credential that may write."""
    return Finding(name, "warning", "may write, which no analysis needs", _LESS)


def installed(name: str, installation: Mapping[str, Any], app_page: str) -> Iterator[Finding]:
    """Yield whether an installation is at work and what it may read."""
    page = bounded(installation.get("html_url")) or app_page
    if suspended := installation.get("suspended_at"):
        told = f"the App has been suspended since {bounded(suspended)}: nothing is read, deliveries wait"
        yield Finding(name, "wrong", told, f"Unsuspend it: {page}")
        return
    yield from granted(name, tree(installation.get("permissions")), f"in the App's settings, then accept it: {page}")


def _readable(questions: Questions, ref: RepositoryRef, path: str, query: Mapping[str, str]) -> bool:
    """Whether something can be read; a repository without commits refuses what it would have shown."""
    try:
        questions.read(path, query, about=ref)
    except Parked:
        return False
    except Absent:
        return path.endswith(_MAY_BE_MISSING)
    except Permanent:
        return True
    return True
