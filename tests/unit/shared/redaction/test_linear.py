"""Redaction takes linear time, whatever a stranger repeats (R-71)."""

from __future__ import annotations

import time

import pytest

from shared.redaction import redact
from shared.redaction.formats import FORMATS
from shared.redaction.marks import marks_in
from tests.ordinary_patches import ordinary_patches

_SIZE = 250_000
_GUARD = 2.5
"""Seconds of the processor, fivefold what the slowest takes: quadratic time would be minutes."""

_BEGIN = "-----BEGIN PRIVATE" + " KEY-----"
_END = "-----END PRIVATE" + " KEY-----"
REPEATED = (
    *(anchor for one in FORMATS for anchor in one.anchors),
    *(
        "eyJaaaaaaaa.",
        "eyJaaaaaaaa.eyJ",
        "xoxb-1",
        "sk-a1B2",
        "gl",
        "glpat-",
        "SG.aaaaaaaaaaaaaaaa.",
        "M" * 24 + ".",
        "0a",
    ),
    *(
        _BEGIN,
        _BEGIN + "\n",
        _BEGIN + "\n\n",
        _END,
        _END + "\n",
        _BEGIN + "\\n",
        "AAAAAAAAAAAAAAAAAAAA\n",
        "Proc-Type: 4\n",
    ),
    *(_BEGIN + "A", _BEGIN + "\nProc-Type: 4\n", "A" * 20 + _END, "\n" + _END),
    *(
        "://",
        "://a:",
        "://a:b",
        "://a:bbb@",
        "://" + "a" * 30,
        "a@",
        "bearer ",
        "bearer " + "a" * 20,
        "basic ",
        "auth=",
        "auth: ",
    ),
    *(
        "authorization: ",
        "authorization: bearer ",
        "login a password ",
        "login ",
        "password ",
        "password abc\n",
        " -u a:",
        " -u ",
    ),
    *(
        "password",
        "password=",
        "password: ",
        'password="',
        "password='a1",
        "passwd:",
        "pwd=",
        "passphrase:",
        "secret",
        "secret=",
    ),
    *(
        "token",
        "token=",
        "token: a",
        "token: &str =",
        "key",
        "key=",
        "api_key=",
        'api_key: "',
        "credential",
        "key_",
        "keykey_id",
    ),
    *(
        "token" + "\\" * 8,
        "token: " + "a" * 50,
        "token = " + "a1B2" * 30,
        "--token ",
        "-",
        "A=",
        "\nA=",
        "AAA=" + "a1" * 12,
        "=",
        "=",
    ),
    *(
        "\\",
        '"',
        "'",
        "`",
        "`'\"",
        " ",
        "\n",
        "\r\n",
        "\t",
        "a",
        "A",
        "0",
        "aA0",
        "+",
        "/",
        ".",
        ":",
        "%3D",
        "密码",
        "\u0130",
        "\x00",
        "\u200b",
        "a\u200b",
        "a1B2\u00ad",
        "ghp_\u2060a1B2",
        "\u200b\n",
    ),
)


@pytest.mark.parametrize("repeated", dict.fromkeys(REPEATED), ids=ascii)
def test_r71_repetitions_take_linear_time(repeated: str) -> None:
    text = repeated * (_SIZE // len(repeated))
    began = time.process_time()

    redacted = redact(text)

    assert time.process_time() - began < _GUARD
    assert redacted.text.count("\n") == text.count("\n")


def test_r71_twelve_megabytes_of_patches_take_seconds() -> None:
    one = "\n".join(patch for _, patch in ordinary_patches(rounds=8))
    text = one * (12_000_000 // len(one))
    began = time.process_time()

    redact(text)

    assert time.process_time() - began < 12 * _GUARD


@pytest.mark.parametrize(
    "repeated", ["[redacted:", "[redacted:private-key]", "[redacted:private-key]\n", "[redacted:token]"]
)
def test_r71_marks_are_counted_in_linear_time(repeated: str) -> None:
    began = time.process_time()

    marks_in(repeated * (_SIZE // len(repeated)) + "\n" * _SIZE)

    assert time.process_time() - began < _GUARD
