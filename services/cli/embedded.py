"""The whole service in one process: webhook, API, worker, beat, doorbell and the files channel."""

from __future__ import annotations

import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from datetime import timedelta

import structlog
import uvicorn
from fastapi import FastAPI

from services.analyzer import tasks as analyzer
from services.analyzer.readings import tasks as reader
from services.cli.embedded_lock import FolderLock
from services.cli.first_start import Credentials, credentials_file, ensure_credentials
from services.cli.reading_threads import ReadingThreads
from services.digest import tasks as digest
from services.publisher import tasks as publisher
from services.reconciler import tasks as reconciler
from services.scheduler.timetable import timetable
from services.web.app import router as api_router
from services.web.runtime import WebRuntime
from services.webhook.app import router as webhook_router
from services.webhook.runtime import WebhookRuntime
from shared.broker.app import create_app, sender
from shared.broker.doorbell import Doorbell, Ring
from shared.broker.embedded import EmbeddedBroker
from shared.broker.task_names import TaskName
from shared.domain.errors import InvalidInput, MergecastError
from shared.problems import new_app
from shared.settings import Settings
from shared.store import migrate
from shared.store.session import Database
from shared.telemetry import configure

STOP_WITHIN = timedelta(seconds=10)
"""A stop takes no longer than this; a task that still runs is left to its lease."""

_log = structlog.get_logger(__name__)


