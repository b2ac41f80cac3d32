"""Patches without secrets, of many kinds, full of what looks like one: hashes, ids, images, words like token."""

from __future__ import annotations

import base64
import random
import string
import uuid
from collections.abc import Callable

_ALNUM = string.ascii_letters + string.digits


class Dice(random.Random):
    """Draws what ordinary patches are full of."""

    def hex(self, length: int) -> str:
        return "".join(self.choices("0123456789abcdef", k=length))

    def base64(self, count: int) -> str:
        return base64.b64encode(self.randbytes(count)).decode()

    def text(self, length: int) -> str:
        return "".join(self.choices(_ALNUM, k=length))

    def name(self) -> str:
        return "_".join(self.choices(("queue", "token", "secret", "key", "auth", "user", "cache", "page", "db"), k=2))

    def version(self) -> str:
        return ".".join(str(self.randrange(30)) for _ in range(3))

    def uuid(self) -> str:
        return str(uuid.UUID(int=self.getrandbits(128)))


def _npm_lock(dice: Dice) -> list[str]:
    return [
        f'"node_modules/{dice.name()}-tokens": {{',
        f'  "version": "{dice.version()}",',
        f'  "resolved": "https://packages.lumen.invalid/js-tokens/-/js-tokens-{dice.version()}.tgz",',
        f'  "integrity": "sha512-{dice.base64(64)}",',
    ]


def _yarn_lock(dice: Dice) -> list[str]:
    return [
        f'"@lumen/auth-token@^{dice.version()}":',
        f'  version "{dice.version()}"',
        f'  resolved "https://packages.lumen.invalid/auth-token.tgz#{dice.hex(40)}"',
        f"  integrity sha512-{dice.base64(64)}",
    ]


def _pnpm_lock(dice: Dice) -> list[str]:
    return [f"/csrf-token@{dice.version()}:", f"  resolution: {{integrity: sha512-{dice.base64(64)}}}", "  dev: true"]


def _python_lock(dice: Dice) -> list[str]:
    return [f"secretstorage=={dice.version()} \\", *(f"    --hash=sha256:{dice.hex(64)} \\" for _ in range(3))]


def _poetry_lock(dice: Dice) -> list[str]:
    return [
        'name = "tokenizers"',
        f'version = "{dice.version()}"',
        f'    {{file = "tokenizers-{dice.version()}.whl", hash = "sha256:{dice.hex(64)}"}},',
        f'content-hash = "{dice.hex(64)}"',
    ]


def _cargo_lock(dice: Dice) -> list[str]:
    return ["[[package]]", 'name = "secrecy"', f'version = "{dice.version()}"', f'checksum = "{dice.hex(64)}"']


def _go_sum(dice: Dice) -> list[str]:
    return [
        f"lumen.invalid/jwt-token v{dice.version()} h1:{dice.base64(32)}",
        f"lumen.invalid/key/go.mod h1:{dice.text(43)}=",
    ]


def _image_pin(dice: Dice) -> list[str]:
    return [f"FROM lumen/base:{dice.version()}@sha256:{dice.hex(64)}", f"ENV COMMIT_SHA={dice.hex(40)}"]


def _action_pin(dice: Dice) -> list[str]:
    return [
        f"  - uses: lumen/checkout@{dice.hex(40)} # v{dice.version()}",
        "    with:",
        "      token: ${{ secrets.RELEASE_TOKEN }}",
    ]


def _submodule(dice: Dice) -> list[str]:
    return [f"Subproject commit {dice.hex(40)}"]


def _migration(dice: Dice) -> list[str]:
    return [f'revision = "{dice.hex(12)}"', f'down_revision = "{dice.hex(12)}"', f"# id {dice.uuid()}"]


def _image(dice: Dice) -> list[str]:
    return [
        f"background: url(data:image/png;base64,{dice.base64(300)});",
        f'<img src="data:image/gif;base64,{dice.base64(120)}">',
    ]


def _certificate(dice: Dice) -> list[str]:
    return ["-----BEGIN CERTIFICATE-----", *(dice.base64(48) for _ in range(8)), "-----END CERTIFICATE-----"]


