"""Who signed a commit: people with their accounts, machines as machines (C-17, C-24)."""

from __future__ import annotations

import pytest

from shared.sources.people import Identity, credit, person_of


@pytest.mark.parametrize(
    ("name", "email"),
    [
        ("Claude", "noreply@anthropic.com"),
        ("Claude", "81847+claude@users.noreply.github.com"),
        ("Copilot", "198982749+Copilot@users.noreply.github.com"),
        ("copilot-swe-agent[bot]", "198982749+Copilot@users.noreply.github.com"),
        ("GitHub Copilot", "copilot@github.com"),
        ("Codex", "codex@openai.com"),
        ("Codex", "codex@example.invalid"),
        ("Cursor", "CursorAgent@cursor.com"),
        ("gemini-code-assist", "gemini-code-assist@google.com"),
        ("aider (some model)", "aider@aider.chat"),
        ("Devin AI", "158243242+devin-ai-integration[bot]@users.noreply.github.com"),
    ],
)
def test_c17_a_coding_assistant_is_no_person_to_credit(name, email):
    person = person_of(Identity(name, email))

    assert person is not None
    assert person.is_bot


@pytest.mark.parametrize(
    ("name", "email"),
    [
        ("Claude Monet", "claude@monet.example.fr"),
        ("Devin Moore", "1234+devin@users.noreply.github.com"),
        ("Jules Verne", "jules@nautilus.org"),
        ("Gemini Rossi", "gemini@rossi.it"),
        ("Ada", "ada@anthropic.com"),
        ("Cursor", "someone@university.edu"),
    ],
)
def test_c17_a_person_with_such_a_name_is_credited(name, email):
    person = person_of(Identity(name, email))

    assert person is not None
    assert not person.is_bot


def test_an_assistant_among_the_co_authors_is_kept_and_marked():
    author, others = credit(
        Identity("Ada", "7+ada@users.noreply.github.com"),
        [Identity("Copilot", "198982749+Copilot@users.noreply.github.com"), Identity("Grace", "grace@navy.mil")],
    )

    assert not author.is_bot
    assert [(person.shown, person.is_bot) for person in others] == [("Copilot", True), ("Grace", False)]
