"""Writes an example store as SQL, to be kept for each schema that was ever released.

    python -m tests.support.dump_store > tests/golden/store/memory-0001.sql

A dump is made once, at the release of a schema, and never made again.
"""

from __future__ import annotations

import io
import sys
import tempfile
from pathlib import Path

import apsw.shell

from asides.model.anchor import Declaration, Subject
from asides.model.delivery import Choice, Left, Occasion
from asides.model.entry import Actor, Standing
from asides.model.judgment import Reason, Sighting
from asides.model.turn import SessionId
from asides.store.absorb import absorb
from asides.store.moments import Cued, Firing
from asides.store.sqlite import open_store
from tests.support.stores import PROJECT, counting_words, finding, judgment, statement, ticking


def example(path: Path) -> None:
    """Makes a store with something in every table."""
    store = open_store(path, PROJECT, now=ticking(), word=counting_words())
    absorb(store, judgment(finding()), at="2026-11-28T11:00:00.000Z")
    (law,) = store.all()
    again = finding(relation=Sighting(entry=law.id, likeness=0.98))
    absorb(store, judgment(again, turn="turn-2"), at="2026-11-28T12:00:00.000Z")
    no = finding("maybe later", kept=False, reason=Reason.BELOW_FLOOR)
    absorb(store, judgment(no, turn="turn-3", message="maybe later"), at="2026-11-28T13:00:00.000Z")
    mine = store.keep(statement("ünïcode 日本 'quoted'", turn=None), actor=Actor.PERSON).entry
    store.edit(mine.id, "it's edited")
    said_no = store.keep(statement("use tabs", turn="turn-4", standing=Standing.PROPOSED)).entry
    store.refuse(said_no.id, why="no")
    store.retire(mine.id, why="gone")
    store.undo_last()
    choice = Choice(occasion=Occasion.START, chosen=(store.get(law.id),), left=((mine, Left.COUNT),))
    store.note_prepared("v1", [choice], {Occasion.START: "the text"})
    store.note_delivery(SessionId("session-2"), Occasion.START, "v1", "2026-11-29T09:00:00.000Z")
    store.mark_announced([law.id])
    subject = Subject(
        anchor=Declaration(path="a.py", name="f"), fingerprint="00ff", sketch=(1, 2), size=9, commit="c0ffee"
    )
    store.put_subject(law.id, subject)
    session, at = SessionId("session-2"), "2026-11-29T09:05:00.000Z"
    store.note_cue(Cued(entry=law.id, session=session, subagent="", occasion="edit", at=at))
    store.note_firing(Firing(entry=law.id, session=session, path="a.ts", line="import axios", at=at))
    store.close()


def dump(path: Path) -> str:
    """Returns a database as SQL, with its schema version."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    told = io.StringIO()
    shell = apsw.shell.Shell(stdout=told, stderr=told, db=connection)
    shell.process_command(".dump")
    connection.close()
    lines = [line for line in told.getvalue().splitlines() if not line.startswith("--")]
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        example(Path(folder) / "memory.db")
        sys.stdout.write(dump(Path(folder) / "memory.db"))
