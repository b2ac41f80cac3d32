"""Names in registries that small diffs add, remove, rename, or let stand for something else."""

from __future__ import annotations

import time

import pytest

from services.analyzer.facts import registered_names
from shared.domain.facts import Reach
from tests.unit.services.analyzer.facts.written import both, facts_of

TABLE = 'MODELS = {{\n    "AlphaModel": ("alpha", "AlphaModel"),\n{rows}    "ZetaModel": ("zeta", "ZetaModel"),\n}}\n'
ENUM = (
    'class Backend(Enum):\n    ONE = "app.backends.one.OneBackend"\n{rows}    LAST = "app.backends.last.LastBackend"\n'
)
PROJECT = '[project]\nname = "app"\n\n[project.scripts]\n{rows}last = "app.last:run"\n'


def fact(kind: str, name: str, old: str | None = None, new: str | None = None) -> set:
    return {(kind, "registered-name", name, old, new)}


CASES = {
    "a row of a table": (
        "app/registry.py",
        TABLE.format(rows=""),
        TABLE.format(rows='    "BetaModel": ("beta", "BetaModel"),\n'),
        fact("added", "BetaModel", None, '("beta", "BetaModel")'),
    ),
    "a row that is gone": (
        "app/registry.py",
        TABLE.format(rows='    "BetaModel": ("beta", "BetaModel"),\n'),
        TABLE.format(rows=""),
        fact("removed", "BetaModel", '("beta", "BetaModel")'),
    ),
    "a row under another name, with its class": (
        "app/registry.py",
        TABLE.format(rows='    "BetaMoeModel": ("beta_moe", "BetaMoeModel"),\n'),
        TABLE.format(rows='    "Beta2MoeModel": ("beta2_moe", "Beta2MoeModel"),\n'),
        fact("renamed", "BetaMoeModel", "BetaMoeModel", "Beta2MoeModel"),
    ),
    "another row in its place": (
        "app/registry.py",
        TABLE.format(rows='    "BetaModel": ("beta", "BetaModel"),\n'),
        TABLE.format(rows='    "QuiteOther": ("other", "QuiteOther"),\n'),
        fact("removed", "BetaModel", '("beta", "BetaModel")')
        | fact("added", "QuiteOther", None, '("other", "QuiteOther")'),
    ),
    "a row whose class lies elsewhere now": (
        "app/registry.py",
        TABLE.format(rows='    "BetaModel": ("beta", "BetaModel"),\n'),
        TABLE.format(rows='    "BetaModel": ("new_beta", "BetaModel"),\n'),
        fact("moved", "BetaModel", '("beta", "BetaModel")', '("new_beta", "BetaModel")'),
    ),
    "a row that stands for another class": (
        "app/registry.py",
        TABLE.format(rows='    "BetaModel": ("beta", "BetaModel"),\n'),
        TABLE.format(rows='    "BetaModel": ("beta", "BetterModel"),\n'),
        fact("changed", "BetaModel", '("beta", "BetaModel")', '("beta", "BetterModel")'),
    ),
    "a row with a class": (
        "app/parsers.py",
        'PARSERS = {\n    "a": AParser,\n}\n',
        'PARSERS = {\n    "a": AParser,\n    "json": JsonParser,\n}\n',
        fact("added", "json", None, "JsonParser"),
    ),
    "a member that is gone": (
        "app/backends.py",
        ENUM.format(rows='    TREE = "app.backends.tree.TreeBackend"\n'),
        ENUM.format(rows=""),
        fact("removed", "Backend.TREE", '"app.backends.tree.TreeBackend"'),
    ),
    "a member over two lines": (
        "app/backends.py",
        ENUM.format(rows=""),
        ENUM.format(rows='    TREE = (\n        "app.backends.tree."\n        "TreeBackend"\n    )\n'),
        fact("added", "Backend.TREE", None, '"app.backends.tree.TreeBackend"'),
    ),
    "a value of an enumeration": (
        "app/config.py",
        'class Mode(str, Enum):\n    A = "a"\n',
        'class Mode(str, Enum):\n    A = "a"\n    FAST = "fast"\n',
        fact("added", "Mode.FAST", None, '"fast"'),
    ),
    "a script": (
        "pyproject.toml",
        PROJECT.format(rows='old-serve = "app.main:run"\n'),
        PROJECT.format(rows='serve = "app.main:run"\n'),
        fact("renamed", "old-serve", "old-serve", "serve"),
    ),
    "an entry point of plug-ins": (
        "pyproject.toml",
        '[project.entry-points."app.plugins"]\none = "app.one:load"\n',
        '[project.entry-points."app.plugins"]\n',
        fact("removed", "one", "app.one:load"),
    ),
    "a script in setup.py": (
        "setup.py",
        "setup(\n    entry_points={\n    },\n)\n",
        'setup(\n    entry_points={"console_scripts": ["serve=app.main:run"]},\n)\n',
        fact("added", "serve", None, "app.main:run"),
    ),
    "a decorator": (
        "app/ops.py",
        '@Operation.register("slow_op")\nclass Slow: ...\n',
        "class Slow: ...\n",
        fact("removed", "slow_op"),
    ),
    "a call": (
        "app/connectors.py",
        "import registry\n",
        'import registry\nregistry.register_connector("Nix", "app.nix", "NixConnector")\n',
        fact("added", "Nix", None, '"app.nix", "NixConnector"'),
    ),
    "a subcommand": (
        "app/cli.py",
        "sub = parser.add_subparsers()\n",
        'sub = parser.add_subparsers()\nserve = sub.add_parser("serve", help="x")\n',
        fact("added", "serve"),
    ),
    "a subcommand in go": (
        "cmd/serve.go",
        'var c = &cobra.Command{\n\tUse:   "serve [model]",\n}\n',
        'var c = &cobra.Command{\n\tUse:   "run [model]",\n}\n',
        fact("removed", "serve") | fact("added", "run"),
    ),
    "a subcommand in typescript": (
        "src/cli.ts",
        "x();\n",
        'x();\nprogram.command("serve <model>");\n',
        fact("added", "serve"),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_told(case):
    path, before, after, expected = CASES[case]
    assert both({path: (before, after)}, registered_names) == expected


LOOK_ALIKES = {
    "a test": ("tests/registry.py", 'X = {\n    "Beta": ("beta", "Beta"),\n}\n'),
    "a comment": ("app/registry.py", 'X = {\n    # "Beta": ("beta", "Beta"),\n}\n'),
    "a table of weights": ("app/loader.py", 'MAP = {\n    "model.embed.weight": "model.embed.weight",\n}\n'),
    "switches": ("app/levels.py", 'LEVELS = {\n    "fuse_all": False,\n    "x": None,\n}\n'),
    "a dictionary within a function": ("app/x.py", 'def f():\n    name_map = {\n        "block": BlockScale,\n    }\n'),
    "a hook": ("app/x.py", 'self.register_buffer("weight", tensor)\nself.register_forward_hook("x", y)\n'),
    "atexit": ("app/x.py", 'atexit.register("x", y)\n'),
    "a constant outside of an enumeration": ("app/x.py", 'class Names:\n    A = "a"\n'),
    "a dependency": ("pyproject.toml", '[tool.other]\nserve = "app.main:run"\n'),
    "vendored": ("vendor/registry.py", 'X = {\n    "Beta": ("beta", "Beta"),\n}\n'),
    "a docstring": ("app/x.py", '"""\n@register("x")\nsub.add_parser("serve")\n"""\n'),
    "a string": ("app/x.py", "print('sub.add_parser(\"serve\")')\n"),
}


@pytest.mark.parametrize("case", LOOK_ALIKES)
def test_look_alikes_tell_nothing(case):
    path, text = LOOK_ALIKES[case]
    assert both({path: ("x = 1\n", "x = 1\n" + text)}, registered_names) == set()


def test_a_row_that_moved_to_another_table_is_no_fact():
    row = '    "BetaModel": ("beta", "BetaModel"),\n'
    files = {
        "app/a.py": (TABLE.format(rows=row), TABLE.format(rows="")),
        "app/b.py": (TABLE.format(rows=""), TABLE.format(rows=row)),
    }
    assert both(files, registered_names) == set()


@pytest.mark.parametrize(
    ("case", "reach"), [("a row of a table", Reach.PUBLIC), ("a value of an enumeration", Reach.PUBLIC)]
)
def test_who_can_notice(case, reach):
    path, before, after, _ = CASES[case]
    assert [found.reach for found in facts_of({path: (before, after)}, registered_names)] == [reach]


def test_a_value_of_an_enumeration_in_the_depths_is_for_extensions():
    _, before, after, _ = CASES["a value of an enumeration"]
    assert [found.reach for found in facts_of({"app/layers.py": (before, after)}, registered_names)] == [
        Reach.EXTENSION
    ]


@pytest.mark.parametrize(
    "text",
    [
        'register("' * 30_000,
        "\n".join(f'    "N{n}": ("a", "B{n}"),' for n in range(4_000)),
        '@register(\x00"x"\n' * 3_000,
        "{" * 50_000,
    ],
)
def test_hostile_text_is_read_in_bounded_time(text):
    began = time.process_time()
    assert len(facts_of({"app/registry.py": ("X = {\n", "X = {\n" + text + "\n")}, registered_names)) <= 40
    assert time.process_time() - began < 5
