"""``mergecast demo``: the whole path on a bundled sample, in a throw-away service."""

from __future__ import annotations

import shutil
import signal
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from services.cli import sample
from services.cli.console import complain, plain
from services.cli.deliver import deliveries_of, post_all, show_answers
from services.cli.posting import Poster
from services.cli.summary import print_summary
from shared.domain.digest import Digest
from shared.domain.errors import MergecastError
from shared.settings import DigestSettings, PublisherSettings, RepositorySettings, Settings

if TYPE_CHECKING:
    from services.cli.embedded import EmbeddedService

AREAS: dict[str, tuple[str, ...]] = {
    "storage": ("/crates/lumen-log/", "/third_party/"),
    "replication": ("/crates/lumen-raft/",),
    "server": ("/crates/lumen-server/",),
    "protocol": ("/proto/", "/crates/lumen-proto/"),
    "connectors": ("/connectors/",),
    "clients": ("/clients/",),
    "console": ("/console/",),
    "deploy": ("/deploy/",),
    "docs": ("/docs/", "/CHANGELOG.md"),
    "ci": ("/.github/",),
}
CORE_PATHS = ("/crates/lumen-raft/src/", "/crates/lumen-log/src/", "/proto/")
LOG = "mergecast.log"


def demo(
    *,
    output: Annotated[Path, typer.Option("--output", "-o", help="Folder to publish to.", metavar="DIR")] = Path(
        "out/demo"
    ),
    keep: Annotated[bool, typer.Option("--keep", help="Leave the service up until Ctrl-C.")] = False,
) -> None:
    """Show the whole path on a bundled sample: deliveries in, a published digest out.

    Starts the service on a free port in a throw-away data folder, posts the
    signed deliveries of two weeks of an invented repository, waits until each
    merge is analysed, and publishes both weeks in English and Chinese. Needs no
    token, no settings and no network.

    [bold]Examples[/bold]

      mergecast demo
      mergecast demo --keep --output /tmp/demo
    """
    with _running_service(output.absolute()) as service:
        secret = service.settings.webhook.secrets[0].get_secret_value().encode()
        with Poster(f"{service.url}/webhooks/github", secret) as poster:
            deliveries = deliveries_of(None)
            _step(f"Posting the {len(deliveries)} signed deliveries of two weeks …")
            answers = post_all(poster, deliveries)
            show_answers(answers, poster.url)
        if not all(answer.accepted for answer in answers):
            raise MergecastError("The service refused some of the sample's deliveries.")
        made = _digest_of_the_sample(service)
        _tell(made, output)
        if keep:
            _stay_up(service)


def demo_settings(data_folder: Path, output: Path) -> Settings:
    """Return settings of their own: neither the environment nor a settings file of the person matters here."""
    return Settings(
        data_folder=data_folder,
        digest=DigestSettings(languages=("en", "zh-CN")),
        publisher=PublisherSettings(folder=output),
        repositories=(
            RepositorySettings(full_name=sample.REPOSITORY, records=sample.RECORDS, areas=AREAS, core_paths=CORE_PATHS),
        ),
    )


@contextmanager
def _running_service(output: Path) -> Iterator[EmbeddedService]:
    """Yield a started service; its folder is removed at the end unless something failed: then its log is kept."""
    from services.cli.embedded import EmbeddedService

    folder = Path(tempfile.mkdtemp(prefix="mergecast-demo-"))
    service = EmbeddedService(demo_settings(folder, output), port=0)
    _step("Starting the service in a throw-away data folder …")
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with (folder / LOG).open("w", encoding="utf-8") as log:
            with redirect_stderr(log):
                service.start()
            try:
                yield service
            finally:
                service.stop()
    except (KeyboardInterrupt, typer.Exit):
        shutil.rmtree(folder, ignore_errors=True)
        raise
    except BaseException:
        complain(f"the log of the demo is kept in {folder / LOG}")
        raise
    finally:
        signal.signal(signal.SIGTERM, before)
    shutil.rmtree(folder, ignore_errors=True)


def _digest_of_the_sample(service: EmbeddedService) -> Digest:
    from services.cli.waiting import Waiter

    waiter = Waiter(service.settings)
    try:
        _step("Waiting until each merge is analysed …")
        waiter.until_analysed()
        _step(f"Building and publishing {sample.WEEK_BEFORE} and {sample.WEEK} …")
        waiter.published(sample.REPOSITORY, sample.WEEK_BEFORE)
        return waiter.published(sample.REPOSITORY, sample.WEEK)
    finally:
        waiter.close()


def _step(told: str) -> None:
    print(told, flush=True)


def _tell(made: Digest, output: Path) -> None:
    print_summary(made)
    for path in sorted((output / made.repository / made.period.week).iterdir()):
        print(plain(str(path)))
    print(plain(f"Open {output / 'index.html'} in a browser."))


def _stay_up(service: EmbeddedService) -> None:
    from services.cli.first_start import credentials_file

    _step(f"The service stays up on {service.url}")
    _step(f"Webhook secret and API token: {credentials_file(service.settings)}")
    _step("Stop it with Ctrl-C.")
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        _step("Stopped.")
