"""What a store promises, whatever holds its rows. One suite tests every one of them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Literal, Protocol

from asides.model.anchor import Anchor, General, Subject
from asides.model.delivery import Choice, Left, Occasion
from asides.model.entry import (
    Actor,
    Entry,
    EntryId,
    Framing,
    Kind,
    Operation,
    OperationId,
    Source,
    Standing,
)
from asides.model.errors import Refused
from asides.model.judgment import Finding, Judgment, Relation, Verdict
from asides.model.turn import ProjectId, SessionId, TurnId
from asides.store.moments import Cued, Firing, Repeat, Tracked

GIVEN_DAYS = 30  # Claude Code removes transcripts after so many (cleanupPeriodDays): none is resumed later


class RefusedBefore(Refused):
    """A person said no to these words before: entry {entry}."""

    hint = "Bring it back with `asides restore {entry}`, or add it by hand."


class ChangedSince(Refused):
    """Operation {operation} cannot be undone: entry {entry} was changed after it."""

    hint = "Undo the later change first: see `asides log`."


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """Words to be kept, before they are an entry. Without a turn: added by hand."""

    body: str
    kind: Kind
    source: Source = Source.HUMAN
    framing: Framing = Framing.EXPLICIT
    standing: Standing = Standing.LIVE
    anchor: Anchor = field(default_factory=General)
    score: float = 1.0
    writer: str = "person"
    session: SessionId | None = None
    turn: TurnId | None = None
    start: int = 0  # span of the turn's message, in characters, half open
    end: int = 0
    said_at: str = ""  # empty: now


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """What came of `keep`. Not fresh: this span was dealt with before, by this entry."""

    entry: Entry
    fresh: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One draft as it was judged, kept or not: what `asides why` answers from."""

    turn: TurnId
    session: SessionId
    said_at: str
    judged_at: str
    writer: str
    start: int
    end: int
    body: str
    kind: str
    framing: Framing
    source: Source
    score: float
    kept: bool
    standing: Standing
    anchor: Anchor
    relation: Relation
    verdicts: tuple[Verdict, ...]
    excerpt: str  # the redacted message around the span, at most 400 characters
    entry: EntryId | None  # the entry that it became or repeated


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivered:
    """One session that got an entry, or did not and why (`left`)."""

    entry: EntryId
    session: SessionId
    occasion: Occasion
    at: str
    version: str
    left: Left | None
    body: str  # the words as they were then; empty when left


@dataclass(frozen=True, slots=True, kw_only=True)
class Absorbed:
    """What one judgment changed."""

    kept: tuple[Entry, ...] = ()
    sighted: tuple[Entry, ...] = ()
    superseded: tuple[Entry, ...] = ()
    retired: tuple[Entry, ...] = ()

    @property
    def changed(self) -> bool:
        """Whether anything changed at all."""
        return bool(self.kept or self.sighted or self.superseded or self.retired)


