"""Whoever reads merges by rules alone never imports the client of language models."""

from __future__ import annotations

import subprocess
import sys

CHECK = """
import sys
import shared.llm
import shared.llm.questions, shared.llm.forms, shared.llm.refusals, shared.llm.learning
from shared.settings.language_model import ModelSettings
assert not {"openai", "httpx2", "httpcore2"} & set(sys.modules), "imported too early"
shared.llm.open_language_model(ModelSettings(name="m", base_url="http://127.0.0.1:1/v1"), None, None)
assert "openai" in sys.modules
"""


def test_the_client_is_imported_when_a_model_is_opened_and_not_before() -> None:
    done = subprocess.run([sys.executable, "-c", CHECK], capture_output=True, text=True, check=False, timeout=100)

    assert done.returncode == 0, done.stderr
