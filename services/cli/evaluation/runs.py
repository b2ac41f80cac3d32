"""One run of a model over the labelled set: its answers as they came, kept in a file and scored from there."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from services.analyzer.checking import checked
from services.analyzer.examine import examine
from services.analyzer.packing import Packed, pack
from services.analyzer.prompts import PROMPT_VERSION, MergeAnswer, system_text
from services.analyzer.rules.context import RuleContext, build_context
from services.cli.atomic_files import write_file
from services.cli.evaluation.labels import Case
from services.cli.evaluation.scoring import Scores, dropped_in_all, score_of, summed, usage_in_all
from services.cli.evaluation.told import Told, told_by_model, told_by_rules
from shared.domain.analysis import Analysis
from shared.domain.errors import InvalidInput
from shared.domain.reading import CallUsage, Reading
from shared.domain.value import Value
from shared.llm import read_answer
from shared.settings import RepositorySettings


class Kept(Value):
    """What came of one case: the text of the answer, and why it is none."""

    text: str = ""
    mode: Literal["json_schema", "json_object", "text"] = "json_schema"
    repaired: bool = False
    fault: str | None = None
    final: bool = True
    """False when the server did not serve it: the next run asks again."""
    room: int
    """Tokens that the document was packed into, by the safe estimate."""
    input_hash: str
    """Of all that the model was shown."""
    usage: CallUsage = CallUsage()


class Run(Value):
    """The answers of one model, by case, and their scores when they were written down."""

    model: str
    prompt_version: str = PROMPT_VERSION
    language: str = "English"
    cases: dict[str, Kept] = {}
    scores: Scores = Scores()


def analysis_of(case: Case) -> Analysis:
    """Return what the rules say of a case."""
    return examine(case.pull_request, _context(case.pull_request.repository.full_name))


@lru_cache(maxsize=64)
def _context(full_name: str) -> RuleContext:
    return build_context(RepositorySettings(full_name=full_name))


def hash_of(packed: Packed, model: str, language: str) -> str:
    """Return the hash of what ``model`` is shown of a merge."""
    text = f"{model}\n{PROMPT_VERSION}\n{system_text(language)}\n{packed.document}"
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def finished(run: Run, case: Case) -> bool:
    """Whether the run holds an answer to the very question that would be asked now."""
    kept = run.cases.get(case.name)
    if kept is None or not kept.final:
        return False
    packed = pack(case.pull_request, analysis_of(case), kept.room)
    return kept.input_hash == hash_of(packed, run.model, run.language)


def scored(run: Run, cases: Sequence[Case]) -> Scores:
    """Return the scores of the ``cases`` that the run holds: checked and scored anew, by the code of today."""
    held = [case for case in cases if case.name in run.cases]
    kept = [run.cases[case.name] for case in held]
    readings = [_reading(run, case) for case in held]
    tallies = [
        score_of(case.labels, told_by_model(reading) if reading else Told(), _document(case, one.room))
        for case, one, reading in zip(held, kept, readings, strict=True)
    ]
    answered = [reading for reading in readings if reading is not None]
    faults = Counter(one.fault or "unreadable" for one, reading in zip(kept, readings, strict=True) if reading is None)
    return Scores(
        cases=len(held),
        answered=len(answered),
        repaired=sum(reading.repaired for reading in answered),
        faults=dict(sorted(faults.items())),
        tallies=summed(tallies),
        claims_kept=sum(len(reading.claims) for reading in answered),
        claims_dropped=dropped_in_all(answered),
        usage=usage_in_all(one.usage for one in kept),
    )


def scored_by_rules(cases: Iterable[Case]) -> Scores:
    """Return what rules alone reach on the ``cases``: the line that a model has to pass."""
    every = list(cases)
    tallies = [score_of(case.labels, told_by_rules(analysis_of(case))) for case in every]
    return Scores(cases=len(every), answered=len(every), tallies=summed(tallies))


def read_run(path: Path) -> Run | None:
    """Return the run that a file holds, None when there is no such file; InvalidInput when it holds something else."""
    try:
        return Run.model_validate_json(path.read_bytes())
    except FileNotFoundError:
        return None
    except OSError as error:
        raise InvalidInput(f"The file {path} cannot be read: {error.strerror}.", "Check the path.") from error
    except ValidationError as error:
        raise InvalidInput(f"{path} is no run of mergecast eval.", "Name another file.") from error


def write_run(path: Path, run: Run, cases: Mapping[str, Kept] | None = None) -> Run:
    """Write a run with these answers, so that nobody sees half of it, and return it. InvalidInput when it cannot be."""
    held = run if cases is None else run.model_copy(update={"cases": dict(sorted(cases.items()))})
    write_file(path, held.model_dump_json(indent=1) + "\n")
    return held


def _reading(run: Run, case: Case) -> Reading | None:
    kept = run.cases[case.name]
    answer = read_answer(kept.text, MergeAnswer) if kept.fault is None else kept.fault
    if not isinstance(answer, MergeAnswer):
        return None
    analysis = analysis_of(case)
    return checked(
        answer,
        case.pull_request,
        analysis,
        model=run.model,
        seen=pack(case.pull_request, analysis, kept.room).seen,
        usage=kept.usage,
        mode=kept.mode,
        repaired=kept.repaired,
        language=run.language,
    )


def _document(case: Case, room: int) -> str:
    return pack(case.pull_request, analysis_of(case), room).document