class Store(Protocol):
    """The entries of one project with their history.

    `name` is an entry's id or any prefix that only one entry has: methods raise
    NoSuchEntry or Ambiguous otherwise. A method that finds nothing to change changes
    nothing and writes no operation. Everything one call (or one `step`) changes happens
    as a whole or not at all.
    """

    @property
    def project(self) -> ProjectId:
        """The project whose entries these are."""
        ...

    # --- changes -------------------------------------------------------------

    def keep(self, statement: Statement, *, actor: Actor = Actor.WRITER, why: str = "") -> Kept:
        """Makes an entry of a statement; the same span of the same turn never makes a second.

        Added by hand in words that stand already, it makes no second either: a live entry counts as said
        again, a proposed one is confirmed. Raises RefusedBefore unless a person does it by hand.
        """
        ...

    def sight(
        self,
        name: str,
        *,
        turn: TurnId | None = None,
        session: SessionId | None = None,
        start: int = 0,
        end: int = 0,
        said_at: str = "",
        promote: bool = True,
        actor: Actor = Actor.WRITER,
        why: str = "",
    ) -> Entry:
        """Counts once more that an entry was said, once per span; `promote`: a proposed one becomes live.

        It holds for its subject as it is now then. Said in a later turn of a `session` while it was live,
        it is a repeat.
        """
        ...

    def confirm(self, name: str, *, actor: Actor = Actor.PERSON, why: str = "") -> Entry:
        """Makes a proposed entry live. Raises Refused when it is neither proposed nor live.

        It holds for its subject as it is now then.
        """
        ...

    def edit(self, name: str, body: str, *, actor: Actor = Actor.PERSON, why: str = "") -> Entry:
        """Changes the words of an entry. Raises Refused for empty words."""
        ...

    def supersede(self, name: str, by: str, *, actor: Actor = Actor.WRITER, why: str = "") -> Entry:
        """Takes an entry out because another one (`by`) says what holds now; returns the old one."""
        ...

    def retire(self, name: str, *, actor: Actor = Actor.PERSON, why: str = "") -> Entry:
        """Takes an entry out because its subject is gone; it may be said again."""
        ...

    def refuse(self, name: str, *, actor: Actor = Actor.PERSON, why: str = "") -> Entry:
        """Takes an entry out for good: its wordings cannot come back from any transcript."""
        ...

    def restore(self, name: str, *, actor: Actor = Actor.PERSON, why: str = "") -> Entry:
        """Makes an entry live again that was superseded, retired or refused."""
        ...

    def reanchor(self, name: str, anchor: Anchor, *, actor: Actor = Actor.CHECK, why: str = "") -> Entry:
        """Ties an entry to where its subject is now."""
        ...

    def doubt(self, name: str, verify: str, *, actor: Actor = Actor.CHECK, why: str = "") -> Entry:
        """Marks an entry as one to verify first and says why (`verify`), or takes the mark away (empty)."""
        ...

    def undo(self, operation: OperationId, *, actor: Actor = Actor.PERSON) -> tuple[Operation, ...]:
        """Puts back what stood before an operation and all else of its step; undoing that redoes it.

        How often an entry was said since then and what became of its subject stays, and hinders nothing.
        Raises ChangedSince when any other later change would be lost, NotFound for no such operation, Refused
        when it is undone already.
        """
        ...

    def undo_last(self, count: int = 1, *, actor: Actor = Actor.PERSON) -> tuple[Operation, ...]:
        """Undoes the last `count` steps that stand, newest first.

        Undoes are not undone by this, nor steps of no person that made nothing live and ended nothing live
        (sightings, proposals, a subject that moved): nobody was told of them.
        """
        ...

    def step(self) -> AbstractContextManager[None]:
        """Joins all changes made inside into one step: one transaction, undone together."""
        ...

    # --- reading -------------------------------------------------------------

    def get(self, name: str) -> Entry:
        """Returns the entry that an id or prefix names."""
        ...

    def live(self) -> tuple[Entry, ...]:
        """Returns the entries that are delivered, oldest first."""
        ...

    def all(self, standings: Collection[Standing] | None = None) -> tuple[Entry, ...]:
        """Returns the entries of these standings (None: every one), oldest first."""
        ...

    def history(self, name: str) -> tuple[Operation, ...]:
        """Returns every operation on an entry, oldest first; also after its keeping was undone."""
        ...

    def operations(self, limit: int = 50) -> tuple[Operation, ...]:
        """Returns the latest operations of the project, newest first."""
        ...

    def is_refused(self, body: str) -> bool:
        """Tells whether a person said no to these words, in any case or punctuation (hazard B-173)."""
        ...

    def ended(self, body: str, said_at: str) -> EntryId | None:
        """Returns the entry of these words that ended after `said_at`, if none of them stands.

        It ends when it is retired, superseded, edited away or its keeping undone; a superseded one when its
        successor was said.
        """
        ...

    def gone(self) -> tuple[tuple[Entry, str], ...]:
        """Returns the retired and superseded entries, oldest first, each with the moment of its end."""
        ...

    # --- subjects, and the moments that matter ----------------------------------

    def subjects(self) -> tuple[Tracked, ...]:
        """Returns the subjects of entries that stand, and of those that were retired because theirs went."""
        ...

    def put_subject(self, name: str, subject: Subject, *, gone_at: str = "") -> None:
        """Writes down what an entry is about now; how it was when it was said stays, or begins with this.

        `gone_at`: when it was found to be gone.
        """
        ...

    def drop_subject(self, name: str) -> None:
        """Forgets what an entry is about."""
        ...

    def note_cue(self, cue: Cued) -> None:
        """Records that an entry was put before an agent at its moment; the same again changes nothing."""
        ...

    def cues(self, name: str | None = None) -> tuple[Cued, ...]:
        """Returns the cues of an entry, or of all, oldest first."""
        ...

    def note_firing(self, firing: Firing) -> None:
        """Records that an added line broke an entry; the same again changes nothing."""
        ...

    def firings(self, name: str | None = None) -> tuple[Firing, ...]:
        """Returns the firings of an entry, or of all, oldest first."""
        ...

    def open_firings(self, session: SessionId) -> tuple[Firing, ...]:
        """Returns the firings of a session of which it is not known yet what came of them."""
        ...

    def settle_firing(self, firing: Firing, outcome: Literal["heeded", "broken"], at: str) -> None:
        """Records what came of a firing; what is settled stays."""
        ...

    def repeats(self, name: str | None = None) -> tuple[Repeat, ...]:
        """Returns how often an entry, or any, was said again while it stood, oldest first."""
        ...

    # --- what `why` answers from ----------------------------------------------

    def note_finding(
        self, judgment: Judgment, finding: Finding, *, at: str, entry: EntryId | None = None
    ) -> bool:
        """Records a draft with its verdicts; False, and nothing, when that span has one already."""
        ...

    def findings(
        self,
        *,
        entry: str | None = None,
        turn: TurnId | None = None,
        kept: bool | None = None,
        limit: int = 100,
    ) -> tuple[Judged, ...]:
        """Returns judged drafts, newest first: all, of one entry, of one turn, only (not) kept ones."""
        ...

    def note_prepared(
        self, version: str, choices: Iterable[Choice], texts: Mapping[Occasion, str] | None = None
    ) -> None:
        """Remembers a version of the prepared texts: its words, what it holds, and what it leaves out."""
        ...

    def note_delivery(self, session: SessionId, occasion: Occasion, version: str, at: str) -> None:
        """Records that a session was given a version; the same again changes nothing."""
        ...

    def deliveries(self, name: str) -> tuple[Delivered, ...]:
        """Returns each session that got an entry, or did not and why, oldest first."""
        ...

    def delivered_to(self, session: SessionId) -> tuple[str, ...]:
        """Returns the texts put before one session; the entries' words where no text was noted."""
        ...

    def versions_given(self, *, since: str | None = None) -> tuple[str, ...]:
        """Returns which versions the known sessions hold: the last one that each was given.

        Sessions that were given nothing since that moment do not count (None: for GIVEN_DAYS days).
        """
        ...

    def unannounced(self) -> tuple[Entry, ...]:
        """Returns live entries that a writer kept and no person was told of, oldest first."""
        ...

    def mark_announced(self, entries: Iterable[EntryId]) -> None:
        """Records that a person was told of these entries; again changes nothing."""
        ...

    def close(self) -> None:
        """Lets go of the store; closing twice is allowed."""
        ...
