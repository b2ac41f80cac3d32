"""The own file of a watched repository: what it may set, within what bounds, and one line for what is wrong."""

from __future__ import annotations

import time

import pytest

from shared.domain.errors import InvalidInput
from shared.domain.taxonomy import Risk
from shared.settings import DigestSettings, GitHubSettings, RepositorySettings, Settings
from shared.settings.own_file import OWN_FILE, effective, overridden

LISTED = RepositorySettings(
    full_name="lumen/lumen",
    branches=("release/*",),
    areas={"engine": ("lumen/engine/**",)},
    timezone="UTC",
    featured=10,
    key_pull_requests=4,
    landed_labels=("landed",),
)
EVERYTHING = """
branches = ["stable/*"]
core_paths = ["lumen/core/**"]
timezone = "Asia/Shanghai"
languages = ["zh-CN", "en", "zh-CN"]
featured = 6
key_pull_requests = 3

[areas]
"Queue & co." = ["lumen/queue/**", "!lumen/queue/old/**"]

[risks]
missing-tests = false
"""


def test_all_that_may_be_set_overrides_and_the_rest_stays() -> None:
    found = overridden(LISTED, EVERYTHING)

    assert found.branches == ("stable/*",)
    assert found.core_paths == ("lumen/core/**",)
    assert found.timezone == "Asia/Shanghai"
    assert found.languages == ("zh-CN", "en")
    assert (found.featured, found.key_pull_requests) == (6, 3)
    assert found.areas == {"Queue & co.": ("lumen/queue/**", "!lumen/queue/old/**")}
    assert found.risks == {Risk.MISSING_TESTS: False}
    assert found.landed_labels == ("landed",)


def test_what_is_not_set_stays_the_operators() -> None:
    assert overridden(LISTED, "\ufeff# nothing yet\r\n") == LISTED
    assert overridden(LISTED, "branches = []").branches == ()
    assert overridden(LISTED, "branches = []").areas == LISTED.areas


def test_the_operators_numbers_are_the_most() -> None:
    found = overridden(LISTED, "featured = 60\nkey_pull_requests = 12")

    assert (found.featured, found.key_pull_requests) == (10, 4)


def test_without_numbers_of_its_own_an_entry_has_those_of_the_digest() -> None:
    settings = Settings(digest=DigestSettings(featured=9, key_pull_requests=2), github=GitHubSettings(own_files=True))

    found = effective(settings, "lumen/lumen", {OWN_FILE: "featured = 20\nkey_pull_requests = 1"})

    assert (found.featured, found.key_pull_requests) == (9, 1)


@pytest.mark.parametrize(
    ("all_may", "this_may", "zone"),
    [
        (False, None, None),
        (True, None, "Asia/Shanghai"),
        (True, False, None),
        (False, True, "Asia/Shanghai"),
    ],
)
def test_the_operator_says_whether_a_file_counts(all_may: bool, this_may: bool | None, zone: str | None) -> None:
    listed = RepositorySettings(full_name="lumen/lumen", own_file=this_may)
    settings = Settings(github=GitHubSettings(own_files=all_may), repositories=(listed,))

    assert effective(settings, "Lumen/LUMEN", {OWN_FILE: 'timezone = "Asia/Shanghai"'}).timezone == zone
    assert effective(settings, "lumen/lumen", {}) == listed


def test_a_file_that_does_not_fit_any_more_overrides_nothing() -> None:
    settings = Settings(github=GitHubSettings(own_files=True), repositories=(LISTED,))

    assert effective(settings, "lumen/lumen", {OWN_FILE: "colour = 1"}) == LISTED


@pytest.mark.parametrize(
    ("operator", "own", "found"), [(True, "false", False), (False, "true", False), (True, "true", True)]
)
def test_the_model_can_only_be_switched_off(operator: bool, own: str, found: bool) -> None:
    listed = LISTED.model_copy(update={"model": operator})

    assert overridden(listed, f"model = {own}").model is found
    assert overridden(listed, "").model is operator


