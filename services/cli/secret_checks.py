"""What ``doctor`` says about secrets and tokens: whether they are there and long enough, never what they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import SecretStr

from services.cli.checks import SHORTEST_SECRET, Finding
from services.cli.first_start import stored_credentials
from shared.domain.errors import InvalidInput
from shared.settings import Settings


def access(settings: Settings) -> Iterator[Finding]:
    """Yield whether deliveries and API calls can be told from forged ones."""
    try:
        settings = stored_credentials(settings)
    except InvalidInput as error:
        yield Finding("credentials", "wrong", error.message, error.way_out)
    yield _finding("webhook secret", settings.webhook.secrets, settings, "MERGECAST_WEBHOOK__SECRETS", "the webhook")
    yield _finding("API token", settings.api.tokens, settings, "MERGECAST_API__TOKENS", "the API")


def _finding(name: str, secrets: Sequence[SecretStr], settings: Settings, variable: str, what: str) -> Finding:
    mend = f"""Set {variable}='["…"]' to a long random value: openssl rand -hex 32"""
    if not secrets:
        if settings.embedded:
            return Finding(name, "good", "none set: `mergecast serve` makes one on its first start")
        return Finding(name, "wrong", f"none set: {what} is off", mend)
    if any(len(secret.get_secret_value()) < SHORTEST_SECRET for secret in secrets):
        return Finding(name, "warning", f"shorter than {SHORTEST_SECRET} characters", mend)
    return Finding(name, "good", f"{len(secrets)} set")
