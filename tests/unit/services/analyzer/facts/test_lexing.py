"""Code, comments and strings are told apart, in the families of languages that diffs are made of."""

from __future__ import annotations

import time

import pytest

from services.analyzer.facts.lexing import (
    BY_LANGUAGE,
    C_LIKE,
    HASH,
    JAVASCRIPT,
    PYTHON,
    RUST,
    SQL,
    Lexer,
    lexed,
    lexer_of,
)


@pytest.mark.parametrize(
    ("lexer", "text", "code", "bare"),
    [
        (PYTHON, 'x = "a # b"  # c', 'x = "a # b"     ', 'x = "     "     '),
        (PYTHON, "it = 'a\\'b' # c", "it = 'a\\'b'    ", "it = '    '    "),
        (PYTHON, '"""doc\nX=1\n"""\ny = 2', "      \n   \n   \ny = 2", "      \n   \n   \ny = 2"),
        (PYTHON, 'y = """s\nX=1"""', 'y = """s\nX=1"""', 'y = """ \n   """'),
        (PYTHON, "a = 1 # 'open", "a = 1        ", "a = 1        "),
        (C_LIKE, "int a; // b /* c", "int a;          ", "int a;          "),
        (C_LIKE, "/* x\n y */ z;", "    \n      z;", "    \n      z;"),
        (C_LIKE, 'f("http://x")', 'f("http://x")', 'f("        ")'),
        (C_LIKE, "u = http://x", "u = http://x", "u = http://x"),
        (C_LIKE, "#define A 1", "#define A 1", "#define A 1"),
        (JAVASCRIPT, "a = `x\n// y`; // z", "a = `x\n// y`;     ", "a = ` \n    `;     "),
        (RUST, "fn f<'a>(x: &'a str) {}", "fn f<'a>(x: &'a str) {}", "fn f<'a>(x: &'a str) {}"),
        (HASH, "n=$# # count", "n=$#        ", "n=$#        "),
        (HASH, "url=a#b", "url=a#b", "url=a#b"),
        (SQL, "a -- 'b", "a      ", "a      "),
    ],
)
def test_comments_are_blank_and_strings_too_in_bare(lexer: Lexer, text: str, code: str, bare: str) -> None:
    assert lexed(text, lexer) == (code, bare)


@pytest.mark.parametrize("lexer", [*BY_LANGUAGE.values(), SQL])
@pytest.mark.parametrize(
    "text",
    [
        '"' * 60_000,
        "'''" * 20_000,
        "\\" * 60_000,
        "/*" * 30_000,
        '"""' + "\\" * 60_000,
        "`" * 60_001,
        "#" * 60_000,
        "\0\n" * 30_000,
    ],
)
def test_hostile_texts_keep_their_length_and_take_no_time(lexer: Lexer, text: str) -> None:
    begun = time.process_time()
    code, bare = lexed(text, lexer)

    assert len(code) == len(bare) == len(text)
    assert code.count("\n") == bare.count("\n") == text.count("\n")
    assert time.process_time() - begun < 5


def test_the_lexer_is_chosen_by_language_then_by_ending() -> None:
    assert lexer_of("a/b.py", "python") is PYTHON
    assert lexer_of("q.sql", None) is SQL
    assert lexer_of("conf.d/unknown", None) is HASH
