"""The spool: one file for each hook run, read as docs/protocols.md lays it down."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from asides.model.clock import stamp
from asides.model.errors import BrokenPayload

MARK = b"\n#asides 1\n"
PAYLOAD_LIMIT = 64 * 1024 * 1024  # a prompt of 600,007 characters was seen; tool payloads carry whole files
NUMBER = re.compile(r"^(\d+)")
# No hook lives longer: agents cut theirs off after 600 s by default, ours after 10 s. So an older
# remnant is dead even when its process number is in use again (hazard B-017).
LONGEST_HOOK = 900.0  # seconds


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """One finished hook run: what the agent sent and what the hook noted about itself."""

    path: Path
    identity: str  # the same after a crash, never the same for two runs
    payload: bytes
    at: str
    notes: dict[str, str]

    def note(self, key: str) -> str:
        """Returns what the hook noted under `key`, or an empty text."""
        return self.notes.get(key, "")

    @property
    def seconds(self) -> float | None:
        """Seconds the run took, to a hundredth, where the platform can tell."""
        try:
            return round(float(self.notes["ended"]) - float(self.notes["began"]), 3)
        except (KeyError, ValueError):
            return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Remnant:
    """A hook run that began and never finished."""

    path: Path
    at: str
    size: int


def finished(spool: Path) -> Iterator[Path]:
    """Yields complete spool files, oldest first. A missing folder holds none."""
    if not spool.is_dir():
        return
    found = []
    for path in spool.glob("*.json"):
        try:
            found.append((path.stat().st_mtime_ns, path.name, path))
        except FileNotFoundError:  # taken in by another process between the two calls
            continue
    for _, _, path in sorted(found):
        yield path


def read(path: Path) -> Run:
    """Returns the run in `path`.

    Raises BrokenPayload when the hook's own notes are missing or the file is above PAYLOAD_LIMIT,
    FileNotFoundError when it is gone.
    """
    status = path.stat()
    if status.st_size > PAYLOAD_LIMIT:
        raise BrokenPayload(
            what="a spool file", why=f"it has {status.st_size} bytes, more than {PAYLOAD_LIMIT}"
        )
    raw = path.read_bytes()
    payload, mark, trailer = raw.rpartition(MARK)
    if not mark or not trailer.endswith(b"end\n"):
        raise BrokenPayload(what="a spool file", why="the hook's own notes are missing")
    digest = hashlib.blake2b(digest_size=16)
    digest.update(f"{path.name}\0{status.st_mtime_ns}\0".encode())
    digest.update(raw)
    return Run(
        path=path,
        identity=digest.hexdigest(),
        payload=payload,
        at=stamp(datetime.fromtimestamp(status.st_mtime, UTC)),
        notes=_notes(trailer.decode("utf-8", "replace")),
    )


def named(path: Path) -> tuple[str, str]:
    """Returns the event and the agent that a file's notes name, as far as it can be read."""
    try:
        notes = read(path).notes
    except (BrokenPayload, OSError):
        return "", ""
    return notes.get("event", ""), notes.get("agent", "")


def _notes(trailer: str) -> dict[str, str]:
    notes = {}
    for line in trailer.split("\n"):
        key, blank, value = line.partition(" ")
        if blank:
            notes[key] = value
    return notes


def remnants(spool: Path, *, running: Callable[[int], bool], now: datetime) -> Iterator[Remnant]:
    """Yields `.tmp` files whose hook is gone; those of hooks still at work are left alone."""
    if not spool.is_dir():
        return
    for path in sorted(spool.glob("*.tmp")):
        try:
            status = path.stat()
        except FileNotFoundError:  # it was renamed to its final name meanwhile
            continue
        number = NUMBER.match(path.name)
        young = now.timestamp() - status.st_mtime < LONGEST_HOOK
        if young and number and running(int(number[1])):
            continue
        yield Remnant(path=path, at=stamp(datetime.fromtimestamp(status.st_mtime, UTC)), size=status.st_size)
