"""Keys fit an index, names compare as the host compares them, errors are storable."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from shared.store.columns import error_text, key_text, name_key


def test_a_short_key_is_kept_as_it_is() -> None:
    assert key_text("hook:123") == "hook:123"


@given(st.text(max_size=50).map(lambda text: text * 100))
def test_r41_every_key_fits_an_index(text: str) -> None:
    assert len(key_text(text).encode("utf-8")) <= 800
    assert "\x00" not in key_text(text)


def test_r41_a_key_that_grows_when_it_is_cleaned_fits_too() -> None:
    assert len(key_text("\x00" * 700).encode("utf-8")) <= 800


def test_long_keys_that_differ_at_the_end_stay_different() -> None:
    assert key_text("x" * 5000 + "a") != key_text("x" * 5000 + "b")


def test_the_host_does_not_tell_upper_from_lower_case() -> None:
    assert name_key("Lumen/LUMEN") == name_key("lumen/lumen")


def test_r41_an_error_is_cut_and_cleaned() -> None:
    shown = error_text("\x00" + "x" * 5000)
    assert len(shown) == 2000
    assert shown.startswith("\ufffdx")
    assert shown.endswith("…")
