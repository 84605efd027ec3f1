"""What faces show: plain values, the same for a screen and for `--json`."""

from __future__ import annotations

from dataclasses import dataclass

from asides.model.anchor import label
from asides.model.entry import Act, Actor, Entry, Operation
from asides.model.judgment import Sighting, Supersedes, Verdict
from asides.observe import reasons
from asides.store.contract import Delivered, Judged
from asides.store.moments import Cued, Firing, Repeat
from asides.store.withdrawing import TakenBack, parsed


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryView:
    """An entry as a person reads it."""

    id: str
    kind: str
    body: str
    standing: str
    anchor: str
    source: str
    framing: str
    score: float
    said_at: str
    sightings: int
    last_seen_at: str
    writer: str
    session: str
    note: str
    verify: str = ""  # what changed about its subject; it is delivered as "verify first" then
    left_out: str = ""  # why the next session does not get it although it is live; in lists only


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckView:
    """What one check found."""

    check: str
    passed: bool
    reason: str
    measure: float | None
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DraftView:
    """A draft as it was judged, kept or not."""

    body: str
    kind: str
    score: float
    writer: str
    kept: bool
    standing: str
    entry: str
    said_at: str
    judged_at: str
    session: str
    turn: str
    excerpt: str
    relation: str
    checks: tuple[CheckView, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeView:
    """One operation on an entry."""

    id: int
    at: str
    act: str
    actor: str
    entry: str
    why: str
    body: str
    standing: str  # of the entry after it; empty where there was none any more
    undone: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class UndoneView:
    """One operation that was undone. Undoing `id` redoes it."""

    id: int  # of the operation that undid it
    at: str
    undid: int
    act: str  # of what was undone; "undo" where that was itself an undo, and is now redone
    entry: str
    body: str
    standing: str  # of the entry now; empty where there is none any more


@dataclass(frozen=True, slots=True, kw_only=True)
class DeliveryView:
    """A session that got an entry, or did not and why."""

    session: str
    at: str
    occasion: str
    delivered: bool
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CueView:
    """An entry put before an agent at the moment it mattered."""

    session: str
    subagent: str  # empty for the agent that the person speaks with
    at: str
    occasion: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FiringView:
    """An added line that broke an entry, and what came of it."""

    session: str
    at: str
    path: str
    line: str
    outcome: str
    settled_at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RepeatView:
    """An entry that stood and was said again all the same."""

    session: str
    turn: str
    at: str
    delivered: bool  # whether it had been before the agent in that session


@dataclass(frozen=True, slots=True, kw_only=True)
class WithdrawalView:
    """When and in which words the developer took an entry back."""

    words: str
    said_at: str
    session: str  # empty where the turn is not known any more
    turn: str
    told: str  # the same as a sentence


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """Everything that is stored about one entry."""

    entry: EntryView
    withdrawal: WithdrawalView | None  # of an entry that is retired by one
    drafts: tuple[DraftView, ...]
    changes: tuple[ChangeView, ...]
    deliveries: tuple[DeliveryView, ...]
    cues: tuple[CueView, ...] = ()
    firings: tuple[FiringView, ...] = ()
    repeats: tuple[RepeatView, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnStory:
    """What became of one message."""

    turn: str
    said_at: str
    session: str
    message: str
    outcome: str  # how many were kept, or a reason
    told: str  # the same in words
    writer: str
    seconds: float
    drafts: tuple[DraftView, ...]


def entry_view(entry: Entry) -> EntryView:
    """Returns an entry for a face."""
    return EntryView(
        id=entry.id,
        kind=entry.kind,
        body=entry.body,
        standing=entry.standing,
        anchor=label(entry.anchor),
        source=entry.source,
        framing=entry.framing,
        score=round(entry.score, 4),
        said_at=entry.said_at,
        sightings=entry.sightings,
        last_seen_at=entry.last_seen_at,
        writer=entry.writer,
        session=entry.session or "",
        note=entry.note,
        verify=entry.verify,
    )


def draft_view(judged: Judged) -> DraftView:
    """Returns a judged draft for a face."""
    match judged.relation:
        case Sighting(entry=entry, likeness=likeness):
            relation = f"repeats {entry} ({likeness:.2f})"
        case Supersedes(entry=entry, likeness=likeness):
            relation = f"changes {entry} ({likeness:.2f})"
        case _:
            relation = ""
    return DraftView(
        body=judged.body,
        kind=judged.kind,
        score=round(judged.score, 4),
        writer=judged.writer,
        kept=judged.kept,
        standing=judged.standing,
        entry=judged.entry or "",
        said_at=judged.said_at,
        judged_at=judged.judged_at,
        session=judged.session,
        turn=judged.turn,
        excerpt=judged.excerpt,
        relation=relation,
        checks=tuple(check_view(verdict) for verdict in judged.verdicts),
    )


def check_view(verdict: Verdict) -> CheckView:
    """Returns one check's outcome for a face."""
    return CheckView(
        check=verdict.check,
        passed=verdict.passed,
        reason=verdict.reason,
        measure=None if verdict.measure is None else round(verdict.measure, 4),
        detail=verdict.detail,
    )


def change_view(operation: Operation) -> ChangeView:
    """Returns an operation for a face."""
    shown = operation.after or operation.before
    taken = withdrawn_by(operation)
    return ChangeView(
        id=operation.id,
        at=operation.at,
        act=operation.act,
        actor=operation.actor,
        entry=operation.entry,
        why=f"taken back with “{' '.join(taken.words.split())}”" if taken else operation.why,
        body=shown.body if shown else "",
        standing=operation.after.standing if operation.after else "",
        undone=operation.undone_by is not None,
    )


def withdrawn_by(operation: Operation) -> TakenBack | None:
    """Returns the words with which an operation says that the developer took its entry back."""
    if operation.act is not Act.RETIRE or operation.actor is not Actor.WRITER:
        return None
    return parsed(operation.why)


def withdrawal_view(taken: TakenBack, *, said_at: str, session: str) -> WithdrawalView:
    """Returns a withdrawal for a face."""
    return WithdrawalView(
        words=taken.words,
        said_at=said_at,
        session=session,
        turn=taken.turn,
        told=reasons.taken_back(taken.words, said_at=said_at, session=session),
    )


def undone_view(undone: Operation, undoing: Operation) -> UndoneView:
    """Returns an undone operation for a face, with the one that undid it."""
    shown = undoing.after or undoing.before
    return UndoneView(
        id=undoing.id,
        at=undoing.at,
        undid=undone.id,
        act=undone.act,
        entry=undoing.entry,
        body=shown.body if shown else "",
        standing=undoing.after.standing if undoing.after else "",
    )


def delivery_view(delivered: Delivered) -> DeliveryView:
    """Returns a delivery for a face."""
    return DeliveryView(
        session=delivered.session,
        at=delivered.at,
        occasion=delivered.occasion,
        delivered=delivered.left is None,
        reason=delivered.left or "",
    )


def cue_view(cue: Cued) -> CueView:
    """Returns a cue for a face."""
    return CueView(session=cue.session, subagent=cue.subagent, at=cue.at, occasion=cue.occasion)


def firing_view(firing: Firing) -> FiringView:
    """Returns a firing for a face."""
    return FiringView(
        session=firing.session,
        at=firing.at,
        path=firing.path,
        line=firing.line,
        outcome=firing.outcome,
        settled_at=firing.settled_at,
    )


def repeat_view(repeat: Repeat) -> RepeatView:
    """Returns a repeat for a face."""
    return RepeatView(session=repeat.session, turn=repeat.turn, at=repeat.at, delivered=repeat.delivered)
