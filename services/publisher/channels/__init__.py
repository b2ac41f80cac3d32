"""The channels that digests are published on, by explicit listing."""

from __future__ import annotations

from services.publisher.channel import Channel
from services.publisher.channels.files import FilesChannel

CHANNELS: tuple[Channel, ...] = (FilesChannel(),)
