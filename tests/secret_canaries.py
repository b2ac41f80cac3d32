"""Invented secrets, one for each kind that is blackened, in the words that they come in.

They are put together when the tests run, of parts and random characters: nothing in this file is a token.
"""

from __future__ import annotations

import base64
import random
import string
import uuid
from dataclasses import dataclass

_DICE = random.Random(71)
_ALNUM = string.ascii_letters + string.digits
_BASE64 = _ALNUM + "+/"
_HEX = "0123456789abcdef"
_CAPITALS = string.ascii_uppercase + "234567"


@dataclass(frozen=True)
class Canary:
    """``secret`` is what must not be seen again; ``said`` is a line that it stands in."""

    name: str
    secret: str
    said: str


def drawn(length: int, alphabet: str = _ALNUM) -> str:
    """Random characters, digits and letters among them however few."""
    while True:
        text = "".join(_DICE.choices(alphabet, k=length))
        if any(char.isdigit() for char in text) or not any(char.isdigit() for char in alphabet):
            return text


def _of_hosts() -> dict[str, str]:
    """Tokens of clouds and of those who keep code, known by their own form."""
    return {
        "aws-access-key": "AKI" + "A" + drawn(16, _CAPITALS),
        "google-api-key": "AI" + "za" + drawn(35),
        "google-oauth-secret": "GOCS" + "PX-" + drawn(28),
        "google-access-token": "ya2" + "9." + drawn(60),
        "azure-client-secret": f"{drawn(3)}8Q" + f"~{drawn(34)}",
        "github-classic": "gh" + "p_" + drawn(36),
        "github-oauth": "gh" + "o_" + drawn(36),
        "github-server": "gh" + "s_" + drawn(36),
        "github-stateless": "gh" + f"s_{drawn(40)}.{drawn(60)}_{drawn(40)}",
        "github-user": "gh" + "u_" + drawn(36),
        "github-refresh": "gh" + "r_" + drawn(76),
        "github-fine-grained": "github" + f"_pat_{drawn(22)}_{drawn(59)}",
        "gitlab": "glp" + "at-" + drawn(20),
    }


def _of_services() -> dict[str, str]:
    """Tokens of everybody else, known by their own form."""
    return {
        "slack-bot": "xox" + f"b-{drawn(11, string.digits)}-{drawn(12, string.digits)}-{drawn(24)}",
        "slack-app": "xap" + f"p-1-{drawn(10, _CAPITALS)}-{drawn(12, string.digits)}-{drawn(64, _HEX)}",
        "stripe": "sk" + "_live_" + drawn(24),
        "stripe-restricted": "rk" + "_test_" + drawn(24),
        "stripe-webhook": "whs" + "ec_" + drawn(32),
        "twilio": "S" + "K" + drawn(32, _HEX),
        "sendgrid": "S" + f"G.{drawn(22)}.{drawn(43)}",
        "mailgun": "ke" + "y-" + drawn(32, _HEX),
        "mailchimp": f"{drawn(32, _HEX)}-u" + "s14",
        "npm": "np" + "m_" + drawn(36),
        "pypi": "py" + "pi-AgEIcHlwaS5vcmc" + drawn(90),
        "docker-hub": "dckr" + "_pat_" + drawn(27),
        "hugging-face": "h" + "f_" + drawn(34, string.ascii_letters),
        "openai": "s" + f"k-proj-{drawn(70)}",
        "anthropic": "s" + f"k-ant-api03-{drawn(90)}AA",
        "deepseek": "s" + "k-" + drawn(32, _HEX),
        "groq": "gs" + "k_" + drawn(52),
        "databricks": "dap" + "i" + drawn(32, _HEX),
        "digitalocean": "do" + "p_v1_" + drawn(64, _HEX),
        "cloudflare": "cfu" + "t_" + drawn(48),
        "sentry-token": "sntr" + "yu_" + drawn(64, _HEX),
        "new-relic": "NRA" + "K-" + drawn(27, _CAPITALS),
        "new-relic-licence": drawn(36, _HEX) + "NR" + "AL",
        "heroku": "HRK" + "U-" + drawn(58),
        "shopify": "shp" + "at_" + drawn(32, _HEX),
        "square": "sq0" + "atp-" + drawn(22),
        "vault": "hv" + "s." + drawn(90),
        "telegram": f"{drawn(10, string.digits)}:A" + "A" + drawn(33),
        "discord-bot": f"M{drawn(25)}.{drawn(6)}.{drawn(38)}",
        "jwt": "ey" + f"J{drawn(30)}.ey" + f"J{drawn(60)}.{drawn(43)}",
    }


