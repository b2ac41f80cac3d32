"""Which addresses a model server may have: none that a name in public hands could use to reach inside (R-90)."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

LOOPBACK = ("127.0.0.1", "localhost", "::1")
"""Names of this machine; who configures one of them means it."""

_METADATA = frozenset({ip_address("fd00:ec2::254"), ip_address("100.100.100.200")})
"""Of clouds that keep theirs outside the link-local range."""
_TRANSLATED = IPv6Network("64:ff9b::/96")
"""IPv4 addresses behind a NAT64 (RFC 6052)."""


@dataclass(frozen=True)
class Allowed:
    """What the settings allow: ``internal`` any network of one's own, ``loopback`` this machine alone."""

    internal: bool = False
    loopback: bool = False

    def allows(self, address: str) -> bool:
        """Whether to connect to a resolved address; link-local and metadata addresses are nobody's model server."""
        ip = _meant(ip_address(address))
        if ip.is_link_local or ip.is_multicast or ip.is_unspecified or ip in _METADATA:
            return False
        if ip.is_loopback:
            return self.internal or self.loopback
        return self.internal or ip.is_global


def _meant(ip: IPv4Address | IPv6Address) -> IPv4Address | IPv6Address:
    """The IPv4 address that an IPv6 one stands for, if any."""
    if isinstance(ip, IPv4Address):
        return ip
    if ip in _TRANSLATED:
        return IPv4Address(int(ip) & 0xFFFFFFFF)
    return ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None) or ip
