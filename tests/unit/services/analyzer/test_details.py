"""The detail source of a repository: opened once, its conventions remembered, its faults a note."""

from __future__ import annotations

import pytest

from services.analyzer import details
from services.analyzer.details import DetailSources, detail_door
from services.analyzer.kept_history import KeptHistory
from shared.domain.errors import InvalidInput, Postponed, Transient
from shared.settings import RepositorySettings, Settings
from shared.sources.git_history import GitHistory
from shared.sources.merge_records import MergeRecords, dump
from tests.builders import MERGED_AT, REPOSITORY, make_file, make_pull_request

FACTS = make_pull_request(101, files=None)


class Source:
    """Answers from memory, or raises; counts how often it is asked."""

    def __init__(self, *, error: Exception | None = None) -> None:
        self.error = error
        self.conventions_read = 0

    def details(self, facts):
        if self.error:
            raise self.error
        return make_pull_request(facts.number) if facts.number == 101 else None

    def sources(self, pull_request):
        if self.error:
            raise self.error
        return {"lumen/queue/queue.py": ("old", "new")}

    def conventions(self):
        self.conventions_read += 1
        if self.error:
            raise self.error
        return {".github/labeler.yml": "queue:\n  - lumen/queue/**\n"}


def test_the_settings_name_the_source(tmp_path):
    name = REPOSITORY.full_name

    def door(**source):
        repository = RepositorySettings(full_name=name, **source)
        settings = Settings(repositories=(repository,), data_folder=tmp_path / "data")
        return detail_door(settings, repository, lambda: MERGED_AT)

    assert door() is None
    assert isinstance(door(records=tmp_path / "x.jsonl"), MergeRecords)
    assert isinstance(door(clone=tmp_path), GitHistory)
    assert isinstance(door(keep_clone=True), KeptHistory)
    assert list(tmp_path.iterdir()) == [], "nothing is opened or made yet"


def test_merge_records_give_the_files(tmp_path):
    records = tmp_path / "merges.jsonl"
    records.write_text(dump(make_pull_request(101, files=(make_file("lumen/queue.py"),))) + "\n", "utf-8")
    settings = Settings(repositories=(RepositorySettings(full_name=REPOSITORY.full_name, records=records),))

    found = DetailSources(settings).details(FACTS)

    assert [file.filename for file in found.pull_request.files] == ["lumen/queue.py"]
    assert found.note is None


@pytest.mark.parametrize("content", [b"\xff\xfe no records", b"{}\n", None])
def test_records_that_cannot_be_read_are_a_note(tmp_path, content):
    records = tmp_path / "merges.jsonl"
    if content is not None:
        records.write_bytes(content)
    settings = Settings(repositories=(RepositorySettings(full_name=REPOSITORY.full_name, records=records),))

    sources = DetailSources(settings)

    assert sources.details(FACTS).pull_request is None
    assert sources.details(FACTS).note
    assert sources.context(REPOSITORY.full_name)


def test_a_clone_that_is_not_there_is_a_note(tmp_path):
    settings = Settings(repositories=(RepositorySettings(full_name=REPOSITORY.full_name, clone=tmp_path / "gone"),))

    assert "could not be read" in DetailSources(settings).details(FACTS).note


def test_without_a_source_there_is_nothing_to_say():
    assert DetailSources(Settings()).details(FACTS) == details.Details()


def test_a_merge_that_the_source_does_not_have_is_a_note():
    found = DetailSources(Settings(), lambda _: Source()).details(make_pull_request(999, files=None))

    assert found.pull_request is None
    assert "does not have" in found.note


@pytest.mark.parametrize("error", [InvalidInput("line 3 is no JSON"), FileNotFoundError(2, "No such file")])
def test_conventions_that_cannot_be_read_are_none(error):
    assert DetailSources(Settings(), lambda _: Source(error=error)).context(REPOSITORY.full_name)


@pytest.mark.parametrize("error", [Transient("slow"), Postponed("limit", MERGED_AT)])
def test_an_error_that_says_when_to_try_again_passes(error):
    with pytest.raises(type(error)):
        DetailSources(Settings(), lambda _: Source(error=error)).details(FACTS)


def test_a_source_is_opened_once_and_its_conventions_are_read_again_after_a_while(monkeypatch):
    opened: list[str] = []
    source = Source()
    sources = DetailSources(Settings(), lambda repository: opened.append(repository.full_name) or source)
    first = sources.context("lumen/lumen")

    assert sources.context("Lumen/LUMEN") is first
    sources.details(FACTS)
    assert (opened, source.conventions_read) == (["lumen/lumen"], 1)

    monkeypatch.setattr(details.time, "monotonic", lambda: 1e12)
    sources.context("lumen/lumen")
    assert source.conventions_read == 2
