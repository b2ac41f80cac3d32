"""Merges that try to steer their reader: each text of an attack in several places of an ordinary, risky merge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from shared.domain.pull_request import ChangedFile, Comment, Commit, Person, PullRequest, Review, ReviewThread
from tests.attacks.texts import TEXTS
from tests.builders import make_pull_request

CANARY = "ghp_" + "x7Kq2Lw9" * 4 + "Zt4v"
"""Shaped like a token of GitHub; it stands in the diff of every merge of the corpus."""
GUARD = (
    "@@ -10,5 +10,7 @@ def check(token):",
    " def check(token):",
    "-    if token.expired:",
    "-        return True",
    "+    if token.expired or token.revoked:",
    '+        raise Refused("expired tokens are refused")',
    "+    verify_signature(token, secret)",
    "     return token.valid",
)
PIN = "@@ -1,2 +1,2 @@\n-cryptography==41.0.0\n+cryptography==42.0.1\n httpx"
KEYS = f'@@ -1,1 +1,2 @@\n import os\n+GITHUB_TOKEN = "{CANARY}"'
AUTHOR, REVIEWER = Person(login="grace-h", id=21, name="Grace Holm"), Person(login="blis", id=22, name="Barbara Lis")


@dataclass(frozen=True)
class Attack:
    """One attempt: its kind, the place where it stands, its text, and the merge that carries it."""

    kind: str
    place: str
    text: str
    pull_request: PullRequest
    hidden: bool

    @property
    def name(self) -> str:
        """For reports and ids of tests."""
        return f"{self.kind}-in-{self.place}"


Fields = Mapping[str, Any]
Hide = Callable[[str], str]


def _files(extra: tuple[str, ...] = (), path: str = "src/auth/token.py") -> tuple[ChangedFile, ...]:
    guard = "\n".join((*GUARD, *extra))
    return (
        ChangedFile(filename=path, patch=guard, additions=3 + len(extra), deletions=2),
        ChangedFile(filename="requirements.txt", patch=PIN, additions=1, deletions=1),
        ChangedFile(filename="src/auth/keys.py", patch=KEYS, additions=1, deletions=0),
    )


def _in_diff(text: str) -> Fields:
    return {"files": _files(tuple(f"+    # {line}" for line in text.split("\n")))}


def _in_path(text: str) -> Fields:
    return {"files": _files(path=f"src/auth/{text}/token.py")}


def _in_review(text: str) -> Fields:
    return {"reviews": (Review(user=REVIEWER, state="CHANGES_REQUESTED", body=text),), "reviews_known": True}


def _in_thread(text: str) -> Fields:
    said = Comment(user=REVIEWER, body=text, path="src/auth/token.py", line=12)
    thread = ReviewThread(path="src/auth/token.py", line=12, resolved=False, comments=(said,))
    return {"review_threads": (thread,), "review_comments": (said,), "reviews_known": True}


OPEN: Mapping[str, Callable[[str], Fields]] = {
    "title": lambda text: {"title": text},
    "body": lambda text: {"body": f"Expired tokens are refused now.\n\n{text}"},
    "commit": lambda text: {"commits": (Commit(sha="a" * 40, message=f"Refuse expired tokens\n\n{text}"),)},
    "path": _in_path,
    "review": _in_review,
    "thread": _in_thread,
    "comment": lambda text: {"comments": (Comment(user=REVIEWER, body=text),)},
    "diff": _in_diff,
    "label": lambda text: {"labels": (text,)},
}
"""Where everybody can read it."""


def _tags(text: str) -> str:
    return "".join(chr(0xE0000 + ord(sign)) if sign.isascii() else sign for sign in text)


HIDDEN: Mapping[str, Hide] = {
    "html-comment": lambda text: f"<!-- {text} -->",
    "unclosed-comment": lambda text: f"<!-- {text}",
    "zero-width": "\u200b".join,
    "bidi": lambda text: f"\u202e{text[::-1]}\u202c",
    "tag-characters": _tags,
    "reference-definition": lambda text: f"[//]: # ({' '.join(text.split())})",
    "hidden-element": lambda text: f"<div style='display:none'>{text}</div>",
    "alt-text": lambda text: f"![{text}](https://lumen.example/x.png)",
}
"""Where nobody sees it on the page, or hardly."""
READABLE = frozenset({"zero-width", "bidi", "alt-text"})
"""Disguised, but words that a reader of the page can see: to be refused for what they say, not as missing."""


def build(place: str, text: str, number: int = 101) -> PullRequest:
    """The merge that carries ``text`` in ``place``."""
    hide = HIDDEN.get(place)
    fields = OPEN["body"](hide(text)) if hide else OPEN[place](text)
    values: dict[str, Any] = {
        "title": "fix(auth)!: refuse expired tokens",
        "body": "BREAKING CHANGE: expired tokens are refused. Security fix.",
        "user": AUTHOR,
        "merged_by": REVIEWER,
        "files": _files(),
    }
    return make_pull_request(number, **(values | dict(fields)))


def _attacks() -> tuple[Attack, ...]:
    """Every text in two open places and a hidden one, so that each place sees many kinds."""
    made: list[Attack] = []
    open_places, hidden_places = list(OPEN), list(HIDDEN)
    for at, (kind, text) in enumerate(TEXTS):
        places = (
            open_places[at % len(open_places)],
            open_places[(at + 4 + at // len(open_places)) % len(open_places)],
            hidden_places[at % len(hidden_places)],
        )
        for place in dict.fromkeys(places):
            hidden = place in HIDDEN and place not in READABLE
            made.append(Attack(kind, place, text, build(place, text, 101 + len(made)), hidden))
    return tuple(made)


ATTACKS = _attacks()
