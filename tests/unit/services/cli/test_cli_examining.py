"""Many merges examined at once: in other processes, and from the cache the second time."""

from __future__ import annotations

import os
import time
from functools import partial
from pathlib import Path

import pytest

from services.cli import examining
from services.cli.analysis_cache import KEPT_FOR, AnalysisCache, analyzer_version, prune
from services.cli.examining import WORTH_A_PROCESS, examine_all
from shared.settings import RepositorySettings
from shared.sources.merge_records import MergeRecords, dump
from shared.sources.opening import open_source
from tests.builders import make_analysis, make_pull_request

LISTED = RepositorySettings(full_name="lumen/lumen")


def examined(folder: Path, count: int, cache: Path):
    """The merges of a file of so many records, and how often progress was told."""
    path = folder / "merges.jsonl"
    merges = [make_pull_request(number, title=f"fix: mend part {number}") for number in range(1, count + 1)]
    path.write_text("".join(dump(merge) + "\n" for merge in merges), "utf-8")
    source = MergeRecords(path)
    opener = partial(open_source, str(path), repository=None, branch=None, cache=folder)
    told: list[tuple[int, int | None]] = []
    made = examine_all(source, opener, merges, LISTED, cache, lambda done, total: told.append((done, total)))
    return made, told


def test_other_processes_answer_the_same_in_the_same_order(tmp_path: Path) -> None:
    many, told = examined(tmp_path, WORTH_A_PROCESS + 3, tmp_path / "many")
    few, _ = examined(tmp_path, 5, tmp_path / "few")

    assert [merge.number for merge in many] == list(range(1, WORTH_A_PROCESS + 4))
    assert [merge.analysis for merge in many[:5]] == [merge.analysis for merge in few]
    assert told[-1] == (WORTH_A_PROCESS + 3, WORTH_A_PROCESS + 3)


def test_the_second_time_nothing_is_examined(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, _ = examined(tmp_path, 5, tmp_path / "cache")

    def never(*_: object) -> None:
        raise AssertionError("examined again")

    monkeypatch.setattr(examining, "examine", never)
    second, _ = examined(tmp_path, 5, tmp_path / "cache")

    assert second == first


def test_a_fault_in_a_rule_costs_one_analysis_and_not_the_digest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = examining.examine

    def faulty(pull_request, *rest):
        if pull_request.number == 2:
            raise ZeroDivisionError("no ground")
        return real(pull_request, *rest)

    monkeypatch.setattr(examining, "examine", faulty)
    made, _ = examined(tmp_path, 3, tmp_path / "cache")

    assert [merge.analysis is None for merge in made] == [False, True, False]
    assert made[1].failure is not None
    assert "no ground" in made[1].failure


def test_half_a_file_is_no_answer_and_an_unwritable_folder_no_failure(tmp_path: Path) -> None:
    cache = AnalysisCache(tmp_path)
    analysis = make_analysis(1)
    cache.put(analysis)
    (path,) = tmp_path.glob("*/*/*.json")
    assert cache.get(analysis.fingerprint) == analysis
    path.write_text(path.read_text()[:40])
    assert cache.get(analysis.fingerprint) is None

    (tmp_path / "file").write_text("")
    AnalysisCache(tmp_path / "file").put(analysis)


def test_what_was_not_used_for_long_is_removed_whatever_version_wrote_it(tmp_path: Path) -> None:
    for version in ("of-before", analyzer_version()):
        for age, name in ((KEPT_FOR + 60, "old"), (60.0, "young")):
            path = tmp_path / version / "ab" / f"{name}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("{}")
            os.utime(path, (time.time() - age,) * 2)

    prune(tmp_path)

    assert sorted(path.stem for path in tmp_path.glob("*/*/*.json")) == ["young", "young"]
