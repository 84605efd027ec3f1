"""Records what the hook put before an agent at the moment it mattered, and what came of it."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from pathlib import Path

from asides.code.changes import READ_LIMIT, text_of
from asides.daemon.gateway import safe
from asides.daemon.shelves import Shelves
from asides.hook.cues.words import plain
from asides.intake.spool import Run
from asides.judge.redact import MARKER
from asides.model.clock import Clock, stamp
from asides.model.entry import EntryId
from asides.model.errors import NoSuchEntry
from asides.model.turn import ProjectId, SessionId
from asides.store.contract import Store
from asides.store.moments import Cued, Firing

log = logging.getLogger("asides.daemon")

LINE_LIMIT = 200  # characters of a line that broke an entry, as kept


@dataclass(frozen=True, slots=True, kw_only=True)
class Noticed:
    """What one hook run said or found (docs/protocols.md, the trailer)."""

    session: SessionId
    project: ProjectId
    subagent: str
    at: str
    cued: tuple[EntryId, ...]
    occasion: str  # read, edit, create, delete, run, or owed
    broke: tuple[tuple[EntryId, str], ...]  # each entry with the line that broke it
    path: str  # of the file that it stands in, from the checkout's top


def noticed(run: Run, session: SessionId, project: ProjectId, subagent: str | None) -> Noticed | None:
    """Returns what a hook run noted about cues and checks; None where that is nothing."""
    reminded = run.note("reminded").split()
    cued = run.note("cued").split()
    broke = run.note("broke").split()
    lines = run.note("broke_text").split("\t")
    if not reminded and not cued and not broke:
        return None
    return Noticed(
        session=session,
        project=project,
        subagent=subagent or "",
        at=run.at,
        cued=tuple(EntryId(one) for one in reminded or cued),
        occasion="owed" if reminded else run.note("cued_for"),
        broke=tuple((EntryId(one), line) for one, line in zip(broke, lines, strict=False)),
        path=run.note("broke_path"),
    )


class Noticing:
    """One for the daemon."""

    def __init__(self, shelves: Shelves, *, clock: Clock) -> None:
        self._shelves = shelves
        self._clock = clock

    def heard(self, one: Noticed) -> None:
        """Records cues, reminders and broken checks; the same again changes nothing."""
        store = self._shelves.of(one.project)
        with store.step():
            for entry in filter(lambda entry: _is_known(store, entry), one.cued):
                store.note_cue(
                    Cued(
                        entry=entry,
                        session=one.session,
                        subagent=one.subagent,
                        occasion=one.occasion,
                        at=one.at,
                    )
                )
            for entry, line in one.broke:
                if _is_known(store, entry):
                    store.note_firing(
                        Firing(
                            entry=entry,
                            session=one.session,
                            path=safe(one.path),
                            line=_as_kept(line),
                            at=one.at,
                        )
                    )

    def settle(self, project: ProjectId, session: SessionId, root: str) -> None:
        """Says of each check that fired in a session whether it was heeded: the line is gone again.

        Called when the agent has finished: until then it may still mend what it was told of.
        """
        if not self._shelves.exists(project):
            return
        store = self._shelves.of(project)
        at = stamp(self._clock())
        for firing in store.open_firings(session):
            there = _stands(firing.line, Path(root, firing.path))
            store.settle_firing(firing, "broken" if there else "heeded", at)


def _is_known(store: Store, entry: EntryId) -> bool:
    """Returns whether an entry is still there: its keeping may have been undone since the table was made."""
    try:
        store.get(entry)
    except NoSuchEntry:
        log.info("a cue of entry %s, which is no more, is not recorded", entry)
        return False
    return True


def _as_kept(line: str) -> str:
    """Returns a line as the hook noted it and as it may be stored."""
    return safe(line)[:LINE_LIMIT].strip()


def _stands(line: str, file: Path) -> bool:
    """Tells whether a line, as firings hold it, stands in a file; no file that is gone holds any."""
    try:
        with file.open("rb") as opened:
            text = text_of(opened.read(READ_LIMIT + 1)) or ""
    except OSError:
        return False
    lines = {plain(one, LINE_LIMIT) for one in text.splitlines()}
    return line in lines or (MARKER.search(line) is not None and any(_as_kept(one) == line for one in lines))
