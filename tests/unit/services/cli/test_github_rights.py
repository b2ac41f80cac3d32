"""What ``doctor`` makes of permissions and scopes."""

from __future__ import annotations

import pytest

from services.cli.github_rights import NEEDED, WISHED, granted, installed, may_write

READS = dict.fromkeys((*NEEDED, *WISHED), "read")


def states(findings: object) -> list[str]:
    return [finding.state for finding in findings]  # type: ignore[attr-defined]


def test_the_rights_of_the_manifest_are_enough_and_not_too_much() -> None:
    [finding] = granted("rights", READS, "there.")

    assert finding.state == "good"


@pytest.mark.parametrize(
    ("right", "state"), [*((right, "wrong") for right in NEEDED), *((right, "warning") for right in WISHED)]
)
def test_a_missing_right_is_named_as_the_screens_of_github_name_it(right: str, state: str) -> None:
    first, *_ = granted("rights", {name: level for name, level in READS.items() if name != right}, "there.")

    assert first.state == state
    assert first.mend.startswith("Give «")
    assert first.mend.endswith("Read-only»: there.")


def test_a_right_to_write_is_a_warning() -> None:
    findings = list(granted("rights", READS | {"contents": "write", "issues": "write"}, "there."))

    assert states(findings) == ["warning", "good"]
    assert "contents, issues" in findings[0].told


def test_a_suspended_installation_says_where_to_unsuspend_it() -> None:
    page = "https://github.com/organizations/lumen-labs/settings/installations/9"
    [finding] = installed("rights", {"suspended_at": "2026-11-29T08:00:00Z", "html_url": page}, "elsewhere")

    assert finding.state == "wrong"
    assert finding.mend == f"Unsuspend it: {page}"


@pytest.mark.parametrize(
    ("token", "scopes", "push", "private", "writes"),
    [
        ("ghp_x", "repo, read:org", False, False, True),
        ("ghp_x", "public_repo", False, False, True),
        ("ghp_x", "read:org", True, False, False),
        ("ghp_x", "", True, False, False),
        ("ghp_x", None, False, True, True),
        ("ghp_x", None, True, False, True),
        ("ghp_x", None, False, False, False),
        ("github_pat_x", None, True, True, False),
        ("ghs_x", None, False, True, False),
        ("ghs_x", None, True, True, True),
    ],
)
def test_which_tokens_may_write(token: str, scopes: str | None, push: bool, private: bool, writes: bool) -> None:
    assert may_write(token, scopes, push=push, private=private) is writes