class EmbeddedService:
    """Start it, use ``url``, stop it; or ``run`` it until a signal comes.

    With a broker other than ``memory://`` the workers run elsewhere and this process only receives and answers.
    """

    def __init__(self, settings: Settings, host: str = "127.0.0.1", port: int = 8080) -> None:
        self._settings = settings
        self._host = host
        self._port = port
        self._started = ExitStack()
        self._broker: EmbeddedBroker | None = None
        self._server: threading.Thread | None = None
        self._clean = True
        self.url = ""
        self.new_credentials: Credentials | None = None
        """The credentials that this start has made; None when there were some."""

    @property
    def settings(self) -> Settings:
        """The settings in force, with the generated credentials filled in after ``start``."""
        return self._settings

    @property
    def alive(self) -> bool:
        """Whether every part still runs."""
        serving = self._server is not None and self._server.is_alive()
        return serving and (self._broker is None or self._broker.alive)

    def start(self) -> None:
        """Start every part and return when deliveries are taken; InvalidInput for what the operator can mend."""
        try:
            self._start()
        except BaseException:
            self.stop()
            raise

    def stop(self) -> bool:
        """Stop every part within ten seconds; False when a task had to be left to its lease."""
        self._started.close()
        return self._clean

    def run(self, announce: Callable[[str], None] = print) -> None:
        """Serve until SIGINT or SIGTERM; only for the main thread of a process that does nothing else.

        MergecastError when a part ends by itself, so that whoever supervises the process starts it again.
        """
        stopping = threading.Event()
        for name in (signal.SIGINT, signal.SIGTERM):
            signal.signal(name, lambda *_: _leave(1) if stopping.is_set() else stopping.set())
        self.start()
        for line in self._greeting():
            announce(line)
        while not stopping.wait(1.0):
            if not self.alive:
                self.stop()
                raise MergecastError("A part of the service has ended by itself.", "The log says why; start it again.")
        if not self.stop():
            _leave(0)

    def _start(self) -> None:
        folder = self._settings.data_folder
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise InvalidInput(
                f"The data folder {folder} cannot be made: {error.strerror}.", "Set data_folder to a writable place."
            ) from error
        lock = FolderLock(folder)
        lock.acquire()
        self._started.callback(lock.release)
        self._settings, self.new_credentials = ensure_credentials(self._settings)
        configure(self._settings)
        listener = _listen(self._host, self._port)
        self._started.callback(listener.close)
        database = Database(self._settings.database_url)
        self._started.callback(database.dispose)
        migrate.upgrade(database)
        doorbell = Doorbell(sender(self._settings))
        if self._settings.embedded:
            self._start_broker(database, doorbell.ring)
        self._started.callback(doorbell.close, 1.0)
        self._serve(self._application(database, doorbell), listener)

    def _start_broker(self, database: Database, ring: Ring) -> None:
        settings = self._settings
        handlers = dict(_handlers(settings, database, ring))
        for task, most in ((TaskName.READ_MERGE, settings.model.concurrency), (TaskName.WORK_BATCH, 1)):
            threads = ReadingThreads(handlers[task], most)
            handlers[task] = threads.take
            self._started.callback(self._stop_readings, threads)
        app = create_app(settings, handlers, timetable(settings))
        self._broker = EmbeddedBroker(app, settings.worker.concurrency)
        self._started.callback(self._stop_broker)
        self._broker.start()

    def _stop_broker(self) -> None:
        assert self._broker is not None
        self._clean = self._broker.stop(timeout=4.0)

    def _stop_readings(self, threads: ReadingThreads) -> None:
        self._clean = threads.stop(timeout=1.0) and self._clean

    def _application(self, database: Database, doorbell: Doorbell) -> FastAPI:
        app = new_app("Mergecast")
        app.include_router(webhook_router(WebhookRuntime(self._settings, database, doorbell, database.now)))
        app.include_router(api_router(WebRuntime(self._settings, database, database.now)))
        return app

    def _serve(self, app: FastAPI, listener: socket.socket) -> None:
        server = uvicorn.Server(
            uvicorn.Config(
                app,
                # shared.telemetry has set logging up; a line for every request would drown the rest.
                log_config=None,
                access_log=False,
                server_header=False,
                # Nobody stands in front of this process unless the operator says so.
                proxy_headers=False,
                ws="none",
                timeout_graceful_shutdown=2,
            )
        )
        self._server = threading.Thread(target=server.run, args=([listener],), name="server", daemon=True)
        self._started.callback(self._stop_server, server)
        self._server.start()
        deadline = time.monotonic() + 10
        while not server.started:
            if not self._server.is_alive() or time.monotonic() > deadline:
                raise MergecastError("The web server did not start.", "The log says why.")
            time.sleep(0.01)
        host, port = listener.getsockname()[:2]
        self.url = f"http://{f'[{host}]' if ':' in host else host}:{port}"
        _log.info("service.started", url=self.url)

    def _stop_server(self, server: uvicorn.Server) -> None:
        server.should_exit = True
        if self._server is not None and self._server.ident is not None:
            self._server.join(3.0)

    def _greeting(self) -> list[str]:
        made, lines = self.new_credentials, []
        if made is not None:
            lines.append(f"Made at this first start, kept in {credentials_file(self._settings)}, shown this once:")
            if made.webhook_secret in self._settings.webhook.secrets:
                lines.append(f"Webhook secret: {made.webhook_secret.get_secret_value()}")
            if made.api_token in self._settings.api.tokens:
                lines.append(f"API token: {made.api_token.get_secret_value()}")
        return [
            *lines,
            f"Mergecast listens on {self.url}",
            f"Webhook:   {self.url}/webhooks/github",
            f"Published: {self._settings.published_folder}",
        ]


def _handlers(settings: Settings, database: Database, ring: Ring) -> Mapping[TaskName, Callable[..., None]]:
    """The tasks of every worker service, in one process."""
    return {
        **analyzer.handlers(analyzer.make_runtime(settings, database, ring)),
        **digest.handlers(digest.make_runtime(settings, database, ring)),
        **publisher.handlers(publisher.make_runtime(settings, database, ring)),
        **reader.handlers(reader.make_runtime(settings, database, ring)),
        **reconciler.handlers(reconciler.make_runtime(settings, database, ring)),
    }


def _listen(host: str, port: int) -> socket.socket:
    """Bind before anything else is started: a port in use is the commonest fault of all."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
    except (OSError, OverflowError) as error:
        listener.close()
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidInput(f"Nothing can listen on {host} port {port}: {reason}.", "Choose another --port.") from error
    return listener


def _leave(code: int) -> None:
    """End now: the pool threads of a task that hangs would hold up an ordinary exit for as long as it hangs."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
