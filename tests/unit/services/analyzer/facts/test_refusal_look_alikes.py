"""What looks like a refusal and is none, what failed before, and who meets it."""

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


VALIDATOR = (
    "class EngineConfig:\n    def __post_init__(self):\n        self.load()\n{call}        self.ready = True\n\n"
    "    def load(self):\n        pass\n{method}"
)
METHOD = '\n    def _verify_cache(self):\n        if self.cache:\n            return\n        raise ValueError("a cache must be set")\n'


def test_a_new_check_that_an_old_function_calls_refuses():
    before = VALIDATOR.format(call="", method="")
    called = VALIDATOR.format(call="        self._verify_cache()\n", method=METHOD)
    uncalled = VALIDATOR.format(call="", method=METHOD)
    told = {("refused", "input", "a cache must be set", "accepted", "ValueError: a cache must be set")}
    assert both({"src/engine.py": (before, called)}, refusals) == told
    assert both({"src/engine.py": (before, uncalled)}, refusals) == set()


def test_a_new_validator_of_a_framework_refuses():
    validator = '\n    @field_validator("port")\n    def port_is_known(cls, value):\n        if value < 0:\n            raise ValueError("port must be positive")\n        return value\n'
    before = "class Settings(BaseSettings):\n    port: int = 1\n"
    told = {("refused", "input", "port must be positive", "accepted", "ValueError: port must be positive")}
    assert both({"src/app.py": (before, before + validator)}, refusals) == told


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"src/config.py": (None, HEAD + RAISE + TAIL)}, id="a-new-file"),
        pytest.param({"src/config.py": (HEAD + RAISE + TAIL, None)}, id="a-file-that-is-gone"),
        pytest.param({"tests/test_config.py": (HEAD + TAIL, HEAD + RAISE + TAIL)}, id="a-test"),
        pytest.param({"docs/config.py": (HEAD + TAIL, HEAD + RAISE + TAIL)}, id="a-page"),
        pytest.param({"third_party/lib/config.py": (HEAD + TAIL, HEAD + RAISE + TAIL)}, id="vendored"),
        pytest.param({"src/config_pb2.py": (HEAD + TAIL, HEAD + RAISE + TAIL)}, id="generated"),
        pytest.param({"README.md": ("x\n", 'x\n    raise ValueError("workers must be one")\n')}, id="documentation"),
        pytest.param(python(after='        # raise ValueError("workers must be one")\n'), id="a-comment"),
        pytest.param(python(after="        text = 'if x: raise ValueError(\"workers must be one\")'\n"), id="a-string"),
        pytest.param(
            {
                "src/config.py": (
                    f'"""About.\n\nMore.\n"""\n{HEAD}{TAIL}',
                    f'"""About.\n\n    if x:\n        raise ValueError("workers must be one")\n\nMore.\n"""\n{HEAD}{TAIL}',
                )
            },
            id="a-docstring",
        ),
        pytest.param(
            python(
                before=RAISE + "        self.a()\n        self.b()\n",
                after="        self.a()\n        self.b()\n" + RAISE,
            ),
            id="moved-within-a-function",
        ),
        pytest.param(
            {
                "src/config.py": (HEAD + RAISE + TAIL, HEAD + TAIL),
                "src/checks.py": ("def check(self):\n    pass\n", "def check(self):\n" + RAISE + "    pass\n"),
            },
            id="moved-to-another-file",
        ),
        pytest.param(
            python(
                before='        if self.a:\n            raise ValueError(f"{self.a} is not allowed")\n',
                after='        if self.b.a:\n            raise ValueError(f"{self.b.a} is not allowed")\n',
            ),
            id="only-another-way-to-the-same-name",
        ),
        pytest.param(
            {
                "src/config.py": (
                    "class Config:\n    port: int = 1\n    def validate(self):\n        self.load()\n        self.go()\n",
                    (
                        "class Config:\n    port: int = 1\n    turbo: bool = False\n    def validate(self):\n        self.load()\n"
                        '        if self.turbo:\n            raise ValueError("turbo must not be set here")\n        self.go()\n'
                    ),
                )
            },
            id="a-new-field-refuses-nothing-old",
        ),
        pytest.param(
            {
                "src/config.py": (
                    "def validate(port):\n    load()\n    go()\n",
                    'def validate(port, turbo=False):\n    load()\n    if turbo:\n        raise ValueError("turbo must not be set here")\n    go()\n',
                )
            },
            id="a-new-parameter-refuses-nothing-old",
        ),
        pytest.param(
            {
                "src/config.py": (
                    HEAD + TAIL,
                    HEAD
                    + TAIL
                    + '\n    def start(self, mode):\n        if mode > 1:\n            raise ValueError("mode must be one")\n',
                )
            },
            id="a-new-function",
        ),
        pytest.param(
            python(
                after='        if self.kind == "new":\n            self.build()\n            if not self.parts:\n'
                '                raise ValueError("parts must be given")\n'
            ),
            id="within-a-new-path",
        ),
        pytest.param(
            python(
                after='        if self.kind == "a":\n            self.a()\n        else:\n            raise ValueError(f"unknown kind {self.kind}")\n'
            ),
            id="the-default-of-a-new-choice",
        ),
        pytest.param(
            python(
                after="        try:\n            self.go()\n        except OSError as e:\n            raise ValueError('it must go') from e\n"
            ),
            id="within-a-handler",
        ),
        pytest.param(
            {
                "pkg/run.go": (
                    "func Run() error {\n\tprepare()\n\treturn nil\n}\n",
                    (
                        "func Run() error {\n\tprepare()\n\tif err := load(); err != nil {\n"
                        '\t\treturn fmt.Errorf("could not load: %w", err)\n\t}\n\treturn nil\n}\n'
                    ),
                )
            },
            id="an-error-that-is-passed-on",
        ),
        pytest.param(python(after="        assert self.engine is not None\n"), id="an-assertion-without-words"),
        pytest.param(
            {
                "src/kernel.cpp": (
                    "void launch(Tensor x) {\n  prepare(x);\n  run(x);\n}\n",
                    'void launch(Tensor x) {\n  prepare(x);\n  LIB_DCHECK(x.dim() == 2, "x must be a matrix");\n  run(x);\n}\n',
                )
            },
            id="a-check-of-debug-builds",
        ),
        pytest.param(
            python(
                before='        found = self.find()\n        if not found:\n            raise ValueError("nothing must be found")\n',
                after="",
            ),
            id="what-it-looked-at-is-gone-too",
        ),
    ],
)
def test_look_alikes_are_no_refusals(files):
    assert both(files, refusals) == set()


