"""Examines many merges of a source at once: on all cores, from the cache where it can."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from services.analyzer.examine import examine, fingerprint
from services.analyzer.rules.context import RuleContext, build_context
from services.cli.analysis_cache import AnalysisCache, prune
from services.digest.merges import Merge
from shared.domain.analysis import Analysis
from shared.domain.errors import described
from shared.domain.protocols import MergeSource, Progress
from shared.domain.pull_request import PullRequest
from shared.redaction import RedactedSource
from shared.settings import RepositorySettings
from shared.settings.own_file import OWN_FILE

WORTH_A_PROCESS = 40
"""Fewer merges are examined sooner than other processes have started."""
_AT_ONCE = 4

Opener = Callable[[], MergeSource]
"""Opens the source again, in another process; can be pickled."""


@dataclass
class _Examiner:
    """What one process works with."""

    source: MergeSource
    context: RuleContext
    cache: AnalysisCache

    def examine(self, pull_request: PullRequest) -> Analysis | str:
        """Return the analysis, or why there is none: a fault in a rule costs this one, never the digest."""
        try:
            for whole in (True, False):
                known = self.cache.get(fingerprint(pull_request, self.context, whole=whole))
                if known is not None:
                    return known
            analysis = examine(pull_request, self.context, self.source.sources(pull_request) or None)
        except Exception as error:  # noqa: BLE001 - listed as failed, with the reason
            return described(error)
        self.cache.put(analysis)
        return analysis


_of_this_process: _Examiner | None = None


def examine_all(
    source: MergeSource,
    opener: Opener,
    pull_requests: Sequence[PullRequest],
    listed: RepositorySettings,
    cache: Path,
    report: Progress,
) -> list[Merge]:
    """Return the merges with their analyses, in the order given.

    ``opener`` opens ``source`` again for the other processes; ``cache`` is the folder of earlier analyses.
    """
    prune(cache)
    made = []
    with closing(_answers(source, opener, pull_requests, listed, cache)) as answers:
        for done, (pull_request, answer) in enumerate(zip(pull_requests, answers, strict=True), start=1):
            made.append(Merge(pull_request, None, answer) if isinstance(answer, str) else Merge(pull_request, answer))
            report(done, len(pull_requests))
    return made


def _answers(
    source: MergeSource,
    opener: Opener,
    pull_requests: Sequence[PullRequest],
    listed: RepositorySettings,
    cache: Path,
) -> Generator[Analysis | str, None, None]:
    conventions = {path: text for path, text in source.conventions().items() if path != OWN_FILE}
    cores = os.process_cpu_count() if hasattr(os, "process_cpu_count") else len(os.sched_getaffinity(0))
    if len(pull_requests) < WORTH_A_PROCESS or (cores or 1) < 2:
        examiner = _Examiner(source, build_context(listed, conventions), AnalysisCache(cache))
        yield from map(examiner.examine, pull_requests)
        return
    with ProcessPoolExecutor(
        max_workers=cores,
        mp_context=multiprocessing.get_context("spawn"),
        initializer=_start,
        initargs=(opener, listed, conventions, cache),
    ) as pool:
        try:
            yield from pool.map(_examine_here, pull_requests, chunksize=_AT_ONCE)
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


def _start(opener: Opener, listed: RepositorySettings, conventions: dict[str, str], cache: Path) -> None:
    global _of_this_process  # noqa: PLW0603 - made once when the process starts
    _of_this_process = _Examiner(RedactedSource(opener()), build_context(listed, conventions), AnalysisCache(cache))


def _examine_here(pull_request: PullRequest) -> Analysis | str:
    assert _of_this_process is not None
    return _of_this_process.examine(pull_request)
