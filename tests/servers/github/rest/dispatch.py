"""From a request to its answer: who calls, is there anything left, which repository, may they, who answers."""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote, urlencode

from tests.servers.github.credentials import OfApp, OfInstallation, Personal
from tests.servers.github.exchange import Answer, Refusal, Request
from tests.servers.github.repositories import Repository
from tests.servers.github.rest.routes import Route, route_of

BLOCKED = {451: "Repository access blocked", 403: "Repository access blocked", 410: "This resource is gone"}


def answer(request: Request) -> Answer:
    """Return the answer of the REST API; a ``Refusal`` for what GitHub does not do."""
    caller = request.credential
    if isinstance(caller, OfInstallation) and caller.installation.suspended_at:
        raise Refusal(403, "This installation has been suspended")
    if request.path.startswith(("/repos/", "/repositories/")):
        return _of_repository(request)
    found = route_of(request.method, request.path, of_repository=False)
    if found is None:
        raise Refusal(404, "Not Found")
    route, values = found
    _check_caller(request, route)
    return _made(route, route.answer(request, **values), request)


def _of_repository(request: Request) -> Answer:
    parts = request.path.split("/")
    by_number = parts[1] == "repositories"
    behind = parts[3:] if by_number else parts[4:]
    repository = _repository(request, parts)
    rest = "".join(f"/{part}" for part in behind)
    request.numbered_path = f"/repositories/{repository.id}{rest}"
    if not by_number and "/".join(parts[2:4]).lower() != repository.full_name.lower():
        return _moved(request)
    found = route_of(request.method, unquote(rest), of_repository=True)
    if found is None:
        raise Refusal(404, "Not Found")
    route, values = found
    _check_caller(request, route)
    _check_rights(request, route, repository)
    return _made(route, route.answer(request, repository, **values), request)


def _repository(request: Request, parts: list[str]) -> Repository:
    world, caller = request.world, request.credential
    if parts[1] == "repositories":
        found = world.repositories.get(int(parts[2])) if parts[2].isdigit() else None
    else:
        found = world.repository_named("/".join(parts[2:4]))
    if found is None or found.deleted or not (caller.sees(found) or isinstance(caller, OfApp)):
        raise Refusal(404, "Not Found")
    if found.blocked:
        reason = {"reason": "dmca" if found.blocked == 451 else "tos", "created_at": None, "html_url": None}
        more: dict[str, Any] = {} if found.blocked == 404 else {"block": reason}
        raise Refusal(found.blocked, BLOCKED.get(found.blocked, "Not Found"), **more)
    return found


def _moved(request: Request) -> Answer:
    query = f"?{urlencode(request.query)}" if request.query else ""
    location = request.url + query
    reading = request.method == "GET"
    body = {"message": "Moved Permanently" if reading else "Temporary Redirect", "url": location}
    return Answer(301 if reading else 307, body, {"Location": location})


def _check_caller(request: Request, route: Route) -> None:
    caller = request.credential
    if route.caller == "app" and not isinstance(caller, OfApp):
        raise Refusal(401, "A JSON web token could not be decoded")
    if route.caller == "any" and isinstance(caller, OfApp) and route.template not in {"/meta", "/rate_limit"}:
        raise Refusal(401, "Bad credentials")


def _check_rights(request: Request, route: Route, repository: Repository) -> None:
    """Refuse who may not; nobody and classic tokens are told that there is no such thing."""
    caller = request.credential
    headers = caller.headers("; ".join(route.needs))
    if not route.needs or any(caller.may(repository, *need.split("=")) for need in route.needs):
        return
    if caller.name == "anonymous" and request.method != "GET":
        raise Refusal(401, caller.refusal, headers)
    if caller.name == "anonymous" or (
        isinstance(caller, Personal) and caller.token and caller.token.scopes is not None
    ):
        raise Refusal(404, "Not Found", headers)
    raise Refusal(403, caller.refusal, headers)


def _made(route: Route, answer: Answer, request: Request) -> Answer:
    answer.template = f"{route.method} {route.template}"
    answer.headers |= request.credential.headers("; ".join(route.needs))
    return answer
