"""What happens to entries between their being kept and their end: subjects, cues, firings, repeats."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from asides.model.anchor import Subject
from asides.model.entry import EntryId
from asides.model.turn import SessionId, TurnId

Outcome = Literal["open", "heeded", "broken"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Tracked:
    """An anchored entry's subject. `said`: as it was when the developer spoke of it, last."""

    entry: EntryId
    subject: Subject
    said: Subject
    gone_at: str = ""  # when it was found to be gone; empty while it is there


@dataclass(frozen=True, slots=True, kw_only=True)
class Cued:
    """An entry put before an agent at the moment it mattered."""

    entry: EntryId
    session: SessionId
    subagent: str  # its id; empty for the agent that the person speaks with
    occasion: str  # read, edit, create, delete, run; owed: a reminder of a ritual left undone
    at: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Firing:
    """An added line that broke an entry, and what came of saying so."""

    entry: EntryId
    session: SessionId
    path: str  # from the checkout's top
    line: str  # redacted
    at: str
    outcome: Outcome = "open"
    settled_at: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Repeat:
    """The developer said again what stood already. `delivered`: it was before the agent in that session."""

    entry: EntryId
    turn: TurnId
    session: SessionId
    at: str
    delivered: bool
