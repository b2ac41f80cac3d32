"""Opens the code host by the settings: with a token, an App, or nothing."""

from __future__ import annotations

from pydantic import SecretStr

from shared.code_host.app_tokens import AppTokens
from shared.code_host.asking import Asker
from shared.code_host.host import CodeHost
from shared.code_host.tokens import NoToken, PersonalToken, TokenSource
from shared.code_host.wire import Wire
from shared.domain.errors import InvalidInput
from shared.domain.protocols import AnswerCache, Clock, Limiter
from shared.settings.code_host import GitHubSettings


def open_code_host(
    settings: GitHubSettings, limiter: Limiter, answers: AnswerCache, clock: Clock, *, writing: bool = False
) -> CodeHost:
    """Return the host that the settings name; nothing is asked yet.

    ``writing`` takes the token for publishing, and no other. InvalidInput when there is nothing that may be asked
    with, or the App's private key cannot be read.
    """
    asker = Asker(Wire(settings.address, settings.timeout), limiter, clock)
    tokens = _writing(settings) if writing else _reading(settings, asker)
    return CodeHost(settings.host, asker, tokens, answers)


def _writing(settings: GitHubSettings) -> TokenSource:
    if not settings.write_token.get_secret_value():
        raise InvalidInput("There is no token that may write at GitHub.", "Set github.write_token.")
    return PersonalToken(settings.write_token)


def _reading(settings: GitHubSettings, asker: Asker) -> TokenSource:
    if settings.app_id:
        return AppTokens(asker, settings.app_id, _private_key(settings))
    if settings.token.get_secret_value():
        return PersonalToken(settings.token)
    if settings.anonymous:
        return NoToken()
    raise InvalidInput(
        "GitHub may not be asked: there is no credential.",
        "Set github.token, or github.app_id and github.private_key_file, or github.anonymous = true.",
    )


def _private_key(settings: GitHubSettings) -> SecretStr:
    if settings.private_key_file is None:
        return settings.private_key
    try:
        return SecretStr(settings.private_key_file.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError):
        raise InvalidInput(
            f"The private key {settings.private_key_file} cannot be read.",
            "Give github.private_key_file the .pem file that GitHub made for the App.",
        ) from None
