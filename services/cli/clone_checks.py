"""What ``doctor`` says about the clones that are kept: where, how old, how large, and whether the remote answers."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from services.cli.checks import Finding
from shared.domain.errors import InvalidInput
from shared.settings import Settings
from shared.sources.git_history.clone_state import told_age
from shared.sources.git_history.upkeep import KeptClone, answers
from shared.sources.kept_clones import kept_clone

SECONDS = 15.0
"""How long a remote may take to answer."""
_LATE = 4
"""So many missed fetches are worth a warning."""


def kept_clones(settings: Settings) -> Iterator[Finding]:
    """Yield the findings of every kept clone; the remotes are asked, and nothing is changed."""
    for repository in settings.kept:
        name = f"source of {repository.full_name}"
        try:
            clone = kept_clone(settings, repository, lambda: datetime.now(UTC))
            silence = answers(clone.remote, SECONDS)
        except InvalidInput as error:
            yield Finding(name, "wrong", error.message, error.way_out)
            continue
        yield _clone(name, clone, settings)
        if silence is None:
            yield Finding(name, "good", f"{clone.remote.url} answers")
        else:
            mend = "Check clone_url, clones.tokens and the network; merges wait for it, then are read without it."
            yield Finding(name, "warning", f"{clone.remote.url} does not answer: {silence}", mend)


def _clone(name: str, clone: KeptClone, settings: Settings) -> Finding:
    state = clone.state()
    why = f" (last try: {state.failure})" if state.failure else ""
    if not clone.made:
        mend = "The reconciler makes it: `mergecast serve`, or a worker of the queue upkeep."
        return Finding(name, "warning", f"no clone in {clone.folder} yet{why}", mend)
    age = state.age(datetime.now(UTC))
    old = "never fetched since" if age is None else f"fetched {told_age(age)} ago"
    told = f"kept in {clone.folder}, {_megabytes(clone.size())}, {old}{why}"
    if clone.suspected:
        return Finding(name, "warning", f"{told}; could not be read", "The reconciler looks it over and mends it.")
    if age is None or age > settings.clones.fetch_every * _LATE:
        return Finding(name, "warning", told, "See that the reconciler runs: a worker of the queue upkeep, and beat.")
    return Finding(name, "good", told)


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:,.1f} MB"
