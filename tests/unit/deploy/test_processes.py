"""Every queue has a worker in the compose file and on the page, so that nothing waits for nobody."""

from __future__ import annotations

import re
from importlib import import_module

import pytest
import yaml

from shared.broker.task_names import Queue
from tests.architecture.source_tree import ROOT

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text("utf-8"))
WORKERS = {
    name: service["command"] for name, service in COMPOSE["services"].items() if "worker" in service.get("command", ())
}


def queue_of(command: list[str]) -> str:
    return command[command.index("-Q") + 1]


def test_every_queue_has_one_worker() -> None:
    assert sorted(map(queue_of, WORKERS.values())) == sorted(queue.value for queue in Queue)


@pytest.mark.parametrize("name", sorted(WORKERS))
def test_each_worker_is_a_module_that_is_there_and_stands_on_the_page(name: str) -> None:
    module = WORKERS[name][WORKERS[name].index("-A") + 1]
    page = (ROOT / "docs" / "operations.md").read_text("utf-8")

    assert callable(import_module(module).make_app)
    assert re.search(rf"celery -A {re.escape(module)} worker -Q {queue_of(WORKERS[name])} ", page)


def test_the_reader_gets_the_key_of_the_model_and_the_settings_that_name_it() -> None:
    reader = COMPOSE["services"]["reader"]

    assert "MERGECAST_MODEL__API_KEY" in reader["environment"]
    assert any(volume.endswith("/etc/mergecast/mergecast.toml:ro") for volume in reader["volumes"])