def _where_they_stand() -> dict[str, tuple[str, str]]:
    """Values that are known by the place: a URL, a header, a file of a tool."""
    url, sentry, basic = drawn(18), drawn(32, _HEX), drawn(14)
    encoded = base64.b64encode(f"deploy:{basic}".encode()).decode()
    return {
        "credentials-in-url": (url, f"DATABASE_URL=postgres://lumen:{url}@db.internal:5432/lumen"),
        "sentry-dsn": (sentry, f'dsn = "https://{sentry}@o4501.ingest.sentry.io/4502"'),
        "basic-header": (encoded, f"curl -H 'Authorization: Basic {encoded}' https://lumen.invalid/"),
        "bearer-header": (value := drawn(40), f'headers = {{"Authorization": "Bearer {value}"}}'),
        "slack-webhook": (value := drawn(24), f"https://hooks.slack.com/services/T0{drawn(8)}/B0{drawn(8)}/{value}"),
        "discord-webhook": (value := drawn(68), f"https://discord.com/api/webhooks/{drawn(18, string.digits)}/{value}"),
        "azure-storage": (
            value := drawn(86, _BASE64) + "==",
            f"DefaultEndpointsProtocol=https;AccountName=lumen;AccountKey={value};EndpointSuffix=core.windows.net",
        ),
        "azure-sas": (
            value := drawn(43) + "%3D",
            f"https://lumen.blob.core.windows.net/logs?sv=2024-11-04&sig={value}",
        ),
        "aws-secret-key": (value := drawn(40, _BASE64), f"aws_secret_access_key = {value}"),
        "aws-session-token": (value := drawn(200, _BASE64), f"export AWS_SESSION_TOKEN={value}"),
        "npmrc": (value := str(uuid.UUID(int=_DICE.getrandbits(128))), f"//npm.lumen.invalid/:_authToken={value}"),
        "pypirc": (value := drawn(12) + "!9q", f"password = {value}"),
        "netrc": (value := "n3t" + drawn(9), f"machine lumen.invalid login deploy password {value}"),
        "docker-config": (value := base64.b64encode(f"lumen:{drawn(20)}".encode()).decode(), f'"auth": "{value}"'),
    }


def _by_their_names() -> dict[str, tuple[str, str]]:
    """Values that are known by the name that they are given to."""
    return {
        "twilio-auth-token": (value := drawn(32, _HEX), f'auth_token="{value}"'),
        "datadog": (value := drawn(32, _HEX), f"DD_API_KEY: {value}"),
        "cloudflare-global-key": (value := drawn(37, _HEX), f"X-Auth-Key: {value}"),
        "heroku-api-key": (value := str(uuid.UUID(int=_DICE.getrandbits(128))), f"HEROKU_API_KEY={value}"),
        "password-in-python": (value := "v7" + drawn(10) + "Q", f'connect(password="{value}")'),
        "password-in-yaml": (value := "T9!" + drawn(9), f"    adminPassword: {value}"),
        "secret-in-json": (value := drawn(32), f'  "clientSecret": "{value}",'),
        "secret-in-escaped-json": (value := drawn(32), rf"body = \"{{\\\"client_secret\\\": \\\"{value}\\\"}}\""),
        "token-in-toml": (value := drawn(28), f"api_token = '{value}'"),
        "token-in-shell": (value := drawn(24), f"lumen login --token {value} --quiet"),
        "token-in-url": (value := drawn(24), f"https://lumen.invalid/hook?access_token={value}&x=1"),
        "key-in-go": (value := drawn(32), f'const apiKey string = "{value}"'),
        "key-in-typescript": (value := drawn(32), f'const signingKey: string = "{value}";'),
        "private-key-id": (value := drawn(40, _HEX), f'"private_key_id": "{value}",'),
        "passphrase-in-xml": (value := "pX4" + drawn(12), f"<passphrase>{value}</passphrase>"),
        "curl-user": (value := "8u" + drawn(12), f"curl -u deploy:{value} https://lumen.invalid/"),
        "environment-line": (value := "a" + drawn(42, _BASE64.replace("/", "")), f"LUMEN_SEED={value}"),
        "environment-hex-key": (value := drawn(64, _HEX), f"LUMEN_VAULT_KEY={value}"),
    }


def pem_lines(count: int = 6) -> list[str]:
    """The lines of an invented private key."""
    begin, end = (f"-----{word} RSA PRIV" + "ATE KEY-----" for word in ("BEGIN", "END"))
    # A line that began with a plus would be read as an added line of a patch, and its sign stays.
    return [begin, *("M" + drawn(63, _BASE64) for _ in range(count)), "M" + drawn(19, _BASE64) + "==", end]


def _escaped_key() -> Canary:
    lines = pem_lines(3)
    return Canary("private-key-escaped", lines[2], '  "private_key": "' + r"\n".join(lines) + r'\n",')


ISSUED: tuple[Canary, ...] = tuple(
    Canary(name, form, f"Uses {form} since then.") for name, form in (_of_hosts() | _of_services()).items()
)
"""Tokens with nothing around them that says what they are."""
_PLACED = (Canary(name, *told) for name, told in (_where_they_stand() | _by_their_names()).items())
CANARIES: tuple[Canary, ...] = (*ISSUED, *_PLACED, _escaped_key())
