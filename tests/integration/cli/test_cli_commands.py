"""The commands as a person uses them, from files to a digest and through the store."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from services.analyzer import examine as examining
from services.cli import main, sample
from shared.domain.period import week_of
from shared.sources.merge_records import MergeRecords, dump
from tests.builders import make_pull_request
from tests.integration.cli.conftest import Answer, Mergecast, git

NAMES = [command.__name__ for command in main.COMMANDS]


def document(folder: Path) -> dict[str, object]:
    made: dict[str, object] = json.loads((folder / "digest.json").read_text("utf-8"))
    return made


def well(answer: Answer) -> str:
    assert answer.returncode == 0, answer.stderr
    assert max((len(line) for line in answer.stdout.splitlines() if not line.startswith("/")), default=0) <= 80
    return answer.stdout


def without_provenance(made: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in made.items() if name not in ("provenance", "sections", "coverage")}


@pytest.mark.parametrize("command", NAMES)
def test_every_command_explains_itself_with_an_example(mergecast: Mergecast, command: str) -> None:
    told = well(mergecast(command, "--help"))

    assert re.search(r"Examples?\s*\n", told)
    assert f"mergecast {command}" in told


def test_the_whole_explains_itself(mergecast: Mergecast) -> None:
    told = well(mergecast("--help"))

    assert all(re.search(rf"^│ {name}\s+\S", told, re.MULTILINE) for name in NAMES)
    assert mergecast("--version").stdout.startswith("mergecast ")
    assert mergecast("no-such-command").returncode == 2


def test_a_digest_of_merge_records(mergecast: Mergecast, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    told = well(
        mergecast("digest", sample.RECORDS, "--week", "2026-W19", "-l", "en", "-l", "zh-CN", "--output", folder)
    )

    made = document(folder)
    names = {"digest.json", *(f"digest.{language}.{kind}" for language in ("en", "zh-CN") for kind in ("md", "html"))}
    assert {path.name for path in folder.iterdir()} == names
    assert all(str(folder / name) in told for name in names)
    assert made["merged_total"] == 73
    ledger = made["ledger"]
    assert isinstance(ledger, dict)
    assert sum(map(len, ledger.values())) == 73
    assert "73 pull requests (38 the week before)" in told


def test_the_last_finished_week_is_the_default_and_an_old_source_says_where_its_merges_are(
    mergecast: Mergecast, here: Path
) -> None:
    answer = mergecast("digest", sample.RECORDS)

    assert answer.returncode == 0
    assert answer.stderr == (
        f"mergecast: week {document(here / 'out')['period']['week']} has no merges; the newest ones of this source are "  # type: ignore[index]
        "in 2026-W20 (1), most are in 2026-W19 (77). Try --week 2026-W19.\n"
    )
    assert document(here / "out")["merged_total"] == 0


def test_an_unfinished_week_is_marked(mergecast: Mergecast, tmp_path: Path) -> None:
    present = datetime.now(UTC)
    records = tmp_path / "now.jsonl"
    records.write_text(dump(make_pull_request(1, merged_at=present - timedelta(seconds=1))) + "\n")
    week = week_of(present - timedelta(seconds=1)).week

    refused = mergecast("digest", records, "--week", week)
    allowed = well(mergecast("digest", records, "--week", week, "--so-far", "--output", tmp_path / "out"))

    assert refused.returncode == 2
    assert "--so-far" in refused.stderr
    assert "(so far)" in allowed
    assert document(tmp_path / "out")["provenance"]["so_far"] is True  # type: ignore[index]


def test_a_digest_of_a_clone_takes_the_repository_from_its_origin(
    mergecast: Mergecast, clone: Path, tmp_path: Path
) -> None:
    told = well(mergecast("digest", clone, "--week", "2026-W19", "--output", tmp_path / "out"))

    made = document(tmp_path / "out")
    assert (made["repository"], made["branch"], made["merged_total"]) == ("some/where", "main", 2)
    assert re.search(r"read +2 of 2 changed files", told)


def test_a_week_before_that_the_source_does_not_know_is_no_zero(
    mergecast: Mergecast, clone: Path, tmp_path: Path
) -> None:
    later = ["commit", "-q", "--allow-empty", "-m"]
    git(clone, *later, "Add part 3 (#3)", at="2026-05-20T12:00:00Z")

    for week, before in (("2026-W19", None), ("2026-W21", 0)):
        well(mergecast("digest", clone, "--week", week, "--output", tmp_path / week))
        figures = document(tmp_path / week)["previous"]
        assert (figures["merged_total"] if isinstance(figures, dict) else figures) == before


def test_settings_of_the_repository_count(mergecast: Mergecast, tmp_path: Path) -> None:
    config = tmp_path / "mergecast.toml"
    config.write_text(
        '[[repositories]]\nfull_name = "lumen-labs/lumen"\nlanguages = ["zh-CN"]\ntimezone = "Asia/Shanghai"\n'
        'branches = ["release/*"]\n[repositories.areas]\nsinks = ["/connectors/"]\n'
    )

    well(mergecast("digest", sample.RECORDS, "-w", "2026-W19", "--config", config, "--output", tmp_path / "out"))

    made = document(tmp_path / "out")
    areas = made["areas"]
    assert isinstance(areas, list)
    assert made["period"]["timezone"] == "Asia/Shanghai"  # type: ignore[index]
    assert "sinks" in {area["name"] for area in areas}
    assert made["merged_total"] not in (0, 73)
    assert (tmp_path / "out" / "digest.zh-CN.md").exists()
    assert not (tmp_path / "out" / "digest.en.md").exists()


def test_ingest_export_and_digest_agree(mergecast: Mergecast, tmp_path: Path) -> None:
    total = len(sample.RECORDS.read_bytes().splitlines())
    assert f"{total} analysed, 0 known" in well(mergecast("ingest", sample.RECORDS))
    assert f"0 analysed, {total} known" in well(mergecast("ingest", sample.RECORDS))

    exported = mergecast("export", "--repository", "lumen-labs/lumen")
    assert exported.returncode == 0
    well(mergecast("export", "--week", "2026-W19", "--output", tmp_path / "week.jsonl"))
    (tmp_path / "all.jsonl").write_text(exported.stdout)
    for week, folder in (("digest", "store"), ("file", "source")):
        source = [] if week == "digest" else [tmp_path / "all.jsonl"]
        well(mergecast("digest", *source, "--week", "2026-W19", "--output", tmp_path / folder))

    span = (datetime(2026, 1, 1, tzinfo=UTC), datetime(2027, 1, 1, tzinfo=UTC))
    assert list(MergeRecords(tmp_path / "all.jsonl").merged_between(*span)) == list(
        MergeRecords(sample.RECORDS).merged_between(*span)
    )
    assert len((tmp_path / "week.jsonl").read_text().splitlines()) == 77
    assert without_provenance(document(tmp_path / "store")) == without_provenance(document(tmp_path / "source"))


def test_c21_ingest_never_puts_older_facts_over_newer_ones(mergecast: Mergecast, tmp_path: Path) -> None:
    old, new = datetime(2026, 5, 6, 12, tzinfo=UTC), datetime(2026, 5, 7, tzinfo=UTC)
    for title, updated_at in (("Mended title", new), ("Title with a tpyo", old)):
        line = dump(make_pull_request(1, title=title, updated_at=updated_at))
        (tmp_path / "one.jsonl").write_text(line + "\n")
        well(mergecast("ingest", tmp_path / "one.jsonl"))

    told = well(mergecast("explain", "1"))

    assert "#1 Mended title" in told
    assert "summary: Mended title" in told


def test_ingest_reads_only_what_was_asked_for(mergecast: Mergecast) -> None:
    assert "1 merges read" in well(mergecast("ingest", sample.RECORDS, "--week", "2026-W20"))
    assert "1 merges read" in well(mergecast("ingest", sample.RECORDS, "--until", "2026-04-27"))
    assert "1 merges read" in well(mergecast("ingest", sample.RECORDS, "--since", "2026-05-11"))


def test_an_interrupted_ingest_goes_on_where_it_stopped(mergecast: Mergecast, monkeypatch: pytest.MonkeyPatch) -> None:
    examine, calls = examining.examine, iter(range(1000))

    def interrupted(*arguments: object) -> object:
        if next(calls) == 10:
            raise KeyboardInterrupt
        return examine(*arguments)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(examining, "examine", interrupted)
        stopped = mergecast("ingest", sample.RECORDS)
    resumed = well(mergecast("ingest", sample.RECORDS))

    assert stopped.returncode == 130
    assert "10 analysed" in stopped.stderr
    assert "Traceback" not in stopped.stderr
    assert "108 analysed, 10 known" in resumed


def test_explain_shows_evidence_and_the_sum_of_the_importance(mergecast: Mergecast) -> None:
    told = well(mergecast("explain", "4911", "--source", sample.RECORDS))

    assert "breaking-change" in told
    assert "'!' before the colon of the title" in told
    points = [int(found) for found in re.findall(r"^\s*([+-]\d+)  ", told, re.MULTILINE)]
    total = re.search(r"^\s*(-?\d+)  sum", told, re.MULTILINE)
    assert total is not None
    assert points
    assert sum(points) == int(total[1])
    assert "A candidate for key, as must-act" in told


def test_explain_reads_the_store_too(mergecast: Mergecast) -> None:
    well(mergecast("ingest", sample.RECORDS, "--week", "2026-W19"))

    assert well(mergecast("explain", "4911")) == well(mergecast("explain", "4911", "--source", sample.RECORDS))


def test_c32_explain_shows_no_direction_control(mergecast: Mergecast) -> None:
    told = mergecast("explain", "4903", "--source", sample.RECORDS).stdout

    assert "#4903" in told
    assert "\u202e" not in told


def test_an_unexpected_fault_is_one_line_and_with_debug_the_whole_story(
    mergecast: Mergecast, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("no\nluck")

    monkeypatch.setattr("shared.sources.opening.open_source", broken)

    answer = mergecast("explain", "1", "--source", "x")

    assert answer.returncode == 1
    assert answer.stderr == "mergecast: RuntimeError: no luck (run `mergecast --debug …` for the whole story)\n"
    monkeypatch.setattr("sys.argv", ["mergecast", "--debug", "explain", "1", "--source", "x"])
    with pytest.raises(RuntimeError):
        main.run()
