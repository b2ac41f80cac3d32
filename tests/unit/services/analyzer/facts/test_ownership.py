"""Licences by their words and their fields, and the rules of CODEOWNERS."""

from __future__ import annotations

import pytest

from services.analyzer.facts import ownership
from shared.domain.facts import Reach
from tests.unit.services.analyzer.facts.written import both, facts_of, told

APACHE = "Apache License\nVersion 2.0, January 2004\n\nTERMS AND CONDITIONS\n"
MIT = "MIT License\n\nCopyright (c) 2026 Owl\n\nPermission is hereby granted, free of charge\n"
AGPL = "GNU AFFERO GENERAL PUBLIC LICENSE\nVersion 3, 19 November 2007\n"
BUSL = "Business Source License 1.1\n\nLicensor: Owl\n"
BSD = "Redistribution and use in source and binary forms\n\nNeither the name of Owl nor\n"

CASES = {
    "another licence": ("LICENSE", MIT, APACHE, {("changed", "licence", "LICENSE", "MIT", "Apache-2.0")}),
    "from open to source": ("LICENSE", APACHE, BUSL, {("changed", "licence", "LICENSE", "Apache-2.0", "BUSL")}),
    "a licence of a part": ("ee/LICENSE.md", None, AGPL, {("added", "licence", "ee/LICENSE.md", None, "AGPL-3")}),
    "it is gone": ("COPYING", BSD, None, {("removed", "licence", "COPYING", "BSD-3-Clause", None)}),
    "pyproject": (
        "pyproject.toml",
        '[project]\nlicense = "MIT"\n',
        '[project]\nlicense = "Apache-2.0"\n',
        {("changed", "licence", "license", "MIT", "Apache-2.0")},
    ),
    "a table": (
        "pyproject.toml",
        'license = {text = "MIT"}\n',
        'license = {text = "BSD"}\n',
        {("changed", "licence", "license", "MIT", "BSD")},
    ),
    "setup.py": (
        "setup.py",
        "    license='MIT',\n",
        "    license='BSD',\n",
        {("changed", "licence", "license", "MIT", "BSD")},
    ),
    "package.json": (
        "package.json",
        '  "license": "MIT",\n',
        '  "license": "ISC",\n',
        {("changed", "licence", "license", "MIT", "ISC")},
    ),
    "Cargo": (
        "Cargo.toml",
        'license = "MIT"\n',
        'license = "MIT OR Apache-2.0"\n',
        {("changed", "licence", "license", "MIT", "MIT OR Apache-2.0")},
    ),
    "a classifier": (
        "setup.cfg",
        "    License :: OSI Approved :: MIT License\n",
        "    License :: OSI Approved :: BSD License\n",
        {("changed", "licence", "licence classifier", "MIT License", "BSD License")},
    ),
    "owners added": (
        ".github/CODEOWNERS",
        "/src @a\n",
        "/src @a @owl/core\n",
        {("changed", "code-owners", "/src", "@a", "@a @owl/core")},
    ),
    "a rule comes": ("CODEOWNERS", "* @a\n", "* @a\n/docs/ @b\n", {("added", "code-owners", "/docs/", None, "@b")}),
    "a rule goes": ("docs/CODEOWNERS", "* @a\n*.md @b\n", "* @a\n", {("removed", "code-owners", "*.md", "@b", None)}),
    "no owner any more": ("CODEOWNERS", "/gen @a\n", "/gen\n", {("changed", "code-owners", "/gen", "@a", None)}),
}


@pytest.mark.parametrize("case", CASES)
def test_told(case: str) -> None:
    path, before, after, expected = CASES[case]
    assert both({path: (before, after)}, ownership) == expected


NOTHING = {
    "another year": ("LICENSE", MIT, MIT.replace("2026", "2027")),
    "another text about it": ("docs/license.md", "We use the MIT License\n", "We use the Apache License\n"),
    "a vendored licence": ("third_party/x/LICENSE", MIT, APACHE),
    "a test's licence": ("tests/data/LICENSE", MIT, APACHE),
    "a notice": ("NOTICE", "Owl 2025\n", "Owl 2026\n"),
    "a header of a file": ("kite/a.py", "# SPDX-License-Identifier: MIT\n", "# SPDX-License-Identifier: Apache-2.0\n"),
    "a comment of the rules": ("CODEOWNERS", "# /src @a\n", "# /src @b\n"),
    "a rule that moved": ("CODEOWNERS", "/a @x\n/b @y\n", "/b @y\n/a @x\n"),
    "a licence key of something else": ("kite/settings.py", 'license = "MIT"\n', 'license = "BSD"\n'),
    "mentioned in a program": ("kite/a.py", 'TEXT = "MIT License"\n', 'TEXT = "Apache License"\n'),
    "a licence checker": ("kite/license.py", "MIT = 1\n", "APACHE = 1\n"),
}


@pytest.mark.parametrize("case", NOTHING)
def test_no_fact(case: str) -> None:
    path, before, after = NOTHING[case]
    assert both({path: (before, after)}, ownership) == set()


def test_reach() -> None:
    (licence,) = facts_of({"LICENSE": (MIT, APACHE)}, ownership)
    (owners,) = facts_of({"CODEOWNERS": ("* @a\n", "* @b\n")}, ownership)
    assert (licence.reach, owners.reach) == (Reach.PUBLIC, Reach.INTERNAL)
    assert licence.after
    assert licence.after.quote == "Apache License"


@pytest.mark.parametrize("path", ["LICENSE", "CODEOWNERS", "pyproject.toml"])
@pytest.mark.parametrize("text", ["@a " * 30_000, "x " * 9_000, "\x00", "/" * 90_000, "license = " + '"' * 900])
def test_hostile_texts(path: str, text: str) -> None:
    told(facts_of({path: ("a @b\n", text)}, ownership))
    told(facts_of({path: (text, None)}, ownership, sources=True))
