"""Environment variables that small diffs read anew, no more, or with another default."""

from __future__ import annotations

import time

import pytest

from services.analyzer.facts import environment_variables
from shared.domain.facts import Reach
from tests.unit.services.analyzer.facts.written import both, facts_of

VARIABLE = "environment-variable"


def changed(name: str, old: str | None, new: str | None) -> set:
    return {("default-changed", VARIABLE, name, old, new)}


def added(name: str, new: str | None) -> set:
    return {("added", VARIABLE, name, None, new)}


CASES = {
    "a default in a call over two lines": (
        "app/envs.py",
        'TABLE = {\n    "WIDGETS_FAST": lambda: bool(\n        int(os.getenv("WIDGETS_FAST", "0"))\n    ),\n}\n',
        'TABLE = {\n    "WIDGETS_FAST": lambda: bool(\n        int(os.getenv("WIDGETS_FAST", "1"))\n    ),\n}\n',
        changed("WIDGETS_FAST", '"0"', '"1"'),
    ),
    "environ.get": (
        "app/run.py",
        'port = int(os.environ.get("WIDGETS_PORT", "80"))\n',
        'port = int(os.environ.get("WIDGETS_PORT", "8080"))\n',
        changed("WIDGETS_PORT", '"80"', '"8080"'),
    ),
    "a declaration with its type beside the table is one fact": (
        "app/envs.py",
        "if TYPE_CHECKING:\n    A: int\n\nTABLE = {\n}\n",
        (
            "if TYPE_CHECKING:\n    A: int\n    WIDGETS_NEW: bool = False\n\nTABLE = {\n"
            '    "WIDGETS_NEW": lambda: bool(int(os.environ.get("WIDGETS_NEW", "0"))),\n}\n'
        ),
        added("WIDGETS_NEW", '"0"'),
    ),
    "a wrapper": (
        "app/envs.py",
        'MODE = env_with_choices("WIDGETS_MODE", "slow", ["slow", "fast"])\n',
        'MODE = env_with_choices("WIDGETS_MODE", "fast", ["slow", "fast"])\n',
        changed("WIDGETS_MODE", '"slow"', '"fast"'),
    ),
    "or": (
        "app/run.py",
        'HOST = os.environ.get("WIDGETS_HOST") or "a"\n',
        'HOST = os.environ.get("WIDGETS_HOST") or "b"\n',
        changed("WIDGETS_HOST", '"a"', '"b"'),
    ),
    "demanded before, with a default now": (
        "app/run.py",
        'HOST = os.environ["WIDGETS_HOST"]\n',
        'HOST = os.environ.get("WIDGETS_HOST", "x")\n',
        changed("WIDGETS_HOST", None, '"x"'),
    ),
    "a default set for a library": (
        "app/start.py",
        "import os\n",
        'import os\nos.environ.setdefault("OTHERS_CLEAN_UP", "1")\n',
        changed("OTHERS_CLEAN_UP", None, '"1"'),
    ),
    "a constant that the merge changes": (
        "app/run.py",
        'DEFAULT_PORT = 80\nport = os.getenv("WIDGETS_PORT", DEFAULT_PORT)\n',
        'DEFAULT_PORT = 81\nport = os.getenv("WIDGETS_PORT",  DEFAULT_PORT)\n',
        set(),
    ),
    "a default of nothing": (
        "src/config.ts",
        "const x = process.env.WIDGETS_X;\n",
        "const x = process.env.WIDGETS_X || null;\n",
        set(),
    ),
    "a default that stands on another line now": (
        "src/config.ts",
        "const x = process.env.WIDGETS_X || 4096;\n",
        "const given = process.env.WIDGETS_X;\nconst x = given > 0 ? given : 4096;\n",
        set(),
    ),
    "two that only share words are two": (
        "app/envs.py",
        'A = os.getenv("WIDGETS_PREFILL_BUCKET_SIZE", "4")\n',
        'A = os.getenv("WIDGETS_SIZE_EXPONENT_OF_ALL", "4")\n',
        {
            ("removed", VARIABLE, "WIDGETS_PREFILL_BUCKET_SIZE", '"4"', None),
            ("added", VARIABLE, "WIDGETS_SIZE_EXPONENT_OF_ALL", None, '"4"'),
        },
    ),
    "a default that is worked out for a library is none": (
        "app/start.py",
        "import os\n",
        'import os\nos.environ.setdefault("OTHERS_VERSION", flags.version)\n',
        set(),
    ),
    "another name with the same default": (
        "app/envs.py",
        'X = os.getenv("WIDGETS_OLD_CACHE", "/tmp/w")\n',
        'X = os.getenv("WIDGETS_CACHE", "/tmp/w")\n',
        {("renamed", VARIABLE, "WIDGETS_OLD_CACHE", "WIDGETS_OLD_CACHE", "WIDGETS_CACHE")},
    ),
    "no longer read": (
        "app/envs.py",
        'X = 1\nY = os.getenv("WIDGETS_GONE", "5")\n',
        "X = 1\n",
        {("removed", VARIABLE, "WIDGETS_GONE", '"5"', None)},
    ),
    "a field of settings": (
        "app/settings.py",
        'class S(BaseSettings):\n    port: int = Field(default=80, validation_alias="WIDGETS_PORT")\n',
        'class S(BaseSettings):\n    port: int = Field(default=81, validation_alias="WIDGETS_PORT")\n',
        changed("WIDGETS_PORT", "80", "81"),
    ),
    "go": (
        "pkg/config.go",
        'package config\n\nvar port = getEnv("WIDGETS_PORT", "80")\n',
        'package config\n\nvar port = getEnv("WIDGETS_PORT", "81")\n',
        changed("WIDGETS_PORT", '"80"', '"81"'),
    ),
    "go, new": (
        "pkg/config.go",
        "package config\n",
        'package config\n\nvar token, ok = os.LookupEnv("WIDGETS_TOKEN")\n',
        added("WIDGETS_TOKEN", None),
    ),
    "go, a tag of a field": (
        "pkg/config.go",
        'type C struct {\n\tPort int `env:"WIDGETS_PORT" envDefault:"80"`\n}\n',
        'type C struct {\n\tPort int `env:"WIDGETS_PORT" envDefault:"81"`\n}\n',
        changed("WIDGETS_PORT", '"80"', '"81"'),
    ),
    "rust": (
        "src/main.rs",
        'let port = env::var("WIDGETS_PORT").unwrap_or("80".into());\n',
        'let port = env::var("WIDGETS_PORT").unwrap_or("81".into());\n',
        changed("WIDGETS_PORT", '"80"', '"81"'),
    ),
    "rust, a chain over lines": (
        "src/main.rs",
        'let port = env::var("WIDGETS_PORT")\n    .ok()\n    .unwrap_or_else(|_| "80".to_string());\n',
        'let port = env::var("WIDGETS_PORT")\n    .ok()\n    .unwrap_or_else(|_| "81".to_string());\n',
        changed("WIDGETS_PORT", '"80"', '"81"'),
    ),
    "typescript": (
        "src/config.ts",
        'export const port = process.env.WIDGETS_PORT ?? "80";\n',
        'export const port = process.env.WIDGETS_PORT ?? "81";\n',
        changed("WIDGETS_PORT", '"80"', '"81"'),
    ),
    "javascript, in brackets": (
        "src/config.js",
        'const port = process.env["WIDGETS_PORT"] || 80;\n',
        'const port = process.env["WIDGETS_PORT"] || 81;\n',
        changed("WIDGETS_PORT", "80", "81"),
    ),
    "c++": (
        "src/main.cc",
        "int main() {}\n",
        'int main() {}\nstatic const char* level = std::getenv("WIDGETS_LEVEL");\n',
        added("WIDGETS_LEVEL", None),
    ),
    "c++, a wrapper": (
        "src/main.cc",
        'auto n = get_env_int("WIDGETS_N", 4);\n',
        'auto n = get_env_int("WIDGETS_N", 8);\n',
        changed("WIDGETS_N", "4", "8"),
    ),
    "shell": (
        "bin/start.sh",
        'PORT="${WIDGETS_PORT:-80}"\n',
        'PORT="${WIDGETS_PORT:-81}"\n',
        changed("WIDGETS_PORT", "80", "81"),
    ),
    "java": (
        "src/main/java/App.java",
        "class App {\n}\n",
        'class App {\n  String h = System.getenv("WIDGETS_HOST");\n}\n',
        added("WIDGETS_HOST", None),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_told(case):
    path, before, after, expected = CASES[case]
    assert both({path: (before, after)}, environment_variables) == expected


LOOK_ALIKES = {
    "a test": ("tests/test_app.py", 'x = os.getenv("WIDGETS_X", "1")\n'),
    "a comment": ("app/run.py", '# os.getenv("WIDGETS_X", "1")\n'),
    "a docstring": ("app/run.py", '"""Read with os.getenv("WIDGETS_X", "1")."""\n'),
    "a string": ("app/run.py", "print(\"use os.getenv('WIDGETS_X')\")\n"),
    "a page": ("docs/config.md", '`os.getenv("WIDGETS_X", "1")`\n'),
    "vendored": ("vendor/lib/run.go", 'x := os.Getenv("WIDGETS_X")\n'),
    "generated": ("app/api_pb2.py", 'x = os.getenv("WIDGETS_X", "1")\n'),
    "set for a child": ("app/run.py", 'env["WIDGETS_X"] = "1"\nos.environ["WIDGETS_Y"] = "1"\n'),
    "set in javascript": ("src/run.ts", 'process.env.WIDGETS_X = "1";\n'),
    "a function that sets": ("app/run.py", 'set_env("WIDGETS_X", "1")\nos.putenv("WIDGETS_X", "1")\n'),
    "a command's environment in rust": ("src/run.rs", 'Command::new("x").env("WIDGETS_X", "1");\n'),
    "of the system": ("app/run.py", 'x = os.environ.get("HOME", "/")\ny = os.getenv("GITHUB_SHA")\n'),
    "a comment in c": ("src/a.cc", '/* getenv("WIDGETS_X") */\n'),
    "continuous integration": (".github/scripts/run.sh", 'X="${WIDGETS_X:-1}"\n'),
    "no reading at all": ("app/run.py", 'environment("WIDGETS_X", "1")\n'),
}


@pytest.mark.parametrize("case", LOOK_ALIKES)
def test_look_alikes_tell_nothing(case):
    path, text = LOOK_ALIKES[case]
    assert both({path: ("x\n", "x\n" + text)}, environment_variables) == set()


def test_what_moved_between_files_is_no_fact():
    line = 'X = os.getenv("WIDGETS_X", "1")\n'
    assert (
        both({"app/a.py": ("import os\n" + line, "import os\n"), "app/b.py": ("import os\n", "import os\n" + line)})
        == set()
    )


def test_a_name_that_goes_on_in_another_is_not_taken_for_it():
    before = 'A = os.getenv("WIDGETS_X_LONG", "1")\n'
    after = before + 'B = os.getenv("WIDGETS_X", "1")\n'
    assert both({"app/envs.py": (before, after)}, environment_variables) == added("WIDGETS_X", '"1"')


def test_the_way_back_is_the_old_value():
    path, before, after, _ = CASES["environ.get"]
    (fact,) = facts_of({path: (before, after)}, environment_variables)
    assert (fact.way_back, fact.reach) == ("WIDGETS_PORT=80", Reach.PUBLIC)
    assert fact.after is not None
    assert (fact.after.path, fact.after.line, fact.after.quote) == (path, 1, after.strip())


def test_a_new_switch_that_is_on_can_be_turned_off():
    files = {"app/envs.py": ("import os\n", 'import os\nX = os.getenv("WIDGETS_X", "1") == "1"\n')}
    (fact,) = facts_of(files, environment_variables)
    assert (fact.way_back, fact.note) == ("WIDGETS_X=0", "on by default")


@pytest.mark.parametrize(
    ("path", "name", "reach"),
    [
        ("scripts/run.py", "WIDGETS_X", Reach.INTERNAL),
        ("setup.py", "WIDGETS_X", Reach.BUILDERS),
        ("app/run.py", "OTHERS_X", Reach.INTERNAL),
        ("app/run.py", "_WIDGETS_X", Reach.INTERNAL),
        ("app/run.py", "LUMEN_X", Reach.PUBLIC),
    ],
)
def test_who_can_notice(path, name, reach):
    (fact,) = facts_of({path: ("import os\n", f'import os\nX = os.getenv("{name}")\n')}, environment_variables)
    assert fact.reach is reach


@pytest.mark.parametrize(
    "text",
    [
        'getenv("A' * 40_000,
        "\n".join(['x = os.getenv("WIDGETS_A' + "(" * 400] * 500),
        'os.getenv(\x00"WIDGETS_X", ((((\n' * 2_000,
        "\n".join(f'x{n} = os.getenv("WIDGETS_{n}", "{n}")' for n in range(3_000)),
        '"""' * 3_001,
    ],
)
def test_hostile_text_is_read_in_bounded_time(text):
    began = time.process_time()
    assert len(facts_of({"app/envs.py": ("import os\n", "import os\n" + text + "\n")}, environment_variables)) <= 40
    assert time.process_time() - began < 5
