"""Calls that matter for security: come, gone, made safe, made unsafe."""

from __future__ import annotations

import pytest

from services.analyzer.facts import security_calls
from shared.domain.facts import Reach
from tests.unit.services.analyzer.facts.written import both, facts_of

FIRST, LAST = "def start(a):\n", "    return a\n"


def lines(before: str, after: str, path: str = "src/app.py") -> dict[str, tuple[str, str]]:
    return {path: (f"{FIRST}    b()\n{before}    c()\n{LAST}", f"{FIRST}    b()\n{after}    c()\n{LAST}")}


@pytest.mark.parametrize(
    ("path", "line", "name"),
    [
        ("src/app.py", "data = pickle.loads(payload)", "pickle.loads"),
        ("src/app.py", "state = torch.load(path, weights_only=False)", "weights_only=False"),
        ("src/app.py", "settings = yaml.load(text)", "yaml.load"),
        ("src/app.py", "subprocess.run(command, shell=True)", "shell=True"),
        ("src/app.py", "value = eval(text)", "eval"),
        ("src/app.py", "answer = client.get(url, verify=False)", "verify=False"),
        ("src/app.py", "model = load(name, trust_remote_code=True)", "trust_remote_code=True"),
        ("src/app.py", 'server.bind(("0.0.0.0", port))', '"0.0.0.0"'),
        ("src/app.py", 'socket.bind(f"tcp://0.0.0.0:{port}")', '"tcp://0.0.0.0:{port}"'),
        ("src/app.py", "os.chmod(path, 0o777)", "chmod(path, 0o777"),
        ("src/app.py", "os.umask(0)", "umask(0)"),
        ("src/app.py", 'LOCK = "/tmp/widgets.lock"', '"/tmp/widgets.lock"'),
        ("src/app.py", "name = tempfile.mktemp()", "tempfile.mktemp"),
        ("src/app.py", 'os.environ.setdefault("LIB_CLEAN_TEMP_FILES", "1")', "LIB_CLEAN_TEMP_FILES"),
        ("src/app.py", "archive.extractall(target)", ".extractall"),
        ("src/app.py", "digest = hashlib.md5(text)", "hashlib.md5"),
        ("src/app.py", "if not target.is_relative_to(root):", "is_relative_to"),
        ("src/app.py", "if not hmac.compare_digest(a, b):", "hmac.compare_digest"),
        ("src/app.go", "config := &tls.Config{InsecureSkipVerify: true}", "InsecureSkipVerify: true"),
        ("src/app.ts", "const agent = new Agent({ rejectUnauthorized: false })", "rejectUnauthorized: false"),
        ("src/app.rs", "let client = builder.danger_accept_invalid_certs(true)", "danger_accept_invalid_certs(true"),
        ("src/App.java", "Object o = new ObjectInputStream(in)", "ObjectInputStream"),
        ("src/app.rb", "data = Marshal.load(text)", "Marshal.load"),
        ("src/app.php", "$data = unserialize($text)", "unserialize"),
    ],
)
def test_come_and_gone(path, line, name):
    came = both(lines("", f"    {line}\n", path), security_calls)
    assert came == {("added", "security", name, None, line)}
    went = both(lines(f"    {line}\n", "", path), security_calls)
    assert went == {("removed", "security", name, line, None)}


