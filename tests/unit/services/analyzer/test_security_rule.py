"""Security: words, lines and paths, and their look-alikes."""

from __future__ import annotations

import pytest

from shared.domain.taxonomy import Risk, Trait
from tests.builders import make_file
from tests.unit.services.analyzer.examined import added, analysed


@pytest.mark.parametrize(
    ("file", "overrides"),
    [
        (make_file("lumen/auth/token.py"), {}),
        (make_file("lumen/a.py", patch=added("return pickle.loads(data)")), {}),
        (make_file("lumen/a.py", patch=added("subprocess.run(line, shell=True)")), {}),
        (make_file("web/a.tsx", patch=added("<div dangerouslySetInnerHTML={x} />")), {}),
        (make_file(".github/workflows/a.yml", patch=added("  pull_request_target:")), {}),
        (make_file("src/a.rs", patch=added("let x = unsafe { mem::transmute::<A, B>(y) };")), {}),
        (make_file("src/a.rs", patch=added("let x = unsafe { slice::from_raw_parts(p, n) };")), {}),
        (make_file("scripts/a.sh", patch=added("curl https://example.org/a.sh | sh")), {}),
        (make_file("lumen/a.py"), {"body": "Fixes CVE-2026-12345"}),
        (make_file("lumen/a.py"), {"title": "Prevent path traversal in uploads"}),
    ],
)
def test_security_sensitive(file, overrides):
    assert analysed(file, **overrides).has(Risk.SECURITY_SENSITIVE)


@pytest.mark.parametrize(
    "file",
    [
        make_file("lumen/tokenizer.py"),
        make_file("tests/test_a.py", patch=added("pickle.loads(data)")),
        make_file("lumen/a.py", patch=added("# never pickle.loads(data)")),
        make_file("lumen/a.py", patch=added("  pickle.loads(x)", gone=("pickle.loads(x)",))),
        make_file("lumen/a.py", patch=added("y = pickle.loads(x)", gone=("z = pickle.loads(x)",))),
        make_file("src/a.rs", patch=added("let pid = unsafe { libc::getpid() };")),
        make_file("src/a.rs", patch=added("let a = Shape::from_raw(1, 2);")),
        make_file("scripts/pack.mjs", patch=added("import { execFileSync } from 'node:child_process'")),
        make_file("rollup.config.js", patch=added("execSync('git rev-parse HEAD')")),
        make_file("release/cut.py", patch=added("subprocess.run(line, shell=True)")),
        make_file(".github/workflows/a.yml", patch=added("# never use pull_request_target:")),
        make_file(".github/workflows/README.md", patch=added("pull_request_target:")),
        make_file("src/server/capabilities.rs", additions=40),
        make_file("include/std_deserialize.h", additions=40),
        make_file("lumen/auth/token.py", additions=1, deletions=1),
    ],
)
def test_security_is_not_seen_everywhere(file):
    assert not analysed(file).has(Risk.SECURITY_SENSITIVE)


@pytest.mark.parametrize("title", ["Honor the security protocol of a listener", "Move security-related helpers"])
def test_security_in_a_name_is_no_word_of_security(title):
    assert not analysed("lumen/a.py", title=title).has(Risk.SECURITY_SENSITIVE)


def test_a_security_fix_is_a_trait_of_its_own():
    assert analysed("lumen/a.py", title="Fix CVE-2026-12345 in uploads").has(Trait.SECURITY_FIX)
    assert not analysed("lumen/a.py", title="Add a page on security").has(Trait.SECURITY_FIX)
