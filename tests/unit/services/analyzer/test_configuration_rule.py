"""Configuration: variables, options and files that users set."""

from __future__ import annotations

import pytest

from shared.domain.taxonomy import KeyReason, Risk
from tests.builders import make_file
from tests.unit.services.analyzer.examined import added, analysed


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (make_file("a.py", patch=added('x = os.environ.get("LUMEN_X", "1")')), 'LUMEN_X is new, default "1"'),
        (
            make_file("a.py", patch=added('os.getenv("LUMEN_X", "1")', gone=('os.getenv("LUMEN_X", "0")',))),
            'default of environment variable LUMEN_X: "0" → "1"',
        ),
        (make_file("a.ts", patch=added("const x = process.env.LUMEN_X ?? 'a'")), "LUMEN_X is new"),
        (make_file("a.go", patch=added('x := os.Getenv("LUMEN_X")')), "LUMEN_X is new"),
        (make_file("config/app.yml"), "configuration file"),
        (make_file("db/migrate/1_add.rb", status="added"), "database migration"),
        (make_file("lumen/envs.py"), "source file of settings"),
    ],
)
def test_configuration_changes(file, why):
    tag = analysed(file, title="Tune").risk(Risk.CONFIGURATION_CHANGE)

    assert tag is not None
    assert why in tag.evidence[0].why


@pytest.mark.parametrize(
    "file",
    [
        make_file("a.py", patch=added('os.environ["LUMEN_X"] = "1"')),
        make_file("a.rs", patch=added('env::var("PATH")')),
        make_file("a.rs", patch=added('env::var("NO_COLOR")')),
        make_file("scripts/a.py", patch=added('os.environ.get("LUMEN_X")')),
        make_file("a.go", patch=added("x := 1", gone=('x := os.Getenv("LUMEN_X")',))),
        make_file(".golangci.yml"),
    ],
)
def test_what_is_no_setting_of_the_product(file):
    assert not analysed(file, title="Tune").has(Risk.CONFIGURATION_CHANGE)


@pytest.mark.parametrize(
    ("title", "fires"),
    [
        ("Fix the order when `lamp list --json` is given", False),
        ("fix: support `--json` when the drawer is empty", False),
        ("Add help for the order of `lamp list` to the --json flag", False),
        ("Document what is on by default", False),
        ("Rename --json to --format", True),
    ],
)
def test_a_title_that_only_names_an_option_changes_none(title, fires):
    assert analysed("lumen/a.py", title=title).has(Risk.CONFIGURATION_CHANGE) is fires


def test_a_new_variable_that_the_description_names_is_a_configuration_change_and_worth_knowing():
    body = "Adds a new environment variable `LUMEN_COLD_START` for lamps in cellars."
    patch = added('os.environ.get("LUMEN_COLD_START", "0")', *(f"x{n} = {n}" for n in range(50)))
    file = make_file("lumen/a.py", additions=60, patch=patch)
    analysis = analysed(file, "tests/test_a.py", title="Support cellars", body=body)

    assert (
        "LUMEN_COLD_START"
        in analysed("lumen/a.py", title="Tune", body=body).risk(Risk.CONFIGURATION_CHANGE).evidence[0].quote
    )
    assert analysis.importance.reason is KeyReason.MUST_ACT
    assert "LUMEN_COLD_START is new" in analysis.importance.reason_why


@pytest.mark.parametrize("title", ["Enable caching by default", "Add --depth to the parser", "Default to 'align' mode"])
def test_configuration_changes_by_title(title):
    assert analysed("lumen/a.py", title=title).has(Risk.CONFIGURATION_CHANGE)
