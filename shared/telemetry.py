"""Logging for every process: structured lines on standard error, with secrets scrubbed from all of them."""

from __future__ import annotations

import base64
import json
import logging
import re
import sys
from collections.abc import Iterable
from typing import TextIO
from urllib.parse import unquote, urlsplit

import structlog
from structlog.typing import EventDict, Processor, WrappedLogger

from shared.redaction import redact
from shared.settings.model import Settings

STARS = "***"
_SHORTEST_SECRET = 4
_CREDENTIALS_IN_URL = re.compile(r"(?<=://)[^\s/@:]*:[^\s/@]+(?=@)")
_BEARER = re.compile(r"(?i)\b(bearer\s+)[A-Za-z0-9._~+/=-]{8,}")


class Scrubber:
    """Replaces known secrets, credentials inside URLs and bearer tokens by stars, and blackens what looks like others.

    An error may quote the text of a merge, which is not redacted yet where it is read (R-71, R-91).
    """

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        forms = {form for secret in secrets if len(secret) >= _SHORTEST_SECRET for form in _written_forms(secret)}
        # The longest first: a secret may begin with another one.
        parts = [re.escape(form) for form in sorted(forms, key=len, reverse=True)]
        self._known = re.compile("|".join(parts)) if parts else None

    def scrub(self, text: str) -> str:
        """Return ``text`` without the secrets."""
        if self._known is not None:
            text = self._known.sub(STARS, text)
        return redact(_BEARER.sub(rf"\g<1>{STARS}", _CREDENTIALS_IN_URL.sub(STARS, text))).text


def scrubber_of(settings: Settings) -> Scrubber:
    """Return the scrubber that knows every secret of these settings."""
    github = (settings.github.token, settings.github.write_token, settings.github.private_key)
    held = (*settings.webhook.secrets, *settings.api.tokens, *github, settings.model.api_key)
    secrets = [secret.get_secret_value() for secret in held]
    for url in (settings.database_url, settings.broker.url.get_secret_value()):
        password = urlsplit(url).password
        secrets += [password, unquote(password)] if password else []
    for token in settings.clones.tokens.values():
        # The second is how it stands in a header.
        plain = token.get_secret_value()
        secrets += [plain, base64.b64encode(f"x-access-token:{plain}".encode()).decode("ascii")] if plain else []
    return Scrubber(secrets)


def configure(settings: Settings, level: int = logging.INFO, stream: TextIO | None = None) -> None:
    """Set up structlog and the standard library's logging once for the process.

    Readable lines on a terminal, JSON elsewhere. Lines of libraries (uvicorn, Celery, SQLAlchemy) go the same way, so
    that their tracebacks are scrubbed too.
    """
    stream = stream or sys.stderr
    before: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.StackInfoRenderer(),
        structlog.processors.format_exc_info,
    ]
    structlog.configure(
        processors=[
            structlog.stdlib.filter_by_level,
            *before,
            structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
        ],
        wrapper_class=structlog.stdlib.BoundLogger,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(_formatter(before, scrubber_of(settings), terminal=stream.isatty()))
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    for noisy in ("celery", "kombu", "alembic", "sqlalchemy", "httpx2", "httpcore2", "openai"):
        logging.getLogger(noisy).setLevel(max(level, logging.WARNING))


def _formatter(before: list[Processor], scrubber: Scrubber, *, terminal: bool) -> logging.Formatter:
    render: Processor = (
        structlog.dev.ConsoleRenderer(colors=True)
        if terminal
        else structlog.processors.JSONRenderer(ensure_ascii=False)
    )

    def scrub(_logger: WrappedLogger, _method: str, event: EventDict) -> str:
        return scrubber.scrub(str(render(_logger, _method, event)))

    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=before,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, scrub],
    )


def _written_forms(secret: str) -> tuple[str, ...]:
    """The secret itself, and as a JSON string and ``repr`` write it."""
    return secret, json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1], repr(secret)[1:-1]
