"""Redis as Celery reaches it, mended where a server that freezes or says no leaves a worker deaf (C-65, C-68)."""

from __future__ import annotations

from kombu.transport import TRANSPORT_ALIASES, virtual
from kombu.transport.redis import Channel, QoS, Transport
from redis.exceptions import ResponseError


class ForgivingQoS(QoS):
    """Frees the slot of a message also when Redis does not take its acknowledgement.

    Celery logs such an error and goes on, and kombu goes on counting the message as one in work: with a prefetch of one
    the worker would take nothing any more. Redis delivers the message again after the visibility timeout, which finds
    its row done.
    """

    def ack(self, delivery_tag: str) -> None:
        """Acknowledge the message; raises what Redis raised, with the slot free."""
        try:
            super().ack(delivery_tag)
        except PatientTransport.connection_errors:
            virtual.QoS.ack(self, delivery_tag)
            raise


class ForgivingChannel(Channel):
    """A channel with such a count, that closes wholly also when its server is gone."""

    QoS = ForgivingQoS

    def close(self) -> None:
        """Close it; raises what Redis raised.

        kombu first ends the poll that is under way, and an error of that leaves the channel half open. Celery ignores
        the error and closes again, by then without an address: with a message in work, that ends the whole worker,
        which then takes nothing until that work is done.
        """
        try:
            super().close()
        except PatientTransport.connection_errors:
            super().close()
            raise


class PatientTransport(Transport):
    """A refused command (MISCONF after a failed snapshot, OOM) ends the connection and not the worker.

    Celery connects again after errors of the connection and gives up at all others; kombu counts these as the latter.
    """

    Channel = ForgivingChannel
    connection_errors = (*Transport.connection_errors, ResponseError)


def use_patient_transport() -> None:
    """Have every ``redis://`` broker of this process reached this way."""
    TRANSPORT_ALIASES["redis"] = f"{__name__}:{PatientTransport.__name__}"
