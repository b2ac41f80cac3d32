"""How the digest was made: from how much of the changes."""

from __future__ import annotations

import pytest

from services.digest.narrate import narrate
from tests.digest_builder import rich_digest


@pytest.mark.parametrize("language", ["en", "zh-CN"])
@pytest.mark.parametrize("merges", [0, 1, 5])
def test_facts_from_patches_alone_are_counted(language: str, merges: int) -> None:
    coverage = rich_digest().coverage.model_copy(update={"patches_only": merges})
    told = narrate(rich_digest(coverage=coverage), [language]).sections[language]
    text = "\n".join(one.text for section in told if section.key == "about" for one in section.paragraphs)
    wanted = {
        ("en", 1): "The facts of 1 merge were read from its patches alone",
        ("en", 5): "The facts of 5 merges were read from their patches alone",
        ("zh-CN", 1): "1 个合并的事实只读自补丁",
        ("zh-CN", 5): "5 个合并的事实只读自补丁",
    }
    assert wanted.get((language, merges), "") in text
    assert ("Patches only" in text or "仅凭补丁" in text) == (merges > 0)
