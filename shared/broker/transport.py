"""Redis as Celery reaches it, except that a server that says no is waited for like one that is away (C-68)."""

from __future__ import annotations

from kombu.transport import TRANSPORT_ALIASES
from kombu.transport.redis import Transport
from redis.exceptions import ResponseError


class PatientTransport(Transport):
    """A refused command (MISCONF after a failed snapshot, OOM) ends the connection and not the worker.

    Celery connects again after errors of the connection and gives up at all others; kombu counts these as the latter.
    """

    connection_errors = (*Transport.connection_errors, ResponseError)


def use_patient_transport() -> None:
    """Have every ``redis://`` broker of this process reached this way."""
    TRANSPORT_ALIASES["redis"] = f"{__name__}:{PatientTransport.__name__}"
