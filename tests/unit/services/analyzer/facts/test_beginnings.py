"""Hunks that begin in the middle of a documentation string or a comment."""

from __future__ import annotations

import pytest

from services.analyzer.facts.beginnings import opened_before
from services.analyzer.facts.lexing import C_LIKE, GO, PYTHON

CODE = "def start(port):\n    run(port)\n    return 1\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f'    More words.\n    """\n    run(1)\n\n\n{CODE}', '"""'),
        ("    port: where to listen\n    '''\n    self.run(1)\n", "'''"),
        (f'{CODE}    """Words."""\n', ""),
        ('def start(port):\n    """Words.\n\n    More words.\n', ""),
        (f'    Words.\n    """\n{CODE}    """More.\n\n    Words.\n    """\n{CODE}', '"""'),
        (CODE, ""),
        ("", ""),
        ('"""', ""),
    ],
)
def test_documentation_strings(text, expected):
    assert opened_before(text, PYTHON) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (" * more words\n */\nint a;\n", "/*"),
        ("more words\n*/\nint a;\n", "/*"),
        ("/* words */\nint a;\n", ""),
        ('glob("src/**/*.cc");\nint a;\n', ""),
        ("int a;\n", ""),
    ],
)
def test_comments(text, expected):
    assert opened_before(text, C_LIKE) == expected
    assert opened_before(text, GO) == expected
