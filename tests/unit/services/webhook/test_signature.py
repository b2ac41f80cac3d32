from __future__ import annotations

import hashlib
import hmac

import pytest
from hypothesis import given
from hypothesis import strategies as st

from services.webhook.signature import SignatureMismatch, SignatureMissing, digest_of, verify

# GitHub's published vector: https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
SECRET = b"It's a Secret to Everybody"
BODY = b"Hello, World!"
DIGEST = b"757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17"
HEADER = b"sha256=" + DIGEST


def signed(secret: bytes, body: bytes) -> bytes:
    return b"sha256=" + hmac.new(secret, body, hashlib.sha256).hexdigest().encode()


def flipped(data: bytes, bit: int) -> bytes:
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def test_r01_the_official_vector_fits() -> None:
    assert verify([SECRET], HEADER, BODY) == 0


def test_r01_the_body_may_come_in_pieces() -> None:
    assert verify([SECRET], HEADER, [b"Hello", b"", b", World", b"!"]) == 0


def fits(secret: bytes, header: bytes, body: bytes) -> bool:
    try:
        return verify([secret], header, body) == 0
    except (SignatureMismatch, SignatureMissing):
        return False


def test_r01_no_flipped_bit_of_the_body_fits() -> None:
    assert not [bit for bit in range(len(BODY) * 8) if fits(SECRET, HEADER, flipped(BODY, bit))]


def test_r01_no_flipped_bit_of_prefix_or_digest_fits() -> None:
    assert not [bit for bit in range(len(HEADER) * 8) if fits(SECRET, flipped(HEADER, bit), BODY)]


@pytest.mark.parametrize(
    "header",
    [
        None,
        b"",
        b"sha256=",
        b"sha256=" + DIGEST.upper(),
        b"SHA256=" + DIGEST,
        b"sha1=" + DIGEST[:40],
        b"sha256=" + "é".encode() + DIGEST[2:],
        b"sha256=" + "é".encode("latin-1") * 64,
        b"sha256=" + DIGEST + b"\n",
        b" " + HEADER,
        HEADER + b", " + HEADER,
        HEADER + b"0",
        b"sha256=" + b"a" * 10_000,
        DIGEST,
    ],
)
def test_c07_a_header_in_another_form_is_missing(header: bytes | None) -> None:
    with pytest.raises(SignatureMissing):
        verify([SECRET], header, BODY)


def test_c07_two_headers_are_none() -> None:
    with pytest.raises(SignatureMissing):
        digest_of([HEADER, HEADER])


@pytest.mark.parametrize(
    "body",
    ['{"a":"🎉"}'.encode(), rb'{"a":"\ud83c\udf89"}', '{"标题":"合并"}'.encode(), b'{"b":1,"a":2}\n', b"\xff\xfe", b""],
)
def test_c06_bytes_are_signed_as_they_are(body: bytes) -> None:
    assert verify([b"secret"], signed(b"secret", body), body) == 0


def test_r02_any_of_several_secrets_fits_and_tells_its_slot() -> None:
    secrets = [b"new", b"old"]

    assert verify(secrets, signed(b"new", BODY), BODY) == 0
    assert verify(secrets, signed(b"old", BODY), BODY) == 1
    with pytest.raises(SignatureMismatch):
        verify(secrets[:1], signed(b"old", BODY), BODY)


@pytest.mark.parametrize("secrets", [[], [b""], [b"", b"other"]])
def test_r01_an_empty_secret_signs_nothing(secrets: list[bytes]) -> None:
    with pytest.raises(SignatureMismatch):
        verify(secrets, signed(b"", BODY), BODY)


@given(secret=st.binary(min_size=1), body=st.binary(), other=st.binary(min_size=1))
def test_r01_what_was_signed_fits_and_nothing_else_does(secret: bytes, body: bytes, other: bytes) -> None:
    header = signed(secret, body)

    assert verify([secret], header, body) == 0
    # HMAC pads a short key with zeros, so keys that differ only in those are one key.
    if other.rstrip(b"\0") != secret.rstrip(b"\0") and max(len(secret), len(other)) <= 64:
        with pytest.raises(SignatureMismatch):
            verify([other], header, body)
