"""Becoming the daemon: one lock decides, an answer makes the others leave, marks alone prove nothing."""

from __future__ import annotations

import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from filelock import FileLock

from asides.daemon import endpoint, marks, process
from asides.daemon.endpoint import Answer
from asides.daemon.start import Claim, Declined, claim, launch, release
from asides.model.errors import DaemonNotRunning, NoDaemonCanWork

NOW = 1_800_000_000.0


@pytest.fixture
def run(tmp_path: Path) -> Path:
    folder = tmp_path / "run"
    folder.mkdir(mode=0o700)
    return folder


@contextmanager
def held(run: Path, seconds: float) -> Iterator[subprocess.Popen[bytes]]:
    """Another process that holds the lock for so long and then leaves."""
    child = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "import sys, time, filelock\n"
            "with filelock.FileLock(sys.argv[1]):\n"
            "    print('held', flush=True)\n"
            "    time.sleep(float(sys.argv[2]))\n",
            str(run / "lock"),
            str(seconds),
        ],
        stdout=subprocess.PIPE,
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"held\n"
    try:
        yield child
    finally:
        child.kill()
        child.wait()


@contextmanager
def answers(run: Path, version: str, pid: int) -> Iterator[None]:
    """A daemon's socket and marks, in the name of another process."""
    mark = msgspec.structs.replace(
        marks.fresh(version=version, socket=run / "socket"), pid=pid, start=process.start_mark(pid)
    )
    marks.write(run, mark)
    server = endpoint.listen(run / "socket")
    server.setblocking(True)

    def serve() -> None:
        # Ends when the socket is shut down.
        while server.fileno() >= 0:
            try:
                endpoint.serve_one(server, lambda _: Answer(nonce=mark.nonce, version=version, pid=pid))
            except OSError:
                return

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield
    finally:
        server.shutdown(socket.SHUT_RDWR)
        thread.join(10)
        server.close()


def test_where_nobody_is_the_claim_is_given_at_once_and_holds_the_lock(run: Path):
    outcome = claim(run, version="1.0.0", now=NOW)
    assert isinstance(outcome, Claim)
    assert is_held(run)
    outcome.lock.release()
    assert not is_held(run)


def test_what_a_killed_daemon_left_half_written_is_removed(run: Path):
    (run / ".alive.4242").write_text("42")
    (run / ".daemon.json.4242").write_text("{")
    outcome = claim(run, version="1.0.0", now=NOW)
    assert isinstance(outcome, Claim)
    assert {path.name for path in run.iterdir()} == {"lock", "starts"}
    outcome.lock.release()


def is_held(run: Path) -> bool:
    """Tells whether another process would find the lock taken."""
    tried = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, filelock; filelock.FileLock(sys.argv[1]).acquire(timeout=0)",
            str(run / "lock"),
        ],
        capture_output=True,
        check=False,
    )
    assert tried.returncode == 0 or b"Timeout" in tried.stderr
    return tried.returncode != 0


@pytest.mark.parametrize("version", ["1.0.0", "1.0.1", "1.1", "2"])
def test_a_daemon_that_answers_and_is_not_older_stays(run: Path, version: str):
    with held(run, 600) as other, answers(run, version, other.pid):
        outcome = claim(run, version="1.0.0", now=NOW)
        assert isinstance(outcome, Declined)
        assert not outcome.refused
        assert other.poll() is None
    assert not (run / "starts").exists(), "a start that was not needed was counted"


def test_an_older_daemon_is_ended_and_its_lock_taken_over(run: Path):
    with held(run, 600) as other, answers(run, "0.9.9", other.pid):
        waits = threading.Thread(target=other.wait)  # so that it does not stay as our zombie
        waits.start()
        outcome = claim(run, version="0.10.0", now=NOW)
        waits.join(10)
        assert isinstance(outcome, Claim)
        assert outcome.told == "replaced version 0.9.9"
        outcome.lock.release()