@pytest.mark.parametrize(
    ("unsafe", "safe", "name"),
    [
        ("data = pickle.loads(payload)", "data = json.loads(payload)", "pickle.loads"),
        ("state = load(path, weights_only=False)", "state = load(path, weights_only=True)", "weights_only=False"),
        ("settings = yaml.load(text)", "settings = yaml.safe_load(text)", "yaml.load"),
        ("run(command, shell=True)", "run(command, shell=False)", "shell=True"),
        ("get(url, verify=False)", "get(url, verify=True)", "verify=False"),
        ('HOST = "0.0.0.0"', 'HOST = "127.0.0.1"', '"0.0.0.0"'),
        ("trust_remote_code: bool = True", "trust_remote_code: bool = False", "trust_remote_code: bool = True"),
        ("os.chmod(path, 0o777)", "os.chmod(path, 0o700)", "chmod(path, 0o777"),
        ("name = tempfile.mktemp()", "name = tempfile.mkstemp()", "tempfile.mktemp"),
        ("archive.extractall(to)", 'archive.extractall(to, filter="data")', ".extractall"),
        ("digest = hashlib.md5(text)", "digest = hashlib.sha256(text)", "hashlib.md5"),
    ],
)
def test_made_safe_and_made_unsafe(unsafe, safe, name):
    (fact,) = facts_of(lines(f"    {unsafe}\n", f"    {safe}\n"), security_calls)
    assert (fact.kind, fact.name, fact.old, fact.new) == ("changed", name, unsafe, safe)
    assert fact.note.startswith("made safe")
    (fact,) = facts_of(lines(f"    {safe}\n", f"    {unsafe}\n"), security_calls)
    assert (fact.old, fact.new) == (safe, unsafe)
    assert fact.note.startswith("made unsafe")


@pytest.mark.parametrize(
    "files",
    [
        pytest.param(lines("", "    data = pickle.loads(x)\n", "tests/test_app.py"), id="a-test"),
        pytest.param(lines("", "    data = pickle.loads(x)\n", "third_party/app.py"), id="vendored"),
        pytest.param(lines("", "    data = pickle.loads(x)\n", "src/app_pb2.py"), id="generated"),
        pytest.param(lines("", "    data = pickle.loads(x)\n", "docs/app.md"), id="a-page"),
        pytest.param(lines("", "    # data = pickle.loads(x)\n"), id="a-comment"),
        pytest.param(lines("", "    text = 'pickle.loads(x)'\n"), id="a-string"),
        pytest.param(lines("", '    """Uses eval(x) and shell=True."""\n'), id="a-docstring"),
        pytest.param(lines("", "    data = yaml.load(text, Loader=SafeLoader)\n"), id="a-safe-loader"),
        pytest.param(lines("", "    data = yaml.safe_load(text)\n"), id="safe-alone"),
        pytest.param(lines("", "    digest = hashlib.md5(x, usedforsecurity=False)\n"), id="a-hash-not-for-security"),
        pytest.param(lines("", "    model.eval()\n"), id="a-method-called-eval"),
        pytest.param(lines("", '    text = "see /tmp/ for more"\n'), id="words-about-tmp"),
        pytest.param(
            lines("    data = pickle.loads(x)\n    d()\n", "    d()\n    data = pickle.loads(x)\n"), id="moved"
        ),
        pytest.param(lines("    data = pickle.loads(x)\n", "    data = pickle.loads(y)\n"), id="as-many-as-before"),
        pytest.param(
            {
                "src/a.py": (f"{FIRST}    data = pickle.loads(x)\n{LAST}", FIRST + LAST),
                "src/b.py": (FIRST + LAST, f"{FIRST}    data = pickle.loads(x)\n{LAST}"),
            },
            id="moved-to-another-file",
        ),
    ],
)
def test_look_alikes(files):
    assert both(files, security_calls) == set()


def test_scripts_of_the_build_concern_builders():
    (fact,) = facts_of(lines("", "    run(command, shell=True)\n", "tools/make.py"), security_calls)
    assert fact.reach is Reach.BUILDERS
    (fact,) = facts_of(lines("", '    serve("0.0.0.0")\n'), security_calls)
    assert fact.reach is Reach.PUBLIC


@pytest.mark.parametrize(
    "text", ["chmod " + "7" * 9_000, '"/tmp/' * 9_000, "verify=" * 9_000, "yaml.load(" * 9_000, "\x00eval(\x00"]
)
def test_hostile_text_raises_nothing(text):
    for sources in (False, True):
        facts_of(lines("", f"    {text}\n"), security_calls, sources=sources)
