"""What an installation remembers, so that uninstalling can leave the file as it was."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import msgspec

from asides.agents.claude_code.merge import Added
from asides.agents.claude_code.registration import AGENT
from asides.model.errors import Refused


class CannotKeep(Refused):
    """{path} cannot be written: {why}."""

    hint = "Make the state folder writable for you (see `asides paths`), then run the command again."


class Record(msgspec.Struct, frozen=True, kw_only=True):
    """One installation into one settings file.

    Holds the whole text from before, which may contain secrets of the person: kept 0600.
    """

    path: str
    scope: str
    at: str
    before: str | None  # None: there was no file
    after: str
    before_sha256: str
    after_sha256: str
    added: Added
    folders: tuple[str, ...] = ()  # made for the file
    format: int = 1


def digest(text: str | None) -> str:
    """Returns the sha256 of a text's bytes in hex; the empty string for no file."""
    return "" if text is None else hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def record_path(state: Path, settings: Path) -> Path:
    """Returns where the record of an installation into `settings` lies."""
    name = hashlib.sha256(os.fsencode(settings.absolute())).hexdigest()[:16]
    return state / "installed" / f"{AGENT}.{name}.json"


def marker_path(state: Path) -> Path:
    """Returns the file that lists, one a line, the settings files that call asides."""
    return state / "installed" / AGENT


def load(path: Path, text: str | None) -> Record | None:
    """Returns the record that fits the settings text, or None if there is none that can be read.

    A record is first written beside its name and takes it when the settings are in place; after
    a crash in between, the new one counts if the settings got there.
    """
    old, new = _decode(path), _decode(_unfinished(path))
    if new is not None and (old is None or new.after == text):
        return new
    return old


def damaged(path: Path) -> bool:
    """Returns whether there is a record that cannot be read."""
    return path.exists() and _decode(path) is None


def begin(path: Path, record: Record) -> None:
    """Writes the record beside its name, before the settings are touched. Raises CannotKeep."""
    new = _unfinished(path)
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new.unlink(missing_ok=True)
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
            out.write(msgspec.json.format(msgspec.json.encode(record), indent=2))
            out.flush()
            os.fsync(out.fileno())
    except (OSError, UnicodeEncodeError) as fault:
        raise CannotKeep(path=new, why=fault) from fault


def finish(path: Path) -> None:
    """Gives the record its name, when the settings are in place."""
    _unfinished(path).replace(path)


def abandon(path: Path) -> None:
    """Removes the record that was begun; one from before stays."""
    _unfinished(path).unlink(missing_ok=True)


def settle(path: Path, text: str | None) -> None:
    """Ends what a crash left half done, now that the settings hold `text`."""
    new = _decode(_unfinished(path))
    if new is not None and new.after == text:
        finish(path)
    else:
        abandon(path)


def forget(path: Path) -> None:
    """Removes the record and what an interrupted run left of it. Raises CannotKeep."""
    try:
        path.unlink(missing_ok=True)
        abandon(path)
    except OSError as fault:
        raise CannotKeep(path=path, why=fault) from fault


def marked(marker: Path, settings: Path) -> bool:
    """Returns whether the marker names a settings file."""
    return str(settings.absolute()) in marked_files(marker)


def mark(marker: Path, settings: Path, *, there: bool) -> None:
    """Enters a settings file in the marker or strikes it; an empty marker is removed.

    The plugin reads it, to stay silent where the settings already call asides. Raises CannotKeep.
    """
    lines = marked_files(marker)
    line = str(settings.absolute())
    kept = [known for known in lines if known != line] + ([line] if there else [])
    if set(kept) == set(lines):
        return
    new = marker.with_name(f"{marker.name}.{os.getpid()}")
    try:
        if not kept:
            marker.unlink()
            return
        marker.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new.write_bytes("".join(f"{known}\n" for known in kept).encode("utf-8", "surrogateescape"))
        new.replace(marker)
    except OSError as fault:
        raise CannotKeep(path=marker, why=fault) from fault


def marked_files(marker: Path) -> list[str]:
    """Returns the settings files that the marker names; none where there is no marker."""
    text = marker.read_bytes().decode("utf-8", "surrogateescape") if marker.exists() else ""
    return [known for known in text.split("\n") if known]


def _unfinished(path: Path) -> Path:
    return path.with_name(path.name + ".next")


def _decode(path: Path) -> Record | None:
    try:
        record = msgspec.json.decode(path.read_bytes(), type=Record)
    except (OSError, msgspec.MsgspecError):
        return None
    return record if digest(record.before) == record.before_sha256 else None
