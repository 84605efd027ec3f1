"""Becoming the one daemon of this user, or leaving because there is one."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from asides import __version__
from asides.daemon import endpoint, marks, process
from asides.model.errors import DaemonNotRunning, NoDaemonCanWork
from asides.paths import private_folder

# Ours may be busy: a long message takes a second, a machine with two cores and sixteen hooks more.
# Three unanswered questions of three seconds mean deaf, if it had its share of the machine meanwhile.
QUESTIONS = 3
SHARE = 1.0  # seconds of processor in one question; with less, one that would compute was kept from it
LOOK_AGAIN = 0.2  # seconds
GIVE_UP = 30.0  # seconds; a first start on a busy machine takes a few, ending a deaf one a dozen
DEAF_WITHIN = 2.0  # seconds that one may take which has not answered for nine
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
    refused: bool = False  # although no other one is there: something kills it again and again


def claim(run: Path, *, version: str, now: float, budget: int = marks.START_BUDGET) -> Claim | Declined:
    """Returns the claim to be the daemon, or why another goes on.

    An older daemon is asked to leave, a deaf one is ended; both under one lock (hazards B-016, B-057).
    """
    private_folder(run)
    lock = FileLock(run / "lock", mode=0o600)
    outcome = _take_lock(lock, run, version)
    if isinstance(outcome, Claim):
        marks.tidy(run)
    if isinstance(outcome, Claim) and not marks.within_budget(run, now, budget=budget):
        lock.release()
        return Declined(
            why=f"{budget} starts in {marks.START_WINDOW:.0f} s did not end in order: restart budget spent",
            refused=True,
        )
    return outcome


def _take_lock(lock: FileLock, run: Path, version: str) -> Claim | Declined:
    """Waits for the lock until it is ours, or until a daemon answers that may stay."""
    told = "none was running"
    unanswered = 0
    deadline = time.monotonic() + GIVE_UP
    while time.monotonic() < deadline:
        if _is_ours(lock):
            return Claim(lock=lock, told=told)
        mark = marks.read(run)
        if mark is None or mark.boot != process.boot_id() or not process.is_same(mark.pid, mark.start):
            time.sleep(LOOK_AGAIN)  # the one with the lock has not said yet who it is, or has just left
            continue
        had = process.processor_time(mark.pid)
        found = endpoint.answering(run)
        if found is None:
            starved = process.is_runnable(mark.pid) and process.processor_time(mark.pid) - had < SHARE
            unanswered = 0 if starved else unanswered + 1
            if unanswered >= QUESTIONS:
                process.stop(mark.pid, mark.start, patience=DEAF_WITHIN)
                told = "ended one that did not answer"
            else:
                time.sleep(LOOK_AGAIN)
            continue
        mark, answer = found
        if release(answer.version) >= release(version):
            return Declined(why=f"daemon {answer.version} answers (process {answer.pid})")
        process.stop(mark.pid, mark.start, patience=LEAVE_WITHIN)
        told = f"replaced version {answer.version}"
    return Declined(why=f"another one held the lock for {GIVE_UP:.0f} s")


def _is_ours(lock: FileLock) -> bool:
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return False
    return True


def release(version: str) -> tuple[int, ...]:
    """Returns a version's numbers, for comparison; what is no number counts as 0."""
    return tuple(int(part) if part.isdigit() else 0 for part in version.split("."))


def refusal(run: Path) -> str:
    """Returns why no daemon can work, as the last one that tried left word of it; empty where none did."""
    try:
        return (run / "refused").read_text("utf-8", "replace").strip()
    except FileNotFoundError:
        return ""


def launch(run: Path, *, environment: dict[str, str]) -> endpoint.Answer:
    """Starts a daemon apart from this process, because a person asks for one, and returns its first answer.

    The restart budget, which only guards against hooks that start it for ever, begins anew.
    Raises NoDaemonCanWork as soon as it says that it cannot, DaemonNotRunning when none answers within
    START_WITHIN seconds.
    """
    marks.forget_starts(run)
    marks.accept(run)  # a refusal from now on is of the one started here
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
        if found is not None and release(found[1].version) >= release(__version__):
            return found[1]
        if why := refusal(run):
            raise NoDaemonCanWork(why=why.rstrip("."))
        time.sleep(0.1)
    raise DaemonNotRunning(socket=run)
