"""Heading anchors by GitHub's rules."""

from __future__ import annotations

import pytest

from shared.rendering.anchors import Anchors, slug


@pytest.mark.parametrize(
    ("heading", "anchor"),
    [
        ("What you must act on", "what-you-must-act-on"),
        ("Risk mark: Core path (2)", "risk-mark-core-path-2"),
        ("model-executor/layers (30)", "model-executorlayers-30"),
        ("snake_case & more", "snake_case--more"),
        ("必须处理的变更", "必须处理的变更"),
        ("重点 PR", "重点-pr"),
        ("Café Ünïcode", "café-ünïcode"),
        ("C#", "c"),
        ("🎉 party", "-party"),
        ("a\u200bb", "ab"),
    ],
)
def test_slug(heading: str, anchor: str) -> None:
    assert slug(heading) == anchor


def test_repeated_headings_are_numbered() -> None:
    anchors = Anchors()
    assert [anchors.anchor(heading) for heading in ("A", "a", "A!", "b")] == ["a", "a-1", "a-2", "b"]
