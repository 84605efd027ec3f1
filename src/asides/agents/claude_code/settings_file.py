"""A settings file on disk: read as it is, written whole or not at all."""

from __future__ import annotations

import contextlib
import os
import stat
from dataclasses import dataclass
from pathlib import Path

from asides.model.errors import NotPlainJson, Refused

SIZE_LIMIT = 8 * 1024 * 1024  # bytes; real settings files have a few kilobytes
PRIVATE = 0o600


class CannotWrite(Refused):
    """{path} cannot be written: {why}. Nothing was changed."""

    hint = "Make the file and its folder writable for you, then run the command again."


class ChangedMeanwhile(Refused):
    """{path} was changed by another program at this moment. Nothing was changed by asides."""

    hint = "Run the command again."


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsFile:
    """What stood in a settings file when it was read; `text` is None where there is no file."""

    path: Path
    target: Path  # where a symbolic link leads; else the same as `path`
    text: str | None


def read(path: Path) -> SettingsFile:
    """Returns the file at `path`, which need not exist.

    Raises NotPlainJson when it is not UTF-8, Refused when it is no file or cannot be read.
    """
    try:
        target = path.resolve()
        if target.is_symlink():
            raise Refused(what=f"{path} is a link that leads in a circle. Nothing was changed.")
        if not target.exists():
            return SettingsFile(path=path, target=target, text=None)
        if not target.is_file():
            raise Refused(what=f"{path} is not a file. Nothing was changed.")
        raw = target.read_bytes()
    except (OSError, RuntimeError) as fault:
        raise Refused(what=f"{path} cannot be read: {_why(fault)}. Nothing was changed.") from fault
    if len(raw) > SIZE_LIMIT:
        raise Refused(what=f"{path} has {len(raw)} bytes, too many for settings. Nothing was changed.")
    try:
        return SettingsFile(path=path, target=target, text=raw.decode("utf-8"))
    except UnicodeDecodeError as fault:
        raise NotPlainJson(path=path, why=f"byte {fault.start + 1} is not UTF-8") from fault


def write(file: SettingsFile, text: str, *, new_mode: int = PRIVATE) -> tuple[Path, ...]:
    """Replaces the file's text in one step and returns the folders that had to be made for it.

    Mode and owner of an existing file stay; a new one gets `new_mode`, less the umask. A
    symbolic link stays one: its target is written. Raises CannotWrite, or ChangedMeanwhile
    when the file no longer holds what was read; then nothing has been written.
    """
    try:
        raw = text.encode("utf-8")
    except UnicodeEncodeError as fault:
        raise CannotWrite(path=file.path, why="a path in it has no form in UTF-8") from fault
    made: tuple[Path, ...] = ()
    try:
        made = _make_folders(file.target.parent)
        _replace(file, raw, new_mode)
    except OSError as fault:
        remove_folders(made)
        raise CannotWrite(path=file.path, why=_why(fault)) from fault
    return made


def delete(file: SettingsFile) -> None:
    """Removes the file. Raises CannotWrite, or ChangedMeanwhile, with the file in place."""
    try:
        _still_the_same(file)
        file.target.unlink()
    except OSError as fault:
        raise CannotWrite(path=file.path, why=_why(fault)) from fault


def remove_folders(folders: tuple[Path, ...]) -> None:
    """Removes those of `folders`, innermost first, that are empty."""
    for folder in sorted(folders, key=lambda f: len(f.parts), reverse=True):
        # One that is in use, or cannot go, only stays behind empty.
        with contextlib.suppress(OSError):
            folder.rmdir()


def sweep(file: SettingsFile) -> None:
    """Removes what a write that was killed left beside the file."""
    for left in file.target.parent.glob(f".{file.target.name}.asides-*"):
        writer = left.name.rpartition("-")[2]
        if writer.isdecimal() and not _alive(int(writer)):
            left.unlink(missing_ok=True)


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _make_folders(folder: Path) -> tuple[Path, ...]:
    missing = [f for f in (folder, *folder.parents) if not f.exists()]
    for f in reversed(missing):
        f.mkdir(mode=0o700)
    return tuple(missing)


def _still_the_same(file: SettingsFile) -> None:
    now = file.target.read_bytes() if file.target.exists() else None
    if now != (None if file.text is None else file.text.encode("utf-8")):
        raise ChangedMeanwhile(path=file.path)


def _replace(file: SettingsFile, raw: bytes, new_mode: int) -> None:
    new = file.target.with_name(f".{file.target.name}.asides-{os.getpid()}")
    old = file.target.stat() if file.target.exists() else None
    if old is not None and not os.access(file.target, os.W_OK, effective_ids=True):
        raise PermissionError("the file is read-only")
    descriptor = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, new_mode)
    try:
        with os.fdopen(descriptor, "wb") as out:
            if old is not None:
                if (old.st_uid, old.st_gid) != (os.geteuid(), os.fstat(out.fileno()).st_gid):
                    os.fchown(out.fileno(), old.st_uid, old.st_gid)
                os.fchmod(out.fileno(), stat.S_IMODE(old.st_mode))
            out.write(raw)
            out.flush()
            os.fsync(out.fileno())
        _still_the_same(file)
        new.replace(file.target)
    finally:
        new.unlink(missing_ok=True)
    _sync_folder(file.target.parent)


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _why(fault: BaseException) -> str:
    return (fault.strerror if isinstance(fault, OSError) else None) or str(fault) or type(fault).__name__
