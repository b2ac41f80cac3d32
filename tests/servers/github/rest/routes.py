"""The table of what the stand-in answers: the operation as GitHub describes it, the rights it needs, who answers."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from tests.servers.github.exchange import Answer
from tests.servers.github.rest import apps, hooks, pull_requests, repositories

REPOSITORY = "/repos/{owner}/{repo}"


@dataclass(frozen=True)
class Route:
    """One operation; ``needs`` are alternatives such as "issues=read", ``caller`` who may ask at all."""

    method: str
    template: str
    answer: Callable[..., Answer]
    needs: tuple[str, ...] = ()
    caller: str = "any"

    @property
    def of_repository(self) -> bool:
        """Whether it is about one repository."""
        return self.template.startswith(REPOSITORY)

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """What the path looks like; of a repository, the part behind its name or number."""
        text = self.template.removeprefix(REPOSITORY).replace("{path}", "(?P<path>.+)")
        return re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", text))


ROUTES = (
    Route("GET", REPOSITORY, repositories.one, ("metadata=read",)),
    Route("GET", f"{REPOSITORY}/pulls", pull_requests.listed, ("pull_requests=read",)),
    Route("GET", f"{REPOSITORY}/pulls/{{pull_number}}", pull_requests.one, ("pull_requests=read",)),
    Route("GET", f"{REPOSITORY}/pulls/{{pull_number}}/files", pull_requests.files, ("pull_requests=read",)),
    Route("GET", f"{REPOSITORY}/pulls/{{pull_number}}/reviews", pull_requests.reviews, ("pull_requests=read",)),
    Route("GET", f"{REPOSITORY}/pulls/{{pull_number}}/comments", pull_requests.comments, ("pull_requests=read",)),
    Route("GET", f"{REPOSITORY}/pulls/{{pull_number}}/commits", pull_requests.commit_list, ("pull_requests=read",)),
    Route("GET", f"{REPOSITORY}/pulls/comments/{{comment_id}}", pull_requests.comment, ("pull_requests=read",)),
    Route("GET", f"{REPOSITORY}/commits/{{ref}}/check-runs", pull_requests.check_runs, ("checks=read",)),
    Route("GET", f"{REPOSITORY}/commits/{{ref}}/status", pull_requests.statuses, ("statuses=read",)),
    Route("GET", f"{REPOSITORY}/contents/{{path}}", repositories.contents, ("contents=read",)),
    Route("GET", f"{REPOSITORY}/issues", repositories.issues, ("issues=read", "pull_requests=read")),
    Route("POST", f"{REPOSITORY}/issues", repositories.create_issue, ("issues=write",)),
    Route("GET", f"{REPOSITORY}/issues/{{issue_number}}", repositories.issue, ("issues=read", "pull_requests=read")),
    Route(
        "GET",
        f"{REPOSITORY}/issues/{{issue_number}}/comments",
        pull_requests.conversation,
        ("issues=read", "pull_requests=read"),
    ),
    Route("GET", f"{REPOSITORY}/hooks", hooks.listed, ("repository_hooks=read",)),
    Route("GET", f"{REPOSITORY}/hooks/{{hook_id}}", hooks.one, ("repository_hooks=read",)),
    Route("GET", f"{REPOSITORY}/hooks/{{hook_id}}/config", hooks.config, ("repository_hooks=read",)),
    Route("GET", f"{REPOSITORY}/hooks/{{hook_id}}/deliveries", hooks.deliveries, ("repository_hooks=read",)),
    Route(
        "GET", f"{REPOSITORY}/hooks/{{hook_id}}/deliveries/{{delivery_id}}", hooks.delivery, ("repository_hooks=read",)
    ),
    Route(
        "POST",
        f"{REPOSITORY}/hooks/{{hook_id}}/deliveries/{{delivery_id}}/attempts",
        hooks.redeliver,
        ("repository_hooks=write",),
    ),
    Route("GET", f"{REPOSITORY}/installation", apps.of_repository, caller="app"),
    Route("GET", "/app", apps.app, caller="app"),
    Route("GET", "/app/installations", apps.listed, caller="app"),
    Route("GET", "/app/installations/{installation_id}", apps.one, caller="app"),
    Route("POST", "/app/installations/{installation_id}/access_tokens", apps.access_token, caller="app"),
    Route("GET", "/app/hook/config", hooks.app_config, caller="app"),
    Route("GET", "/app/hook/deliveries", hooks.app_deliveries, caller="app"),
    Route("GET", "/app/hook/deliveries/{delivery_id}", hooks.app_delivery, caller="app"),
    Route("POST", "/app/hook/deliveries/{delivery_id}/attempts", hooks.app_redeliver, caller="app"),
    Route("GET", "/installation/repositories", apps.covered),
    Route("GET", "/rate_limit", apps.rate_limit),
    Route("GET", "/user", apps.user),
    Route("GET", "/users/{username}", apps.public_user),
    Route("GET", "/meta", apps.meta),
)
_OF_REPOSITORY = tuple(route for route in ROUTES if route.of_repository)
_OTHERS = tuple(route for route in ROUTES if not route.of_repository)


def route_of(method: str, rest: str, *, of_repository: bool) -> tuple[Route, dict[str, Any]] | None:
    """Return the operation of a path (of a repository: the part behind it) and the values in it."""
    for route in _OF_REPOSITORY if of_repository else _OTHERS:
        if route.method == method and (match := route.pattern.fullmatch(rest)):
            return route, match.groupdict()
    return None
