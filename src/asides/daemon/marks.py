"""The daemon's marks in `STATE/run/`: who it is, since when, how often it started."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

import msgspec

from asides.daemon.process import boot_id, start_mark
from asides.paths import write_whole

# Five starts in ten minutes that did not end in order mean that something kills the daemon, and
# starting it for ever would burn the machine (hazard B-019).
START_BUDGET = 5
START_WINDOW = 600.0  # seconds
START_ROUNDING = 0.001  # seconds; a moment is written down to the millisecond


class Mark(msgspec.Struct, frozen=True, kw_only=True):
    """What a daemon says of itself in `daemon.json`."""

    pid: int
    start: str
    boot: str
    nonce: str
    version: str
    socket: str


def fresh(*, version: str, socket: Path) -> Mark:
    """Returns a mark for this process with a new nonce."""
    pid = os.getpid()
    return Mark(
        pid=pid,
        start=start_mark(pid),
        boot=boot_id(),
        nonce=secrets.token_hex(16),
        version=version,
        socket=str(socket),
    )


def write(run: Path, mark: Mark) -> None:
    """Leaves the mark for clients and, last, the line that hooks read."""
    write_whole(run / "daemon.json", msgspec.json.encode(mark))
    write_whole(run / "alive", f"{mark.pid} {mark.start}\n".encode())


def read(run: Path) -> Mark | None:
    """Returns the mark that a daemon left, alive or not; None when there is none that can be read."""
    try:
        return msgspec.json.decode((run / "daemon.json").read_bytes(), type=Mark)
    except (OSError, msgspec.DecodeError):
        return None


def remove(run: Path, mark: Mark) -> None:
    """Takes our own mark away; the mark of a successor stays."""
    if read(run) == mark:
        (run / "alive").unlink(missing_ok=True)
        (run / "daemon.json").unlink(missing_ok=True)


def tidy(run: Path) -> None:
    """Removes what a daemon that was killed while it wrote left half done. Only for who holds the lock."""
    for draft in run.glob(".*.*"):
        draft.unlink(missing_ok=True)


def within_budget(run: Path, now: float, *, budget: int = START_BUDGET) -> bool:
    """Counts this start and returns whether it is still within the budget. `now` in seconds since 1970."""
    recent = [moment for moment in _starts(run) if 0 <= now - moment < START_WINDOW]
    if len(recent) >= budget:
        return False
    _note_starts(run, [*recent, now])
    return True


def forgive(run: Path, began: float) -> None:
    """Takes the start of that moment off the count: the daemon left in order, so nothing kills it."""
    _note_starts(run, [moment for moment in _starts(run) if abs(moment - began) > START_ROUNDING])


def forget_starts(run: Path) -> None:
    """Begins the count anew."""
    (run / "starts").unlink(missing_ok=True)


def _starts(run: Path) -> list[float]:
    try:
        return [float(word) for word in (run / "starts").read_text("utf-8").split()]
    except (OSError, ValueError):  # a damaged count starts anew: it only guards against loops
        return []


def _note_starts(run: Path, moments: list[float]) -> None:
    write_whole(run / "starts", " ".join(f"{moment:.3f}" for moment in moments).encode())


def has_started(run: Path) -> None:
    """Takes away the mark that a starter was on its way: another hook may start one again."""
    (run / "starting").unlink(missing_ok=True)


def refuse(run: Path, why: str) -> None:
    """Leaves why no daemon can work; hooks then try again at session starts only."""
    write_whole(run / "refused", f"{why}\n".encode("utf-8", "replace"))


def accept(run: Path) -> None:
    """Takes the refusal of an earlier start back."""
    (run / "refused").unlink(missing_ok=True)
