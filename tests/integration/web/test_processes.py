"""The production entry points as processes: settings that are wrong end them with one line, right ones serve."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SERVE_ONCE = """
import json
from starlette.testclient import TestClient
from services.{service}.asgi import app
with TestClient(app()) as http:
    print(json.dumps([http.get("/healthz").json(), http.get("/readyz").json()["status"]]))
"""


def run(service: str, code: str, **settings: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("MERGECAST_")}
    environment |= {"PYTHONPATH": str(ROOT), **{f"MERGECAST_{name}": value for name, value in settings.items()}}
    return subprocess.run(
        [sys.executable, "-c", code.replace("{service}", service)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize("service", ["webhook", "web"])
def test_each_process_serves_and_tells_of_its_health(service: str, sqlite_url: str, tmp_path: Path) -> None:
    ended = run(service, SERVE_ONCE, DATABASE__URL=sqlite_url, DATA_FOLDER=str(tmp_path))

    assert ended.returncode == 0, ended.stderr
    assert json.loads(ended.stdout) == [{"status": "ok"}, "ready"]


@pytest.mark.parametrize("service", ["webhook", "web"])
def test_wrong_settings_end_the_process_with_one_line(service: str, tmp_path: Path) -> None:
    code = "from services.{service}.asgi import app\napp()"
    ended = run(service, code, DATABASE__URL="mysql://nobody:canary@nowhere/x", DATA_FOLDER=str(tmp_path))

    assert ended.returncode == 2
    assert len(ended.stderr.splitlines()) == 1
    assert "canary" not in ended.stderr


def test_the_receiver_does_not_start_on_a_database_that_is_not_migrated(tmp_path: Path) -> None:
    code = "from services.webhook.asgi import app\napp()"
    ended = run("webhook", code, DATABASE__URL=f"sqlite:///{tmp_path}/new.sqlite3", DATA_FOLDER=str(tmp_path))

    assert ended.returncode == 2
    assert "has no tables yet" in ended.stderr
