"""What slipped past rules and guard: hashes of memory and instruction files, before and after."""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

FILE_LIMIT = 2_000  # files of one project; the client's own memory folders hold tens
SIZE_LIMIT = 4 * 1024 * 1024  # bytes hashed of one file; its size counts beyond that
SLUG_LIMIT = 200  # characters; longer slugs are cut by the client and get a suffix
UNREADABLE = "unreadable"


class How(StrEnum):
    """What happened to a file."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One watched file that is not as it was; the hashes are None where there was no file."""

    path: Path
    how: How
    before: str | None
    after: str | None


def slug(folder: Path) -> str:
    """Returns the client's folder name for a start directory.

    Every character outside A-Za-z0-9 is replaced, and one beyond the basic plane counts as two,
    as the client's language has it.
    """
    return re.sub(r"[^A-Za-z0-9]", lambda m: "-" * (1 + (ord(m.group()) > 0xFFFF)), str(folder))


def memory_folders(*, config: Path, root: Path) -> tuple[Path, ...]:
    """Returns where the client keeps its own memory of the project at `root`, existing or not."""
    name = slug(root)
    projects = config / "projects"
    if len(name) <= SLUG_LIMIT:
        return (projects / name / "memory",)
    return tuple(sorted(found / "memory" for found in projects.glob(f"{name[:SLUG_LIMIT]}*")))


def watched(*, config: Path, root: Path, memory_directory: Path | None = None) -> tuple[Path, ...]:
    """Returns the files and folders to watch for one project; folders count with all below them.

    `root` is the main checkout, `memory_directory` a memory folder that settings have moved.
    """
    return (
        root / "CLAUDE.md",
        root / "CLAUDE.local.md",
        root / "AGENTS.md",
        root / ".claude" / "CLAUDE.md",
        root / ".claude" / "rules",
        config / "CLAUDE.md",
        config / "rules",
        *memory_folders(config=config, root=root),
        *([memory_directory] if memory_directory else []),
    )


def snapshot(paths: Iterable[Path]) -> dict[Path, str]:
    """Returns the sha256 of every regular file at or below `paths`, at most FILE_LIMIT of them.

    A file that cannot be read is there with the value UNREADABLE; one that is absent is not.
    Folders are not entered through symbolic links; files are read through them.
    """
    hashes: dict[Path, str] = {}
    for file in _files(paths):
        if len(hashes) >= FILE_LIMIT:
            break
        if file not in hashes and (found := _hash(file)) is not None:
            hashes[file] = found
    return hashes


def compare(before: Mapping[Path, str], after: Mapping[Path, str]) -> tuple[Change, ...]:
    """Returns what differs between two snapshots, by path."""
    changes = []
    for path in sorted({*before, *after}):
        old, new = before.get(path), after.get(path)
        if old == new:
            continue
        how = How.ADDED if old is None else How.REMOVED if new is None else How.CHANGED
        changes.append(Change(path=path, how=how, before=old, after=new))
    return tuple(changes)


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        if not path.is_dir():
            yield path
            continue
        for folder, folders, names in os.walk(path):
            folders.sort()
            yield from (Path(folder, name) for name in sorted(names))


def _hash(file: Path) -> str | None:
    """Returns the hash of a regular file, None for anything else or nothing."""
    try:
        # Without blocking: a pipe by this name would otherwise wait for its writer.
        with os.fdopen(os.open(file, os.O_RDONLY | os.O_NONBLOCK), "rb") as source:
            facts = os.fstat(source.fileno())
            if not stat.S_ISREG(facts.st_mode):
                return None
            digest = hashlib.sha256(source.read(SIZE_LIMIT))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError:
        return UNREADABLE
    if facts.st_size > SIZE_LIMIT:
        digest.update(f"\n{facts.st_size} bytes".encode())
    return digest.hexdigest()
