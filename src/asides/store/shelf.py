"""What a holder of rows must offer, below the rules: plain puts and gets, no decisions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass

from asides.model.delivery import Choice, Occasion
from asides.model.entry import Entry, EntryId, Operation, OperationId, Standing
from asides.model.turn import SessionId, TurnId
from asides.store.contract import Delivered, Judged
from asides.store.moments import Cued, Firing, Repeat, Tracked


@dataclass(frozen=True, slots=True, kw_only=True)
class Logged:
    """An operation with what only the log needs to know: which operation it undoes."""

    operation: Operation
    undoes: OperationId | None


class Shelf(ABC):
    """Rows of one project's store."""

    @abstractmethod
    def transaction(self) -> AbstractContextManager[None]:
        """Makes everything inside happen or not happen; may be nested."""

    @abstractmethod
    def entry(self, entry: EntryId) -> Entry | None:
        """Returns the entry with exactly this id."""

    @abstractmethod
    def entries(self, standings: Collection[Standing] | None) -> tuple[Entry, ...]:
        """Returns the entries of these standings by moment said, then id; None: all."""

    @abstractmethod
    def ids(self, prefix: str, *, logged: bool) -> tuple[EntryId, ...]:
        """Returns ids that begin so, of entries, or of all that the log knows."""

    @abstractmethod
    def put_entry(self, entry: Entry) -> None:
        """Writes an entry, over the one with its id."""

    @abstractmethod
    def drop_entry(self, entry: EntryId) -> None:
        """Removes an entry."""

    @abstractmethod
    def add_operation(
        self, draft: Operation, *, step: OperationId | None, undoes: OperationId | None
    ) -> OperationId:
        """Appends to the log and returns the number given; `draft.id` is ignored. No step: its own."""

    @abstractmethod
    def step_of(self, operation: OperationId) -> OperationId | None:
        """Returns the step an operation belongs to."""

    @abstractmethod
    def operations_of_step(self, step: OperationId) -> tuple[Logged, ...]:
        """Returns a step's operations, oldest first."""

    @abstractmethod
    def operations_of_entry(self, entry: EntryId) -> tuple[Operation, ...]:
        """Returns an entry's operations, oldest first."""

    @abstractmethod
    def last_operations(self, limit: int) -> tuple[Operation, ...]:
        """Returns the latest operations, newest first."""

    @abstractmethod
    def last_steps(self, count: int) -> tuple[OperationId, ...]:
        """Returns the latest steps that `undo_last` is about, newest first: see `contract.Store`."""

    @abstractmethod
    def set_undone_by(self, operation: OperationId, by: OperationId | None) -> None:
        """Marks an operation as undone, or as standing again."""

    @abstractmethod
    def span_entry(self, turn: TurnId, start: int, end: int) -> EntryId | None:
        """Returns which entry a judged span went to."""

    @abstractmethod
    def add_span(self, turn: TurnId, start: int, end: int, entry: EntryId) -> None:
        """Records where a judged span went; the first record stays."""

    @abstractmethod
    def add_wording(self, key: str, entry: EntryId) -> None:
        """Records a normalised wording of an entry."""

    @abstractmethod
    def entries_with_wording(self, key: str) -> tuple[Entry, ...]:
        """Returns entries that have or had this normalised wording."""

    @abstractmethod
    def ids_with_wording(self, key: str) -> tuple[EntryId, ...]:
        """Returns the ids of all that have or had this normalised wording, also without an entry by now."""

    @abstractmethod
    def add_finding(self, judged: Judged) -> bool:
        """Records a judged draft; False when its span has one."""

    @abstractmethod
    def judged(
        self, *, entry: EntryId | None, turn: TurnId | None, kept: bool | None, limit: int
    ) -> tuple[Judged, ...]:
        """Returns judged drafts, newest first."""

    @abstractmethod
    def put_prepared(
        self, version: str, choices: Iterable[Choice], texts: Mapping[Occasion, str], *, keep: int
    ) -> None:
        """Records what a version holds; forgets all but `keep` of those that nobody was given."""

    @abstractmethod
    def add_delivery(self, session: SessionId, occasion: Occasion, version: str, at: str) -> None:
        """Records a delivery once."""

    @abstractmethod
    def deliveries_of(self, entry: EntryId) -> tuple[Delivered, ...]:
        """Returns deliveries of versions that hold or leave out an entry, since it is known."""

    @abstractmethod
    def delivered_texts(self, session: SessionId) -> tuple[str, ...]:
        """Returns the texts a session was given, else the words of their entries, each once, sorted."""

    @abstractmethod
    def last_versions(self, since: str) -> tuple[str, ...]:
        """Returns the last version of each session given one since then (sub-agents aside), once, sorted."""

    @abstractmethod
    def announced(self) -> frozenset[EntryId]:
        """Returns the entries that a person was told of."""

    @abstractmethod
    def add_announced(self, entries: Iterable[EntryId], at: str) -> None:
        """Records that a person was told."""

    @abstractmethod
    def subject(self, entry: EntryId) -> Tracked | None:
        """Returns what an entry is about."""

    @abstractmethod
    def subjects(self) -> tuple[Tracked, ...]:
        """Returns what every entry is about that is about anything, by its id."""

    @abstractmethod
    def put_subject(self, tracked: Tracked) -> None:
        """Writes what an entry is about, over what was there."""

    @abstractmethod
    def drop_subject(self, entry: EntryId) -> None:
        """Removes what an entry is about."""

    @abstractmethod
    def add_cue(self, cue: Cued) -> None:
        """Records a cue once."""

    @abstractmethod
    def cues(self, entry: EntryId | None) -> tuple[Cued, ...]:
        """Returns the cues of an entry, or all, oldest first."""

    @abstractmethod
    def add_firing(self, firing: Firing) -> None:
        """Records a firing once, whatever came of the one that is there."""

    @abstractmethod
    def firings(self, entry: EntryId | None) -> tuple[Firing, ...]:
        """Returns the firings of an entry, or all, oldest first."""

    @abstractmethod
    def settle_firing(self, firing: Firing) -> None:
        """Writes the outcome of a firing that is open."""

    @abstractmethod
    def add_repeat(self, repeat: Repeat) -> None:
        """Records once that a turn said an entry again."""

    @abstractmethod
    def repeats(self, entry: EntryId | None) -> tuple[Repeat, ...]:
        """Returns the repeats of an entry, or all, oldest first."""

    @abstractmethod
    def close(self) -> None:
        """Lets go of whatever is held; twice is allowed."""
