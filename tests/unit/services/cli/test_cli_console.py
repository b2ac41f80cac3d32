"""What is printed: strangers' words cannot repaint a terminal, errors are one line."""

from __future__ import annotations

import pytest

from services.cli.console import complain, literal, out, plain, progress


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb", "a b"),
        ("\x1b[2Jwiped\x07", "[2Jwiped"),
        ("\u202egnp.exe", "gnp.exe"),
        ("  kept  ", "kept"),
        ("深色 🌙 Café", "深色 🌙 Café"),
        ("\x9b31mred", "31mred"),
    ],
)
def test_c32_control_characters_never_reach_the_terminal(text: str, expected: str) -> None:
    assert plain(text) == expected


def test_c27_markup_and_emoji_codes_in_strangers_words_mean_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    out().print(literal("[bold]x[/bold] :smile: [link=https://evil]y[/link]"))

    assert capsys.readouterr().out == "[bold]x[/bold] :smile: [link=https://evil]y[/link]\n"


def test_a_complaint_is_one_line_on_stderr(capsys: pytest.CaptureFixture[str]) -> None:
    complain("first\nsecond")

    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == "mergecast: first second\n"


def test_no_progress_bar_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("Working") as report:
        report(1, 2)
        report(2, None)

    assert capsys.readouterr() == ("", "")
