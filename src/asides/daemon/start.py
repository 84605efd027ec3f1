"""Becoming the one daemon of this user, or leaving because there is one."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from asides.daemon import endpoint, marks, process
from asides.model.errors import DaemonNotRunning
from asides.paths import private_folder

# Ours may be busy: a long message takes a second, a machine with two cores and sixteen hooks more.
# Three unanswered questions of three seconds mean deaf.
QUESTIONS = 3
LEAVE_WITHIN = 10.0  # seconds a daemon may take to finish the turn at hand
START_WITHIN = 20.0  # seconds until a daemon that was started must answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """The right to be the daemon, held until `lock` is released."""

    lock: FileLock
    told: str  # how the claim came about, for the record


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined:
    """Why this process does not become the daemon."""

    why: str


def claim(run: Path, *, version: str, now: float) -> Claim | Declined:
    """Returns the claim to be the daemon, or why another goes on.

    An older daemon is asked to leave, a deaf one is ended; both under one lock (hazards B-016, B-057).
    """
    private_folder(run)
    lock = FileLock(run / "lock", mode=0o600)
    told = "none was running"
    try:
        lock.acquire(timeout=0)
    except Timeout:
        outcome = _take_over(run, version)
        if isinstance(outcome, Declined):
            return outcome
        told = outcome
        try:
            lock.acquire(timeout=LEAVE_WITHIN)
        except Timeout:
            return Declined(why="another start was faster")
    if not marks.within_budget(run, now):
        lock.release()
        return Declined(
            why=f"{marks.START_BUDGET} starts in {marks.START_WINDOW:.0f} s: restart budget spent"
        )
    return Claim(lock=lock, told=told)


def _take_over(run: Path, version: str) -> str | Declined:
    """Makes the daemon that holds the lock leave, if it is older or deaf; returns how."""
    for _ in range(QUESTIONS):
        found = endpoint.answering(run)
        if found is None:
            time.sleep(0.2)  # it may be between taking the lock and listening
            continue
        mark, answer = found
        if release(answer.version) >= release(version):
            return Declined(why=f"daemon {answer.version} answers (process {answer.pid})")
        try:
            endpoint.ask(run, "stop")
        except DaemonNotRunning:
            continue
        process.stop(mark.pid, mark.start, patience=LEAVE_WITHIN)
        return f"replaced version {answer.version}"
    left = marks.read(run)
    if left is None or left.boot != process.boot_id():
        return "the one that held the lock never said who it is"
    process.stop(left.pid, left.start, patience=LEAVE_WITHIN)
    return "ended one that did not answer"


def release(version: str) -> tuple[int, ...]:
    """Returns a version's numbers, for comparison; what is no number counts as 0."""
    return tuple(int(part) if part.isdigit() else 0 for part in version.split("."))


def launch(run: Path, *, environment: dict[str, str]) -> endpoint.Answer:
    """Starts a daemon apart from this process and returns its first answer.

    Raises DaemonNotRunning when none answers within START_WITHIN seconds.
    """
    subprocess.Popen(
        [sys.executable, "-I", "-m", "asides.daemon"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        env={**os.environ, **environment},
    )
    deadline = time.monotonic() + START_WITHIN
    while time.monotonic() < deadline:
        found = endpoint.answering(run)
        if found is not None:
            return found[1]
        time.sleep(0.1)
    raise DaemonNotRunning(socket=run)
