"""The convention files of a clone: what is absent, what is there and unreadable, and when nothing is known of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared.domain.errors import InvalidInput
from shared.sources.convention_texts import ConventionTexts
from shared.sources.git_history import GitHistory
from tests.git_repository import GitRepository


@pytest.fixture
def repository(tmp_path: Path) -> GitRepository:
    return GitRepository(tmp_path / "repository")


def test_of_each_kind_the_first_file_is_read(repository: GitRepository) -> None:
    assert GitHistory(repository.path).conventions() == {}
    repository.commit(
        "Conventions",
        {".github/labeler.yaml": "core:\n- core/**\n", "CODEOWNERS": "* @ada\n", "docs/CODEOWNERS": "not this\n"},
    )
    assert GitHistory(repository.path).conventions() == {
        ".github/labeler.yaml": "core:\n- core/**\n",
        "CODEOWNERS": "* @ada\n",
    }


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"a\x00b\n", "it is binary"),
        (b"/caf\xe9/ @acme/core\n", "it is not written in UTF-8"),
        (b"* @acme/core\n" * 250_000, "it is larger than 3 MB"),
    ],
    ids=["binary", "undecodable", "oversized"],
)
def test_a_convention_file_that_gives_no_text_is_there_and_unreadable(
    repository: GitRepository, content: bytes, why: str
) -> None:
    own = {".github/mergecast.toml": 'timezone = "UTC"\n'}
    repository.commit("Owners", {".github/CODEOWNERS": content, "CODEOWNERS": "* @acme/never\n", **own})
    found = GitHistory(repository.path).conventions()

    assert isinstance(found, ConventionTexts)
    assert (found, found.unreadable) == (own, {".github/CODEOWNERS": why})


def test_a_folder_in_the_place_of_a_convention_file_is_none(repository: GitRepository) -> None:
    repository.commit("Folder", {"CODEOWNERS/README.md": "Who owns what\n", "docs/CODEOWNERS": "* @ada\n"})

    assert GitHistory(repository.path).conventions() == {"docs/CODEOWNERS": "* @ada\n"}


@pytest.mark.parametrize(("place", "kept"), [("HEAD:.github", 0), ("HEAD:.github/CODEOWNERS", -4)])
def test_conventions_that_git_fails_at_are_not_known(repository: GitRepository, place: str, kept: int) -> None:
    repository.commit("Owners", {".github/CODEOWNERS": "* @ada\n", "CODEOWNERS": "* @acme/never\n"})
    damaged = repository.git("rev-parse", place)
    file = repository.path / ".git" / "objects" / damaged[:2] / damaged[2:]
    whole = file.read_bytes()
    file.unlink()
    if kept:
        file.write_bytes(whole[:kept])

    with pytest.raises(InvalidInput, match="cannot be read"):
        GitHistory(repository.path).conventions()
