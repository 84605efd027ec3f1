"""Leaves every text ready on disk, so that a hook only prints (docs/protocols.md)."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from asides.deliver.answers import announcement, answer, event_name
from asides.deliver.choose import choose, limits_for
from asides.deliver.render import NOTHING_LIVE, render, version
from asides.model.clock import Clock
from asides.model.delivery import Choice, Occasion
from asides.model.entry import Entry, EntryId
from asides.model.errors import Refused, Unavailable

TOLD_SECONDS = 3_600  # a hook prints what it took away, and is heard of, within seconds; else it was killed
LEFT_SECONDS = 86_400  # what it took tells a daemon that was away for long whom the person was told of
DIGEST_LENGTH = 16  # hexadecimal digits of an announcement's digest


class NotPrepared(Unavailable):
    """The texts for the next session could not be written to {folder}: {why}."""

    hint = (
        "Entries are safe, and the texts from before still stand. Check free space and rights of that folder."
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """What lies ready: its version, what each text holds, and the files there now.

    `announcement` is the digest of the announcement that is wanted (empty for none), and `announced` are the
    entries that it names: whoever takes that very file away is told of these and of no others.
    """

    version: str
    choices: tuple[Choice, ...]
    texts: Mapping[Occasion, str]
    files: tuple[str, ...]
    announcement: str = ""
    announced: tuple[EntryId, ...] = ()


def ready_folder(ready: Path, key: str, agent: str) -> Path:
    """Returns the folder of the texts for a project's key (an absolute path) and an agent."""
    parts = key.split("/")
    if not key.startswith("/") or ".." in parts or "\0" in key:
        raise Refused(what=f"{key!r} is not an absolute path without `..`.")
    if not agent or not all(one.isalnum() or one in "-_" for one in agent):
        raise Refused(what=f"{agent!r} is not the name of an agent.")
    return ready.joinpath("at", *(part for part in parts if part not in ("", ".")), agent)


def prepare(
    entries: Sequence[Entry],
    *,
    key: str,
    agent: str,
    ready: Path,
    known_versions: Iterable[str],
    announce: Sequence[Entry],
    now: Clock,
) -> Prepared:
    """Writes the texts of one project for one agent and removes those that no longer hold.

    `known_versions`: what each known session holds, an empty one for a session that was
    given nothing. Each file is replaced whole. Texts come first and `version` last: a
    hook in between prints words that are newer than the version it notes, and is then
    given them again, which is better than never. Raises NotPrepared, with the files that
    stood before still whole, when the disk refuses.
    """
    moment = now()
    known = frozenset(known_versions)
    choices = tuple(choose(entries, occasion, moment, limits=limits_for(occasion)) for occasion in Occasion)
    texts = {choice.occasion: render(choice) for choice in choices}
    digest = version(choices)
    if not digest:
        if known <= {"", NOTHING_LIVE}:
            texts[Occasion.REPLACE] = ""  # no session has a list that would have to be withdrawn
        else:
            digest = NOTHING_LIVE
    folder = ready_folder(ready, key, agent)
    told = announcement(announce)
    files = _files(texts, agent, told.line)
    announcing = files["announce.json"]
    files["unchanged"] = "" if digest and known == {digest} else None
    files["version"] = digest + "\n" if digest else None
    try:
        make_private(folder, ready)
        _forget_left(folder, moment)
        if announcing is not None and _is_being_told(folder, announcing, moment):
            files["announce.json"] = None
        write(folder, files)
    except OSError as error:
        raise NotPrepared(folder=folder, why=error.strerror or str(error)) from error
    present = tuple(name for name, content in files.items() if content is not None)
    return Prepared(
        version=digest,
        choices=choices,
        texts=texts,
        files=present,
        announcement="" if announcing is None else _digest(announcing.encode()),
        announced=() if announcing is None else told.named,
    )


def announcements_taken(ready: Path, *, key: str, agent: str) -> tuple[str, ...]:
    """Returns the digest of each announcement that a hook took away to print, as `Prepared.announcement`.

    What a hook took does not change any more, whatever is prepared afterwards under the same version; it lies
    there for a day.
    """
    found = set()
    for path in _taken(ready_folder(ready, key, agent)):
        try:
            found.add(_digest(path.read_bytes()))
        except FileNotFoundError:
            continue  # another run cleared it away just now
    return tuple(sorted(found))


def _files(texts: Mapping[Occasion, str], agent: str, message: str) -> dict[str, str | None]:
    """Returns the wanted content of each file, None where it should be absent; in order of writing."""
    files: dict[str, str | None] = {}
    for occasion, text in texts.items():
        told = answer(agent, event_name(occasion), text) + "\n" if text else None
        files[f"{occasion}.json"] = told
    start = texts[Occasion.START]
    told = answer(agent, event_name(Occasion.START), start, message) + "\n" if start and message else None
    files["announce.json"] = told
    return files


def write(folder: Path, files: Mapping[str, str | None]) -> None:
    """Replaces files by what they are to hold, in this order, and removes those for which that is None."""
    # Everything is on disk under temporary names before anything that stands is touched,
    # so a full disk leaves the old version, texts and all.
    waiting: list[tuple[Path, Path]] = []
    try:
        for name, content in files.items():
            if content is not None and not _says(folder / name, content):
                temporary = folder / f".{name}.{os.getpid()}"
                waiting.append((temporary, folder / name))
                _put(temporary, content)
        for name, content in files.items():
            if content is None:
                (folder / name).unlink(missing_ok=True)
        for temporary, place in waiting:
            temporary.replace(place)
    finally:
        for temporary, _ in waiting:
            temporary.unlink(missing_ok=True)


def _says(path: Path, content: str) -> bool:
    try:
        return path.read_bytes() == content.encode()
    except FileNotFoundError:
        return False


def _put(path: Path, content: str) -> None:
    path.unlink(missing_ok=True)
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(content.encode())


def make_private(folder: Path, ready: Path) -> None:
    """Makes a folder below `ready`, and those between, for the user alone."""
    ready.mkdir(parents=True, exist_ok=True, mode=0o700)
    for part in reversed([folder, *(one for one in folder.parents if one.is_relative_to(ready))]):
        part.mkdir(exist_ok=True, mode=0o700)


def _forget_left(folder: Path, moment: datetime) -> None:
    """Removes announcements that a hook took away and printed, and what a killed writer left half done."""
    for path in [*_taken(folder), *folder.glob(".*.*")]:
        if _age(path, moment) > LEFT_SECONDS:
            path.unlink(missing_ok=True)


def _is_being_told(folder: Path, content: str, moment: datetime) -> bool:
    """Tells whether a hook took just this announcement, and only its record has not arrived yet."""
    return any(_age(path, moment) <= TOLD_SECONDS and _says(path, content) for path in _taken(folder))


def _taken(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("announce.*") if path.name != "announce.json")


def _age(path: Path, moment: datetime) -> float:
    """Returns the seconds since a file got its name; none for one that is gone."""
    try:
        return moment.timestamp() - path.stat().st_ctime
    except FileNotFoundError:
        return 0.0


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:DIGEST_LENGTH]