CLEAR = '        if self.shards > 1 and not self.remote:\n            raise ValueError("Local storage does not support shards")\n'


@pytest.mark.parametrize(
    ("title", "body", "kind"),
    [
        ("Refuse shards with local storage", None, "refused"),
        ("Fix status of local storage with several shards", None, "error-changed"),
        ("Bugfix: reject local storage with shards", None, "refused"),
        (
            "Add shards",
            "Currently it crashes with a KeyError when shards are used with local storage.",
            "error-changed",
        ),
        ("Add shards", "Gives a clearer error for shards.", "error-changed"),
        ("Add shards", "The build crashes when the disk is full.", "refused"),
    ],
)
def test_what_failed_before_is_no_new_refusal(title, body, kind):
    (fact,) = facts_of(python(after=CLEAR), refusals, title=title, body=body)
    assert fact.kind == kind
    assert (kind == "refused") == (fact.old == "accepted")


def test_a_test_that_expected_another_error_tells_that_it_failed_before():
    files = {
        **python(after=CLEAR),
        "tests/test_config.py": (
            "def test_shards():\n    with pytest.raises(KeyError):\n        make()\n",
            "def test_shards():\n    with pytest.raises(ValueError):\n        make()\n",
        ),
    }
    (fact,) = facts_of(files, refusals)
    assert fact.kind == "error-changed"
    assert "a test expected KeyError before" in fact.note


def test_a_check_that_went_elsewhere_is_not_called_accepted():
    files = {
        "src/scheduler.py": (
            'class Scheduler:\n    def start(self):\n        self.a()\n        assert self.ranks == 1, "replay_recording does not support context ranks"\n        self.b()\n',
            "class Scheduler:\n    def start(self):\n        self.a()\n        self.b()\n",
        ),
        **python(
            after='        if self.ranks > 1:\n            raise ValueError("--replay-recording is not validated with context ranks")\n'
        ),
    }
    assert {fact.kind.value for fact in facts_of(files, refusals)} == {"refused"}


@pytest.mark.parametrize(
    ("path", "reach"),
    [("src/config.py", Reach.PUBLIC), ("src/engine.py", Reach.EXTENSION), ("src/_private/engine.py", Reach.INTERNAL)],
)
def test_who_meets_it_is_told_by_where_it_stands(path, reach):
    before = "class Engine:\n    def start(self):\n        self.load()\n        self.go()\n"
    after = before.replace(
        "self.load()\n", 'self.load()\n        if self.speed > 9:\n            raise ValueError("speed must be low")\n'
    )
    (fact,) = facts_of({path: (before, after)}, refusals, sources=True)
    assert fact.reach is reach


@pytest.mark.parametrize(
    "text",
    [
        "raise ValueError(" + "(" * 5_000,
        'raise ValueError("' + "x" * 100_000,
        "if " * 20_000 + ': raise ValueError("a b c")',
        "raise\x00ValueError('\x00must be')",
        "\n".join(" " * place + "if x:" for place in range(300)) + '\n raise ValueError("must be")',
        "raise ValueError('a' 'b' \"c\" f'{' '{{}' ''' \"\"\"",
        "assert x, " + "'a' " * 3_000,
    ],
)
@pytest.mark.parametrize(
    "path", ["src/config.py", "src/config.go", "src/config.rs", "src/config.ts", "src/config.cpp", "CMakeLists.txt"]
)
def test_hostile_text_raises_nothing(path, text):
    before = "a\nb\nc\n"
    for sources in (False, True):
        facts_of({path: (before, f"a\n{text}\nb\nc\n")}, refusals, sources=sources)


def test_words_in_a_long_string_are_the_same_error():
    before = '        if self.task is None:\n            raise ValueError(\n                "a task is required here, please set one"\n            )\n'
    after = '        if self.task is None:\n            raise ValueError(\n                """\n                a task is required here, please set a task\n                """\n            )\n'
    (fact,) = facts_of(python(before=before, after=after), refusals)
    assert (fact.kind, fact.new) == ("error-changed", "ValueError: a task is required here, please set a task")


def test_a_parameter_that_is_gone_accepts_nothing():
    old = 'class Backend:\n    def __init__(\n        self,\n        size,\n        names=None,\n    ):\n        self.size = size\n        if names is None:\n            raise ValueError("names are required")\n        self.go(names)\n'
    new = "class Backend:\n    def __init__(\n        self,\n        size,\n    ):\n        self.size = size\n        names = find()\n        self.go(names)\n"
    assert both({"src/backend.py": (old, new)}, refusals) == set()
