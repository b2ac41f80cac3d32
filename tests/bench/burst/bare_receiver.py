"""The baseline: FastAPI, the HMAC and one insert, with nothing around them (no parsing, no log, no doorbell)."""

from __future__ import annotations

import hashlib
import hmac
import os
import sqlite3
import threading
from collections.abc import Callable
from typing import Any

import psycopg
from fastapi import FastAPI, Request, Response
from starlette.concurrency import run_in_threadpool

TABLE = "CREATE TABLE IF NOT EXISTS bare (guid TEXT PRIMARY KEY, body {bytes} NOT NULL)"
INSERT = "INSERT INTO bare VALUES ({mark}, {mark}) ON CONFLICT DO NOTHING"


def app() -> FastAPI:
    """Return the receiver; ``BARE_DATABASE`` is the URL and ``BARE_SECRET`` the secret of the hook."""
    url, secret = os.environ["BARE_DATABASE"], os.environ["BARE_SECRET"].encode()
    insert = _sqlite(url.removeprefix("sqlite:///")) if url.startswith("sqlite") else _postgresql(url)
    bare = FastAPI(openapi_url=None)

    @bare.post("/webhooks/github", status_code=202)
    async def receive(request: Request) -> Any:
        body = await request.body()
        claimed = request.headers.get("x-hub-signature-256", "")
        if not hmac.compare_digest("sha256=" + hmac.new(secret, body, hashlib.sha256).hexdigest(), claimed):
            return Response(status_code=401)
        await run_in_threadpool(insert, request.headers["x-github-delivery"], body)
        return {"outcome": "stored"}

    return bare


def _postgresql(url: str) -> Callable[[str, bytes], None]:
    """A connection for each thread of the pool."""
    local = threading.local()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(TABLE.format(bytes="BYTEA"))

    def insert(guid: str, body: bytes) -> None:
        if not hasattr(local, "connection"):
            local.connection = psycopg.connect(url)
        local.connection.execute(INSERT.format(mark="%s"), (guid, body))
        local.connection.commit()

    return insert


def _sqlite(path: str) -> Callable[[str, bytes], None]:
    """One connection, with the durability that ours has."""
    connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
    for statement in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=NORMAL", TABLE.format(bytes="BLOB")):
        connection.execute(statement)
    turn = threading.Lock()

    def insert(guid: str, body: bytes) -> None:
        with turn:
            connection.execute(INSERT.format(mark="?"), (guid, body))

    return insert
