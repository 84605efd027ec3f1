"""Reads on in a file that another program appends to, from where the last reading stopped.

Memory stays within one line of at most `line_limit` bytes and the `limit_bytes` of one call,
however long the file is (hazard B-091: a transcript of 600 MB).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from hashlib import blake2b
from pathlib import Path
from typing import BinaryIO

CHUNK = 1 << 20  # bytes read at once
LIMIT = 8 << 20  # bytes passed in one call
LINE_LIMIT = 32 << 20  # bytes of one line; the largest that carries words is a prompt with images
HEAD = 256  # bytes at the start that a file is recognised by, since inode numbers are used again


class TailState(StrEnum):
    """What became of the file since the last reading."""

    OK = "ok"  # read on
    UNCHANGED = "unchanged"  # no new complete line
    MISSING = "missing"  # was read before, and is gone
    NEVER_WRITTEN = "never_written"  # was never read, and is not there
    ROTATED = "rotated"  # another file, or a shorter one, stands in its place, or it was moved away
    UNREADABLE = "unreadable"  # it is there and cannot be read; `reason` says why


@dataclass(frozen=True, slots=True, kw_only=True)
class Position:
    """Where reading stopped, and how to recognise the file. Plain numbers and text, fit for JSON."""

    device: int
    inode: int
    offset: int  # bytes; the start of a line, or a place inside a skipped one
    size_seen: int  # bytes; a file that is shorter than this was rewritten
    head_size: int  # bytes that `head` covers
    head: str  # digest of the file's start
    inside_skipped: bool = False  # `offset` is inside a line that is too long to be read


@dataclass(frozen=True, slots=True, kw_only=True)
class TailResult:
    """What one reading found."""

    lines: tuple[bytes, ...]  # complete lines without their line ends, in order
    position: Position | None  # hand it in next time, after `lines` are safe; None: begin at the start
    state: TailState
    skipped: int = 0  # lines that were begun and left out, being longer than `line_limit`
    more: bool = False  # stopped because of `limit_bytes`: call again
    reason: str = ""  # UNREADABLE: why; ROTATED: why the end of the old file could not be read


@dataclass(frozen=True, slots=True)
class _Stretch:
    """What was read of one file in one go."""

    lines: list[bytes]
    offset: int
    inside_skipped: bool
    skipped: int
    more: bool
    rest: bytes  # the last line, not ended yet


def read_on(
    path: Path,
    position: Position | None,
    *,
    limit_bytes: int = LIMIT,
    chunk: int = CHUNK,
    line_limit: int = LINE_LIMIT,
) -> TailResult:
    """Returns the complete lines behind `position`, and the position behind them.

    A line counts as complete once its line end is there; the rest waits for the next call. When the
    file was replaced or cut, reading begins at the start of what stands there now (lines are told
    apart by their uuid, so meeting some again is harmless); when the old file was only renamed
    within its folder, it is read to its end first, its last line included even without a line end.

    Args:
        path: the file. A path that is no plain file is UNREADABLE, and never waited for.
        position: what the last call returned, or None.
        limit_bytes: the call stops at the first line end behind this many bytes, with `more` set.
        chunk: bytes read at once.
        line_limit: longer lines are stepped over and counted in `skipped`.
    """
    reading = _Reading(limit_bytes=limit_bytes, chunk=chunk, line_limit=line_limit)
    try:
        return _read_on(path, position, reading)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        return TailResult(lines=(), position=position, state=TailState.UNREADABLE, reason=str(error))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    """The bounds of one call."""

    limit_bytes: int
    chunk: int
    line_limit: int


def _read_on(path: Path, position: Position | None, reading: _Reading) -> TailResult:
    try:
        file = _open(path)
    except FileNotFoundError:
        file = None
    if file is None:
        if position is None:
            return TailResult(lines=(), position=None, state=TailState.NEVER_WRITTEN)
        return _follow(path, position, reading)
    with file:
        if position is None:
            return _result(file, None, reading, TailState.OK)
        if _is_same(file, position):
            return _result(file, position, reading, TailState.OK)
        left = _finish(path, position, reading)
        if left.more:
            return left
        budget = replace(reading, limit_bytes=reading.limit_bytes - sum(map(len, left.lines)))
        begun = _result(file, None, budget, TailState.ROTATED)
        return replace(
            begun,
            lines=left.lines + begun.lines,
            state=TailState.ROTATED,
            skipped=left.skipped + begun.skipped,
            reason=left.reason,
        )


def _follow(path: Path, position: Position, reading: _Reading) -> TailResult:
    """Reads on in the file that stood at `path` and was moved within its folder."""
    moved = _renamed(path, position)
    if moved is None:
        return TailResult(lines=(), position=position, state=TailState.MISSING)
    with moved:
        return _result(moved, position, reading, TailState.ROTATED)


def _finish(path: Path, position: Position, reading: _Reading) -> TailResult:
    """Reads what is left of a moved file that another one has replaced, or says why it cannot."""
    try:
        return _rest(path, position, reading)
    except OSError as error:
        # The new file must not wait for an old one that may never become readable.
        return TailResult(lines=(), position=None, state=TailState.ROTATED, reason=str(error))


def _rest(path: Path, position: Position, reading: _Reading) -> TailResult:
    moved = _renamed(path, position)
    if moved is None:
        return TailResult(lines=(), position=None, state=TailState.ROTATED)
    with moved:
        stretch = _stretch(moved, position.offset, position.inside_skipped, reading)
        lines = [*stretch.lines, stretch.rest] if stretch.rest else stretch.lines
        return TailResult(
            lines=tuple(lines),
            position=_position(moved, stretch),
            state=TailState.ROTATED,
            skipped=stretch.skipped,
            more=stretch.more,
        )


def _result(file: BinaryIO, start: Position | None, reading: _Reading, moved_on: TailState) -> TailResult:
    """Reads on in an open file, from its beginning when there is no position in it."""
    offset, inside = (start.offset, start.inside_skipped) if start else (0, False)
    stretch = _stretch(file, offset, inside, reading)
    position = _position(file, stretch)
    still = start is not None and stretch.offset == offset
    return TailResult(
        lines=tuple(stretch.lines),
        position=position,
        state=TailState.UNCHANGED if still else moved_on,
        skipped=stretch.skipped,
        more=stretch.more,
    )


def _stretch(file: BinaryIO, offset: int, inside: bool, reading: _Reading) -> _Stretch:
    """Reads lines from `offset` until the end or the limit, one chunk in hand at a time."""
    lines: list[bytes] = []
    begun: list[bytes] = []  # pieces of the line that has no end yet
    begun_size = 0
    skipped = 0
    stop = offset + max(1, reading.limit_bytes)
    file.seek(offset)
    at = offset
    while block := file.read(reading.chunk):
        start = 0
        while (end := block.find(b"\n", start)) >= 0:
            size = begun_size + end - start
            if inside:
                inside = False
            elif size > reading.line_limit:
                skipped += 1
            else:
                lines.append(b"".join([*begun, block[start:end]]))
            begun, begun_size = [], 0
            start = end + 1
            offset = at + start
            if offset >= stop:
                return _Stretch(lines, offset, False, skipped, True, b"")
        at += len(block)
        if not inside:
            begun.append(block[start:])
            begun_size += len(block) - start
            if begun_size > reading.line_limit:
                inside = True
                skipped += 1
                begun, begun_size = [], 0
        if inside:
            offset = at
            if offset >= stop:
                return _Stretch(lines, offset, True, skipped, True, b"")
    return _Stretch(lines, offset, inside, skipped, False, b"".join(begun))


def _open(path: Path) -> BinaryIO:
    """Opens a plain file. Raises OSError for anything else, a pipe included, without waiting for it."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise OSError(f"{path} is not a plain file")
    return os.fdopen(descriptor, "rb", buffering=0)


