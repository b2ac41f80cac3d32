"""Keeps a bare clone: made whole or not at all, fetched under a lock, made again when it is broken."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path

from shared.domain.errors import InvalidInput, Postponed
from shared.domain.protocols import Clock, Progress
from shared.sources.git_history.clone_folder import ClonePlace
from shared.sources.git_history.clone_state import CloneState, locked, read_state, told_age, write_state
from shared.sources.git_history.commands import GitFailure, environment, run
from shared.sources.git_history.remote import IGNORED_FAULTS, Remote, run_long

SPACING = timedelta(minutes=1)
"""A burst of merges asks the remote once in this time."""
CHECK_EVERY = timedelta(hours=1)
"""A clone that cannot be fetched is looked over for damage this often."""
TIDY_EVERY = timedelta(days=1)

_HEADS = "+refs/heads/*:refs/heads/*"
_NICENESS = 10
_LARGE_PACK = "256m"
"""Packs above this stay as they are when small ones are put together: tidying up is to be short."""


class CloneInUse(Postponed):
    """Another process is making, fetching or tidying the clone."""


class KeptClone:
    """A bare clone of the heads of ``remote`` below ``folder``.

    Readers need no lock: what is being made stands beside, and git adds objects before it names them.
    """

    def __init__(self, remote: Remote, folder: Path, clock: Clock) -> None:
        """Touch nothing yet."""
        self.remote = remote
        self._place = ClonePlace(folder, remote.url)
        self._clock = clock

    @property
    def folder(self) -> Path:
        """Where the clone is, or will be."""
        return self._place.clone

    @property
    def made(self) -> bool:
        """Whether there is one."""
        return self._place.made

    @property
    def suspected(self) -> bool:
        """Whether somebody could not read it since it was last looked over."""
        return self._place.suspicion.exists()

    def state(self) -> CloneState:
        """What was last done with it."""
        return read_state(self._place.state)

    def size(self) -> int:
        """Bytes on disk."""
        return self._place.size()

    def has(self, commit: str) -> bool:
        """Whether ``commit`` (an object id) is there."""
        if not self.made:
            return False
        try:
            run(("cat-file", "-e", f"{commit}^{{commit}}"), environment(GIT_DIR=str(self.folder)), deadline=60)
        except GitFailure:
            return False
        return True

    def suspect(self) -> None:
        """Have it looked over at the next upkeep: it could not be read."""
        if self.made:
            self._place.suspicion.touch()

    def fetch(self, deadline: float, wait: float, unless: Callable[[], bool]) -> None:
        """Bring a clone that is there up to date, unless ``unless()`` holds once the lock is had.

        The remote is asked at most once a minute. Postponed when there is no clone yet, the remote cannot be reached
        or was asked just now; CloneInUse when somebody else works on it for ``wait`` seconds.
        """
        with self._held(wait if self.made else 0.0):
            if unless():
                return
            state, now = self.state(), self._clock()
            if not self.made:
                self._remember(failing_since=state.failing_since or now)
                raise Postponed(self._told(state, "has no clone yet"), now + SPACING)
            if state.tried_at is not None and state.tried_at <= now < state.tried_at + SPACING:
                raise Postponed(self._told(state, "was asked just now"), state.tried_at + SPACING)
            self._update(deadline)

    def keep(self, deadline: float, wait: float = 0.0, progress: Progress | None = None) -> None:
        """Make the clone or bring it up to date; one that is broken is made again. Same errors as ``fetch``."""
        with self._held(wait):
            self._remember(kept_at=self._clock())
            if self.suspected:
                self._mend(deadline)
            try:
                self._update(deadline, progress)
            except Postponed:
                if not self._may_be_broken() or not self._mend(deadline):
                    raise

    def tidy(self, deadline: float) -> None:
        """Put many small packs together, gently; does nothing within a day. CloneInUse, Postponed as above."""
        with self._held(0.0):
            state, now = self.state(), self._clock()
            if not self.made or (state.tidied_at is not None and now < state.tidied_at + TIDY_EVERY):
                return
            self._remember(tidied_at=now)
            settings = ("-c", "gc.auto=6700", "-c", "gc.autoDetach=false", "-c", f"gc.bigPackThreshold={_LARGE_PACK}")
            work = (*settings, "-c", "pack.threads=1", "gc", "--auto", "--force", "--quiet")
            try:
                run_long(work, environment(GIT_DIR=str(self.folder)), deadline, niceness=_NICENESS)
            except GitFailure as error:
                raise Postponed(f"The clone {self.folder} cannot be tidied: {error}.", now + TIDY_EVERY) from error

    @contextmanager
    def _held(self, wait: float) -> Iterator[None]:
        self._place.prepare()
        with self._failing_as_postponed(), locked(self._place.lock, wait) as held:
            if not held:
                until = self._clock() + SPACING
                raise CloneInUse(f"Another process works on the clone of {self.remote.url}.", until)
            yield

    @contextmanager
    def _failing_as_postponed(self) -> Iterator[None]:
        try:
            yield
        except GitFailure as error:
            state = self.state().model_copy(update={"failure": str(error)})
            raise Postponed(self._told(state, "cannot be fetched"), self._clock() + SPACING) from error

    def _update(self, deadline: float, progress: Progress | None = None) -> None:
        """Make or fetch; what came of it is remembered, and a killed try as well."""
        ends, began = time.monotonic() + deadline, self._clock()
        since = self.state().failing_since or began
        self._remember(tried_at=began, failure="the last try was not ended", failing_since=since)
        try:
            self._place.sweep()
            if self.made:
                self._refresh(ends, progress)
            else:
                self._make(ends, progress)
        except GitFailure as error:
            self._remember(failure=str(error))
            raise Postponed(self._told(self.state(), "cannot be fetched"), began + SPACING) from error
        self._remember(fetched_at=began, failure=None, failing_since=None)

    def _make(self, ends: float, progress: Progress | None) -> None:
        with self._place.beside() as fresh:
            options = ("--bare", "--no-tags", "--template=", "--no-recurse-submodules", "--progress")
            self._git(("clone", *options, "--", self.remote.url, str(fresh)), ends, progress)
            self._place.take(fresh)

    def _refresh(self, ends: float, progress: Progress | None) -> None:
        options = ("--prune", "--no-tags", "--no-recurse-submodules", "--force", "--progress")
        self._git((*self._at(), "fetch", *options, "--", self.remote.url, _HEADS), ends, progress)
        answer = self._git((*self._at(), "ls-remote", "--symref", "--", self.remote.url, "HEAD"), ends)
        matched = re.match(rb"ref: (refs/heads/\S+)\tHEAD", answer)
        if matched:  # a default branch that was renamed (C-15)
            self._git((*self._at(), "symbolic-ref", "HEAD", matched[1].decode("utf-8", "surrogateescape")), ends)

    def _mend(self, deadline: float) -> bool:
        """Look the clone over, and make it again when it is broken; whether it was."""
        began = self._clock()
        self._remember(checked_at=began)
        known = tuple(word for fault in IGNORED_FAULTS for word in ("-c", f"fsck.{fault}=ignore"))
        look = (*known, "fsck", "--full", "--no-dangling", "--no-progress")
        broken = not self.made
        try:
            run_long(look, environment(GIT_DIR=str(self.folder)), deadline, niceness=_NICENESS)
        except GitFailure:
            broken = True
        if broken:
            self._make(time.monotonic() + deadline, None)
            self._remember(fetched_at=began, failure=None, failing_since=None)
        self._place.suspicion.unlink(missing_ok=True)
        return broken

    def _may_be_broken(self) -> bool:
        """Only when the remote does answer is the clone itself looked at, and not too often."""
        checked = self.state().checked_at
        if not self.made or (checked is not None and self._clock() < checked + CHECK_EVERY):
            return False
        return answers(self.remote, 60.0) is None

    def _git(self, arguments: tuple[str, ...], ends: float, progress: Progress | None = None) -> bytes:
        return run_long(arguments, self.remote.env, max(ends - time.monotonic(), 0.0), progress)

    def _at(self) -> tuple[str, ...]:
        return ("--git-dir", str(self.folder))

    def _remember(self, **what: datetime | str | None) -> None:
        write_state(self._place.state, self.state().model_copy(update=what))

    def _told(self, state: CloneState, what: str) -> str:
        age = state.age(self._clock()) if self.made else None
        old = f" Its clone is {told_age(age)} old." if age is not None else ""
        return f"{self.remote.url} {what}{f' ({state.failure})' if state.failure else ''}.{old}"


def answers(remote: Remote, deadline: float) -> str | None:
    """Ask the remote for its default branch; None when it answers, else why not."""
    try:
        run_long(("ls-remote", "--symref", "--", remote.url, "HEAD"), remote.env, deadline)
    except (GitFailure, InvalidInput) as error:
        return str(error)
    return None
