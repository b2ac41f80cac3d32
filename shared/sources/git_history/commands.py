"""Runs git: fixed environment, no shell, deadlines, and nothing left running when the caller is interrupted."""

from __future__ import annotations

import os
import secrets
import selectors
import shutil
import subprocess
import tempfile
from collections.abc import Generator, Iterator, Mapping, Sequence
from functools import cache
from types import TracebackType
from typing import Self

from shared.domain.errors import InvalidInput
from shared.domain.text import clean_text

DEADLINE = 300.0
"""Seconds that one answer of git may take."""

_CHUNK = 256 * 1024


class GitFailure(Exception):
    """Git ended with an error; the text is the first line that it gave as the reason."""


def environment(**variables: str) -> dict[str, str]:
    """Return the environment of a git process that reads a local clone.

    Settings of the person and the machine, hooks' variables and prompts are out; so is every network access: a partial
    clone must not be completed behind the reader's back. GIT_NO_LAZY_FETCH exists since git 2.45 (and in the security
    releases of older lines); before it, git starts a fetch that GIT_ALLOW_PROTOCOL then refuses.
    """
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "TMPDIR") if name in os.environ}
    return kept | {
        "LC_ALL": "C",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_LITERAL_PATHSPECS": "1",
        "GIT_ALLOW_PROTOCOL": "none",
        **variables,
    }


def run(
    arguments: Sequence[str | bytes], env: Mapping[str, str], stdin: bytes = b"", deadline: float = DEADLINE
) -> bytes:
    """Return what ``git ARGUMENTS`` prints when ``stdin`` is fed to it.

    GitFailure when it fails or takes longer than ``deadline`` seconds.
    """
    try:
        # `run` kills the child on any exception, an interruption included.
        done = subprocess.run(  # noqa: S603 - fixed program, arguments never pass a shell
            (git(), *arguments), env=env, input=stdin, capture_output=True, timeout=deadline, check=False
        )
    except subprocess.TimeoutExpired as error:
        raise GitFailure(f"git took longer than {deadline:.0f} s") from error
    if done.returncode != 0:
        raise GitFailure(reason(done.stderr))
    return done.stdout


@cache
def git() -> str:
    """Return where the git program is; InvalidInput on a machine without it."""
    found = shutil.which("git")
    if found is None:
        raise InvalidInput("Reading a clone needs git, which is not installed.", "Install git, or use merge records.")
    return found


def reason(stderr: bytes) -> str:
    """Return the first line of git's complaint that tells the reason, without its prefix."""
    lines = [line.strip() for line in clean_text(stderr.decode("utf-8", "replace")).splitlines() if line.strip()]
    for prefix in ("fatal: ", "error: "):
        for line in lines:
            if line.startswith(prefix):
                return line.removeprefix(prefix).rstrip(".")
    return lines[0] if lines else "git gave no reason"


class Conversation:
    """One git process that answers requests on its standard input, as ``diff-tree --stdin`` and ``cat-file`` do.

    After each request a line is sent that git does not know; it comes back as the end of the answer. Use as a context
    manager: the process never outlives it.
    """

    def __init__(self, arguments: Sequence[str], env: Mapping[str, str], echo: str = "") -> None:
        """Start nothing yet; ``echo`` is what git adds to a line that it does not know."""
        self._arguments = tuple(arguments)
        self._env = env
        self._mark = secrets.token_hex(16).encode()
        self._end = self._mark + echo.encode() + b"\n"
        self._process: subprocess.Popen[bytes] | None = None
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the conversation

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop()
        self._complaints.close()

    def ask(self, request: bytes) -> Generator[bytes, None, None]:
        """Yield the answer to ``request`` (whole lines, at most some 30 kB) in pieces; one answer at a time.

        GitFailure when git dies over it or is silent for too long; the next request then starts a new process.
        """
        try:
            process = self._started()
            assert process.stdin is not None
            assert process.stdout is not None
            process.stdin.write(request + self._mark + b"\n")
            process.stdin.flush()
            yield from self._answer(process.stdout.fileno())
        except BrokenPipeError as error:
            self._fail(error)
        except BaseException:
            self._stop()
            raise

    def _answer(self, output: int) -> Iterator[bytes]:
        held = b""
        with selectors.DefaultSelector() as selector:
            selector.register(output, selectors.EVENT_READ)
            while not held.endswith(self._end):
                if not selector.select(DEADLINE):
                    raise GitFailure(f"git was silent for {DEADLINE:.0f} s")
                piece = os.read(output, _CHUNK)
                if not piece:
                    self._fail(None)
                held += piece
                if len(held) > len(self._end):
                    yield held[: -len(self._end)]
                    held = held[-len(self._end) :]

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._complaints.seek(0)
            self._complaints.truncate()
            self._process = subprocess.Popen(  # noqa: S603 - fixed program, arguments never pass a shell
                (git(), *self._arguments),
                env=self._env,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._complaints,
            )
        return self._process

    def _fail(self, cause: BaseException | None) -> None:
        self._stop()
        self._complaints.seek(0)
        raise GitFailure(reason(self._complaints.read(64 * 1024))) from cause

    def _stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                try:
                    pipe.close()
                except BrokenPipeError:
                    continue  # the unsent rest of a request; the process is gone
        process.wait()
