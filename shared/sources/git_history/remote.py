"""Runs the git commands that take long or speak to a remote: careful settings, a deadline, no secret in an argument."""

from __future__ import annotations

import base64
import os
import re
import selectors
import signal
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from shared.domain.errors import InvalidInput
from shared.domain.protocols import Progress
from shared.sources.git_history.addresses import PROTOCOLS, checked_url, credentials_of, without_credentials
from shared.sources.git_history.commands import GitFailure, git, reason

STALL = 300.0
"""Seconds without any word from git after which it is given up."""

TOKEN_USER = "x-access-token"  # noqa: S105 - the name under which GitHub takes any kind of token
IGNORED_FAULTS = ("badTimezone", "missingSpaceBeforeDate", "zeroPaddedFilemode")
"""Faults of old tools that many well-known histories have; git reads them all the same."""

_COUNT = re.compile(rb"(?:Receiving objects|Resolving deltas|Unpacking objects):\s+\d+% \((\d+)/(\d+)\)")
_REMEMBERED = 16 * 1024
_ENDS_WITHIN = 30.0
_PERSONAL = frozenset({"GIT_SSH_COMMAND", "GIT_SSH", "GIT_CONFIG_GLOBAL", "GIT_SSL_CAINFO", "GIT_SSL_NO_VERIFY"})
_FULL_DISK = re.compile(rb"^(?!remote:).*?(No space left on device|Disk quota exceeded)", re.MULTILINE)

_CAREFUL = (
    *("-c", "core.hooksPath=/dev/null", "-c", "http.lowSpeedLimit=1000", "-c", "http.lowSpeedTime=60"),
    *("-c", "transfer.fsckObjects=true", "-c", "fetch.fsckObjects=true", "-c", "gc.auto=0", "-c", "maintenance.auto=0"),
    *(word for fault in IGNORED_FAULTS for word in ("-c", f"fetch.fsck.{fault}=ignore")),
)


@dataclass(frozen=True)
class Remote:
    """An address without credentials, what git may speak to it, and the secret variables that let it in."""

    url: str
    protocols: str = PROTOCOLS
    access: Mapping[str, str] = field(default_factory=dict, repr=False)

    @property
    def env(self) -> dict[str, str]:
        """The environment in which git speaks to it: with the person's own proxy, ssh and credential settings."""
        env = {name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _PERSONAL}
        env |= {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0", "GIT_ALLOW_PROTOCOL": self.protocols, "GIT_ASKPASS": "true"}
        env.setdefault("GIT_SSH_COMMAND", "ssh -o BatchMode=yes -o ServerAliveInterval=15 -o ServerAliveCountMax=4")
        return {**env, **self.access}


def remote_of(url: str, token: str | None = None, protocols: str = PROTOCOLS) -> Remote:
    """Return the remote at ``url``; credentials in it, or ``token``, are handed to git by its environment only.

    They are given to the host of the URL alone. InvalidInput for an address that may not be fetched, or that speaks
    none of ``protocols``.
    """
    plain = without_credentials(checked_url(url))
    scheme = plain.partition("://")[0].lower() if "://" in plain else "ssh"
    if scheme not in protocols.split(":"):
        raise InvalidInput(
            f"'{plain}' is not an address that may be cloned here.", f"Use one of {protocols.replace(':', ', ')}."
        )
    credentials = credentials_of(url)
    if credentials is None and token and scheme == "https":
        credentials = (TOKEN_USER, token)
    return Remote(plain, protocols, _access(plain, *credentials) if credentials else {})


def basic_authorization(user: str, password: str) -> str:
    """Return the value of an ``Authorization`` header; as secret as the password."""
    return "Basic " + base64.b64encode(f"{user}:{password}".encode()).decode("ascii")


def _access(url: str, user: str, password: str | None) -> dict[str, str]:
    """Settings of git by environment: neither a list of processes nor the clone's config shows them (git 2.31)."""
    parts = urlsplit(url)
    host = f"{parts.scheme}://{parts.netloc}/"
    if password is None:
        # A credential helper may know the rest.
        name, value = f"credential.{host}.username", user
    else:
        name, value = f"http.{host}.extraHeader", f"Authorization: {basic_authorization(user, password)}"
    return {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": name, "GIT_CONFIG_VALUE_0": value}


def run_long(
    arguments: Sequence[str],
    env: Mapping[str, str],
    deadline: float,
    progress: Progress | None = None,
    niceness: int = 0,
) -> bytes:
    """Return what ``git ARGUMENTS`` prints; GitFailure when it fails, is silent or runs for ``deadline`` seconds.

    Neither git nor a helper of it (ssh, index-pack) is left running, whatever interrupts the caller.
    """
    ends = time.monotonic() + deadline
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen(  # noqa: S603 - fixed program, arguments never pass a shell
            (git(), *_CAREFUL, *arguments),
            env=env,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.PIPE,
            # A session of its own: git's helpers end with it.
            start_new_session=True,
        )
        try:
            if niceness:
                os.setpriority(os.PRIO_PROCESS, process.pid, niceness)
            complaints = _follow(process, progress, ends, deadline)
            if process.wait(_ENDS_WITHIN) != 0:
                raise GitFailure(_cause(complaints))
        except subprocess.TimeoutExpired as error:
            raise GitFailure("git did not end") from error
        finally:
            _kill(process)
            if process.stderr is not None:
                process.stderr.close()
        output.seek(0)
        return output.read()


def _follow(process: subprocess.Popen[bytes], progress: Progress | None, ends: float, deadline: float) -> bytes:
    """Read what git says until it is done, report its counts, and return the last of its words."""
    assert process.stderr is not None
    said = b""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stderr, selectors.EVENT_READ)
        while True:
            left = ends - time.monotonic()
            if left <= 0:
                raise GitFailure(f"it took longer than {deadline:.0f} s")
            if not selector.select(min(STALL, left)):
                if left > STALL:
                    raise GitFailure(f"there was no answer for {STALL:.0f} s")
                continue
            piece = os.read(process.stderr.fileno(), 64 * 1024)
            if not piece:
                return said
            said = (said + piece)[-_REMEMBERED:]
            if progress is not None and (counts := _COUNT.findall(said)):
                progress(int(counts[-1][0]), int(counts[-1][1]))


def _cause(complaints: bytes) -> str:
    full = _FULL_DISK.search(complaints)
    return f"the disk is full ({full[1].decode()})" if full else reason(complaints)


def _kill(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            process.kill()
        process.wait()
