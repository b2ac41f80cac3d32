"""The weeks of the attacks: the whole corpus, attacks in the form of our schema, ordinary merges among them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from shared.domain.pull_request import ChangedFile, Person, PullRequest
from tests.attacks.corpus import ATTACKS, CANARY, Attack
from tests.attacks.obeying import obedient_answers
from tests.builders import make_pull_request
from tests.integration.safety import schema_attacks
from tests.servers.model.asked import Asked
from tests.servers.model.server import ModelServer

PARTS = 3
ORDINARY = range(401, 409)
_CASE = re.compile(r"src/auth/case_(\d+)\.py")
_THINGS = ("queue", "reader", "writer", "index", "segment", "cursor", "batch", "lease")


def ordinary_merges() -> list[PullRequest]:
    """Merges that attack nobody, each in a file and by an author of its own."""
    return [_ordinary(number, thing) for number, thing in zip(ORDINARY, _THINGS, strict=True)]


def _ordinary(number: int, thing: str) -> PullRequest:
    said = schema_attacks.OF_ANOTHER_MERGE if thing == "queue" else f"The {thing} keeps its order from now on."
    patch = (
        f"@@ -4,3 +4,3 @@\n class {thing.title()}:\n-    ordered = False\n+    ordered = True\n     limit = {number}"
    )
    return make_pull_request(
        number,
        title=f"fix({thing}): keep the {thing} in order",
        body=f"{said} Two workers that finish together broke it.",
        user=Person(login=f"writer-of-{thing}", id=number),
        files=(ChangedFile(filename=f"lumen/{thing}.py", patch=patch, additions=1, deletions=1),),
    )


def attacks_of(part: int) -> Sequence[Attack]:
    """A third of the corpus: every kind of place is in each."""
    size = -(-len(ATTACKS) // PARTS)
    return ATTACKS[part * size : (part + 1) * size]


def merges_of(part: int) -> list[PullRequest]:
    """The merges of one week: attacked ones, ordinary ones among them."""
    attacked = [_with_case(attack) for attack in attacks_of(part)]
    return [*attacked, *ordinary_merges(), *schema_attacks.schema_attacks()[part::PARTS]]


def _with_case(attack: Attack) -> PullRequest:
    """The merge with a file that says which attack it is, whatever stands in its title."""
    number, files = attack.pull_request.number, attack.pull_request.files or ()
    case = ChangedFile(filename=f"src/auth/case_{number}.py", patch="@@ -1 +1 @@\n-CASE = 0\n+CASE = 1", additions=1)
    return attack.pull_request.model_copy(update={"files": (*files, case), "changed_files": len(files) + 1})


def attack_in(document: Mapping[str, Any]) -> Attack | None:
    """The attack that a packed merge carries; None for one of another kind."""
    found = _CASE.search(json.dumps(document))
    return next((attack for attack in ATTACKS if found and attack.pull_request.number == int(found[1])), None)


def obedient_answer(document: Mapping[str, Any]) -> dict[str, Any]:
    """What is answered to every other attack, to those that cannot be seen and to those in the form of our schema."""
    attack = attack_in(document)
    if attack is None:
        return schema_attacks.answer_to(document)
    answers = obedient_answers(attack.text, CANARY, f"The token is {CANARY}.")
    answer = answers[attack.pull_request.number % len(answers)]
    told: dict[str, Any] = answer.model_dump(mode="json")
    return told


def obeying_server() -> ModelServer:
    """A model that does what a merge says, also where it cannot have seen it."""
    server = ModelServer("obey", answer=obedient_answer)
    server.when(_is_answered_by_us, "ok")
    return server


def _is_answered_by_us(asked: Asked) -> bool:
    attack = attack_in(asked.document)
    if attack is None:
        return schema_attacks.name_of(asked.document) is not None
    return attack.hidden or attack.pull_request.number % 2 == 1
