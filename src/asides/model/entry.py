"""An entry: one thing kept, in the developer's own words."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NewType

from asides.model.anchor import Anchor, General
from asides.model.turn import ProjectId, SessionId, TurnId

EntryId = NewType("EntryId", str)  # nine lower-case letters and digits; any unique prefix names it
OperationId = NewType("OperationId", int)


class Kind(StrEnum):
    """What sort of thing an entry is."""

    LAW = "law"  # standing rule
    HAZARD = "hazard"  # failure that must not recur
    RITUAL = "ritual"  # procedure bound to a trigger
    CORRECTION = "correction"  # change of direction
    LOOP = "loop"  # work deliberately deferred


class Source(StrEnum):
    """Whose authority an entry carries."""

    HUMAN = "human"
    AGENT = "agent"


class Framing(StrEnum):
    """Whether the developer flagged it as a rule or said it in passing."""

    EXPLICIT = "explicit"
    PASSING = "passing"


class Standing(StrEnum):
    """Where an entry is in its life."""

    PROPOSED = "proposed"  # below the live threshold: not delivered until confirmed or said again
    LIVE = "live"
    SUPERSEDED = "superseded"
    RETIRED = "retired"
    REFUSED = "refused"  # a person said no; it cannot come back


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One thing kept. `body` is an exact copy of a span of what the developer said."""

    id: EntryId
    project: ProjectId
    body: str
    kind: Kind
    source: Source = Source.HUMAN
    framing: Framing = Framing.PASSING
    standing: Standing = Standing.LIVE
    anchor: Anchor = field(default_factory=General)
    score: float = 1.0  # the writer's calibrated confidence; 1.0 for what a person wrote by hand
    writer: str = "person"  # identity of the model that proposed it, or "person"
    session: SessionId | None = None
    turn: TurnId | None = None
    said_at: str = ""
    sightings: int = 1  # how often the developer said it
    last_seen_at: str = ""
    note: str = ""  # why it is superseded, retired or refused
    verify: str = ""  # what changed about its subject: it is delivered as "verify first". Empty: nothing did


class Act(StrEnum):
    """What an operation did. Every change of the store is one operation."""

    KEEP = "keep"
    SIGHT = "sight"
    CONFIRM = "confirm"
    EDIT = "edit"
    ANCHOR = "anchor"  # its subject is elsewhere now
    DOUBT = "doubt"  # its subject changed much, or that was looked at: `verify` is set or cleared
    SUPERSEDE = "supersede"
    RETIRE = "retire"
    REFUSE = "refuse"
    RESTORE = "restore"
    UNDO = "undo"


class Actor(StrEnum):
    """Who did it."""

    PERSON = "person"
    WRITER = "writer"
    CHECK = "check"  # a rule without a model


@dataclass(frozen=True, slots=True, kw_only=True)
class Operation:
    """One change of the store, with what stood before and after (None: did not exist)."""

    id: OperationId
    at: str
    act: Act
    actor: Actor
    entry: EntryId
    before: Entry | None
    after: Entry | None
    why: str = ""
    undone_by: OperationId | None = None
