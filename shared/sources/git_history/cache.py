"""Fetches clones into a cache folder: bare, whole or not at all, brought up to date on each further use."""

from __future__ import annotations

import hashlib
import os
import re
import selectors
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from shared.domain.errors import InvalidInput
from shared.domain.protocols import Progress
from shared.sources.git_history.addresses import PROTOCOLS, checked_url, without_credentials
from shared.sources.git_history.commands import GitFailure, git, reason

STALL = 300.0
"""Seconds without any word from git after which a fetch is given up."""

_COUNT = re.compile(rb"(?:Receiving objects|Resolving deltas|Unpacking objects):\s+\d+% \((\d+)/(\d+)\)")
_PARTIAL = ".partial-"
_STALE = 24 * 3600
"""Seconds after which what a killed process left behind is thrown away."""

_REMEMBERED = 16 * 1024
_PERSONAL = frozenset({"GIT_SSH_COMMAND", "GIT_SSH", "GIT_CONFIG_GLOBAL", "GIT_SSL_CAINFO", "GIT_SSL_NO_VERIFY"})

_HEADS = "+refs/heads/*:refs/heads/*"
_CAREFUL = ("-c", "core.hooksPath=/dev/null", "-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=60")


def fetch_clone(url: str, cache: Path, progress: Progress | None = None) -> Path:
    """Return a bare clone of ``url`` under ``cache``, made or brought up to date now.

    A new clone is made beside its place and moved there when it is whole, so an interruption leaves none behind.
    InvalidInput for an address that may not be fetched and for whatever git refuses; credentials in the address are
    used, but neither stored nor shown.
    """
    url = checked_url(url)
    place = cache / _folder_name(url)
    try:
        cache.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InvalidInput(f"The cache folder {cache} cannot be made: {error.strerror}.", "Choose another.") from error
    try:
        if place.is_dir():
            _refresh(url, place, progress)
        else:
            _make(url, place, progress)
    except GitFailure as error:
        raise InvalidInput(
            f"{without_credentials(url)} cannot be fetched: {_shown(error, url)}.",
            "Check the address, the network and your access.",
        ) from error
    return place


def _make(url: str, place: Path, progress: Progress | None) -> None:
    _sweep(place.parent)
    with tempfile.TemporaryDirectory(prefix=_PARTIAL, dir=place.parent, ignore_cleanup_errors=True) as name:
        fresh = Path(name) / "clone.git"
        _git(("clone", "--bare", "--no-tags", "--progress", "--", url, str(fresh)), progress)
        _git((*_at(fresh), "config", "remote.origin.url", without_credentials(url)), None)
        try:
            fresh.rename(place)
        except OSError:
            if not place.is_dir():  # else another process was faster; its clone is as good
                raise


def _refresh(url: str, place: Path, progress: Progress | None) -> None:
    _git((*_at(place), "fetch", "--prune", "--no-tags", "--progress", "--force", "--", url, _HEADS), progress)
    answer = _git((*_at(place), "ls-remote", "--symref", "--", url, "HEAD"), None)
    matched = re.match(rb"ref: (refs/heads/\S+)\tHEAD", answer)
    if matched:  # a default branch that was renamed (C-15)
        _git((*_at(place), "symbolic-ref", "HEAD", matched[1].decode("utf-8", "surrogateescape")), None)


def _at(folder: Path) -> tuple[str, ...]:
    return ("--git-dir", str(folder))


def _git(arguments: Sequence[str], progress: Progress | None) -> bytes:
    """Run git with the person's own access settings (proxy, credentials, ssh) and return what it prints."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _PERSONAL}
    env |= {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": PROTOCOLS, "GIT_ASKPASS": "true"}
    env.setdefault("GIT_SSH_COMMAND", "ssh -o BatchMode=yes")
    with tempfile.TemporaryFile() as output:
        # A session of its own: git's helpers (ssh, index-pack) end with it.
        process = subprocess.Popen(  # noqa: S603 - fixed program, arguments never pass a shell
            (git(), *_CAREFUL, *arguments),
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.PIPE,
            start_new_session=True,
        )
        try:
            complaints = _follow(process, progress)
            if process.wait() != 0:
                raise GitFailure(reason(complaints))
        except BaseException:
            _kill(process)
            raise
        finally:
            if process.stderr is not None:
                process.stderr.close()
        output.seek(0)
        return output.read()


def _follow(process: subprocess.Popen[bytes], progress: Progress | None) -> bytes:
    """Read what git says until it is done, report its counts, and return the last of its words."""
    assert process.stderr is not None
    said = b""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stderr, selectors.EVENT_READ)
        while True:
            if not selector.select(STALL):
                raise GitFailure(f"there was no answer for {STALL:.0f} s")
            piece = os.read(process.stderr.fileno(), 64 * 1024)
            if not piece:
                return said
            said = (said + piece)[-_REMEMBERED:]
            if progress is not None and (counts := _COUNT.findall(said)):
                progress(int(counts[-1][0]), int(counts[-1][1]))


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            process.kill()
        process.wait()


def _sweep(cache: Path) -> None:
    """Throw away what processes that were killed long ago left half done."""
    for left in cache.glob(f"{_PARTIAL}*"):
        try:
            if time.time() - left.stat().st_mtime > _STALE:
                shutil.rmtree(left, ignore_errors=True)
        except FileNotFoundError:
            continue  # another process was faster


def _folder_name(url: str) -> str:
    """A readable name that two addresses never share; the same with and without credentials."""
    plain = without_credentials(url)
    words = re.sub(r"[^A-Za-z0-9.-]+", "-", plain.partition("://")[2] or plain).strip("-.").removesuffix(".git")
    return f"{words[-60:].strip('-.')}-{hashlib.sha256(plain.encode()).hexdigest()[:12]}.git"


def _shown(error: GitFailure, url: str) -> str:
    """Git's reason, which may repeat the address, without the credentials in it."""
    secret = url.partition("://")[2].rpartition("@")[0]
    text = str(error).replace(url, without_credentials(url))
    return text.replace(f"{secret}@", "") if secret else text
