"""Entries and findings as text, and back: the only place that knows how values are written down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, assert_never

import msgspec

from asides.model.anchor import Anchor, Declaration, File, General, Subject
from asides.model.entry import Entry, EntryId, Framing, Kind, Source, Standing
from asides.model.judgment import New, Reason, Relation, Sighting, Supersedes, Verdict
from asides.model.turn import ProjectId, SessionId, TurnId


class _AnchorRow(msgspec.Struct, frozen=True):
    what: str
    path: str = ""
    name: str = ""


class _EntryRow(msgspec.Struct, frozen=True):
    id: str
    project: str
    body: str
    kind: Kind
    source: Source
    framing: Framing
    standing: Standing
    anchor: _AnchorRow
    score: float
    writer: str
    session: str | None
    turn: str | None
    said_at: str
    sightings: int
    last_seen_at: str
    note: str
    verify: str = ""  # operations of older versions lack it


class _SubjectRow(msgspec.Struct, frozen=True):
    anchor: _AnchorRow
    fingerprint: str
    sketch: tuple[int, ...]
    size: int
    commit: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationRow:
    """A relation in three columns."""

    what: str
    entry: str | None
    likeness: float | None


def anchor_columns(anchor: Anchor) -> tuple[str, str, str]:
    """Returns what, path and name; unlike the label, a file named `general` stays a file."""
    match anchor:
        case General():
            return ("general", "", "")
        case File(path=path):
            return ("file", path, "")
        case Declaration(path=path, name=name):
            return ("declaration", path, name)
        case _:
            assert_never(anchor)


def anchor_of(what: str, path: str, name: str) -> Anchor:
    """Returns the anchor of three columns; the inverse of `anchor_columns`."""
    match what:
        case "file":
            return File(path=path)
        case "declaration":
            return Declaration(path=path, name=name)
        case _:
            return General()


def entry_text(entry: Entry | None) -> str | None:
    """Returns an entry as JSON, for the history."""
    if entry is None:
        return None
    what, path, name = anchor_columns(entry.anchor)
    row = _EntryRow(
        id=entry.id,
        project=entry.project,
        body=entry.body,
        kind=entry.kind,
        source=entry.source,
        framing=entry.framing,
        standing=entry.standing,
        anchor=_AnchorRow(what, path, name),
        score=entry.score,
        writer=entry.writer,
        session=entry.session,
        turn=entry.turn,
        said_at=entry.said_at,
        sightings=entry.sightings,
        last_seen_at=entry.last_seen_at,
        note=entry.note,
        verify=entry.verify,
    )
    return msgspec.json.encode(row).decode()


def entry_of(text: str | None) -> Entry | None:
    """Returns the entry that `entry_text` wrote."""
    if text is None:
        return None
    row = msgspec.json.decode(text, type=_EntryRow)
    return Entry(
        id=EntryId(row.id),
        project=ProjectId(row.project),
        body=row.body,
        kind=row.kind,
        source=row.source,
        framing=row.framing,
        standing=row.standing,
        anchor=anchor_of(row.anchor.what, row.anchor.path, row.anchor.name),
        score=row.score,
        writer=row.writer,
        session=None if row.session is None else SessionId(row.session),
        turn=None if row.turn is None else TurnId(row.turn),
        said_at=row.said_at,
        sightings=row.sightings,
        last_seen_at=row.last_seen_at,
        note=row.note,
        verify=row.verify,
    )


def subject_text(subject: Subject) -> str:
    """Returns a subject as JSON."""
    row = _SubjectRow(
        anchor=_AnchorRow(*anchor_columns(subject.anchor)),
        fingerprint=subject.fingerprint,
        sketch=subject.sketch,
        size=subject.size,
        commit=subject.commit,
    )
    return msgspec.json.encode(row).decode()


def subject_of(text: str) -> Subject:
    """Returns the subject that `subject_text` wrote."""
    row = msgspec.json.decode(text, type=_SubjectRow)
    anchor = anchor_of(row.anchor.what, row.anchor.path, row.anchor.name)
    assert not isinstance(anchor, General)
    return Subject(
        anchor=anchor, fingerprint=row.fingerprint, sketch=row.sketch, size=row.size, commit=row.commit
    )


def relation_row(relation: Relation) -> RelationRow:
    """Returns a relation as columns."""
    match relation:
        case New():
            return RelationRow(what="new", entry=None, likeness=None)
        case Sighting(entry=entry, likeness=likeness):
            return RelationRow(what="sighting", entry=entry, likeness=likeness)
        case Supersedes(entry=entry, likeness=likeness):
            return RelationRow(what="supersedes", entry=entry, likeness=likeness)
        case _:
            assert_never(relation)


def relation_of(row: RelationRow) -> Relation:
    """Returns the relation of three columns; the inverse of `relation_row`."""
    if row.entry is None or row.likeness is None:
        return New()
    if row.what == "sighting":
        return Sighting(entry=EntryId(row.entry), likeness=row.likeness)
    return Supersedes(entry=EntryId(row.entry), likeness=row.likeness)


def verdict_of(check: Any, passed: Any, reason: Any, measure: Any, detail: Any) -> Verdict:
    """Returns the verdict of five columns."""
    return Verdict(
        check=str(check),
        passed=bool(passed),
        reason=Reason(reason),
        measure=None if measure is None else float(measure),
        detail=str(detail),
    )
