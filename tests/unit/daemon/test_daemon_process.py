"""A process is known by its number and the moment it started, never by its number alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from asides.daemon import process

SLEEPS = [sys.executable, "-c", "import time; print('up', flush=True); time.sleep(600)"]
STUBBORN = [
    sys.executable,
    "-c",
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True)\n"
    "time.sleep(600)",
]


def up(command: list[str]) -> subprocess.Popen[bytes]:
    child = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline() == b"up\n"
    return child


def stat_of(pid: int) -> str:
    return Path(f"/proc/{pid}/stat").read_text()


def test_the_start_mark_is_what_the_hook_reads_whatever_the_programs_name_holds(tmp_path: Path):
    strange = tmp_path / ") 1 2 ("
    shutil.copy("/bin/sleep", strange)
    child = subprocess.Popen([str(strange), "600"])
    try:
        while "(" + strange.name + ")" not in stat_of(child.pid):
            time.sleep(0.01)
        mark = process.start_mark(child.pid)
        assert int(mark) >= int(process.start_mark(os.getpid()))
        assert process.is_same(child.pid, mark)
    finally:
        child.kill()
        child.wait()


def test_a_process_that_is_gone_has_no_start_and_is_not_running():
    child = up(SLEEPS)
    child.kill()
    child.wait()
    assert process.start_mark(child.pid) == "-"
    assert not process.is_running(child.pid)
    assert not process.is_same(child.pid, "-")


def test_a_zombie_is_not_running():
    child = up(SLEEPS)
    child.kill()
    while stat_of(child.pid).rpartition(") ")[2][0] != "Z":
        time.sleep(0.01)
    assert not process.is_running(child.pid)
    child.wait()


def test_a_number_that_was_given_to_another_process_is_another_process():
    child = up(SLEEPS)
    try:
        start = process.start_mark(child.pid)
        assert process.is_same(child.pid, start)
        assert not process.is_same(child.pid, str(int(start) - 1))
        assert process.stop(child.pid, str(int(start) - 1), patience=5), "the one that was meant is gone"
        assert child.poll() is None, "and nobody else was ended for it"
    finally:
        child.kill()
        child.wait()


def test_a_process_that_does_not_leave_when_asked_is_ended_by_force():
    child = up(STUBBORN)
    # The parent has to collect it, or it stays as a zombie; psutil does, for children.
    assert process.stop(child.pid, process.start_mark(child.pid), patience=0.5)
    assert not process.is_running(child.pid)
    child.wait()


def test_nobody_ends_itself():
    assert process.stop(os.getpid(), process.start_mark(os.getpid()), patience=1)


def test_this_boot_has_one_name():
    assert process.boot_id() == process.boot_id()
    assert len(process.boot_id()) == 36