BAD = [
    ('api_url = "https://evil.example"', "must not set 'api_url'"),
    ('token = "x"', "must not set 'token'"),
    ('clone_url = "file:///etc"', "must not set 'clone_url'"),
    ('records = "/etc/passwd"', "must not set 'records'"),
    ("own_file = true", "must not set 'own_file'"),
    ("[digest]\ngrace = 0", "must not set 'digest'"),
    ('"\\u001b[2Jx" = 1', "must not set '\N{REPLACEMENT CHARACTER}[2Jx'"),
    (f"{'k' * 500} = 1", "must not set 'kkk"),
    ("branches = [", "is not TOML"),
    ("featured = 1\nfeatured = 2", "is not TOML"),
    ("branches = 'release'", "'branches' of .github/mergecast.toml is wrong"),
    ("featured = 0", "'featured' of .github/mergecast.toml is wrong: Input should be greater than 0."),
    ("featured = 61", "'featured' of .github/mergecast.toml is wrong"),
    ("featured = 'many'", "'featured' of .github/mergecast.toml is wrong"),
    ("key_pull_requests = 13", "'key_pull_requests' of .github/mergecast.toml is wrong"),
    ("languages = []", "'languages' of .github/mergecast.toml is wrong"),
    ("languages = ['tlh']", "'languages.0' of .github/mergecast.toml is wrong: Input should be 'en' or 'zh-CN'."),
    ("timezone = 'Mars/Olympus'", "There is no time zone 'Mars/Olympus'."),
    ("timezone = '../../etc/passwd'", "there is no such time zone"),
    ("timezone = '/etc/passwd'", "There is no time zone"),
    ("timezone = ''", "there is no such time zone"),
    ("[risks]\nspeed = false", "'risks.speed' of .github/mergecast.toml is wrong"),
    ("[risks]\nmissing-tests = 'never'", "'risks.missing-tests' of .github/mergecast.toml is wrong"),
    ("[areas]\n'' = ['a']", "of .github/mergecast.toml is wrong"),
    ("[areas]\nengine = 'src/**'", "'areas.engine' of .github/mergecast.toml is wrong"),
    ("[areas.engine]\npaths = ['src/**']", "'areas.engine' of .github/mergecast.toml is wrong"),
    ("core_paths = ['']", "a pattern must not be empty"),
    (f"core_paths = ['{'a' * 301}']", "a pattern must not be empty, longer than 300 characters"),
    (f"core_paths = ['{'*a' * 17}']", "or have more than 16 wildcards"),
    ("core_paths = ['a/**/b/**/c/**/d']", "a pattern must not be empty"),
    ("core_paths = ['*a*b*c*d']", "a pattern must not be empty"),
    (f"core_paths = ['{'[ab]' * 17}']", "or have more than 16 wildcards"),
    (f"branches = {['b'] * 51}", "'branches' of .github/mergecast.toml is wrong"),
    (f"core_paths = {['p'] * 501}", "it has 501 patterns, and 500 are the most"),
    ("[areas]\n" + "\n".join(f"a{number} = []" for number in range(101)), "'areas' of .github/mergecast.toml is wrong"),
    ("#" * 66_000, "is larger than 64 KB"),
]


@pytest.mark.parametrize(("text", "said"), BAD, ids=range(len(BAD)))
def test_what_is_wrong_with_a_file_is_one_line_with_a_way_out(text: str, said: str) -> None:
    with pytest.raises(InvalidInput) as raised:
        overridden(LISTED, text)

    shown = str(raised.value)
    assert said in shown
    assert OWN_FILE in shown
    assert raised.value.way_out
    assert shown.isprintable()
    assert len(shown) < 400


def test_the_line_about_a_key_says_what_may_be_set() -> None:
    with pytest.raises(InvalidInput) as raised:
        overridden(LISTED, "token = 'x'")

    assert raised.value.way_out == (
        "It may set branches, areas, core_paths, risks, timezone, languages, featured, key_pull_requests, model."
    )


@pytest.mark.parametrize(
    "text",
    [
        ".".join(["a"] * 30_000) + " = 1",
        f"[{'.'.join(['a'] * 30_000)}]\nb = 1",
        "x = {" + ".".join(['"\\"."'] * 9_000) + " = 1}",
        "x = {" + " . ".join(["'='"] * 9_000) + " = 1}",
        "[areas]\nx = " + "[" * 60_000,
        "x = " + "{a=" * 20_000,
        "x = " + "9" * 60_000,
        'x = "' + '\\"' * 30_000 + '"',
        "'" * 60_000,
        "\n".join(f"a{number}.b.c = 1" for number in range(4_000)),
        "[a.b.c.d.e.f.g.h.i.j]\n" + "\n".join(f"k{number}=1" for number in range(7_000)),
        "core_paths = [" + "'**'," * 12_000 + "]",
    ],
    ids=range(12),
)
def test_a_hostile_file_takes_no_time(text: str) -> None:
    started = time.process_time()
    with pytest.raises(InvalidInput) as raised:
        overridden(LISTED, text)
    assert time.process_time() - started < 2.5
    assert len(str(raised.value)) < 400


def test_dots_in_patterns_and_comments_are_no_deep_keys() -> None:
    found = overridden(LISTED, f"# {'.' * 200}\ncore_paths = ['a.b.c.d.e.f.g.h', '**/*.py', '**/*.rs']\n")

    assert found.core_paths == ("a.b.c.d.e.f.g.h", "**/*.py", "**/*.rs")
