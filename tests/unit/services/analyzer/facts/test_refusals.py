"""What is refused anew, what is not any more, and what only fails in other words."""

from __future__ import annotations

import pytest

from services.analyzer.facts import refusals
from shared.domain.facts import Reach
from tests.unit.services.analyzer.facts.written import both, facts_of

HEAD = "class ServerConfig:\n    def validate(self):\n        self.load()\n"
TAIL = "        self.ready = True\n        return self\n"
RAISE = '        if self.workers < 1:\n            raise ValueError("workers must be at least one")\n'
WORKERS = "workers must be at least one"
REFUSED = ("refused", "input", WORKERS, "accepted", f"ValueError: {WORKERS}")


def python(*, before: str = "", after: str = "", path: str = "src/config.py") -> dict[str, tuple[str, str]]:
    return {path: (HEAD + before + TAIL, HEAD + after + TAIL)}


def test_a_new_error_in_an_existing_function_refuses():
    assert both(python(after=RAISE), refusals) == {REFUSED}


def test_an_error_that_is_gone_accepts():
    assert both(python(before=RAISE), refusals) == {
        ("accepted", "input", WORKERS, f"ValueError: {WORKERS}", "accepted")
    }


def test_the_condition_and_the_function_are_told():
    (fact,) = facts_of(python(after=RAISE), refusals, sources=True)
    assert fact.reach is Reach.PUBLIC
    assert "when self.workers < 1" in fact.note
    assert "in ServerConfig.validate" in fact.note
    assert fact.after is not None
    assert (fact.after.path, fact.after.line) == ("src/config.py", 5)


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            python(
                before="        if self.port is None:\n            warnings.warn('a port of None is deprecated, give a number')\n",
                after="        if self.port is None:\n            raise ValueError('a port of None is refused, give a number')\n",
            ),
            (
                "refused",
                "input",
                "a port of None is refused, give a number",
                "warnings.warn('a port of None is deprecated, give a number')",
                "ValueError: a port of None is refused, give a number",
            ),
            id="a-warning-becomes-an-error",
        ),
        pytest.param(
            python(
                before='        assert self.workers > 0, "workers must be positive"\n',
                after='        if self.workers <= 0:\n            raise ValueError("workers must be positive")\n',
            ),
            (
                "error-changed",
                "input",
                "workers must be positive",
                "assert: workers must be positive",
                "ValueError: workers must be positive",
            ),
            id="an-assertion-becomes-an-error",
        ),
        pytest.param(
            python(
                before="        assert self.worker_count > 0\n",
                after='        if self.worker_count <= 0:\n            raise ValueError("a worker count of zero is invalid")\n',
            ),
            (
                "error-changed",
                "input",
                "a worker count of zero is invalid",
                "assert self.worker_count > 0",
                "ValueError: a worker count of zero is invalid",
            ),
            id="an-assertion-without-words-becomes-an-error",
        ),
        pytest.param(
            python(
                before='        if self.mode == "x":\n            raise KeyError("mode x must not be used")\n',
                after='        if self.mode == "x":\n            raise ValueError("mode x must not be used")\n',
            ),
            (
                "error-changed",
                "input",
                "mode x must not be used",
                "KeyError: mode x must not be used",
                "ValueError: mode x must not be used",
            ),
            id="another-class",
        ),
        pytest.param(
            python(
                before='        if self.size > 8:\n            raise ValueError("this size is not supported")\n',
                after='        if self.size > 16:\n            raise ValueError("this size is not supported")\n',
            ),
            ("changed", "input", "this size is not supported", "if self.size > 8", "if self.size > 16"),
            id="another-limit",
        ),
        pytest.param(
            python(
                before='        if self.fast:\n            raise ValueError("fast mode is not supported")\n',
                after='        if self.fast and not self.gpu:\n            raise ValueError("fast mode is not supported")\n',
            ),
            ("accepted", "input", "fast mode is not supported", "if self.fast", "if self.fast and not self.gpu"),
            id="one-more-clause-refuses-less",
        ),
        pytest.param(
            python(
                before='        if self.fast:\n            raise ValueError("fast mode is not supported")\n',
                after='        if self.fast or self.eager:\n            raise ValueError("fast mode is not supported")\n',
            ),
            ("refused", "input", "fast mode is not supported", "if self.fast", "if self.fast or self.eager"),
            id="one-more-alternative-refuses-more",
        ),
        pytest.param(
            python(
                after="        unsupported = []\n        if self.pipeline > 1:\n            unsupported.append('pipelines')\n"
                "        if self.lazy:\n            unsupported.append('lazy loading')\n        if unsupported:\n"
                "            raise ValueError('--fast does not support: ' + ', '.join(unsupported))\n"
            ),
            (
                "refused",
                "input",
                "--fast does not support: pipelines, lazy loading",
                "accepted",
                "ValueError: --fast does not support: pipelines, lazy loading",
            ),
            id="a-list-of-reasons",
        ),
        pytest.param(
            python(
                after="        if self.a:\n            msg = f'{self.a} cannot be set'\n            raise TypeError(msg)\n"
            ),
            ("refused", "input", "… cannot be set", "accepted", "TypeError: {self.a} cannot be set"),
            id="words-in-a-variable",
        ),
        pytest.param(
            {
                "src/server.py": (
                    "def start(args):\n    prepare(args)\n    run(args)\n",
                    (
                        "def start(args):\n    prepare(args)\n    if args.tls and not args.key:\n"
                        '        parser.error("--tls needs --key")\n    run(args)\n'
                    ),
                )
            },
            ("refused", "input", "--tls needs --key", "accepted", "parser.error: --tls needs --key"),
            id="an-error-of-the-command-line",
        ),
        pytest.param(
            {
                "pkg/server/config.go": (
                    "func (c *Config) Validate() error {\n\tc.fill()\n\treturn nil\n}\n",
                    (
                        "func (c *Config) Validate() error {\n\tc.fill()\n\tif c.Shards <= 0 {\n"
                        '\t\treturn fmt.Errorf("shards must be positive, got %d", c.Shards)\n\t}\n\treturn nil\n}\n'
                    ),
                )
            },
            (
                "refused",
                "input",
                "shards must be positive, got %d",
                "accepted",
                "fmt.Errorf: shards must be positive, got %d",
            ),
            id="go",
        ),
        pytest.param(
            {
                "src/config.rs": (
                    "impl Config {\n    pub fn check(&self) -> Result<()> {\n        self.fill();\n        Ok(())\n    }\n}\n",
                    (
                        "impl Config {\n    pub fn check(&self) -> Result<()> {\n        self.fill();\n        if self.shards == 0 {\n"
                        '            bail!("shards must not be zero");\n        }\n        Ok(())\n    }\n}\n'
                    ),
                )
            },
            ("refused", "input", "shards must not be zero", "accepted", "bail: shards must not be zero"),
            id="rust-bail",
        ),
        pytest.param(
            {
                "src/config.rs": (
                    "impl Config {\n    pub fn check(&self) -> Result<()> {\n        self.fill();\n        Ok(())\n    }\n}\n",
                    (
                        "impl Config {\n    pub fn check(&self) -> Result<()> {\n        self.fill();\n"
                        '        ensure!(self.shards > 0, "shards must not be zero");\n        Ok(())\n    }\n}\n'
                    ),
                )
            },
            ("refused", "input", "shards must not be zero", "accepted", "ensure: shards must not be zero"),
            id="rust-ensure",
        ),
        pytest.param(
            {
                "src/config.ts": (
                    "export function resolve(options: Options) {\n  fill(options)\n  return options\n}\n",
                    (
                        "export function resolve(options: Options) {\n  fill(options)\n  if (options.port < 0) {\n"
                        "    throw new RangeError(`port must not be negative`)\n  }\n  return options\n}\n"
                    ),
                )
            },
            ("refused", "input", "port must not be negative", "accepted", "RangeError: port must not be negative"),
            id="typescript",
        ),
        pytest.param(
            {
                "src/kernel.cpp": (
                    "void launch(Tensor x) {\n  prepare(x);\n  run(x);\n}\n",
                    (
                        'void launch(Tensor x) {\n  prepare(x);\n  LIB_CHECK(x.dim() == 2, "x must be a matrix, got ", x.dim());\n'
                        "  run(x);\n}\n"
                    ),
                )
            },
            ("refused", "input", "x must be a matrix, got", "accepted", "LIB_CHECK: x must be a matrix, got"),
            id="cpp-check",
        ),
        pytest.param(
            {
                "src/settings.cc": (
                    "void Settings::Validate() {\n  Fill();\n  Done();\n}\n",
                    (
                        'void Settings::Validate() {\n  Fill();\n  if (port < 0) {\n    throw std::invalid_argument("port must not be negative");\n'
                        "  }\n  Done();\n}\n"
                    ),
                )
            },
            (
                "refused",
                "input",
                "port must not be negative",
                "accepted",
                "std::invalid_argument: port must not be negative",
            ),
            id="cpp-throw",
        ),
        pytest.param(
            {
                "src/main/java/app/Settings.java": (
                    "class Settings {\n  void validate() {\n    fill();\n    done();\n  }\n}\n",
                    (
                        "class Settings {\n  void validate() {\n    fill();\n    if (port < 0) {\n"
                        '      throw new IllegalArgumentException("port must not be negative");\n    }\n    done();\n  }\n}\n'
                    ),
                )
            },
            (
                "refused",
                "input",
                "port must not be negative",
                "accepted",
                "IllegalArgumentException: port must not be negative",
            ),
            id="java",
        ),
        pytest.param(
            {
                "CMakeLists.txt": (
                    "project(widgets)\nfind_package(Zlib)\nadd_library(w w.cc)\n",
                    (
                        'project(widgets)\nfind_package(Zlib)\nif(NOT ZLIB_FOUND)\n  message(FATAL_ERROR "zlib is needed to build")\n'
                        "endif()\nadd_library(w w.cc)\n"
                    ),
                )
            },
            ("refused", "input", "zlib is needed to build", "accepted", "FATAL_ERROR: zlib is needed to build"),
            id="cmake",
        ),
    ],
)
def test_each_kind(files, expected):
    assert both(files, refusals) == {expected}
