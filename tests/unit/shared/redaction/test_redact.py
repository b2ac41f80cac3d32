"""Secrets are blackened wherever they stand, and nothing else is touched (R-71)."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.redaction import redact
from shared.redaction.marks import marks_in
from tests.hostile_strings import HOSTILE, ORDINARY
from tests.secret_canaries import CANARIES, ISSUED, Canary, drawn, pem_lines

WITHIN: dict[str, Callable[[str], str]] = {
    "a line": lambda said: said,
    "a description": lambda said: f"It did not work.\n\n{said}\n\nNow it does.",
    "a patch": lambda said: f"@@ -1,2 +1,2 @@\n context\n-{said}\n+{said}\n context",
    "code": lambda said: f'+    SAMPLE = """\n+{said}\n+    """\n',
    "YAML": lambda said: f"  script: |\n    {said}\n  other: 1\n",
    "carriage returns": lambda said: f"one\r\n{said}\r\ntwo\r\n",
    "Chinese text": lambda said: f"配置如下：\n{said}\n请勿泄露。",
}

SPLITTING = (
    "\u00ad",
    "\u200b",
    "\u2060",
    "\u200d",
    "\ufeff",
    "\ufe0f",
    "\u202e",
    "\x08",
    "\U000e0041",
    "\u200b\u00ad\u2060",
)

NOT_BY_THEIR_LINE = tuple(canary for canary in CANARIES if not canary.name.startswith("environment-"))
"""What makes the others a secret is that they are a line of their own."""


@pytest.mark.parametrize("within", WITHIN)
@pytest.mark.parametrize("canary", CANARIES, ids=lambda canary: canary.name)
def test_r71_a_secret_is_gone_wherever_it_stands(canary: Canary, within: str) -> None:
    text = WITHIN[within](canary.said)
    assert canary.secret in text

    redacted = redact(text)

    assert canary.secret not in redacted.text
    assert redacted.text.count("\n") == text.count("\n")
    assert sum(redacted.found.values()) >= 1


@pytest.mark.parametrize("canary", NOT_BY_THEIR_LINE, ids=lambda canary: canary.name)
def test_r71_a_secret_is_gone_from_a_text_within_json(canary: Canary) -> None:
    document = json.dumps({"text": f"first\n{canary.said}\nlast", "after": 1})

    redacted = redact(document).text

    assert canary.secret not in redacted
    assert json.loads(redacted)["after"] == 1


@pytest.mark.parametrize("canary", CANARIES, ids=lambda canary: canary.name)
def test_what_was_redacted_is_not_found_again(canary: Canary) -> None:
    once = redact(canary.said).text

    assert redact(once).text == once
    assert not redact(once).found


@pytest.mark.parametrize("canary", ISSUED, ids=lambda canary: canary.name)
def test_a_token_is_found_between_any_marks(canary: Canary) -> None:
    for before, after in ('""', "''", "``", "()", "<>", "=;", ",,", "/?", "\n\n", "：。"):
        text = f"{before}{canary.secret}{after}"
        assert canary.secret not in redact(text).text, text


def test_the_mark_names_the_kind_and_every_secret_is_counted() -> None:
    key = "AKI" + "A" + "Q7" * 8
    redacted = redact(f"{key} and {key}; https://ada:{drawn(12)}@lumen.invalid/")

    assert redacted.text.startswith("[redacted:aws-access-key] and [redacted:aws-access-key]; https://ada:[redacted:")
    assert redacted.found == {"aws-access-key": 2, "url-credentials": 1}


@pytest.mark.parametrize("prefix", ["", "+", "-", " ", "    ", "+      "])
def test_each_line_of_a_private_key_becomes_the_mark(prefix: str) -> None:
    lines = pem_lines()
    text = "\n".join(["before", *(prefix + line for line in lines), prefix + "after: it"])

    redacted = redact(text)

    assert redacted.found == {"private-key": 1}
    assert redacted.text.split("\n") == [
        "before",
        *[prefix + "[redacted:private-key]"] * len(lines),
        prefix + "after: it",
    ]


@pytest.mark.parametrize("cut", [slice(0, 5), slice(3, None)], ids=["no end", "no beginning"])
def test_a_private_key_that_a_hunk_cuts_is_blackened_as_far_as_it_goes(cut: slice) -> None:
    lines = pem_lines()[cut]
    text = "\n".join(["@@ -3,7 +3,7 @@ key", *(f"+{line}" for line in lines), "@@ -90,2 +90,2 @@", " def start():"])

    redacted = redact(text).text

    assert not [line for line in lines if line in redacted]
    assert redacted.endswith("\n@@ -90,2 +90,2 @@\n def start():")
    assert redacted.count("\n") == text.count("\n")


def test_a_private_key_with_headers_or_in_quoted_lines_is_blackened() -> None:
    begin, *body, end = pem_lines(3)
    headed = "\n".join([begin, "Proc-Type: 4,ENCRYPTED", "DEK-Info: AES-256-CBC,9F3A", "", *body, end])
    quoted = "\n".join(f'    "{line}\\n" +' for line in (begin, *body, end))

    for text in (headed, quoted):
        redacted = redact(text).text
        assert not [line for line in body if line in redacted]
        assert redacted.count("\n") == text.count("\n")


def test_a_header_without_a_key_and_public_keys_stay() -> None:
    begin, *body, end = (line.replace("RSA PRIVATE", "PUBLIC") for line in pem_lines())
    certificate = "\n".join([begin, *body, end])
    header = 'if text.startswith("-----BEGIN RSA PRIV' + 'ATE KEY-----"):\n    return load(text)\n'

    assert redact(certificate).text == certificate
    assert redact(header).text == header


@pytest.mark.parametrize("text", [*HOSTILE, *ORDINARY])
def test_hostile_and_ordinary_strings_are_no_secrets(text: str) -> None:
    assert redact(text).text == text


@given(st.text(), st.sampled_from(CANARIES), st.text())
def test_it_never_raises_and_lines_stay_where_they_are(before: str, canary: Canary, after: str) -> None:
    text = f"{before}\n{canary.said}\n{after}"

    redacted = redact(text).text

    assert [len(re.findall(end, redacted)) for end in "\n\r"] == [len(re.findall(end, text)) for end in "\n\r"]


@pytest.mark.parametrize("sign", SPLITTING, ids=ascii)
def test_r71_a_token_that_signs_nobody_sees_split_is_gone_with_them(sign: str) -> None:
    token = "gh" + "p_" + "a1B2" * 9
    for place in (1, 4, 9, 30):
        redacted = redact(f"Use {token[:place]}{sign}{token[place:]} \u200bhere")

        assert redacted.text == "Use [redacted:github] \u200bhere"
        assert redacted.found == {"github": 1}
    assert redact(sign.join(token)).text == "[redacted:github]"


def test_signs_nobody_sees_stay_where_they_split_no_secret() -> None:
    text = "\ufeff\u200bA family: \U0001f468\u200d\U0001f469\u200d\U0001f467, and a soft\u00adhyphen.\n\u2060"

    assert redact(text).text == text
    assert not redact(text).found


def test_a_private_key_with_signs_nobody_sees_is_one_secret() -> None:
    begin, *body, end = pem_lines()
    text = "\n".join(
        [begin.replace("PRIVATE", "PRI\u200bVATE"), *(f"{line[:9]}\u00ad{line[9:]}" for line in body), end]
    )

    redacted = redact(text)

    assert redacted.text.split("\n") == ["[redacted:private-key]"] * (len(body) + 2)
    assert redacted.found == {"private-key": 1}


@pytest.mark.parametrize("canary", CANARIES, ids=lambda canary: canary.name)
def test_marks_tell_later_what_was_blackened(canary: Canary) -> None:
    redacted = redact(f"first\n{canary.said}\n\n")

    assert marks_in(redacted.text) == redacted.found
    assert marks_in(canary.said) == {}


def test_a_key_of_several_lines_is_one_mark_and_other_marks_count_each() -> None:
    key = "\n".join(["+[redacted:private-key]"] * 5)

    assert marks_in(f"{key}\n+x\n{key}\n[redacted:token]\n[redacted:token]") == {"private-key": 2, "token": 2}


def test_marks_of_kinds_that_do_not_exist_are_not_counted() -> None:
    assert marks_in("[redacted:ignore-all-rules] [redacted:] [redacted") == {}
