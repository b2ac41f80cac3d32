"""Asks a model about the cases of the labelled set, several at a time, the way in which merges are read."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from datetime import timedelta

from services.analyzer.packing import Packed, pack
from services.analyzer.prompts import MergeAnswer, question_for
from services.analyzer.readings.answering import SMALLEST_DOCUMENT, document_tokens
from services.cli.evaluation.counting import EvaluationMeter
from services.cli.evaluation.labels import Case
from services.cli.evaluation.runs import Kept, analysis_of, hash_of
from shared.domain.errors import Postponed
from shared.domain.protocols import Clock, Meter, ModelMemory
from shared.llm import Completion, LanguageModel, TooLong
from shared.settings.language_model import ModelSettings

LONGEST_WAIT = timedelta(seconds=90)
"""A server that wants to be left alone for longer ends the run; what is answered is kept."""
_TRIES = 3
_PACKINGS = 3


@dataclass(frozen=True)
class Asker:
    """What an evaluation asks with; ``meter`` makes one for each case."""

    settings: ModelSettings
    model: LanguageModel
    memory: ModelMemory
    meter: Callable[[], Meter]
    clock: Clock
    pause: Callable[[float], None] = time.sleep
    stopping: threading.Event = field(default_factory=threading.Event)

    def ask_all(self, cases: Sequence[Case], concurrency: int) -> Iterator[tuple[Case, Kept]]:
        """Yield each case with what came of it, in the order in which they are answered.

        Postponed when the server, or a budget, makes the run wait for longer than a minute and a half.
        """
        pool = ThreadPoolExecutor(max_workers=concurrency, thread_name_prefix="eval")
        try:
            asked = {pool.submit(self.ask, case): case for case in cases}
            for done in as_completed(asked):
                kept = done.result()
                if kept is not None:
                    yield asked[done], kept
        finally:
            self.stopping.set()
            pool.shutdown(wait=True, cancel_futures=True)

    def ask(self, case: Case) -> Kept | None:
        """Return what came of one case; None when the run ends meanwhile. Postponed as ``ask_all``."""
        meter = EvaluationMeter(self.meter(), self.settings.prices)
        for tried in range(1, _TRIES + 1):
            if self.stopping.is_set():
                return None
            try:
                return self._asked(case, meter)
            except Postponed as error:
                wait = error.until - self.clock()
                if wait > LONGEST_WAIT:
                    raise
                if tried < _TRIES:
                    self.pause(max(wait.total_seconds(), 0))
        packed = self._packed(case, self._room())
        fault = f"not served in {_TRIES} tries"
        return self._kept(packed, self._room(), meter, None).model_copy(update={"fault": fault, "final": False})

    def _asked(self, case: Case, meter: EvaluationMeter) -> Kept:
        room = self._room()
        packed = self._packed(case, room)
        for _ in range(_PACKINGS):
            if packed.tokens < SMALLEST_DOCUMENT:
                break
            try:
                said = self.model.ask(question_for(packed, self.settings.name, self.settings), meter)
            except TooLong as error:
                told = document_tokens(self.settings, error.context_tokens)
                room = told if told < packed.tokens else packed.tokens // 2
                packed = self._packed(case, room)
                continue
            return self._kept(packed, room, meter, said)
        return self._kept(packed, room, meter, None).model_copy(update={"fault": "the merge is too long for the model"})

    def _room(self) -> int:
        return max(document_tokens(self.settings, self.memory.learned(self.settings.name).context_tokens), 0)

    def _packed(self, case: Case, room: int) -> Packed:
        return pack(case.pull_request, analysis_of(case), room)

    def _kept(self, packed: Packed, room: int, meter: EvaluationMeter, said: Completion | None) -> Kept:
        kept = Kept(
            room=room, input_hash=hash_of(packed, self.settings.name, self.settings.language), usage=meter.usage
        )
        if said is None:
            return kept
        fault = None if isinstance(said.answer, MergeAnswer) else said.fault or "no usable answer"
        told = {"text": said.text, "mode": said.mode, "repaired": said.repaired, "fault": fault}
        return kept.model_copy(update=told)
