"""What only looks like a secret stays: code about secrets, hashes, lock files, placeholders (R-71)."""

from __future__ import annotations

import pytest

from shared.redaction import redact
from tests.ordinary_patches import KINDS, ordinary_patches

UNTOUCHED = (
    "token = tokenizer.next()",
    "password: str",
    "password: Optional[str] = None",
    "self.api_key = api_key",
    "self.api_key2 = config.auth.api_key2",
    'api_key=os.environ["LUMEN_API_KEY"]',
    'token = os.getenv("LUMEN_TOKEN", "")',
    "const token = process.env.LUMEN_TOKEN_V2;",
    "token: ${{ secrets.GITHUB_TOKEN }}",
    "password: ${DB_PASSWORD:-changeme}",
    "password: {{ .Values.postgres.password }}",
    "PASSWORD=changeme",
    "API_KEY=<your-api-key-goes-here>",
    "API_KEY=xxxxxxxxxxxxxxxxxxxxxxxx",
    'api_key = "your-api-key-0123456789"',
    'password = "password123"',
    "secretName: lumen-tls-v2",
    "secretKeyRef: {name: lumen-k8s-secret-v2, key: token}",
    "max_tokens: 4096",
    'eos_token = "<|endoftext|>"',
    'pad_token="[PAD]"',
    "js-tokens: 4.0.0",
    '"js-tokens": "^4.0.0-beta.12"',
    "if token == expected_token_v2:",
    "set_password(hash_password(new_password1))",
    "Authorization: Bearer <token>",
    "Uses Bearer authentication and Basic authorization.",
    "postgres://postgres:postgres@localhost:5432/lumen",
    "https://user:password@lumen.invalid/",
    "redis://:${REDIS_PASSWORD}@cache:6379",
    "git@github.com:lumen/lumen.git",
    "http://localhost:8080/path@2x.png",
    'let token: Token = Token::new(Kind::Ident1, "main");',
    "commit 3f786850e387550fdab836ed7e6dc881de23001b",
    "id: 0b0e5b6c-6f0f-4a0c-9d7b-2b7c5a0e9d11",
    "SHA256=9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
    "密码：请在设置中填写，至少 8 位。",
    "令牌 token：由服务端签发",
    "secret = Secret.from_file(path / 'lumen1')",
    "AKIAIOSFODNN7EXAMPLE",
    "- key: value1",
    'primary_key = "lumen_0a1b2c3d4e5f6a7b8c9d"',
    'cache_key="v2-9f86d081884c7d659a2feaa0"',
    "task-queue sk-navigation-bar-collapsed-item",
)


@pytest.mark.parametrize("text", UNTOUCHED)
def test_it_stays(text: str) -> None:
    assert redact(text).text == text
    assert redact(f"@@ -1 +1 @@\n-{text}\n+{text}\n").found == {}


def test_r71_at_most_one_in_a_hundred_ordinary_patches_is_touched() -> None:
    patches = ordinary_patches(rounds=40)
    touched = [kind for kind, patch in patches if redact(patch).found]

    assert len(patches) >= 1000
    assert len(KINDS) >= 25
    assert len(touched) <= len(patches) // 100, touched
