"""What was read of a repository's convention files: their texts, and which are there and cannot be read."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from shared.domain.text import clean_text
from shared.sources.convention_paths import CONVENTION_KINDS, LARGEST_CONVENTION_FILE


@dataclass(frozen=True)
class Unreadable:
    """A file that is there and gives no text; ``why`` ends a sentence that begins with it."""

    why: str


TOO_LARGE = Unreadable(f"it is larger than {LARGEST_CONVENTION_FILE // 1024 // 1024} MB")
BINARY = Unreadable("it is binary")


class ConventionTexts(dict[str, str]):
    """The text of each convention file by its path; what is not there is left out.

    A file that is there and cannot be read is none of the texts, but in ``unreadable``, with why: whoever remembers an
    earlier text of it must not take it for deleted.
    """

    def __init__(self, texts: Iterable[tuple[str, str]] = (), unreadable: Iterable[tuple[str, str]] = ()) -> None:
        """Take both by path."""
        super().__init__(texts)
        self.unreadable = dict(unreadable)


def first_of_each_kind(read: Callable[[str], str | Unreadable | None]) -> ConventionTexts:
    """Return what ``read`` (given a path; None where nothing is) gives for the first file of each kind that exists.

    Its errors pass: when one file cannot be told from a missing one, nothing is known of the others either.
    """
    found = ConventionTexts()
    for kind in CONVENTION_KINDS:
        for path in kind:
            held = read(path)
            if isinstance(held, Unreadable):
                found.unreadable[path] = held.why
            elif held is not None:
                found[path] = held
            if held is not None:
                break
    return found


def text_of(content: bytes) -> str | Unreadable:
    """Return the text of a whole file, or why it is none."""
    if len(content) > LARGEST_CONVENTION_FILE:
        return TOO_LARGE
    if b"\0" in content:
        return BINARY
    try:
        return clean_text(content.decode("utf-8"))
    except UnicodeDecodeError:
        return Unreadable("it is not written in UTF-8")
