"""Takes commit messages and descriptions apart: subject, words, trailers; pure."""

from __future__ import annotations

import re
from dataclasses import dataclass

from shared.sources.people import Identity

_SEPARATOR = "---------"
"""What GitHub puts between a squash message and the trailers that it adds."""
_PERSON_KEY = re.compile(r"[A-Za-z][A-Za-z-]{0,40}-by", re.ASCII | re.IGNORECASE)
_TRAILER_KEY = re.compile(
    r"(?:acked|approved|co-authored|co-developed|reported|reviewed|signed-off|suggested|tested)-by"
    r"|cc|change-id|piperorigin-revid|reviewed-on",
    re.IGNORECASE,
)
_CO_AUTHOR = "co-authored-by"
_BULLET = "* "


@dataclass(frozen=True)
class Message:
    """A commit message in parts; ``body`` is None when nothing but trailers or a squash list follows the subject."""

    subject: str
    body: str | None
    co_authors: tuple[Identity, ...]


def split(message: str) -> Message:
    """Take a commit message apart: first line, the words after it without trailers, the co-authors of its trailers."""
    subject, _, rest = _unix(message).lstrip("\n").partition("\n")
    return Message(subject=subject.strip(), body=body_of(rest), co_authors=co_authors_of(rest))


def body_of(text: str) -> str | None:
    """Return the words of a message body: no trailers, no list of squashed commits; None when none are left."""
    kept = [line.rstrip() for line in _unix(text).split("\n") if not _is_dropped(line)]
    paragraphs = [block.strip("\n") for block in re.split(r"\n{2,}", "\n".join(kept)) if block.strip()]
    if not paragraphs or _is_squash_list(paragraphs):
        return None
    return "\n\n".join(paragraphs)


def co_authors_of(text: str) -> tuple[Identity, ...]:
    """Return the well-formed ``Co-authored-by: Name <address>`` lines of ``text``; malformed ones are left out."""
    found = []
    for line in _unix(text).split("\n"):
        key, _, value = line.strip().partition(":")
        name, bracket, address = value.strip().rpartition("<")
        if key.casefold() == _CO_AUTHOR and bracket and address.endswith(">") and "@" in address:
            found.append(Identity(name=name.strip(), email=address[:-1]))
    return tuple(found)


def without_addresses(text: str) -> str:
    """Return ``text`` with the addresses of its person trailers (``Signed-off-by: Name <address>``) taken out."""
    if "-by:" not in text.casefold():
        return text
    return "\n".join(_without_address(line) for line in text.split("\n"))


def _without_address(line: str) -> str:
    key, colon, value = line.partition(":")
    if not colon or not _PERSON_KEY.fullmatch(key.strip()) or "@" not in value:
        return line
    end = "\r" if line.endswith("\r") else ""
    words = [word for word in value.split() if "@" not in word.strip("<>") or word.startswith("@")]
    return f"{key}: {' '.join(words)}".rstrip() + end


def _is_dropped(line: str) -> bool:
    stripped = line.strip()
    if stripped == _SEPARATOR:
        return True
    key, colon, value = stripped.partition(":")
    if not colon:
        return False
    if _TRAILER_KEY.fullmatch(key):
        return True
    return _PERSON_KEY.fullmatch(key) is not None and value.strip().endswith(">")


def _is_squash_list(paragraphs: list[str]) -> bool:
    """Whether this is GitHub's list of squashed commits: each subject is a ``*`` line standing alone.

    A list that a person wrote has its bullets on consecutive lines, or a single one.
    """
    bullets = [paragraph for paragraph in paragraphs if paragraph.startswith(_BULLET)]
    return paragraphs[0].startswith(_BULLET) and len(bullets) > 1 and all("\n" not in bullet for bullet in bullets)


def _unix(text: str) -> str:
    return text.replace("\r\n", "\n")
