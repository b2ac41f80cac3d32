"""A public name cannot lead inside, and no name leads to a cloud's metadata (R-90)."""

from __future__ import annotations

import pytest

from shared.llm.addresses import Allowed

PUBLIC = ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "::ffff:93.184.215.14"]
LOOPBACK = ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"]
PRIVATE = [
    "10.0.0.7",
    "172.16.3.4",
    "192.168.1.1",
    "100.64.0.1",
    "fd12:3456::1",
    "::ffff:10.0.0.7",
    "64:ff9b::a00:7",
    "2002:a00:7::1",
]
NEVER = [
    "169.254.169.254",
    "::ffff:169.254.169.254",
    "64:ff9b::a9fe:a9fe",
    "fe80::1",
    "fd00:ec2::254",
    "100.100.100.200",
    "0.0.0.0",
    "::",
    "224.0.0.1",
    "ff02::1",
]


@pytest.mark.parametrize("address", PUBLIC)
def test_public_addresses_are_always_allowed(address: str) -> None:
    assert Allowed().allows(address)
    assert Allowed(internal=True).allows(address)


@pytest.mark.parametrize("address", LOOPBACK)
def test_this_machine_only_where_it_was_named_or_the_server_is_internal(address: str) -> None:
    assert not Allowed().allows(address)
    assert Allowed(loopback=True).allows(address)
    assert Allowed(internal=True).allows(address)


@pytest.mark.parametrize("address", PRIVATE)
def test_private_networks_only_where_the_server_is_internal(address: str) -> None:
    assert not Allowed(loopback=True).allows(address)
    assert Allowed(internal=True).allows(address)


@pytest.mark.parametrize("address", NEVER)
def test_some_addresses_are_never_a_model_server(address: str) -> None:
    assert not Allowed(internal=True, loopback=True).allows(address)
