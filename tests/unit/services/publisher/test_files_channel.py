"""The folder of published files: layout, whole files only, the same bytes when nothing changed."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from services.digest.narrate import narrate
from services.publisher.channel import Issue
from services.publisher.channels import CHANNELS
from services.publisher.channels.atomic import write_text
from services.publisher.channels.files import FilesChannel, week_folder, write_index
from shared.domain.digest import Digest
from shared.domain.errors import Permanent, Transient
from shared.domain.period import parse_week
from shared.settings import PublisherSettings, Settings
from shared.settings.targets import publication_targets
from tests.digest_builder import rich_digest

CHANNEL = FilesChannel()


def issue(**overrides) -> Issue:
    """A digest in two languages, ready for the channel."""
    digest = narrate(rich_digest(**overrides), ("en", "zh-CN"))
    return Issue(digest, digest.to_json(), tuple(CHANNEL.render(digest, language) for language in digest.sections))


def settings(folder: Path) -> Settings:
    """Settings that publish into ``folder``."""
    return Settings(publisher=PublisherSettings(folder=folder))


def snapshot(folder: Path) -> dict[str, tuple[bytes, int]]:
    """Content and time of every file that a reader sees."""
    files = [path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(".")]
    return {path.relative_to(folder).as_posix(): (path.read_bytes(), path.stat().st_mtime_ns) for path in files}


def test_every_target_has_its_channel_and_every_channel_its_own_name():
    names = [channel.name for channel in CHANNELS]

    assert len(set(names)) == len(names)
    assert {target.channel for target in publication_targets(Settings())} <= set(names)


def test_the_layout_is_owner_name_week(tmp_path):
    receipt = CHANNEL.deliver(issue(), "default", settings(tmp_path))

    assert sorted(snapshot(tmp_path)) == [
        "index.html",
        "lumen/lumen/2026-W19/digest.en.html",
        "lumen/lumen/2026-W19/digest.en.md",
        "lumen/lumen/2026-W19/digest.json",
        "lumen/lumen/2026-W19/digest.zh-CN.html",
        "lumen/lumen/2026-W19/digest.zh-CN.md",
    ]
    assert receipt.external_id == "lumen/lumen/2026-W19"
    assert receipt.url == (tmp_path / "lumen/lumen/2026-W19").as_uri()


def test_the_document_is_published_byte_for_byte(tmp_path):
    given = issue()
    CHANNEL.deliver(given, "default", settings(tmp_path))

    assert (tmp_path / "lumen/lumen/2026-W19/digest.json").read_text("utf-8") == given.document
    assert json.loads(given.document)["repository"] == "lumen/lumen"


def test_delivering_again_touches_nothing(tmp_path):
    CHANNEL.deliver(issue(), "default", settings(tmp_path))
    before = snapshot(tmp_path)
    CHANNEL.deliver(issue(), "default", settings(tmp_path))

    assert snapshot(tmp_path) == before


def test_the_index_shows_every_week_and_repository_that_is_there(tmp_path):
    for number in (17, 18, 19):
        CHANNEL.deliver(issue(period=parse_week(f"2026-W{number}")), "default", settings(tmp_path))
    CHANNEL.deliver(issue(repository="ada/engine"), "default", settings(tmp_path))

    page = (tmp_path / "index.html").read_text("utf-8")
    for folder in ("lumen/lumen/2026-W17", "lumen/lumen/2026-W18", "lumen/lumen/2026-W19", "ada/engine/2026-W19"):
        assert f"{folder}/digest.en.html" in page


def test_two_publications_at_once_are_both_in_the_index(tmp_path):
    issues = [issue(period=parse_week(f"2026-W{number}")) for number in range(10, 20)]
    threads = [
        threading.Thread(target=CHANNEL.deliver, args=(given, "default", settings(tmp_path))) for given in issues
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)

    page = (tmp_path / "index.html").read_text("utf-8")
    assert all(f"lumen/lumen/2026-W{number}/" in page for number in range(10, 20))


def test_a_strange_file_in_the_folder_does_not_end_the_index(tmp_path):
    CHANNEL.deliver(issue(), "default", settings(tmp_path))
    strange = tmp_path / "some/body/else"
    strange.mkdir(parents=True)
    (strange / "digest.json").write_bytes(b"\xff\xfe no digest")
    write_index(tmp_path)

    page = (tmp_path / "index.html").read_text("utf-8")
    assert "lumen/lumen/2026-W19/" in page
    assert "some/body" not in page


@pytest.mark.parametrize(
    "repository", ["../etc/passwd", "..", "lumen", "lumen/..", "/lumen/lumen", "lumen/lu\x00men", "lumen/.", "a\\b/c"]
)
def test_a_repository_name_cannot_leave_the_folder(tmp_path, repository):
    root = tmp_path / "published"
    with pytest.raises(Permanent):
        CHANNEL.deliver(issue(repository=repository), "default", settings(root))

    assert not root.exists()
    assert list(tmp_path.iterdir()) == []


def test_a_name_that_only_looks_strange_is_fine():
    assert week_folder(rich_digest(repository="a.b-c/..d_e")).as_posix() == "a.b-c/..d_e/2026-W19"


def test_a_folder_that_cannot_be_written_is_tried_again_later(tmp_path):
    blocked = tmp_path / "published"
    blocked.write_text("a file where the folder should be")

    with pytest.raises(Transient, match="cannot be written"):
        CHANNEL.deliver(issue(), "default", settings(blocked))


def test_a_crash_while_writing_leaves_the_old_text_and_no_rest(tmp_path, monkeypatch):
    path = tmp_path / "digest.en.md"
    write_text(path, "old\n")

    def crash(_descriptor):
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(os, "fsync", crash)
        with pytest.raises(KeyboardInterrupt):
            write_text(path, "new\n")

    assert path.read_text("utf-8") == "old\n"
    assert list(tmp_path.iterdir()) == [path]
    assert write_text(path, "new\n") is True
    assert write_text(path, "new\n") is False


def test_a_published_file_follows_the_mask_of_the_process(tmp_path):
    mask = os.umask(0o022)
    try:
        write_text(tmp_path / "index.html", "x")
    finally:
        os.umask(mask)

    assert (tmp_path / "index.html").stat().st_mode & 0o777 == 0o644


def test_a_private_repository_is_published_into_the_operators_own_folder(tmp_path):
    """The folder is no public channel; what is served from it is the operator's choice."""
    given = issue()
    CHANNEL.deliver(given, "default", settings(tmp_path))

    assert Digest.model_validate_json((tmp_path / "lumen/lumen/2026-W19/digest.json").read_bytes()) == given.digest
