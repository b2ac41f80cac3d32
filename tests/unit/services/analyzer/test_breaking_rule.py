"""Breaking changes: announcements in every form, and none invented."""

from __future__ import annotations

import pytest

from shared.domain.taxonomy import Risk
from tests.builders import make_file
from tests.unit.services.analyzer.examined import analysed


@pytest.mark.parametrize(
    "overrides",
    [
        {"title": "feat(api)!: new client"},
        {"title": "[Breaking] New client"},
        {"labels": ("Breaking-Change",)},
        {"labels": ("semver-major",)},
        {"body": "BREAKING CHANGE: the old client is gone"},
        {"body": "- [x] Breaking change (fix or feature that breaks)"},
        {"title": "Remove support for Python 3.9"},
        {"title": "Drop deprecated options"},
        {"title": "Require C++20 for the headers"},
        {"title": "Make a backwards-incompatible change to the format"},
        {"title": "Remove the lamp.colour.cache configuration"},
        {"body": "Stores colours as text.\n\n## Breaking changes\n\nDrawers open to the left."},
        {"body": "## Upgrade notes\nRename `bulbs` to `lamps` in your settings."},
        {"body": "### Migration guide\n\n- replace A by B"},
        {"body": "Migration needed: the old table is gone."},
        {"body": "A new column is stored. Action required."},
        {"body": "After upgrading, run `lumen migrate` once."},
        {"body": "Users must now set a colour."},
        {"body": "```release-note\nACTION REQUIRED: rename the drawers\n```"},
    ],
)
def test_breaking_changes_are_told_with_their_words(overrides):
    tag = analysed("lumen/a.py", **overrides).risk(Risk.BREAKING_CHANGE)

    assert tag is not None
    assert tag.evidence[0].quote


@pytest.mark.parametrize(
    "overrides",
    [
        {"body": "- [ ] Breaking change"},
        {"body": "- [x] Bug fix (non-breaking change which fixes an issue)"},
        {"body": "## Breaking changes\n\nNone"},
        {"body": "BREAKING CHANGE: none"},
        {"body": "This is not a breaking change."},
        {"body": "## Upgrade notes\n\nNone"},
        {"body": "## Migration guide\n\n## Tests\nran them"},
        {"body": "No migration needed."},
        {"body": "Is action required?"},
        {"body": "Previously users had to set a colour."},
        {"body": "If you want that, you need to set a colour."},
        {"title": "Remove redundant lint options"},
        {"title": "Remove unused support code"},
        {"title": "Drop test support for Python 3.9", "files": (make_file("tests/a.py"),)},
    ],
)
def test_no_breaking_change_is_invented(overrides):
    assert not analysed("lumen/a.py", **overrides).has(Risk.BREAKING_CHANGE)
