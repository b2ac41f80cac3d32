"""Deprecations: announced, put off, taken back, carried out."""

from __future__ import annotations

import pytest

from services.analyzer.facts import deprecations
from shared.domain.facts import Reach
from tests.unit.services.analyzer.facts.written import both, facts_of

PYTHON = "import warnings\n\n\ndef start(port):\n    load(port)\n    run(port)\n"


def warned(call: str) -> dict[str, tuple[str, str]]:
    return {"src/app.py": (PYTHON, PYTHON.replace("    run(port)\n", f"    {call}\n    run(port)\n"))}


def marked(path: str, mark: str, definition: str) -> dict[str, tuple[str, str]]:
    return {path: (f"first\n\n{definition}\n", f"first\n\n{mark}\n{definition}\n")}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(
            warned('warnings.warn("`start_all` is deprecated, use `start` instead", DeprecationWarning)'),
            ("deprecated", "field", "start_all", None, "`start_all` is deprecated, use `start` instead"),
            id="a-warning-names-the-thing",
        ),
        pytest.param(
            warned('warnings.warn("--old-port is deprecated and will be removed in v2.0.", FutureWarning)'),
            ("deprecated", "option", "--old-port", None, "--old-port is deprecated and will be removed in v2.0."),
            id="an-option",
        ),
        pytest.param(
            warned('logger.warning("OLD_PORT_NUMBER is deprecated. Use NEW_PORT instead.")'),
            (
                "deprecated",
                "environment-variable",
                "OLD_PORT_NUMBER",
                None,
                "OLD_PORT_NUMBER is deprecated. Use NEW_PORT instead.",
            ),
            id="a-variable",
        ),
        pytest.param(
            warned(
                'warnings.warn(\n        "Passing a list here is deprecated",\n        DeprecationWarning,\n        stacklevel=2,\n    )'
            ),
            ("deprecated", "input", "Passing a list here is deprecated", None, "Passing a list here is deprecated"),
            id="over-several-lines",
        ),
        pytest.param(
            {"src/app.py": ("def a():\n    pass\n", '@deprecated("use b")\ndef a():\n    pass\n')},
            ("deprecated", "function", "a", None, "use b"),
            id="a-decorator",
        ),
        pytest.param(
            {"src/app.py": ("class A:\n    pass\n", '@typing_extensions.deprecated("use B")\nclass A:\n    pass\n')},
            ("deprecated", "class", "A", None, "use B"),
            id="a-decorated-class",
        ),
        pytest.param(
            {
                "src/app.py": (
                    "def a():\n    pass\n\n\nparser.add_argument('--old', type=int)\n",
                    "def a():\n    pass\n\n\nparser.add_argument('--old', type=int, deprecated=True)\n",
                )
            },
            ("deprecated", "option", "--old", None, None),
            id="a-flag-of-an-option",
        ),
        pytest.param(
            {
                "src/app.py": (
                    '@router.get("/old")\ndef old():\n    pass\n',
                    '@router.get("/old", deprecated=True)\ndef old():\n    pass\n',
                )
            },
            ("deprecated", "route", "/old", None, None),
            id="a-route",
        ),
        pytest.param(
            {
                "src/app.py": (
                    "class S(BaseModel):\n    port: int = Field(1)\n",
                    'class S(BaseModel):\n    port: int = Field(1, deprecated="use ports")\n',
                )
            },
            ("deprecated", "field", "port", None, None),
            id="a-field",
        ),
        pytest.param(
            marked("pkg/a.go", "// Deprecated: use NewB.", "func NewA() *A {\n\treturn nil\n}"),
            ("deprecated", "function", "NewA", None, "use NewB."),
            id="go",
        ),
        pytest.param(
            marked("src/a.rs", '#[deprecated(since = "1.2", note = "use new_b")]', "pub fn new_a() {\n    b()\n}"),
            ("deprecated", "function", "new_a", None, "1.2 … use new_b"),
            id="rust",
        ),
        pytest.param(
            marked("src/A.java", "@Deprecated", "public void runOld() {\n    b();\n}"),
            ("deprecated", "function", "runOld", None, None),
            id="java",
        ),
        pytest.param(
            marked("src/a.ts", "/** @deprecated use runNew */", "export function runOld() {\n  b()\n}"),
            ("deprecated", "function", "runOld", None, "use runNew"),
            id="typescript",
        ),
        pytest.param(
            marked("src/A.cs", '[Obsolete("use RunNew")]', "public void RunOld() {\n    B();\n}"),
            ("deprecated", "function", "RunOld", None, "use RunNew"),
            id="csharp",
        ),
        pytest.param(
            marked("src/a.hpp", '[[deprecated("use run_new")]]', "void run_old(int a) {\n  b();\n}"),
            ("deprecated", "function", "run_old", None, "use run_new"),
            id="cpp",
        ),
        pytest.param(
            {
                "src/app.py": (
                    'def a():\n    """Do it.\n\n    More.\n    """\n    run()\n',
                    'def a():\n    """Do it.\n\n    .. deprecated:: 1.4\n    More.\n    """\n    run()\n',
                )
            },
            ("deprecated", "function", "a", None, "1.4"),
            id="a-docstring",
        ),
    ],
)
def test_announced(files, expected):
    assert both(files, deprecations) == {expected}


