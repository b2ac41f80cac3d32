"""What a Redis or Valkey says of itself that may cost rings: eviction, no append-only file, refused writes (R-22)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import redis

from shared.settings.model import Settings

PATIENCE_SECONDS = 3.0
NEARLY_FULL = 0.9


@dataclass(frozen=True)
class Concern:
    """Something about the broker that is not as it should be, and how to mend it."""

    told: str
    mend: str


def connect(settings: Settings) -> redis.Redis:
    """Return a client that gives up after three seconds; for one look, not for work."""
    return redis.Redis.from_url(
        settings.broker.url.get_secret_value(),
        socket_timeout=PATIENCE_SECONDS,
        socket_connect_timeout=PATIENCE_SECONDS,
        retry=None,
    )


def ping(settings: Settings) -> None:
    """Ask the broker for a sign of life; raises ``redis.RedisError`` when none comes."""
    with connect(settings) as client:
        client.ping()


def concerns(settings: Settings) -> list[Concern]:
    """Return what is not as it should be; raises ``redis.RedisError`` when the broker does not answer.

    What a managed server does not let itself be asked is no concern.
    """
    with connect(settings) as client:
        try:
            client.ping()
        except redis.ResponseError as refusal:
            # A server that refuses writes refuses even this, in words that say why.
            return [Concern(f"refuses commands: {str(refusal).partition('. ')[0]}", "Look at the disk and its log.")]
        configured = {
            name: value for setting in ("maxmemory-policy", "appendonly") for name, value in _asked(client, setting)
        }
        return [*_of_settings(configured), *_of_state(client)]


def _of_settings(configured: Mapping[str, str]) -> Iterator[Concern]:
    policy = configured.get("maxmemory-policy", "noeviction")
    if policy != "noeviction":
        yield Concern(
            f"may drop messages when its memory is full (maxmemory-policy {policy})", "Set maxmemory-policy noeviction."
        )
    if configured.get("appendonly", "yes") == "no":
        yield Concern(
            "forgets its messages when it restarts (appendonly no): the sweeper rings again, later",
            "Set appendonly yes and appendfsync everysec.",
        )


def _of_state(client: redis.Redis) -> Iterator[Concern]:
    persistence, memory = _told(client, "persistence"), _told(client, "memory")
    refused = {
        "a snapshot has failed (rdb_last_bgsave_status)": persistence.get("rdb_last_bgsave_status"),
        "its append-only file could not be written (aof_last_write_status)": persistence.get("aof_last_write_status"),
    }
    for told, status in refused.items():
        if status == "err":
            yield Concern(f"may refuse writes: {told}", "Look at the disk and the log of the server.")
    limit, used = memory.get("maxmemory", 0), memory.get("used_memory", 0)
    if limit and used >= NEARLY_FULL * limit:
        yield Concern(
            f"uses {used / limit:.0%} of its memory and refuses writes when it is full",
            "Raise maxmemory, or find out what else is kept there.",
        )


def _asked(client: redis.Redis, setting: str) -> list[tuple[str, str]]:
    try:
        answered: Any = client.config_get(setting)
    except redis.RedisError:
        return []
    return [(str(name), str(value)) for name, value in dict(answered).items()]


def _told(client: redis.Redis, section: str) -> dict[str, Any]:
    try:
        answered: Any = client.info(section)
    except redis.RedisError:
        return {}
    return dict(answered)
