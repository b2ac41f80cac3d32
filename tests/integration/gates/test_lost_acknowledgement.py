"""An acknowledgement that Redis does not take must not leave the worker alive and deaf (C-65)."""

from __future__ import annotations

import os
import signal

import pytest
from kombu import Connection, Consumer, Queue

from shared.broker.transport import use_patient_transport
from tests.servers.valkey import ValkeyServer

pytestmark = pytest.mark.xdist_group("faults")


def test_c65_the_slot_of_a_message_is_free_again_when_its_acknowledgement_is_lost(valkey: ValkeyServer) -> None:
    use_patient_transport()
    got = []
    with Connection(valkey.url, transport_options={"socket_timeout": 0.5, "socket_connect_timeout": 0.5}) as connection:
        channel = connection.default_channel
        queue = Queue("analysis", channel=channel)
        queue.declare()
        for number in (1, 2):
            connection.Producer(channel).publish({"number": number}, routing_key="analysis")
        with Consumer(channel, [queue], callbacks=[lambda _body, message: got.append(message)], prefetch_count=1):
            connection.drain_events(timeout=5)
            assert not channel.qos.can_consume()

            os.kill(valkey.pid, signal.SIGSTOP)
            try:
                with pytest.raises(connection.connection_errors):
                    got[0].ack()
            finally:
                os.kill(valkey.pid, signal.SIGCONT)

            assert channel.qos.can_consume()
