"""A stand-in for GitHub: its REST and GraphQL APIs over HTTP on this machine, from a state that a test makes."""

from __future__ import annotations

import hashlib
import threading
import time
import traceback
from types import TracebackType
from typing import Self
from urllib.parse import parse_qsl, urlsplit

from tests.servers.github import versions
from tests.servers.github.credentials import Credential, recognized
from tests.servers.github.exchange import JSON_TYPE, Answer, Answered, Refusal, Request
from tests.servers.github.faults import GOES_ON, Fault, Faults
from tests.servers.github.graphql import answers
from tests.servers.github.listener import Listener
from tests.servers.github.rest import dispatch
from tests.servers.github.validation import Descriptions
from tests.servers.github.world import World

REST_PREFIX = "/api/v3"
WRITES = {"POST", "PATCH", "PUT", "DELETE"}


class GitHubServer:
    """Answers on a free port of 127.0.0.1 while its context is open; leaving it fails when an answer was not GitHub's."""

    def __init__(self, world: World | None = None) -> None:
        self.world = world or World()
        self.log: list[Answered] = []
        self.writes: list[Answered] = []
        self.faults = Faults()
        self.stopping = threading.Event()
        self._descriptions = Descriptions()
        self._listener = Listener(self)
        self.world.api_url = self.api_url
        self.world.event_check = self._descriptions.check_event

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self._listener.port}"

    @property
    def api_url(self) -> str:
        """The base of the REST API, as PyGithub takes it."""
        return self.url + REST_PREFIX

    @property
    def violations(self) -> list[str]:
        """Answers and payloads that were not what GitHub describes, and failures of the stand-in itself."""
        return self._descriptions.violations

    def __enter__(self) -> Self:
        self._listener.start()
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        self.stopping.set()
        self._listener.stop()
        told = "\n".join(self.violations[:10])
        if error is not None and told:
            error.add_note(told)
        assert error is not None or not told, told

    def exchange(self, method: str, target: str, headers: dict[str, str], body: bytes) -> tuple[Answer, Fault | None]:
        """Return the answer to a request, and the fault that it met; keep both in the log."""
        parts = urlsplit(target)
        rest = parts.path.startswith(f"{REST_PREFIX}/")
        path = parts.path.removeprefix(REST_PREFIX) if rest else parts.path.removeprefix("/api")
        query = dict(parse_qsl(parts.query, keep_blank_values=True))
        request = Request(method, path, query, headers, body, self.world, Credential())
        fault = self.faults.met(method, path, body)
        try:
            answer = self._answer(request, fault)
        except Exception:  # noqa: BLE001 - whatever it is, the test that leaves the context hears of it
            self.violations.append(traceback.format_exc())
            answer = Refusal(500, "The stand-in failed.").answer
        self._keep(request, answer)
        return answer, fault

    def _answer(self, request: Request, fault: Fault | None) -> Answer:
        if fault and fault.before:
            fault.before()
        if fault and fault.kind in {"slow", "hang"}:
            self.stopping.wait(fault.seconds or None)
        try:
            with self.world.lock:
                request.credential = recognized(self.world, request.headers.get("authorization", ""))
        except Refusal as refusal:
            return fault.answer(request) if fault and fault.kind not in {*GOES_ON, "hang"} else refusal.answer
        if fault and fault.kind == "hang":
            return Answer(504)
        if fault and fault.kind not in GOES_ON:
            return fault.answer(request)
        answer = self._carried_out(request)
        if fault and fault.kind == "after-effect":
            return Refusal(fault.status or 502, "Server Error").answer
        return answer

    def _carried_out(self, request: Request) -> Answer:
        with self.world.lock:
            answer = self._graphql(request) if request.path == "/graphql" else self._rest(request)
        for follow in request.afterwards:
            follow()
        return answer

    def _graphql(self, request: Request) -> Answer:
        try:
            answer, failures = answers.answer(request)
        except Refusal as refusal:
            return refusal.answer
        self.violations.extend(failures)
        return answer

    def _rest(self, request: Request) -> Answer:
        limits, caller = self.world.limits, request.credential
        free = request.path == "/rate_limit"
        window = limits.window(caller, "core")
        try:
            if not free:
                limits.check(caller)
            versions.check(request)
            answer = dispatch.answer(request)
        except Refusal as refusal:
            answer = refusal.answer
            free = free or window.remaining == 0
        if 200 <= answer.status < 300 and answer.template and not isinstance(answer.body, bytes):
            self._descriptions.check_answer(answer.template, answer.body)
            answer.body = versions.fitted(request, answer.body)
        if request.method == "GET" and answer.status == 200:
            answer = _conditional(request, answer)
        unchanged = answer.status == 304 and caller.name != "anonymous"
        window.used += not (free or unchanged)
        answer.headers = window.headers("core") | answer.headers
        return answer

    def _keep(self, request: Request, answer: Answer) -> None:
        kept = Answered(
            request.method,
            request.path,
            request.query,
            request.headers,
            request.body,
            answer.status,
            time.monotonic(),
            request.credential.name,
        )
        self.log.append(kept)
        reading = request.path == "/graphql" and b"mutation" not in request.body
        if request.method in WRITES and not reading and not request.path.endswith("/access_tokens"):
            self.writes.append(kept)


def _conditional(request: Request, answer: Answer) -> Answer:
    body = answer.encoded()
    tag = f'"{hashlib.sha256(body).hexdigest()}"'
    known = {known.strip().removeprefix("W/") for known in request.headers.get("if-none-match", "").split(",")}
    headers = {"Content-Type": JSON_TYPE} | answer.headers | {"ETag": tag, "Cache-Control": "private, max-age=60"}
    return Answer(304, None, headers, answer.template) if tag in known else Answer(200, body, headers, answer.template)
