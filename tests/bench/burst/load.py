"""The generator, a process of its own: raw sockets, deliveries built and signed before the first is sent.

Sends lines of JSON to its standard output: one when everything is built, one with what was measured.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import hmac
import json
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

from tests.integration.webhook.posting import SECRET, encoded, merged

Delivery = tuple[bytes, bytes]
"""What is different in each, and the rest of the body, which all share."""

MARK = b'"a-number-to-replace"'


@dataclass
class Measured:
    """What the generator saw: answers by status, and how long each took."""

    statuses: Counter[str] = field(default_factory=Counter)
    seconds: list[float] = field(default_factory=list)

    def summary(self, wall: float) -> dict[str, object]:
        """Rate, percentiles in milliseconds, statuses."""
        ordered = sorted(self.seconds)
        at = {name: ordered[min(int(len(ordered) * share), len(ordered) - 1)] * 1e3 for name, share in PERCENTILES}
        return {"rate": len(ordered) / wall, **at, "statuses": dict(self.statuses)}


PERCENTILES = (("p50", 0.5), ("p99", 0.99), ("max", 1.0))


def built(count: int, host: str, first: int) -> list[Delivery]:
    """Signed requests of different merges with bodies of a genuine delivery's size."""
    template = encoded(merged("a-number-to-replace", pull={"body": "Why this is so. " * 100}))
    # The number stands in several places: the pull request's own comes first, and the rest is left as it is.
    parts = template.split(MARK)
    requests = []
    for number in range(first, first + count):
        body = str(number).encode().join(parts)
        signature = hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
        head = (
            f"POST /webhooks/github HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
            f"User-Agent: GitHub-Hookshot/7c1a4e9\r\nX-GitHub-Event: pull_request\r\nX-GitHub-Hook-ID: 548201377\r\n"
            f"X-GitHub-Delivery: burst-{number}\r\nX-Hub-Signature-256: sha256={signature}\r\n"
            f"Content-Length: {len(body)}\r\n\r\n"
        )
        requests.append((head.encode(), body))
    return requests


async def burst(port: int, connections: int, deliveries: list[Delivery]) -> tuple[Measured, float]:
    """Send them all as fast as they are answered, each connection one after another; what was measured, and seconds."""
    measured, rest = Measured(), iter(deliveries)

    async def send() -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        for head, body in rest:
            began = time.perf_counter()
            writer.writelines((head, body))
            status = await _answer(reader)
            measured.seconds.append(time.perf_counter() - began)
            measured.statuses[status] += 1
        writer.close()

    began = time.perf_counter()
    await asyncio.gather(*(send() for _ in range(connections)))
    return measured, time.perf_counter() - began


async def _answer(reader: asyncio.StreamReader) -> str:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    _, _, rest = head.partition(b"content-length: ")
    await reader.readexactly(int(rest.partition(b"\r")[0]))
    return head[9:12].decode()


def main() -> None:
    """Build, say so, wait for a line on standard input, send, print what was measured."""
    parser = argparse.ArgumentParser()
    for name in ("port", "count", "connections", "first"):
        parser.add_argument(f"--{name}", type=int, required=True)
    chosen = parser.parse_args()
    deliveries = built(chosen.count, f"127.0.0.1:{chosen.port}", chosen.first)
    print(json.dumps({"built": len(deliveries), "body": len(deliveries[0][1])}), flush=True)
    sys.stdin.readline()
    measured, wall = asyncio.run(burst(chosen.port, chosen.connections, deliveries))
    print(json.dumps(measured.summary(wall)), flush=True)


if __name__ == "__main__":
    main()
