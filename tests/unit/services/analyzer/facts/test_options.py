"""Command-line options that small diffs add, remove, rename, or give another default."""

from __future__ import annotations

import time

import pytest

from services.analyzer.facts import options
from shared.domain.facts import FactKind, Reach
from tests.unit.services.analyzer.facts.written import both, facts_of

HEAD = "import argparse\n\nparser = argparse.ArgumentParser()\n"


def fact(kind: str, name: str, old: str | None = None, new: str | None = None) -> set:
    return {(kind, "option", name, old, new)}


CASES = {
    "argparse": (
        "app/cli.py",
        HEAD + 'parser.add_argument("--port", "-p", type=int, default=80)\n',
        HEAD + 'parser.add_argument("--port", "-p", type=int, default=8080)\n',
        fact("default-changed", "--port", "80", "8080"),
    ),
    "argparse over lines": (
        "app/cli.py",
        HEAD + 'parser.add_argument(\n    "--port",\n    default=80,\n    help="where to listen",\n)\n',
        HEAD + 'parser.add_argument(\n    "--port",\n    default=8080,\n    help="where to listen",\n)\n',
        fact("default-changed", "--port", "80", "8080"),
    ),
    "argparse, new": (
        "app/cli.py",
        HEAD,
        HEAD + 'parser.add_argument("--port", default=80)\n',
        fact("added", "--port", None, "80"),
    ),
    "argparse, gone": (
        "app/cli.py",
        HEAD + 'parser.add_argument("--port", default=80)\n',
        HEAD,
        fact("removed", "--port", "80"),
    ),
    "argparse, another name": (
        "app/cli.py",
        HEAD + 'parser.add_argument("--listen-port", default=80)\n',
        HEAD + 'parser.add_argument("--port", default=80)\n',
        fact("renamed", "--listen-port", "--listen-port", "--port"),
    ),
    "argparse, demanded": (
        "app/cli.py",
        HEAD + 'parser.add_argument("--model")\n',
        HEAD + 'parser.add_argument("--model", required=True)\n',
        fact("required", "--model"),
    ),
    "argparse, choices": (
        "app/cli.py",
        HEAD + 'parser.add_argument("--mode", choices=["a", "b"])\n',
        HEAD + 'parser.add_argument("--mode", choices=["a"])\n',
        fact("changed", "--mode", '["a", "b"]', '["a"]'),
    ),
    "argparse, made from a class": (
        "app/cli.py",
        "@dataclass\nclass LoadConfig:\n    a: int = 1\n\n" + HEAD + 'group.add_argument("--a", **kwargs["a"])\n',
        "@dataclass\nclass LoadConfig:\n    a: int = 1\n    num_threads: int = 8\n\n"
        + HEAD
        + 'group.add_argument("--a", **kwargs["a"])\ngroup.add_argument("--num-threads", **kwargs["num_threads"])\n',
        fact("added", "--num-threads", None, "8"),
    ),
    "click": (
        "app/cli.py",
        'import click\n\n@click.option("--port/--no-port", default=True, help="x")\ndef run(port): ...\n',
        'import click\n\n@click.option("--port/--no-port", default=False, help="x")\ndef run(port): ...\n',
        fact("default-changed", "--port", "True", "False"),
    ),
    "typer": (
        "app/cli.py",
        'def run(\n    port: int = typer.Option(80, "--listen"),\n): ...\n',
        'def run(\n    port: int = typer.Option(81, "--listen"),\n): ...\n',
        fact("default-changed", "--listen", "80", "81"),
    ),
    "typer, named by its parameter": (
        "app/cli.py",
        'def run(\n    max_size: int = typer.Option(80, help="x"),\n): ...\n',
        'def run(\n    max_size: int = typer.Option(81, help="x"),\n): ...\n',
        fact("default-changed", "--max-size", "80", "81"),
    ),
    "absl": (
        "app/cli.py",
        'from absl import flags\nflags.DEFINE_integer("port", 80, "where")\n',
        'from absl import flags\nflags.DEFINE_integer("port", 81, "where")\n',
        fact("default-changed", "--port", "80", "81"),
    ),
    "go flag": (
        "cmd/main.go",
        'package main\n\nvar port = flag.Int("port", 80, "where to listen")\n',
        'package main\n\nvar port = flag.Int("port", 81, "where to listen")\n',
        fact("default-changed", "--port", "80", "81"),
    ),
    "go pflag with a variable and a short name": (
        "cmd/main.go",
        'func init() {\n\tcmd.Flags().StringVarP(&host, "host", "H", "a", "the host")\n}\n',
        'func init() {\n\tcmd.Flags().StringVarP(&host, "host", "H", "b", "the host")\n}\n',
        fact("default-changed", "--host", '"a"', '"b"'),
    ),
    "go with a prefix": (
        "pkg/config.go",
        "func (c *Config) Register(prefix string, f *flag.FlagSet) {\n}\n",
        'func (c *Config) Register(prefix string, f *flag.FlagSet) {\n\tf.DurationVar(&c.Wait, prefix+"wait", 5*time.Second, "how long")\n}\n',
        fact("added", "--<prefix>wait", None, "5*time.Second"),
    ),
    "rust derive": (
        "src/main.rs",
        "#[derive(Parser)]\nstruct Args {\n    #[arg(long, default_value_t = 80)]\n    listen_port: u16,\n}\n",
        "#[derive(Parser)]\nstruct Args {\n    #[arg(long, default_value_t = 81)]\n    listen_port: u16,\n}\n",
        fact("default-changed", "--listen-port", "80", "81"),
    ),
    "rust derive, new": (
        "src/main.rs",
        "#[derive(Parser)]\nstruct Args {\n}\n",
        '#[derive(Parser)]\nstruct Args {\n    /// Where.\n    #[arg(short, long, default_value = "a")]\n    pub host: String,\n}\n',
        fact("added", "--host", None, '"a"'),
    ),
    "rust builder": (
        "src/main.rs",
        'let a = Arg::new("port").long("port").default_value("80");\n',
        'let a = Arg::new("port").long("port").default_value("81");\n',
        fact("default-changed", "--port", '"80"', '"81"'),
    ),
    "commander": (
        "src/cli.ts",
        'program.option("-p, --port <number>", "where", "80");\n',
        'program.option("-p, --port <number>", "where", "81");\n',
        fact("default-changed", "--port", '"80"', '"81"'),
    ),
    "yargs": (
        "src/cli.js",
        'yargs.option("port", { type: "number", default: 80 });\n',
        'yargs.option("port", { type: "number", default: 81 });\n',
        fact("default-changed", "--port", "80", "81"),
    ),
    "gflags": (
        "src/main.cc",
        'DEFINE_int32(port, 80, "where to listen");\n',
        'DEFINE_int32(port, 81, "where to listen");\n',
        fact("default-changed", "--port", "80", "81"),
    ),
    "cli11": (
        "src/main.cpp",
        "int main() {\n",
        'int main() {\n  app.add_option("-p,--port", port, "where");\n',
        fact("added", "--port"),
    ),
    "getopt": (
        "src/main.c",
        "static struct option o[] = {\n  {\"port\", required_argument, 0, 'p'},\n};\n",
        "static struct option o[] = {\n};\n",
        fact("removed", "--port"),
    ),
    "a table of names in c++": (
        "common/arg.cpp",
        "void add() {\n}\n",
        'void add() {\n  add_opt(arg({"-t", "--threads"}, "N", "how many"));\n}\n',
        fact("added", "--threads"),
    ),
    "shell": (
        "bin/start.sh",
        'case "$1" in\n  --help) usage ;;\nesac\n',
        'case "$1" in\n  --help) usage ;;\n  -p|--port) PORT="$2" ;;\nesac\n',
        fact("added", "--port"),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_told(case):
    path, before, after, expected = CASES[case]
    assert both({path: (before, after)}, options) == expected


LOOK_ALIKES = {
    "a test": ("tests/test_cli.py", 'parser.add_argument("--port")\n'),
    "a comment": ("app/cli.py", '# parser.add_argument("--port")\n'),
    "a docstring": ("app/cli.py", '"""\nparser.add_argument("--port")\n"""\n'),
    "a string": ("app/cli.py", "x = 'parser.add_argument(\"--port\")'\n"),
    "a command that is run": ("app/cli.py", 'subprocess.run(["serve", "--port", "80"])\n'),
    "an option of a browser": ("app/cli.py", 'chrome_options.add_argument("--headless")\n'),
    "a positional argument": ("app/cli.py", 'parser.add_argument("model")\n'),
    "a page": ("docs/cli.md", 'parser.add_argument("--port")\n'),
    "vendored": ("third_party/x/cli.py", 'parser.add_argument("--port")\n'),
    "a field of a log line": ("pkg/log.go", 'l.Info().String("port", "80").Int("n", 1)\n'),
    "a comment in go": ("cmd/main.go", '// flag.Int("port", 80, "x")\n'),
    "an attribute that is no option": ("src/a.rs", "#[serde(default)]\nport: u16,\n"),
    "a default in a pattern": ("bin/x.sh", "# --port) x ;;\n"),
    "continuous integration": (".github/scripts/x.py", 'parser.add_argument("--port")\n'),
    "another option() in typescript": ("src/a.ts", 'select.option("red");\n'),
}


@pytest.mark.parametrize("case", LOOK_ALIKES)
def test_look_alikes_tell_nothing(case):
    path, text = LOOK_ALIKES[case]
    assert both({path: ("x\n", "x\n" + text)}, options) == set()


def test_what_moved_to_another_file_is_no_fact():
    line = 'parser.add_argument("--port", default=80)\n'
    assert both({"app/a.py": (HEAD + line, HEAD), "app/b.py": (HEAD, HEAD + line)}, options) == set()


def test_a_new_demanded_option_is_told_as_demanded():
    files = {"app/cli.py": (HEAD, HEAD + 'parser.add_argument("--model", required=True)\n')}
    (found,) = facts_of(files, options)
    assert (found.kind, found.note) == (FactKind.REQUIRED, "new, and demanded")


def test_the_way_back_is_the_option_with_its_old_value():
    path, before, after, _ = CASES["argparse over lines"]
    (found,) = facts_of({path: (before, after)}, options)
    assert (found.way_back, found.reach) == ("--port 80", Reach.PUBLIC)
    assert found.after is not None
    assert (found.after.line, found.after.quote) == (6, "default=8080,")


def test_an_option_left_out_of_the_help_is_internal():
    files = {"app/cli.py": (HEAD, HEAD + 'parser.add_argument("--x", help=argparse.SUPPRESS)\n')}
    assert [found.reach for found in facts_of(files, options)] == [Reach.INTERNAL]


@pytest.mark.parametrize(
    "text",
    [
        "x.add_argument(" * 30_000,
        'parser.add_argument("--x"\n' * 3_000,
        "\n".join(f'parser.add_argument("--x{n}", default={n})' for n in range(3_000)),
        'add_option(\x00"--x",' + "[" * 5_000,
    ],
)
def test_hostile_text_is_read_in_bounded_time(text):
    began = time.process_time()
    assert len(facts_of({"app/cli.py": (HEAD, HEAD + text + "\n")}, options)) <= 40
    assert time.process_time() - began < 5