def _is_same(file: BinaryIO, position: Position) -> bool:
    """Tells whether this open file is the one the position is in, only longer."""
    found = os.fstat(file.fileno())
    return (
        (found.st_dev, found.st_ino) == (position.device, position.inode)
        and found.st_size >= position.size_seen
        and _head(file, position.head_size) == position.head
        and (position.inside_skipped or _starts_line(file, position.offset))
    )


def _starts_line(file: BinaryIO, offset: int) -> bool:
    if offset == 0:
        return True
    file.seek(offset - 1)
    return file.read(1) == b"\n"


def _renamed(path: Path, position: Position) -> BinaryIO | None:
    """Opens the file of `position` under another name in the same folder, if it is there."""
    for candidate in _same_inode(path.parent, position.inode):
        file = _open(candidate)
        if _is_same(file, position):
            return file
        file.close()
    return None


def _same_inode(folder: Path, inode: int) -> Iterator[Path]:
    """Yields the plain files of a folder that have this inode number; none if there is no folder."""
    try:
        entries = os.scandir(folder)
    except FileNotFoundError:
        return
    with entries:
        for entry in entries:
            if entry.inode() == inode and entry.is_file(follow_symlinks=False):
                yield Path(entry.path)


def _position(file: BinaryIO, stretch: _Stretch) -> Position:
    found = os.fstat(file.fileno())
    head_size = min(HEAD, stretch.offset)
    return Position(
        device=found.st_dev,
        inode=found.st_ino,
        offset=stretch.offset,
        size_seen=max(stretch.offset, found.st_size),
        head_size=head_size,
        head=_head(file, head_size),
        inside_skipped=stretch.inside_skipped,
    )


def _head(file: BinaryIO, size: int) -> str:
    """Returns a digest of the first `size` bytes."""
    file.seek(0)
    return blake2b(file.read(size), digest_size=8).hexdigest()
