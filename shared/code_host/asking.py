"""One request within the limits: the budget is asked before, and told what the answer says."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from http import HTTPStatus

import structlog
from github.Auth import Auth

from shared.code_host.addresses import Request, moved
from shared.code_host.answers import RawAnswer
from shared.code_host.graphql_answers import gave_up
from shared.code_host.limits import allowance_of, limited, named_wait, refusal_of
from shared.code_host.outages import Outages
from shared.code_host.wire import Unreachable, Wire
from shared.domain.errors import HostAway, Postponed, Transient
from shared.domain.protocols import Allowance, Clock, Limiter

REDIRECTS = (301, 302, 303, 307, 308)

_MOST_REDIRECTS = 3
_UNNAMED_WAIT = timedelta(minutes=1)
_log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Access:
    """What a request is made with: the credential's name, which is no secret, and the credential itself."""

    credential: str
    auth: Auth | None = field(repr=False)


class Asker:
    """Asks one host, for every credential."""

    def __init__(self, wire: Wire, limiter: Limiter, clock: Clock) -> None:
        self.wire, self.clock = wire, clock
        self._limiter = limiter
        self._outages = Outages()

    def read(self, access: Access, request: Request, keep: int = 0) -> tuple[RawAnswer, Request]:
        """Ask as ``ask`` does, at the new place when the host says that it moved; return the request as answered.

        Transient when it is sent on without an end, or to another host.
        """
        for _ in range(_MOST_REDIRECTS):
            raw = self.ask(access, request, keep)
            location = raw.headers.get("location")
            if raw.status not in REDIRECTS or location is None:
                return raw, request
            request = moved(request, location, self.wire.address)
        raise Transient(f"{request.what} is sent on and on.", "It is asked again; look at proxies on the way.")

    def ask(self, access: Access, request: Request, keep: int = 0) -> RawAnswer:
        """Send the request once; return its answer unless that is a limit or an outage.

        Postponed when the budget has no more than ``keep`` requests left, when the host refuses for a limit, and when
        it does not serve.
        """
        self._spend(access.credential, request.resource, keep)
        try:
            raw = self.wire.send(access.auth, request)
        except Unreachable as error:
            raise self._outage(access, request, str(error), connected=error.connected) from None
        now = self.clock()
        _log.debug(
            "code_host.asked",
            method=request.method,
            path=request.path,
            status=raw.status,
            remaining=raw.headers.get("x-ratelimit-remaining"),
        )
        refusal = refusal_of(raw, request.resource, now)
        if refusal is not None:
            noted = self._note(access.credential, request.resource, refusal)
            why = "GitHub's limit is used up" if refusal.remaining == 0 else "GitHub asks to slow down"
            until = noted or refusal.wait_until or now + _UNNAMED_WAIT
            raise limited(access.credential, until, f"{why} ({access.credential})")
        if raw.status >= HTTPStatus.INTERNAL_SERVER_ERROR or raw.status == HTTPStatus.REQUEST_TIMEOUT:
            raise self._outage(access, request, f"status {raw.status}", named_wait(raw, now))
        if request.resource == "graphql" and gave_up(raw):
            raise self._outage(access, request, f"status {raw.status}, but an error in place of the data")
        self._outages.served(request.resource)
        self._note(access.credential, request.resource, allowance_of(raw, request.resource, now))
        return raw

    def _spend(self, credential: str, resource: str, keep: int) -> None:
        try:
            self._limiter.spend(credential, resource, keep)
        except Postponed as full:
            raise limited(credential, full.until, full.message) from None

    def _note(self, credential: str, resource: str, allowance: Allowance) -> datetime | None:
        try:
            return self._limiter.note(credential, resource, allowance)
        except Transient as error:
            # The answer is here, and a write is done: a database that is away must not lose either.
            _log.warning("code_host.budget_not_noted", credential=credential, error=str(error))
            return None

    def _outage(
        self, access: Access, request: Request, reason: str, named: datetime | None = None, *, connected: bool = True
    ) -> HostAway:
        until, everybody = self._outages.failed(
            request.resource, request.fingerprint, self.clock(), connected=connected
        )
        until = max(until, named) if named else until
        if everybody or named:
            # Told to every process, so that an outage is not met by as many requests as rows are due.
            self._note(access.credential, request.resource, Allowance(wait_until=until))
        _log.info("code_host.outage", method=request.method, path=request.path, reason=reason, until=until.isoformat())
        unsure = request.method != "GET" and request.resource != "graphql"
        tail = " Whether it was done there is not known: look before it is sent again." if unsure else ""
        return HostAway(f"GitHub does not serve: {reason} ({request.what}).{tail}", until, "It is asked again later.")
