"""Posts deliveries at a steady rate, and again only what was not answered with 2xx, as an operator does on GitHub."""

from __future__ import annotations

import heapq
import http.client
import itertools
import random
import threading
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.faults.deliveries import Delivery

PATH = "/webhooks/github"
NO_ANSWER = 0
_CONNECTIONS = 6
_ANSWERED_WITHIN = 10.0  # as long as GitHub waits


@dataclass
class Sent:
    """What the sender knows: how each posting was answered, and how long the good answers took."""

    postings: int
    answers: Counter[int] = field(default_factory=Counter)
    """Answers by status; 0 is a connection that was refused or cut, or no answer within ten seconds."""
    accepted: set[tuple[str, str]] = field(default_factory=set)
    """The keys of deliveries that got a 2xx."""
    accepted_postings: int = 0
    again: int = 0
    seconds: list[float] = field(default_factory=list)


class Sender:
    """GitHub and its operator: ``rate`` postings a second whether answered or not, so that stalls count against us."""

    def __init__(self, port: int, postings: Sequence[Delivery], rate: float, seed: int) -> None:
        self.sent = Sent(len(postings))
        self._port = port
        self._chance = random.Random(seed)
        self._order = itertools.count()
        began = time.monotonic() + 0.2
        self._waiting = [(began + at / rate, next(self._order), delivery) for at, delivery in enumerate(postings)]
        self._guard = threading.Condition()
        self._stopped = False
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(_CONNECTIONS)]

    @property
    def done(self) -> bool:
        """Whether every posting was answered with 2xx."""
        return self.sent.accepted_postings == self.sent.postings

    def start(self) -> None:
        """Begin to post."""
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        """Post nothing more."""
        with self._guard:
            self._stopped = True
            self._guard.notify_all()
        for thread in self._threads:
            thread.join(_ANSWERED_WITHIN + 5)

    def _work(self) -> None:
        connection = self._connect()
        while (delivery := self._next()) is not None:
            began = time.monotonic()
            try:
                connection.request("POST", PATH, delivery.body, delivery.headers)
                answer = connection.getresponse()
                answer.read()
                status = answer.status
            except (OSError, http.client.HTTPException):
                connection.close()
                connection, status = self._connect(), NO_ANSWER
            self._note(delivery, status, time.monotonic() - began)
        connection.close()

    def _connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection("127.0.0.1", self._port, timeout=_ANSWERED_WITHIN)

    def _next(self) -> Delivery | None:
        with self._guard:
            while not self._stopped and not self.done:
                wait = self._waiting[0][0] - time.monotonic() if self._waiting else 0.5
                if wait <= 0:
                    return heapq.heappop(self._waiting)[2]
                self._guard.wait(wait)
        return None

    def _note(self, delivery: Delivery, status: int, seconds: float) -> None:
        with self._guard:
            self.sent.answers[status] += 1
            if 200 <= status < 300:
                self.sent.accepted_postings += 1
                self.sent.accepted.add(delivery.key)
                self.sent.seconds.append(seconds)
            else:
                self.sent.again += 1
                due = time.monotonic() + self._chance.uniform(0.5, 2.0)
                heapq.heappush(self._waiting, (due, next(self._order), delivery))
            self._guard.notify()
