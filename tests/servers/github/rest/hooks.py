"""Webhooks of repositories and of the app, and their deliveries, which can be repeated (R-07)."""

from __future__ import annotations

from tests.servers.github.exchange import Answer, Refusal, Request
from tests.servers.github.hooks import Delivery, Hook
from tests.servers.github.repositories import Repository
from tests.servers.github.rest.pages import by_cursor, page
from tests.servers.github.shapes import hooks as shapes


def listed(request: Request, repository: Repository) -> Answer:
    """``GET …/hooks``."""
    return page(request, list(repository.hooks.values()), lambda hook: shapes.hook(hook, repository))


def one(_request: Request, repository: Repository, hook_id: str) -> Answer:
    """``GET …/hooks/{hook_id}``."""
    return Answer(body=shapes.hook(_of(repository, hook_id), repository))


def config(_request: Request, repository: Repository, hook_id: str) -> Answer:
    """``GET …/hooks/{hook_id}/config``."""
    return Answer(body=shapes.config(_of(repository, hook_id)))


def deliveries(request: Request, repository: Repository, hook_id: str) -> Answer:
    """``GET …/hooks/{hook_id}/deliveries``."""
    return _listed(request, _of(repository, hook_id))


def delivery(request: Request, repository: Repository, hook_id: str, delivery_id: str) -> Answer:
    """``GET …/hooks/{hook_id}/deliveries/{delivery_id}``."""
    hook = _of(repository, hook_id)
    return Answer(body=shapes.delivery(_attempt(request, hook, delivery_id), hook))


def redeliver(request: Request, repository: Repository, hook_id: str, delivery_id: str) -> Answer:
    """``POST …/hooks/{hook_id}/deliveries/{delivery_id}/attempts``."""
    hook = _of(repository, hook_id)
    return _again(request, hook, delivery_id)


def app_config(request: Request) -> Answer:
    """``GET /app/hook/config``."""
    return Answer(body=shapes.config(request.world.app.hook))


def app_deliveries(request: Request) -> Answer:
    """``GET /app/hook/deliveries``."""
    return _listed(request, request.world.app.hook)


def app_delivery(request: Request, delivery_id: str) -> Answer:
    """``GET /app/hook/deliveries/{delivery_id}``."""
    hook = request.world.app.hook
    return Answer(body=shapes.delivery(_attempt(request, hook, delivery_id), hook))


def app_redeliver(request: Request, delivery_id: str) -> Answer:
    """``POST /app/hook/deliveries/{delivery_id}/attempts``."""
    return _again(request, request.world.app.hook, delivery_id)


def _of(repository: Repository, hook_id: str) -> Hook:
    hook = repository.hooks.get(int(hook_id)) if hook_id.isdigit() else None
    if hook is None:
        raise Refusal(404, "Not Found")
    return hook


def _attempt(request: Request, hook: Hook, delivery_id: str) -> Delivery:
    for known in request.world.deliveries(hook):
        if str(known.id) == delivery_id:
            return known
    raise Refusal(404, "Not Found")


def _listed(request: Request, hook: Hook) -> Answer:
    wanted = request.query.get("status")
    kept = [
        known
        for known in request.world.deliveries(hook)
        if wanted in {None, "success" if known.status == "OK" else "failure"}
    ]
    return by_cursor(request, kept, lambda known: known.id, shapes.delivery_item)


def _again(request: Request, hook: Hook, delivery_id: str) -> Answer:
    known = _attempt(request, hook, delivery_id)
    request.afterwards.append(lambda: request.world.redeliver(hook, known))
    return Answer(202, {})