def test_what_replaces_it_and_when_it_goes():
    files = warned(
        'warnings.warn("--old-port is deprecated since 1.3 and will be removed in v2.0. Use --port instead.", FutureWarning)'
    )
    (fact,) = facts_of(files, deprecations)
    assert fact.way_back == "--port"
    assert fact.note == "deprecated since 1.3, to be removed in v2.0"
    assert fact.reach is Reach.PUBLIC


def test_put_off():
    old = '    warnings.warn("`start_all` is deprecated and will be removed in v2.0", DeprecationWarning)\n'
    files = {"src/app.py": (PYTHON + old, PYTHON + old.replace("v2.0", "v3.0"))}
    assert both(files, deprecations) == {("changed", "field", "start_all", "removal in v2.0", "removal in v3.0")}


def test_taken_back():
    files = {"src/app.py": ('@deprecated("use b")\ndef a():\n    pass\n', "def a():\n    pass\n")}
    assert both(files, deprecations) == {("changed", "function", "a", "deprecated: use b", "no longer deprecated")}


def test_carried_out():
    files = {"src/app.py": ('x = 1\n\n\n@deprecated("use b")\ndef a():\n    pass\n', "x = 1\n")}
    assert both(files, deprecations) == {("removed", "function", "a", "use b", None)}
    (fact,) = facts_of(files, deprecations)
    assert fact.note == "was deprecated before"


def test_a_warning_that_is_gone_says_nothing_unless_the_title_does():
    call = '    warnings.warn("Passing a list here is deprecated", DeprecationWarning)\n'
    files = {"src/app.py": (PYTHON + call, PYTHON)}
    assert facts_of(files, deprecations, title="Faster start") == []
    (fact,) = facts_of(files, deprecations, title="Remove lists")
    assert (fact.kind, fact.old) == ("removed", "Passing a list here is deprecated")


CALL = '    warnings.warn("`start_all` is deprecated, use `start`", DeprecationWarning)\n'


@pytest.mark.parametrize(
    "files",
    [
        pytest.param({"tests/test_app.py": (PYTHON, PYTHON + CALL)}, id="a-test"),
        pytest.param({"docs/app.md": (PYTHON, PYTHON + CALL)}, id="a-page"),
        pytest.param({"vendor/lib/app.py": (PYTHON, PYTHON + CALL)}, id="vendored"),
        pytest.param({"src/app_pb2.py": (PYTHON, PYTHON + CALL)}, id="generated"),
        pytest.param({"src/app.py": (PYTHON, PYTHON + f"#{CALL}")}, id="a-comment"),
        pytest.param({"src/app.py": (PYTHON, PYTHON + "    text = 'it is deprecated'\n")}, id="a-string"),
        pytest.param({"src/app.py": (PYTHON, PYTHON + "    deprecated = find_deprecated(port)\n")}, id="a-name"),
        pytest.param({"src/app.py": (PYTHON, PYTHON + "    # deprecated things are told below\n")}, id="a-remark"),
        pytest.param(
            {"src/app.py": (PYTHON + CALL + "    a()\n    b()\n", PYTHON + "    a()\n    b()\n" + CALL)}, id="moved"
        ),
        pytest.param(
            {"src/app.py": (PYTHON + CALL, PYTHON), "src/b.py": (PYTHON, PYTHON + CALL)}, id="moved-to-another-file"
        ),
        pytest.param(
            {"src/app.py": (PYTHON + CALL, PYTHON + CALL.replace("use `start`", "please use `start`"))},
            id="other-words",
        ),
        pytest.param({"src/app.py": (PYTHON + CALL, PYTHON + CALL + "    run(2)\n")}, id="unchanged"),
        pytest.param({"src/app.py": (PYTHON, PYTHON + '    logger.warning("port is in use")\n')}, id="another-warning"),
        pytest.param(
            {"src/app.py": (PYTHON, PYTHON + "    warnings.simplefilter('ignore', DeprecationWarning)\n")},
            id="a-filter",
        ),
    ],
)
def test_look_alikes_announce_nothing(files):
    assert both(files, deprecations) == set()


@pytest.mark.parametrize(
    "text",
    [
        "@deprecated(" * 3_000,
        'warnings.warn("' + "deprecated " * 9_000,
        "warn(" + "(" * 9_000 + "'is deprecated'",
        "// Deprecated: \x00",
        "/** @deprecated",
        "@deprecated",
        "deprecated=True, " * 4_000,
        "#[deprecated(" + "a, " * 4_000,
    ],
)
@pytest.mark.parametrize("path", ["src/a.py", "src/a.go", "src/a.rs", "src/a.ts", "src/a.java", "src/a.cpp"])
def test_hostile_text_raises_nothing(path, text):
    for sources in (False, True):
        facts_of({path: ("a\nb\nc\n", f"a\n{text}\nb\nc\n")}, deprecations, sources=sources)
