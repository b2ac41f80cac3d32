"""The whole texts of changed files, read from a clone, and the facts that patch and clone tell alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from services.analyzer.facts import read_facts
from services.analyzer.reading.reading import read_pull_request
from services.analyzer.rules.context import build_context
from shared.domain.pull_request import PullRequest
from shared.settings import RepositorySettings
from shared.sources.git_history import GitHistory
from shared.sources.git_history.file_texts import LARGEST_TEXT
from tests.git_repository import MONDAY, NEXT_MONDAY, GitRepository

CONTEXT = build_context(RepositorySettings(full_name="lumen/lumen"))


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    return GitRepository(tmp_path / "lumen")


def read(repository: GitRepository) -> tuple[PullRequest, dict[str, tuple[str | None, str | None]]]:
    history = GitHistory(repository.path, "lumen/lumen")
    (found,) = history.merged_between(MONDAY, NEXT_MONDAY)
    texts = dict(history.sources(found))
    assert texts == dict(GitHistory(repository.path, "lumen/lumen").sources(found)), "also for one that did not list it"
    return found, texts


def test_both_sides_of_every_kind_of_change(repository: GitRepository) -> None:
    repository.commit("Before", {"kept.py": "a\n", "gone.py": "b\n", "old/name.py": "c\n" * 30, "data.bin": b"\0\1"})
    repository.commit(
        "Change (#1)",
        {
            "kept.py": "A\n",
            "gone.py": None,
            "old/name.py": None,
            "new/name.py": "c\n" * 30 + "d\n",
            "new.py": "é\n",
            "data.bin": b"\0\2",
            "large.txt": "x" * 99 + "\n" + "y\n" * LARGEST_TEXT,
        },
    )
    _, texts = read(repository)

    assert texts == {
        "kept.py": ("a\n", "A\n"),
        "gone.py": ("b\n", None),
        "new/name.py": ("c\n" * 30, "c\n" * 30 + "d\n"),
        "new.py": (None, "é\n"),
    }


def test_a_rebase_of_several_commits_is_read_from_before_its_first(repository: GitRepository) -> None:
    repository.commit("Before", {"a.py": "1\n"})
    repository.git("checkout", "-q", "-b", "topic")
    repository.commit("One", {"a.py": "2\n"})
    repository.commit("Two", {"a.py": "3\n"})
    repository.git("checkout", "-q", "main")
    repository.git("merge", "-q", "--no-ff", "-m", "Merge pull request #1 from ada/topic\n\nTwo steps", "topic")

    assert read(repository)[1] == {"a.py": ("1\n", "3\n")}


def test_a_merge_that_the_clone_does_not_have_has_no_texts(repository: GitRepository) -> None:
    repository.commit("Change (#1)", {"a.py": "1\n"})
    found, _ = read(repository)
    stranger = found.model_copy(update={"number": 9, "merge_commit_sha": "f" * 40})

    assert GitHistory(repository.path, "lumen/lumen").sources(stranger) == {}


def test_a_clone_tells_the_facts_that_the_patch_tells(repository: GitRepository) -> None:
    body = "".join(f"    step_{number}()\n" for number in range(20))
    before = f"import os\n\nPORT = os.environ.get('LUMEN_PORT', '80')\n\n\ndef start(port=80):\n{body}    return port\n"
    repository.commit("Before", {"lumen/server.py": before, "requirements.txt": "tls>=1.2\n"})
    after = before.replace("'80'", "'8080'").replace("port=80", "port=8080")
    repository.commit("Change (#1)", {"lumen/server.py": after, "requirements.txt": "tls>=1.3\n"})
    found, texts = read(repository)
    reading = read_pull_request(found, CONTEXT.read_path)

    def told(sources: dict[str, tuple[str | None, str | None]] | None) -> set[tuple[str, str, str | None, str | None]]:
        return {(fact.kind, fact.name, fact.old, fact.new) for fact in read_facts(reading, sources).facts}

    assert told(texts) == told(None)
    assert ("default-changed", "LUMEN_PORT", "'80'", "'8080'") in told(texts)
    assert {name for _, name, _, _ in told(texts)} >= {"LUMEN_PORT", "start.port", "tls"}