def _public_key(dice: Dice) -> list[str]:
    return [f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA{dice.text(44)} ada@lumen", f"PUBLIC_KEY={dice.base64(32)}"]


def _python_code(dice: Dice) -> list[str]:
    name = dice.name()
    return [
        f"def {name}(token: str, password: str | None = None) -> Token:",
        f"    {name}_key = self.{name}_key or derive_key(password, salt=SALT_V{dice.randrange(9)})",
        f'    token = self.tokens["{name}{dice.randrange(99)}"]',
        f"    return Token(secret={name}.secret, api_key=settings.api_key.get_secret_value())",
    ]


def _model_code(dice: Dice) -> list[str]:
    return [
        f"max_new_tokens={dice.randrange(4096)}, eos_token_id={dice.randrange(99999)},",
        'tokenizer.add_special_tokens({"pad_token": "<|pad_0|>", "bos_token": "<s>"})',
        f'model = load("lumen/lumen-{dice.randrange(9)}b-instruct-awq4", revision="{dice.hex(40)}")',
    ]


def _tokenizer_file(dice: Dice) -> list[str]:
    return [f'  "Ġ{dice.text(5)}": {dice.randrange(50000)},', f'  "cls_token": "[CLS{dice.randrange(9)}]",']


def _typescript(dice: Dice) -> list[str]:
    return [
        "export interface Session { token: string; refreshToken?: string; apiKey: ApiKey2 }",
        f"const key{dice.randrange(9)} = `${{prefix}}-{dice.name()}`;",
        "headers.set('Authorization', `Bearer ${session.token}`);",
    ]


def _go_code(dice: Dice) -> list[str]:
    return [
        f'Token string `json:"token{dice.randrange(9)},omitempty"`',
        "secret := os.Getenv(SecretEnvV2)",
        "key := keys[i1]",
    ]


def _rust_code(dice: Dice) -> list[str]:
    return [f"let secret: SecretBox<[u8; {dice.randrange(64)}]> = SecretBox::new(key2);", "token => TokenKind::Eq2,"]


def _java(dice: Dice) -> list[str]:
    return [
        f"lumen.datasource.password=${{LUMEN_DB_PASSWORD_{dice.randrange(9)}}}",
        "private String apiKey = props.getApiKey2();",
    ]


def _kubernetes(dice: Dice) -> list[str]:
    return [
        "valueFrom:",
        f"  secretKeyRef: {{name: lumen-{dice.name()}-v{dice.randrange(9)}, key: password}}",
        f"image: lumen/api@sha256:{dice.hex(64)}",
    ]


def _terraform(dice: Dice) -> list[str]:
    return [
        f"password = var.database_password_{dice.randrange(9)}",
        "token    = data.lumen_token.this.value2",
        "sensitive = true",
    ]


def _example_environment(dice: Dice) -> list[str]:
    return [
        "SECRET_KEY=",
        "API_TOKEN=your-token-here",
        f"PORT={dice.randrange(9999)}",
        "DATABASE_URL=postgres://user:password@db/lumen",
    ]


def _translations(dice: Dice) -> list[str]:
    return [
        '"password": "Passwort vergessen?",',
        f'"token_{dice.randrange(9)}": "令牌已过期",',
        '"secret": "Secret2 speichern"',
    ]


def _form(dice: Dice) -> list[str]:
    return [
        f'<input type="password" name="password{dice.randrange(9)}" autocomplete="new-password">',
        "<label>API key</label>",
    ]


def _fixture(dice: Dice) -> list[str]:
    return [
        'client = Client(token="test-token-123", secret="dummy")',
        f'assert id == "{dice.uuid()}"',
        f"etag = 'W/\"{dice.hex(32)}\"'",
    ]


def _documentation(dice: Dice) -> list[str]:
    return [
        f"Set `LUMEN_API_KEY` to your key; see [tokens](https://docs.lumen.invalid/tokens/v{dice.randrange(9)}#api-key).",
        "Pass `--token TOKEN` or `--password-file FILE`. The token: a string of 40 characters.",
    ]


def _minified(dice: Dice) -> list[str]:
    return [
        "!function(e,t){"
        + "".join(f"var {dice.text(2)}=e.{dice.text(3)}({dice.randrange(99)});" for _ in range(20))
        + "}"
    ]


def _drawing(dice: Dice) -> list[str]:
    return [
        '<path d="M'
        + "".join(f"{dice.randrange(99)}.{dice.randrange(9)}c{dice.randrange(9)}," for _ in range(30))
        + 'z"/>'
    ]


def _long_path(dice: Dice) -> list[str]:
    return [
        f"third_party/lumen/{dice.name()}/v2beta1/src/main/java/org/lumen/Token{dice.randrange(99)}Provider2Test.java"
    ]


def _snapshot(dice: Dice) -> list[str]:
    return [
        f'exports[`renders 1`] = `<div class="css-{dice.text(7)} sc-{dice.text(6)}">`;',
        f'"fingerprint": "{dice.hex(64)}"',
    ]


def _numbers(dice: Dice) -> list[str]:
    return [",".join(f"{dice.random():.6f}" for _ in range(8)), f"{dice.hex(8)} {dice.hex(16)} {dice.randrange(10**9)}"]


KINDS: tuple[Callable[[Dice], list[str]], ...] = (
    *(_npm_lock, _yarn_lock, _pnpm_lock, _python_lock, _poetry_lock, _cargo_lock, _go_sum, _image_pin, _action_pin),
    *(_submodule, _migration, _image, _certificate, _public_key, _python_code, _model_code, _tokenizer_file),
    *(_typescript, _go_code, _rust_code, _java, _kubernetes, _terraform, _example_environment, _translations, _form),
    *(_fixture, _documentation, _minified, _drawing, _long_path, _snapshot, _numbers),
)


def ordinary_patches(rounds: int, seed: int = 2026) -> list[tuple[str, str]]:
    """So many patches of each kind, with the kind's name; the same ones for the same seed."""
    dice = Dice(seed)
    return [(kind.__name__, _patch(dice, kind)) for _ in range(rounds) for kind in KINDS]


def _patch(dice: Dice, kind: Callable[[Dice], list[str]]) -> str:
    removed, added = kind(dice), kind(dice)
    start = dice.randrange(1, 900)
    head = f"@@ -{start},{len(removed) + 1} +{start},{len(added) + 1} @@"
    return "\n".join([head, f" # {dice.name()}", *(f"-{line}" for line in removed), *(f"+{line}" for line in added)])
