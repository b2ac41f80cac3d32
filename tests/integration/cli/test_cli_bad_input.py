"""What cannot be used is refused in one clear line on stderr, with exit code 2 and no traceback."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from services.cli import sample
from tests.integration.cli.conftest import Answer, Mergecast, git


def refusal(answer: Answer) -> str:
    """The one line; fails when there is more, or less."""
    assert answer.returncode == 2, answer.stderr
    assert answer.stdout == ""
    assert "Traceback" not in answer.stderr
    lines = answer.stderr.splitlines()
    assert len(lines) == 1, answer.stderr
    assert lines[0].startswith("mergecast: ")
    return lines[0]


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["digest", sample.RECORDS, "--repository", "no/such"], "no/such"),
        (["digest", "--repository", "no/such"], "The repository no/such is not in the store"),
        (["export", "--repository", "no/such"], "no/such"),
        (["explain", "4911", "--repository", "no/such"], "no/such"),
        (["explain", "1", "--source", sample.RECORDS], "lumen-labs/lumen has no merge #1"),
    ],
)
def test_an_unknown_repository_or_merge(mergecast: Mergecast, arguments: list[str | Path], expected: str) -> None:
    assert expected in refusal(mergecast(*arguments))


@pytest.mark.parametrize("week", ["19", "2026-W54", "2026W19", "last week", ""])
@pytest.mark.parametrize("command", [["digest", sample.RECORDS], ["ingest", sample.RECORDS]])
def test_a_malformed_week(mergecast: Mergecast, command: list[str | Path], week: str) -> None:
    assert f"'{week}' is not an ISO week. Write it like 2026-W19" in refusal(mergecast(*command, "--week", week))


def test_a_future_week_and_an_unknown_zone_and_language(mergecast: Mergecast) -> None:
    source = ["digest", sample.RECORDS]

    assert "has not begun" in refusal(mergecast(*source, "--week", "2199-W01", "--so-far"))
    assert "time zone 'Mars'" in refusal(mergecast(*source, "--timezone", "Mars"))
    assert "no language 'xx'" in refusal(mergecast(*source, "--language", "xx"))


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"not json\n", 1),
        (b"\n\n[1, 2]\n", 3),
        (b'{"number": 1}\n', 1),
        (b"\xff\xfe\x00\n", 1),
        (b'{"a": 1}{"b": 2}\n', 1),
    ],
)
@pytest.mark.parametrize("command", ["digest", "ingest", "deliver"])
def test_a_file_that_is_no_jsonl_is_named_with_the_line(
    mergecast: Mergecast, tmp_path: Path, command: str, content: bytes, line: int
) -> None:
    file = tmp_path / "merges.jsonl"
    file.write_bytes(content)

    told = refusal(mergecast(command, file, MERGECAST_DELIVER_SECRET="x"))

    assert "merges.jsonl" in told
    assert f"line {line}" in told.casefold()


@pytest.mark.parametrize("command", ["digest", "ingest"])
def test_a_source_that_is_none(mergecast: Mergecast, tmp_path: Path, command: str) -> None:
    assert "no file or folder ./nowhere" in refusal(mergecast(command, "./nowhere"))
    assert "git" in refusal(mergecast(command, tmp_path))


@pytest.mark.parametrize("command", ["digest", "ingest"])
def test_a_shallow_clone(mergecast: Mergecast, tmp_path: Path, clone: Path, command: str) -> None:
    shallow = tmp_path / "shallow"
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{clone}", str(shallow))

    assert "shallow" in refusal(mergecast(command, shallow, "--repository", "some/where"))


def test_a_path_that_is_not_utf8(mergecast: Mergecast, tmp_path: Path) -> None:
    missing = os.fsencode(tmp_path) + b"/caf\xe9.jsonl"

    refusal(mergecast("digest", missing))


def test_an_unreadable_settings_file(mergecast: Mergecast, tmp_path: Path) -> None:
    broken, folder, latin = tmp_path / "broken.toml", tmp_path / "folder.toml", tmp_path / "latin.toml"
    broken.write_text("repositories = [")
    folder.mkdir()
    latin.write_bytes(b'data_folder = "\xe9"')

    assert "is not TOML" in refusal(mergecast("doctor", "--config", broken))
    assert "cannot be read: Is a directory" in refusal(mergecast("digest", sample.RECORDS, "--config", folder))
    assert "is not UTF-8" in refusal(mergecast("deliveries", "--config", latin))
    assert "cannot be read: No such file" in refusal(mergecast("serve", "--config", tmp_path / "none.toml"))
    assert "'digest.featured'" in refusal(mergecast("export", MERGECAST_DIGEST__FEATURED="many"))


@pytest.mark.parametrize(
    "command",
    [["deliveries"], ["export"], ["digest"], ["replay", "1"], ["ingest", sample.RECORDS], ["serve", "--port", "0"]],
)
def test_a_database_that_is_newer_than_the_program(
    mergecast: Mergecast, tmp_path: Path, command: list[str | Path]
) -> None:
    path = tmp_path / "newer.sqlite3"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        connection.execute("INSERT INTO alembic_version VALUES ('from_the_future')")
    connection.close()

    told = refusal(mergecast(*command, MERGECAST_DATABASE__URL=f"sqlite:///{path}"))

    assert "newer" in told


@pytest.mark.parametrize("option", ["digest", "export"])
def test_an_output_that_cannot_be_written(mergecast: Mergecast, tmp_path: Path, option: str) -> None:
    (tmp_path / "file").write_text("")
    if option == "export":
        assert mergecast("ingest", sample.RECORDS, "--week", "2026-W18").returncode == 0
        answer = mergecast("export", "--output", tmp_path / "file" / "merges.jsonl")
    else:
        answer = mergecast("digest", sample.RECORDS, "--week", "2026-W19", "--output", tmp_path / "file" / "out")

    assert "cannot be written: Not a directory" in refusal(answer)


def test_a_data_folder_that_cannot_be_made(mergecast: Mergecast, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    assert "data folder" in refusal(mergecast("deliveries", MERGECAST_DATA_FOLDER=str(tmp_path / "file" / "data")))


def test_options_that_contradict_each_other(mergecast: Mergecast) -> None:
    assert "either --week or --since" in refusal(
        mergecast("ingest", sample.RECORDS, "--week", "2026-W19", "--since", "2026-05-01")
    )
    assert "'May' is not a day" in refusal(mergecast("ingest", sample.RECORDS, "--since", "May"))
    assert "Nothing lies between" in refusal(
        mergecast("ingest", sample.RECORDS, "--since", "2026-05-02", "--until", "2026-05-01")
    )
    assert "Name the deliveries" in refusal(mergecast("replay"))
    assert "Name the deliveries" in refusal(mergecast("replay", "3", "--dead"))
    assert "no status 'lost'" in refusal(mergecast("deliveries", "--status", "lost"))


def test_each_kind_in_a_process_of_its_own(mergecast_process: Mergecast, tmp_path: Path, clone: Path) -> None:
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{clone}", str(tmp_path / "shallow"))
    (tmp_path / "bad.jsonl").write_bytes(b'{"number": 1\n')

    assert "no/such" in refusal(mergecast_process("digest", sample.RECORDS, "--repository", "no/such"))
    assert "not an ISO week" in refusal(mergecast_process("digest", sample.RECORDS, "--week", "19"))
    assert "line 1" in refusal(mergecast_process("digest", tmp_path / "bad.jsonl")).casefold()
    assert "shallow" in refusal(mergecast_process("digest", tmp_path / "shallow"))
    assert "cannot be read" in refusal(mergecast_process("doctor", "--config", tmp_path))
    refusal(mergecast_process("digest", os.fsencode(tmp_path) + b"/caf\xe9.jsonl"))


def test_nobody_listening_and_no_secret(mergecast: Mergecast) -> None:
    assert "no webhook secret" in refusal(mergecast("deliver"))
    assert "Nobody answers at http://127.0.0.1:9" in refusal(
        mergecast("deliver", "--url", "http://127.0.0.1:9", MERGECAST_DELIVER_SECRET="x")
    )


def test_no_secret_is_told_in_an_error(mergecast: Mergecast) -> None:
    answer = mergecast("deliveries", MERGECAST_DATABASE__URL="postgresql://ada:hunter2@127.0.0.1:1/none")

    assert answer.returncode == 2
    assert "hunter2" not in answer.stderr + answer.stdout
    assert len(answer.stderr.splitlines()) == 1
