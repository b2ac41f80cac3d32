"""``explain`` says from how many whole files, and from how many patches, facts were read."""

from __future__ import annotations

import pytest

from services.analyzer.examine import examine
from services.analyzer.rules.context import build_context
from services.cli.explain import show
from services.digest.merges import Merge
from shared.domain.pull_request import Cut
from shared.settings import RepositorySettings
from tests.builders import make_file, make_pull_request
from tests.unit.services.digest.read_merges import judged_key, read_key
from tests.unit.services.digest.weeks import analysis_of


@pytest.mark.parametrize(
    ("sources", "told"),
    [
        (None, "facts from 0 whole files, 2 patches"),
        ({"a.py": ("x = 1\n", "x = 2\n")}, "facts from 1 whole file, 1 patch"),
    ],
)
def test_the_coverage_of_facts_is_told(
    sources, told: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    merge = make_pull_request(
        101, files=tuple(make_file(name, patch="@@ -1 +1 @@\n-x = 1\n+x = 2") for name in ("a.py", "b.py"))
    )
    context = build_context(RepositorySettings(full_name="lumen/lumen"), {})

    show(merge, examine(merge, context, sources))

    assert told in capsys.readouterr().out


@pytest.mark.parametrize(
    ("cut", "told"),
    [
        ({}, ""),
        (
            {"commits": Cut.HOST_LIMIT, "checks": Cut.FAILED},
            "; lists that are not whole: checks (failed), commits (host-limit)",
        ),
    ],
)
def test_c26_lists_that_are_not_whole_are_told(
    cut: dict[str, Cut], told: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    merge = make_pull_request(101, cut=cut)

    show(merge, examine(merge, build_context(RepositorySettings(full_name="lumen/lumen"), {}), None))

    (line,) = [line for line in capsys.readouterr().out.splitlines() if "changed files from" in line]
    assert line.rstrip().endswith(f"0 patches{told}")


@pytest.mark.parametrize(
    ("merge", "told"),
    [
        (judged_key(1), "A candidate for key by the judgement of the model, as assumption: Nobody may rely on the"),
        (read_key(1), "A candidate for key, as contract: the title says so"),
    ],
)
def test_a_reason_that_a_model_judged_is_told_as_its_own(
    merge: Merge, told: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")

    show(merge.pull_request, analysis_of(merge))

    assert told in capsys.readouterr().out
