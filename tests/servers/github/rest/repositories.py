"""Reading repositories: themselves, their files, and their issues, which can be created too."""

from __future__ import annotations

import base64
import hashlib
from urllib.parse import quote

from tests.servers.github.accounts import Account
from tests.servers.github.conversation import Issue
from tests.servers.github.credentials import OfInstallation, Personal
from tests.servers.github.exchange import Answer, Refusal, Request
from tests.servers.github.pull_requests import PullRequest
from tests.servers.github.repositories import Repository
from tests.servers.github.rest.pages import page
from tests.servers.github.shapes import issues as shapes
from tests.servers.github.shapes import repositories


def one(_request: Request, repository: Repository) -> Answer:
    """``GET /repos/{owner}/{repo}``."""
    return Answer(body=repositories.full(repository))


def contents(request: Request, repository: Repository, path: str) -> Answer:
    """``GET …/contents/{path}``: a file, in base64 or raw."""
    if path not in repository.files:
        raise Refusal(404, "Not Found")
    text = repository.files[path]
    data = text.encode() if isinstance(text, str) else text
    if "raw" in request.headers.get("accept", ""):
        return Answer(body=data, headers={"Content-Type": "application/vnd.github.raw; charset=utf-8"})
    sha = hashlib.sha1(b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()
    branch = repository.default_branch
    own = f"{repositories.url(repository)}/contents/{quote(path)}?ref={branch}"
    html = f"{repositories.page(repository)}/blob/{branch}/{quote(path)}"
    git = f"{repositories.url(repository)}/git/blobs/{sha}"
    body = {
        "name": path.rpartition("/")[2],
        "path": path,
        "sha": sha,
        "size": len(data),
        "url": own,
        "html_url": html,
        "git_url": git,
        "download_url": html.replace("/blob/", "/raw/"),
        "type": "file",
        "content": base64.encodebytes(data).decode(),
        "encoding": "base64",
        "_links": {"self": own, "git": git, "html": html},
    }
    return Answer(body=body)


def issues(request: Request, repository: Repository) -> Answer:
    """``GET …/issues``: issues and pull requests, newest first."""
    state, creator = request.query.get("state", "open"), request.query.get("creator")
    labels = {name for name in request.query.get("labels", "").split(",") if name}
    held: list[Issue | PullRequest] = [*repository.issues.values(), *repository.pulls.values()]
    chosen = [
        item
        for item in held
        if state in {"all", item.state}
        and creator in {None, item.author.login if item.author else None}
        and labels <= {label.name for label in item.labels}
    ]
    chosen.sort(key=lambda item: (item.created_at, item.number), reverse=True)
    return page(request, chosen, lambda item: _shape(item.number, repository))


def issue(_request: Request, repository: Repository, issue_number: str) -> Answer:
    """``GET …/issues/{issue_number}``."""
    number = int(issue_number) if issue_number.isdigit() else 0
    if number not in repository.issues and number not in repository.pulls:
        raise Refusal(404, "Not Found")
    return Answer(body=_shape(number, repository))


def create_issue(request: Request, repository: Repository) -> Answer:
    """``POST …/issues``."""
    asked = request.json
    if not asked.get("title"):
        missing = [{"resource": "Issue", "code": "missing_field", "field": "title"}]
        raise Refusal(422, "Validation Failed", errors=missing)
    made = repository.create_issue(asked["title"], asked.get("body"), asked.get("labels") or (), _writer(request))
    shape = shapes.issue(made, repository)
    return Answer(201, shape, {"Location": shape["url"]})


def _writer(request: Request) -> Account:
    caller = request.credential
    if isinstance(caller, Personal) and caller.token:
        return caller.token.account
    assert isinstance(caller, OfInstallation)
    return request.world.user(f"{caller.installation.app.slug}[bot]")


def _shape(number: int, repository: Repository) -> dict[str, object]:
    pull = repository.pulls.get(number)
    return shapes.of_pull(pull) if pull else shapes.issue(repository.issues[number], repository)