@pytest.mark.parametrize("what", ["no marks", "another start", "another boot", "damaged marks"])
def test_one_that_holds_the_lock_and_has_not_said_who_it_is_is_waited_for(run: Path, what: str):
    bystander = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    try:
        mark = msgspec.structs.replace(
            marks.fresh(version="9.0.0", socket=run / "socket"),
            pid=bystander.pid,
            start=process.start_mark(bystander.pid),
        )
        match what:
            case "another start":
                marks.write(run, msgspec.structs.replace(mark, start="1"))
            case "another boot":
                marks.write(run, msgspec.structs.replace(mark, boot="0" * 36))
            case "damaged marks":
                (run / "daemon.json").write_text("{")
        with held(run, 1.0):
            outcome = claim(run, version="1.0.0", now=NOW)
        assert isinstance(outcome, Claim)
        outcome.lock.release()
        assert bystander.poll() is None
    finally:
        bystander.kill()
        bystander.wait()


def test_one_that_the_machine_keeps_from_working_is_not_taken_for_deaf(
    run: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("asides.daemon.start.GIVE_UP", 2.0)
    monkeypatch.setattr(process, "is_runnable", lambda pid: True)
    monkeypatch.setattr(process, "processor_time", lambda pid: 4.0)
    with held(run, 600) as other:
        mark = msgspec.structs.replace(
            marks.fresh(version="1.0.0", socket=run / "socket"),
            pid=other.pid,
            start=process.start_mark(other.pid),
        )
        marks.write(run, mark)
        outcome = claim(run, version="1.0.0", now=NOW)
        assert isinstance(outcome, Declined)
        assert other.poll() is None


@pytest.mark.parametrize("computes", [True, False])
def test_one_that_had_its_share_and_one_that_does_nothing_are_ended_when_they_do_not_answer(
    run: Path, monkeypatch: pytest.MonkeyPatch, computes: bool
):
    spent = iter(range(1000))
    monkeypatch.setattr(process, "is_runnable", lambda pid: computes)
    monkeypatch.setattr(process, "processor_time", lambda pid: float(next(spent)) if computes else 4.0)
    with held(run, 600) as other:
        mark = msgspec.structs.replace(
            marks.fresh(version="1.0.0", socket=run / "socket"),
            pid=other.pid,
            start=process.start_mark(other.pid),
        )
        marks.write(run, mark)
        waits = threading.Thread(target=other.wait)  # so that it does not stay as our zombie
        waits.start()
        outcome = claim(run, version="1.0.0", now=NOW)
        waits.join(10)
        assert isinstance(outcome, Claim)
        assert outcome.told == "ended one that did not answer"
        outcome.lock.release()


def test_what_a_process_computes_is_told_from_what_it_waits_for():
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as busy:
        while process.processor_time(busy.pid) < 0.3:
            assert busy.poll() is None
        assert process.is_runnable(busy.pid)
        busy.kill()
    assert process.processor_time(busy.pid) == 0.0
    assert not process.is_runnable(busy.pid)
    with subprocess.Popen(["sleep", "600"]) as idle:
        while process.is_runnable(idle.pid):
            assert idle.poll() is None
        idle.kill()


def test_a_spent_budget_is_a_refusal_that_leaves_the_lock(run: Path):
    for _ in range(2):
        outcome = claim(run, version="1.0.0", now=NOW, budget=2)
        assert isinstance(outcome, Claim)
        outcome.lock.release()
    outcome = claim(run, version="1.0.0", now=NOW, budget=2)
    assert outcome == Declined(
        why="2 starts in 600 s did not end in order: restart budget spent", refused=True
    )
    FileLock(run / "lock").acquire(timeout=0).lock.release()


def test_versions_compare_by_their_numbers():
    assert release("0.10.0") > release("0.9.9")
    assert release("1.0") < release("1.0.1")
    assert release("1.x.3") == (1, 0, 3)


def test_a_daemon_that_does_not_come_up_is_said_not_to_run(run: Path, tmp_path: Path, monkeypatch):
    monkeypatch.setattr("asides.daemon.start.START_WITHIN", 0.3)
    monkeypatch.setattr(sys, "executable", "/bin/true")
    began = time.monotonic()
    with pytest.raises(DaemonNotRunning):
        launch(run, environment={})
    assert time.monotonic() - began >= 0.3


def test_a_daemon_that_says_it_cannot_work_is_not_waited_for(run: Path, tmp_path: Path, monkeypatch):
    marks.refuse(run, "a reason of last week")
    refusing = tmp_path / "python"
    refusing.write_text(f"#!/bin/sh\necho 'the disk is full.' > {run}/refused\n")
    refusing.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(refusing))
    with pytest.raises(NoDaemonCanWork, match=r"^No daemon can work: the disk is full\.$"):
        launch(run, environment={})
