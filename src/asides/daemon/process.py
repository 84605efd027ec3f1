"""Which process is which: a number alone is not enough, numbers come back (hazards B-016, B-017)."""

from __future__ import annotations

import os
from pathlib import Path

import psutil


def start_mark(pid: int) -> str:
    """Returns field 22 of `/proc/PID/stat`, in clock ticks since boot; `-` where there is none."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return "-"
    return stat.rpartition(") ")[2].split()[19]


def boot_id() -> str:
    """Returns what names this boot of the machine; an empty text where nothing does."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("utf-8").strip()
    except OSError:
        return ""


def is_running(pid: int) -> bool:
    """Returns whether a process of that number exists and is no zombie."""
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def is_same(pid: int, start: str) -> bool:
    """Returns whether that very process, not a later one of the same number, is running."""
    return is_running(pid) and (start == "-" or start_mark(pid) == start)


def processor_time(pid: int) -> float:
    """Returns how many seconds of processor a process has had; 0 where it is gone."""
    try:
        times = psutil.Process(pid).cpu_times()
    except psutil.Error:
        return 0.0
    return float(times.user + times.system)


def is_runnable(pid: int) -> bool:
    """Returns whether a process computes, or would if the machine let it."""
    try:
        return bool(psutil.Process(pid).status() == psutil.STATUS_RUNNING)
    except psutil.Error:
        return False


def stop(pid: int, start: str, *, patience: float) -> bool:
    """Ends that very process, first asking, then by force; returns whether it is gone.

    `patience` in seconds is how long it may take to leave by itself, and again after force.
    """
    if pid == os.getpid() or not is_same(pid, start):
        return True
    try:
        process = psutil.Process(pid)
        process.terminate()
        try:
            process.wait(patience)
        except psutil.TimeoutExpired:
            process.kill()
            process.wait(patience)
    except psutil.NoSuchProcess:
        return True
    except (psutil.TimeoutExpired, psutil.AccessDenied):
        return False
    return True
