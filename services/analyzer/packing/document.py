"""The JSON document that a model is shown of one merge, and the account of what it does not show."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from services.analyzer.packing.commits import messages
from services.analyzer.packing.conversation import talk
from services.analyzer.packing.description import without_template
from services.analyzer.packing.diffs import diffs
from services.analyzer.packing.found import facts_found, rules_found
from services.analyzer.packing.listing import counts, names
from services.analyzer.packing.ranking import ranked
from services.analyzer.packing.room import BYTES_PER_TOKEN, as_json, cost, fitted
from services.analyzer.packing.wording import MOST_PROSE, Redact, Wording
from shared.domain.analysis import Analysis
from shared.domain.pull_request import PullRequest
from shared.domain.reading import Seen, Shown
from shared.llm.tokens import estimated_tokens
from shared.redaction import redact

LONGEST_TITLE = 1_000
"""Characters of a title that are looked at; GitHub's own limit is 256."""
FIELDS = (
    *("title", "description", "linked_issues", "found_by_rules", "facts", "review"),
    *("commits", "counts", "diffs", "files"),
)
"""Of the document, in this order; one that is empty is left out."""
_SHARES = {
    "title": 0.15,
    "counts": 0.06,
    "found_by_rules": 0.06,
    "linked_issues": 0.03,
    "description": 0.18,
    "facts": 0.07,
    "review": 0.2,
    "commits": 0.04,
    "files": 0.04,
}
"""At most this much of the budget goes to each part, in the order in which they are filled."""
_MOST_FOR_DIFFS = 0.5
"""Of the budget; what other parts leave goes to the diffs up to this."""
_FRAME = 2
_MOST_ISSUES = 5
_LONGEST_ISSUE = 200


@dataclass(frozen=True)
class Packed:
    """A merge as it is shown: a JSON text, how much of the merge it shows, and what it costs by the safe estimate."""

    document: str
    seen: Seen
    tokens: int


def pack(pull_request: PullRequest, analysis: Analysis, budget_tokens: int, redact_text: Redact = redact) -> Packed:
    """Return what a model is shown of ``pull_request``: never more than ``budget_tokens``, whatever the merge holds.

    ``analysis`` is that of the rules: it tells which files matter and what need not be found again. Everything that
    people wrote stands in JSON strings, free of what no reader sees (R-70) and of secrets (R-71); the same merge gives
    the same document. A budget too small for the beginning of a title gives an empty object.
    """
    packing = _Packing(pull_request, analysis, Wording(redact_text, pull_request.repository.host), budget_tokens)
    packing.fill()
    document = as_json({name: packing.fields[name] for name in FIELDS if packing.fields.get(name)})
    tokens = estimated_tokens(document)
    seen = Seen(
        shown=tuple(packing.shown),
        estimated_tokens=tokens,
        hidden={kind: count for kind, count in sorted(packing.wording.hidden.items()) if count},
        redacted={kind: count for kind, count in sorted(packing.wording.redacted.items()) if count},
    )
    return Packed(document, seen, tokens)


class _Packing:
    """One document in the making: ``room`` is what is left of the budget, in bytes."""

    def __init__(self, pull_request: PullRequest, analysis: Analysis, wording: Wording, budget_tokens: int) -> None:
        self.pull_request = pull_request
        self.analysis = analysis
        self.wording = wording
        self.budget = max(0, budget_tokens) * BYTES_PER_TOKEN
        self.room = self.budget - _FRAME
        self.fields: dict[str, Any] = {}
        self.shown: list[Shown] = []

    def fill(self) -> None:
        """Fill part by part: what one does not need is there for those behind it."""
        files = ranked(self.pull_request, self.analysis)
        self._title()
        self._put("counts", counts(self.pull_request, files))
        self._put("found_by_rules", rules_found(self.analysis, self.wording))
        self._put("linked_issues", self._linked_issues())
        self._description()
        self._facts()
        said = talk(self.pull_request, self.analysis, self.wording, self._share("review"))
        self._put("review", said.entries)
        told = f"{self.fields.get('title', '')}\n{self.fields.get('description', '')}"
        written = messages(self.pull_request, told, self.wording, self._share("commits"))
        self._put("commits", written.messages)
        kept_back = cost("files") + int(self.budget * _SHARES["files"])
        most = min(int(self.budget * _MOST_FOR_DIFFS), self.room - kept_back - cost("diffs") - _FRAME)
        chosen = diffs(files.shown, self.wording, most)
        self._put("diffs", chosen.entries)
        others = names(files, chosen.paths, self.wording, self._share("files"))
        self._put("files", others)
        whole = sum(len(file.patch or "") for file in self.pull_request.files or ())
        listed = len(chosen.entries) + len(others)
        self.shown += [
            *(said.shown, written.shown),
            Shown(
                part="diff",
                characters=chosen.characters,
                of_characters=whole,
                pieces=len(chosen.entries),
                of_pieces=sum(bool(file.patch) for file in self.pull_request.files or ()),
            ),
            Shown(part="files", pieces=listed, of_pieces=max(listed, self.pull_request.changed_files)),
        ]

    def _share(self, name: str) -> int:
        """The bytes that a part may take, its name not counted."""
        room: int = min(int(self.budget * _SHARES[name]), self.room)
        return room - cost(name) - _FRAME

    def _put(self, name: str, value: Any) -> None:
        """Keep a part, unless it is empty or, against all reckoning, does not fit."""
        price = cost(name) + cost(value)
        if value and price <= self.room:
            self.fields[name] = value
            self.room -= price

    def _title(self) -> None:
        whole = self.wording.line(self.pull_request.title[:LONGEST_TITLE])
        title = fitted(whole, self._share("title"))
        self._put("title", title)
        self.shown.append(self._account("title", title, whole, self.pull_request.title))

    def _description(self) -> None:
        whole = without_template(self.wording.prose(self.pull_request.body))
        text = fitted(whole, self._share("description"))
        self._put("description", text)
        self.shown.append(self._account("body", text, whole, self.pull_request.body or ""))

    def _account(self, part: Any, text: str, whole: str, source: str) -> Shown:
        """Of characters that a reader sees; what was too long to be looked at counts as not shown."""
        unread = max(0, len(source) - (LONGEST_TITLE if part == "title" else MOST_PROSE))
        return Shown(
            part=part,
            characters=len(whole) if text == whole else max(0, len(text) - 1),
            of_characters=len(whole) + unread,
            pieces=int(bool(text)),
            of_pieces=int(bool(whole)),
        )

    def _facts(self) -> None:
        lines = facts_found(self.analysis, self.wording, self._share("facts"))
        self._put("facts", lines)
        self.shown.append(Shown(part="facts", pieces=len(lines), of_pieces=len(self.analysis.facts)))

    def _linked_issues(self) -> list[str]:
        """The titles: what the merge was asked for."""
        room = self._share("linked_issues")
        titles: list[str] = []
        for issue in self.pull_request.linked_issues[:_MOST_ISSUES]:
            title = fitted(self.wording.line(issue.title[:LONGEST_TITLE]), min(room, _LONGEST_ISSUE))
            if title:
                titles.append(title)
                room -= cost(title)
        return titles
