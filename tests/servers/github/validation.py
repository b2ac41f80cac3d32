"""Whether answers and payloads are what GitHub describes, except where its own traffic departs from the description."""

from __future__ import annotations

import json
import threading
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema_rs

THIRD_PARTY = Path(__file__).parents[2] / "third_party"
REST = THIRD_PARTY / "github_api" / "rest.json"
EVENTS = THIRD_PARTY / "github_webhooks" / "pull_request.schema.json"
ALL_OF, THEN_EVERY = 2_000, 50
"""So many answers of an operation are all checked; of later ones one in fifty, so that load stays light."""
NULL_IN_REALITY = {
    # The fork or the account behind a pull request is gone (C-03, C-04).
    ("head", "repo"),
    ("head", "user"),
    ("head", "label"),
    ("user",),
    # Nobody merges by itself, and an open pull request has no date; the description of lists leaves null out.
    ("auto_merge",),
    ("suspended_by",),
    # A review without text, by way of the API (C-02), and lines that an outdated comment has lost.
    ("body",),
    ("line",),
    ("original_line",),
    ("position",),
}
"""Ends of places that are null in real traffic, whatever the description says."""


class Descriptions:
    """Checks answers and payloads, and keeps what was wrong with them."""

    def __init__(self) -> None:
        self.violations: list[str] = []
        self._seen: Counter[str] = Counter()
        self._lock = threading.Lock()

    def check_answer(self, template: str, body: Any) -> None:
        """Check a good answer of an operation ("GET /repos/{owner}/{repo}")."""
        if template in _described() and self._due(template):
            self._check(template, _operation(template), body)

    def check_event(self, event: str, payload: dict[str, Any]) -> None:
        """Check the payload of a webhook."""
        name = "-".join(filter(None, (event, payload.get("action")))).replace("_", "-")
        if self._due(name):
            self._check(name, _event(name), payload)

    def _due(self, name: str) -> bool:
        with self._lock:
            self._seen[name] += 1
            return self._seen[name] <= ALL_OF or self._seen[name] % THEN_EVERY == 0

    def _check(self, name: str, validator: jsonschema_rs.Validator, instance: Any) -> None:
        if validator.is_valid(instance):
            return
        found = [
            f"{name}: {'/'.join(map(str, error.instance_path))}: {error.message[:300]}"
            for error in validator.iter_errors(instance)
            if not _differs_in_reality(name, instance, error.instance_path)
        ]
        with self._lock:
            self.violations += found


def _differs_in_reality(name: str, instance: Any, path: list[str | int]) -> bool:
    # The list of installations says that an account is a user and an enterprise at once; alone it says either.
    if name == "GET /app/installations" and path[-1:] == ["account"]:
        return True
    for step in path:
        instance = instance[step]
    return instance is None and any(tuple(path[-len(end) :]) == end for end in NULL_IN_REALITY)


@cache
def _described() -> dict[str, Any]:
    paths: dict[str, Any] = json.loads(REST.read_text("utf-8"))["paths"]
    return paths


@cache
def _operation(template: str) -> jsonschema_rs.Validator:
    document = json.loads(REST.read_text("utf-8"))
    schemas = document.pop("paths")
    return jsonschema_rs.validator_for(document | schemas[template])


@cache
def _event(name: str) -> jsonschema_rs.Validator:
    document = json.loads(EVENTS.read_text("utf-8"))
    return jsonschema_rs.validator_for(document | {"$ref": f"#/components/schemas/webhook-{name}"})
