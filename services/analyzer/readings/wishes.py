"""Which merges a model is to read, asked for in the transaction that stores the analysis by rules."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from services.analyzer.prompts.wording import prompt_version
from shared.domain.analysis import NO_MODEL, Analysis
from shared.domain.taxonomy import Namespace, Trait
from shared.settings import Settings
from shared.store import analyses, convention_files, readings, repositories, rules_analyses
from shared.store.readings import AskedBy
from shared.store.session import Session

NOT_YET = "the model has not read it yet"
SWITCHED_OFF = "the model is switched off for this repository"
UNIMPORTANT = "its importance is below model.lowest_importance"
NOTHING_TO_READ = "rules tell all there is to know of such a change"

LEFT_TO_RULES = (frozenset({Trait.BOT, Trait.VERSION_BUMP}), frozenset({Trait.GENERATED_ONLY}))
"""Merges with all traits of one of these are never read."""


class Wish(NamedTuple):
    """The model that is to read a merge, and with which prompt, or why none is."""

    model: str
    why: str
    prompt_version: str = ""


def wish(settings: Settings, analysis: Analysis, *, switched_on: bool) -> Wish:
    """Return which model is to read the merge of this analysis; ``switched_on`` for its repository."""
    if not settings.model.enabled:
        return Wish("", NO_MODEL)
    if not switched_on:
        return Wish("", SWITCHED_OFF)
    traits = {tag.value for tag in analysis.tags if tag.namespace is Namespace.TRAIT}
    if any(all_of <= traits for all_of in LEFT_TO_RULES):
        return Wish("", NOTHING_TO_READ)
    model = settings.model.name_for(analysis.importance.score)
    return wish_for(settings, model) if model else Wish("", UNIMPORTANT)


def wish_for(settings: Settings, model: str) -> Wish:
    """Return the wish that ``model`` read a merge, with the prompt of today."""
    return Wish(model, NOT_YET, prompt_version(settings.model.language))


def switched_on(session: Session, settings: Settings, repository_id: int) -> bool:
    """Whether merges of this repository may be shown to the model: by the operator, and by its own file."""
    full_name = repositories.ref_of(session, repository_id).full_name
    return convention_files.settings_in_force(session, settings, repository_id, full_name).model


def save_by_rules(
    session: Session,
    settings: Settings,
    pull_request: tuple[int, int],
    analysis: Analysis,
    asked_by: AskedBy,
    now: datetime,
) -> tuple[bool, int | None]:
    """Store the analysis by rules and ask for its reading, all in the transaction of ``session``.

    ``pull_request`` is its row and that of its repository. Returns whether the analysis is new, and the reading to ring
    for once that is committed. One that was read before is in force again as it was read, and nobody is asked.
    """
    row, repository_id = pull_request
    shown = settings.model.enabled and switched_on(session, settings, repository_id)
    wished = wish(settings, analysis, switched_on=shown)
    if analyses.save(session, row, analysis.model_copy(update={"source_why": wished.why}), now):
        return True, _asked(session, row, analysis, wished, asked_by, now)
    read = rules_analyses.read_before(session, row, analysis.fingerprint)
    if read is not None and analyses.touch(session, row, read, now):
        return False, None
    return False, ask(session, row, analysis, wished, asked_by, now)


def ask(
    session: Session,
    row: int,
    analysis: Analysis,
    wished: Wish,
    asked_by: AskedBy,
    now: datetime,
    *,
    carried_on: bool = False,
) -> int | None:
    """Ask for the reading of an analysis that was stored before and return the row to ring for; None without one.

    Why the merge is known by rules alone is written down with the analysis. ``carried_on``: see ``readings.ensure``.
    """
    made = _asked(session, row, analysis, wished, asked_by, now, carried_on=carried_on)
    if made is not None or not wished.model:
        rules_analyses.tell_why(session, row, analysis.fingerprint, wished.why)
    return made


def _asked(
    session: Session,
    row: int,
    analysis: Analysis,
    wished: Wish,
    asked_by: AskedBy,
    now: datetime,
    *,
    carried_on: bool = False,
) -> int | None:
    """The reading that is there because of this call; one that is done already is in force again."""
    if not wished.model:
        return None
    base, weight, by = analysis.fingerprint, analysis.importance.score, (wished.model, wished.prompt_version)
    asked = readings.ensure(session, row, base, *by, weight, asked_by, now, carried_on=carried_on)
    if asked.fingerprint is not None:
        # With what it was added to, for any later reading of that gets the time of it.
        analyses.touch(session, row, base, now)
        analyses.touch(session, row, asked.fingerprint, now)
    return asked.id if asked.made else None
