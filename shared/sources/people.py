"""Turns the names and addresses of commits into people; no e-mail address survives (C-24)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from shared.domain.pull_request import Person
from shared.domain.text import clean_text, fold

# GitHub's private commit addresses, with the account's id since 2017 and without it before;
# Enterprise has its own host after "noreply": docs.github.com "Setting your commit email address".
_NOREPLY = re.compile(
    r"(?:([0-9]{1,18})\+)?([A-Za-z0-9_-]{1,100}(?:\[bot\])?)@users\.noreply\.[a-z0-9.-]+", re.IGNORECASE
)
_MACHINE_MAILBOX = re.compile(r"(?:.*[-_.+])?(?:noreply|no-reply|donotreply|bot|agent)(?:[-_.+\[].*)?", re.IGNORECASE)
_ASSISTANT_LOGINS = frozenset(
    {
        *("claude", "claude-code", "codegen-sh", "copilot", "copilot-swe-agent", "cursor-agent", "cursoragent"),
        *("devin-ai-integration", "gemini-cli", "gemini-code-assist", "github-copilot", "google-labs-jules"),
        *("kilocode", "openai-codex", "opencode-agent", "openhands-agent", "roomote"),
    }
)
_ASSISTANT_MAILBOXES = frozenset(
    {
        *("aider@aider.chat", "amp@ampcode.com", "claude@anthropic.com", "codex@openai.com", "copilot@github.com"),
        *("cursor@cursor.com", "cursor-agent@cursor.com", "cursoragent@cursor.com", "devin@cognition.ai"),
        *("gemini-code-assist@google.com", "opencode@anomaly.co", "opencode@opencode.ai", "openhands@all-hands.dev"),
        "windsurf@codeium.com",
    }
)
"""Coding assistants, by the logins and the mailboxes that commits are signed with: tools, no people to credit.

A name is never enough, for people are called Claude and Devin.
"""
_ASSISTANT_NAMES = frozenset(address.partition("@")[0] for address in _ASSISTANT_MAILBOXES)
_NO_DOMAIN = re.compile(r"(?:.*\.)?(?:invalid|local|localhost|example|test|example\.(?:com|org|net))")
_ADDRESS = re.compile(r"[^\s<>@]+@[^\s<>@]+")
BOT_SUFFIX = "[bot]"


@dataclass(frozen=True)
class Identity:
    """A name and an address as a commit gives them; only ever passed to the functions below."""

    name: str
    email: str


def person_of(identity: Identity) -> Person | None:
    """Return the account behind a private address of the host, else the bare name; None when neither is there.

    A name that is an address counts as no name. Mailboxes of machines make a bot.
    """
    name = _clean_name(identity.name)
    email = identity.email.strip()
    login, number = account_of(email)
    if login is None and name is None:
        return None
    machine = _is_machine(login, name, email)
    return Person(login=login, name=name, id=number, type="Bot" if machine else "User")


def account_of(email: str) -> tuple[str | None, int | None]:
    """Return login and numeric id that a private commit address of the host tells, None where it does not."""
    matched = _NOREPLY.fullmatch(email)
    if matched is None:
        return None, None
    return matched[2], int(matched[1]) if matched[1] else None


def people_of(identities: Iterable[Identity]) -> tuple[Person, ...]:
    """Return the people behind ``identities`` in order, each once, with the login wherever one is told (C-24).

    Within one pull request a name without a login is taken for the account that goes by the same name, and the same
    address for the same person.
    """
    known = [(person, identity.email.strip().casefold()) for identity in identities if (person := person_of(identity))]
    accounts: dict[str, Person] = {}
    for person, _ in known:
        if person.login:
            earlier = accounts.get(person.login.casefold(), person)
            accounts[person.login.casefold()] = earlier if earlier.id is not None or person.id is None else person
    login_of_name = _unambiguous_names(accounts)
    kept: dict[str, Person] = {}
    key_of_address: dict[str, str] = {}
    for person, email in known:
        name = fold(person.name or "")
        login = person.login.casefold() if person.login else login_of_name.get(name)
        key = f"login:{login}" if login else key_of_address.setdefault(email or f"name:{name}", f"name:{name}")
        kept.setdefault(key, accounts[login] if login else person)
    return tuple(kept.values())


def credit(author: Identity, others: Iterable[Identity]) -> tuple[Person, tuple[Person, ...]]:
    """Return the author and the co-authors, each person once; a nameless author is the ghost."""
    people = people_of((author, *others))
    return (people[0], people[1:]) if person_of(author) is not None else (Person(), people)


def without(people: Iterable[Person], author: Person) -> tuple[Person, ...]:
    """Return ``people`` less those who are ``author``: by numeric id, by login, or by name where a login is unknown."""
    return tuple(person for person in people if not _same(person, author))


def _same(one: Person, other: Person) -> bool:
    if one.id is not None and one.id == other.id:
        return True
    if one.login and other.login:
        return one.login.casefold() == other.login.casefold()
    return bool(one.name and other.name) and fold(one.name or "") == fold(other.name or "")


def _unambiguous_names(accounts: dict[str, Person]) -> dict[str, str]:
    """Name → login key, for names that exactly one account goes by."""
    logins: dict[str, set[str]] = {}
    for login, account in accounts.items():
        if account.name:
            logins.setdefault(fold(account.name), set()).add(login)
    return {name: next(iter(found)) for name, found in logins.items() if len(found) == 1}


def _clean_name(name: str) -> str | None:
    cleaned = " ".join(clean_text(name).split())
    return None if not cleaned or _ADDRESS.search(cleaned) else cleaned


def _is_machine(login: str | None, name: str | None, email: str) -> bool:
    """Whether an app, an automatic mailbox or a coding assistant signs here."""
    if login is not None:
        return login.endswith(BOT_SUFFIX) or login.casefold() in _ASSISTANT_LOGINS
    mailbox, _, domain = email.casefold().partition("@")
    if (name or "").endswith(BOT_SUFFIX) or _MACHINE_MAILBOX.fullmatch(mailbox) is not None:
        return True
    made_up = mailbox in _ASSISTANT_NAMES and _NO_DOMAIN.fullmatch(domain) is not None
    return f"{mailbox}@{domain}" in _ASSISTANT_MAILBOXES or made_up
