"""Text at the door (R-41, C-38): the refused characters are replaced and nothing else is touched."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from shared.domain.text import clean_text, clean_tree, fold

any_text = st.text(st.characters(codec=None, exclude_categories=()))


@given(any_text)
def test_r41_only_nul_and_lone_surrogates_change(text: str) -> None:
    cleaned = clean_text(text)

    assert len(cleaned) == len(text)
    assert "\x00" not in cleaned
    cleaned.encode("utf-8")
    for before, after in zip(text, cleaned, strict=True):
        refused = before == "\x00" or 0xD800 <= ord(before) <= 0xDFFF
        assert after == ("\ufffd" if refused else before)


def test_c38_a_nul_deep_in_a_payload_is_replaced() -> None:
    decoded = json.loads('{"a\\u0000": [{"b": "x\\u0000y", "n": 4000000000, "z": null}], "t": true}')

    assert clean_tree(decoded) == {"a\ufffd": [{"b": "x\ufffdy", "n": 4_000_000_000, "z": None}], "t": True}


def test_c37_names_compare_in_nfc_without_case() -> None:
    assert fold("Cafe\u0301") == fold("CAFÉ") == "café"
