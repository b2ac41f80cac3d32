"""The sample deliveries have the shape that GitHub describes, except where GitHub's own traffic departs from it."""

from __future__ import annotations

import copy
import functools
import json
from collections import Counter
from pathlib import Path
from typing import Any

import jsonschema_rs
import pytest

from services.cli.sample import RECORDS
from services.cli.sample.payloads import SampleDelivery, sample_deliveries
from shared.domain.errors import Ignored
from shared.sources.github_events import MergeEvent, PingEvent, parse

SCHEMAS = Path(__file__).parents[1] / "third_party" / "github_webhooks" / "pull_request.schema.json"
NULL_IN_REALITY = {
    ("pull_request", "head", "repo"),
    ("pull_request", "head", "user"),
    ("pull_request", "head", "label"),
    ("pull_request", "user"),
    ("pull_request", "base", "user"),
}
"""Null once a fork or an account is gone, whatever the description says (C-03, C-04)."""


@functools.cache
def validator(name: str) -> jsonschema_rs.Validator:
    document = json.loads(SCHEMAS.read_text("utf-8"))
    return jsonschema_rs.validator_for(document | {"$ref": f"#/components/schemas/webhook-{name}"})


@functools.cache
def deliveries() -> tuple[SampleDelivery, ...]:
    records = [json.loads(line) for line in RECORDS.read_text("utf-8").splitlines()]
    return tuple(sample_deliveries(records))


def faults(name: str, payload: dict[str, Any]) -> list[str]:
    return [
        f"{'.'.join(map(str, fault.instance_path))}: {fault.message[:200]}"
        for fault in validator(name).iter_errors(payload)
        if not (tuple(fault.instance_path) in NULL_IN_REALITY and fault.instance is None)
    ]


def schema_of(delivery: SampleDelivery, payload: dict[str, Any]) -> str:
    return "ping" if delivery.event == "ping" else f"pull-request-{payload['action']}"


def test_every_sample_delivery_is_as_github_describes_it() -> None:
    found: dict[str, list[str]] = {}
    for delivery in deliveries():
        payload = json.loads(delivery.body)
        if delivery.event in {"pull_request", "ping"}:
            found[f"{delivery.event} {delivery.number} {delivery.guid}"] = faults(schema_of(delivery, payload), payload)

    assert len(found) > 60
    assert {name: problems for name, problems in found.items() if problems} == {}


@pytest.mark.parametrize(
    ("place", "value"),
    [(("pull_request", "merged"), "yes"), (("pull_request", "base", "ref"), None), (("repository", "id"), "7")],
)
def test_the_description_notices_what_is_wrong(place: tuple[str, ...], value: Any) -> None:
    delivery = next(one for one in deliveries() if one.event == "pull_request")
    payload = copy.deepcopy(json.loads(delivery.body))
    inner = payload
    for step in place[:-1]:
        inner = inner[step]
    inner[place[-1]] = value

    assert faults(schema_of(delivery, payload), payload)


def test_the_sample_is_read_as_merges_and_the_odd_ones_are_ignored() -> None:
    kinds: Counter[str] = Counter()
    for delivery in deliveries():
        try:
            parsed = parse(delivery.event, delivery.body)
        except Ignored as ignored:
            kinds[ignored.reason] += 1
        else:
            kinds["ping" if isinstance(parsed, PingEvent) else parsed.action] += 1
            assert isinstance(parsed, PingEvent | MergeEvent)

    assert kinds["closed"] > 60
    assert min(kinds[name] for name in ("ping", "unknown-event", "not-merged", "edited", "labeled")) >= 1
