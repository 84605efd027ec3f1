"""The rules of a store over any shelf: each change is one operation, each operation can be undone."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace

from asides.model import clock
from asides.model.anchor import Anchor
from asides.model.clock import Clock, stamp
from asides.model.entry import Act, Actor, Entry, EntryId, Operation, OperationId, Standing
from asides.model.errors import Ambiguous, NoSuchEntry, NotFound, Refused
from asides.model.turn import ProjectId, SessionId, TurnId
from asides.store.contract import (
    Kept,
    RefusedBefore,
    Statement,
)
from asides.store.facts import Facts
from asides.store.naming import entry_id, value_key
from asides.store.shelf import Logged, Shelf
from asides.store.undoing import only_counted, without
from asides.store.witness import Witness


def random_word() -> str:
    """Returns a word that no two hand-added entries share."""
    return secrets.token_hex(16)


class EntryStore(Facts, Witness):
    """A store: see `contract.Store` for what each method promises."""

    def __init__(
        self,
        shelf: Shelf,
        project: ProjectId,
        *,
        now: Clock = clock.now,
        word: Callable[[], str] = random_word,
    ) -> None:
        self._shelf = shelf
        self._project = project
        self._now = now
        self._word = word
        self._step: OperationId | None = None
        self._depth = 0

    @property
    def project(self) -> ProjectId:
        """The project whose entries these are."""
        return self._project

    # --- changes -------------------------------------------------------------

    def keep(self, statement: Statement, *, actor: Actor = Actor.WRITER, why: str = "") -> Kept:
        """Makes an entry of a statement, once for each span of a turn."""
        _require_words(statement.body)
        with self.step():
            if known := self._dealt_with(statement):
                return Kept(entry=known, fresh=False)
            if actor is Actor.PERSON and (again := self._said_by_hand(statement, why)):
                return Kept(entry=again, fresh=False)
            if actor is not Actor.PERSON and (refused := self._refused_entry(statement.body)):
                raise RefusedBefore(entry=refused.id)
            entry = self._new_entry(statement)
            self._change(Act.KEEP, actor, None, entry, why)
            if statement.turn is not None:
                self._shelf.add_span(statement.turn, statement.start, statement.end, entry.id)
            return Kept(entry=entry, fresh=True)

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
        """Counts once more that an entry was said, once per span; `promote`: a proposed one becomes live."""
        with self.step():
            entry = self.get(name)
            if turn is not None:
                if self._shelf.span_entry(turn, start, end) is not None:
                    return entry
                self._shelf.add_span(turn, start, end, entry.id)
                at = said_at or self._moment()
                stood = entry.standing is Standing.LIVE and entry.turn != turn and entry.said_at <= at
                if session is not None and stood:
                    self._note_repeat(entry.id, turn, session, at)
            self._said_anew(entry.id)
            rises = promote and entry.standing is Standing.PROPOSED
            after = replace(
                entry,
                sightings=entry.sightings + 1,
                last_seen_at=max(entry.last_seen_at, said_at or self._moment()),
                standing=Standing.LIVE if rises else entry.standing,
                verify="",
            )
            return self._change(Act.SIGHT, actor, entry, after, why)

    def confirm(self, name: str, *, actor: Actor = Actor.PERSON, why: str = "") -> Entry:
        """Makes a proposed entry live."""
        with self.step():
            entry = self.get(name)
            match entry.standing:
                case Standing.LIVE | Standing.PROPOSED:
                    self._said_anew(entry.id)
                    confirmed = replace(entry, standing=Standing.LIVE, verify="")
                    return self._change(Act.CONFIRM, actor, entry, confirmed, why)
                case _:
                    raise Refused(
                        what=f"Entry {entry.id} is {entry.standing}, not proposed; "
                        f"bring it back with `asides restore {entry.id}`."
                    )

    def edit(self, name: str, body: str, *, actor: Actor = Actor.PERSON, why: str = "") -> Entry:
        """Changes the words of an entry."""
        _require_words(body)
        with self.step():
            entry = self.get(name)
            return self._change(Act.EDIT, actor, entry, replace(entry, body=body), why)

    def supersede(self, name: str, by: str, *, actor: Actor = Actor.WRITER, why: str = "") -> Entry:
        """Takes an entry out because another one says what holds now."""
        with self.step():
            entry, successor = self.get(name), self.get(by)
            if entry.id == successor.id:
                raise Refused(what=f"Entry {entry.id} cannot supersede itself.")
            if entry.standing is Standing.REFUSED:
                return entry
            after = replace(entry, standing=Standing.SUPERSEDED, note=f"superseded by {successor.id}")
            return self._change(Act.SUPERSEDE, actor, entry, after, why)

    def retire(self, name: str, *, actor: Actor = Actor.PERSON, why: str = "") -> Entry:
        """Takes an entry out because its subject is gone."""
        with self.step():
            entry = self.get(name)
            if entry.standing in (Standing.RETIRED, Standing.REFUSED):
                return entry
            return self._change(
                Act.RETIRE, actor, entry, replace(entry, standing=Standing.RETIRED, note=why), why
            )

    def refuse(self, name: str, *, actor: Actor = Actor.PERSON, why: str = "") -> Entry:
        """Takes an entry out for good, with all wordings it ever had."""
        with self.step():
            entry = self.get(name)
            if entry.standing is Standing.REFUSED:
                return entry
            return self._change(
                Act.REFUSE, actor, entry, replace(entry, standing=Standing.REFUSED, note=why), why
            )

    def restore(self, name: str, *, actor: Actor = Actor.PERSON, why: str = "") -> Entry:
        """Makes an entry live again that was taken out."""
        with self.step():
            entry = self.get(name)
            if entry.standing in (Standing.LIVE, Standing.PROPOSED):
                return entry
            return self._change(
                Act.RESTORE, actor, entry, replace(entry, standing=Standing.LIVE, note="", verify=""), why
            )

    def reanchor(self, name: str, anchor: Anchor, *, actor: Actor = Actor.CHECK, why: str = "") -> Entry:
        """Ties an entry to where its subject is now."""
        with self.step():
            entry = self.get(name)
            return self._change(Act.ANCHOR, actor, entry, replace(entry, anchor=anchor), why)

    def doubt(self, name: str, verify: str, *, actor: Actor = Actor.CHECK, why: str = "") -> Entry:
        """Marks an entry as one to verify first, or takes the mark away."""
        with self.step():
            entry = self.get(name)
            return self._change(Act.DOUBT, actor, entry, replace(entry, verify=verify), why)

    @contextmanager
    def step(self) -> Iterator[None]:
        """Joins all changes made inside into one step: one transaction, undone together."""
        with self._shelf.transaction():
            joined = self._step
            self._depth += 1
            try:
                yield
            except BaseException:
                self._step = joined  # what was logged inside is rolled back
                raise
            finally:
                self._depth -= 1
                if self._depth == 0:
                    self._step = None

    # --- undo ----------------------------------------------------------------

    def undo(self, operation: OperationId, *, actor: Actor = Actor.PERSON) -> tuple[Operation, ...]:
        """Puts back what stood before a step; undoing an undo redoes it."""
        with self.step():
            step = self._shelf.step_of(operation)
            if step is None:
                raise NotFound(what=f"Operation {operation}")
            return self._undo_step(step, operation, actor)

    def undo_last(self, count: int = 1, *, actor: Actor = Actor.PERSON) -> tuple[Operation, ...]:
        """Undoes the last steps that stand, newest first."""
        with self._shelf.transaction():
            done: list[Operation] = []
            for step in self._shelf.last_steps(count):
                with self.step():
                    done.extend(self._undo_step(step, step, actor))
            return tuple(done)

    def _undo_step(self, step: OperationId, named: OperationId, actor: Actor) -> tuple[Operation, ...]:
        standing = [one for one in self._shelf.operations_of_step(step) if one.operation.undone_by is None]
        if not standing:
            raise Refused(what=f"Operation {named} is undone already.")
        alone = len(standing) == 1
        return tuple(
            self._undo_one(logged, actor)
            for logged in reversed(standing)
            # A count of what was taken back since needs no undoing, unless it was asked for by name.
            if alone or not only_counted(logged.operation) or self._shelf.entry(logged.operation.entry)
        )

    def _undo_one(self, logged: Logged, actor: Actor) -> Operation:
        operation = logged.operation
        current = self._shelf.entry(operation.entry)
        undoing = self._log(
            Act.UNDO,
            actor,
            operation.entry,
            before=current,
            after=without(operation, current),
            why=f"undoes operation {operation.id}",
            undoes=operation.id,
        )
        self._shelf.set_undone_by(operation.id, undoing.id)
        if logged.undoes is not None:  # a redo: what had been undone stands again
            self._shelf.set_undone_by(logged.undoes, None)
        return undoing

    # --- reading -------------------------------------------------------------

    def get(self, name: str) -> Entry:
        """Returns the entry that an id or prefix names."""
        entry = self._shelf.entry(self._resolve(name, logged=False))
        if entry is None:
            raise NoSuchEntry(entry=name)
        return entry

    def live(self) -> tuple[Entry, ...]:
        """Returns the entries that are delivered, oldest first."""
        return self.all({Standing.LIVE})

    def all(self, standings: Collection[Standing] | None = None) -> tuple[Entry, ...]:
        """Returns the entries of these standings (None: every one), oldest first."""
        if standings is not None and not standings:
            return ()
        return self._shelf.entries(standings)

    def history(self, name: str) -> tuple[Operation, ...]:
        """Returns every operation on an entry, oldest first."""
        return self._shelf.operations_of_entry(self._resolve(name, logged=True))

    def operations(self, limit: int = 50) -> tuple[Operation, ...]:
        """Returns the latest operations of the project, newest first."""
        return self._shelf.last_operations(limit)

    def is_refused(self, body: str) -> bool:
        """Tells whether a person said no to these words."""
        return self._refused_entry(body) is not None

    def ended(self, body: str, said_at: str) -> EntryId | None:
        """Returns the entry of these words that ended after `said_at`, if none of them stands."""
        key = value_key(body)
        found = None
        for name in self._shelf.ids_with_wording(key):
            entry = self._shelf.entry(name)
            if _holds(entry, key):
                return None
            refused = entry is not None and entry.standing is Standing.REFUSED
            if not refused and said_at < self._end(name, key):
                found = name
        return found

    def gone(self) -> tuple[tuple[Entry, str], ...]:
        """Returns the retired and superseded entries, oldest first, each with the moment of its end."""
        entries = self._shelf.entries({Standing.RETIRED, Standing.SUPERSEDED})
        return tuple((one, self._end(one.id, value_key(one.body))) for one in entries)

    def close(self) -> None:
        """Lets go of the store."""
        self._shelf.close()

    # --- below ---------------------------------------------------------------

    def _moment(self) -> str:
        return stamp(self._now())

    def _resolve(self, name: str, *, logged: bool) -> EntryId:
        prefix = name.strip().lower()
        found = self._shelf.ids(prefix, logged=logged) if prefix else ()
        if prefix in found:
            return EntryId(prefix)
        match found:
            case ():
                raise NoSuchEntry(entry=name)
            case (only,):
                return only
            case _:
                candidates = ", ".join(found[:5]) + (", ..." if len(found) > 5 else "")
                raise Ambiguous(entry=prefix, count=len(found), candidates=candidates)

    def _dealt_with(self, statement: Statement) -> Entry | None:
        if statement.turn is None:
            return None
        known = self._shelf.span_entry(statement.turn, statement.start, statement.end)
        if known is None:
            return None
        if entry := self._shelf.entry(known):
            return entry
        # Its keeping was undone: what a person took back does not return by judging again.
        return next(
            (one.after for one in self._shelf.operations_of_entry(known) if one.after is not None), None
        )

    def _said_by_hand(self, statement: Statement, why: str) -> Entry | None:
        """Says again or confirms the entry that stands in these words, rather than making a second."""
        if statement.turn is not None:
            return None
        key = value_key(statement.body)
        same = [one for one in self._shelf.entries_with_wording(key) if _holds(one, key)]
        for entry in same:
            if entry.standing is Standing.LIVE:
                return self.sight(entry.id, said_at=statement.said_at, actor=Actor.PERSON, why=why)
        return self.confirm(same[0].id, why=why) if same else None

    def _end(self, name: EntryId, key: str) -> str:
        """Returns the moment from which an entry no longer stood in this wording; empty if it still does."""
        for operation in reversed(self._shelf.operations_of_entry(name)):
            if not _holds(operation.before, key) or _holds(operation.after, key):
                continue
            if operation.act is not Act.SUPERSEDE:
                return operation.at
            # Said, not judged: a turn may be judged hours after it was said.
            step = self._shelf.step_of(operation.id)
            said = [
                one.operation.after.said_at
                for one in (self._shelf.operations_of_step(step) if step is not None else ())
                if one.operation.act is Act.KEEP and one.operation.after is not None
            ]
            return max(said, default=operation.at)
        return ""

    def _refused_entry(self, body: str) -> Entry | None:
        same = self._shelf.entries_with_wording(value_key(body))
        if any(one.standing is Standing.LIVE for one in same):
            return None  # a person brought the words back by hand
        return next((one for one in same if one.standing is Standing.REFUSED), None)

    def _new_entry(self, statement: Statement) -> Entry:
        said_at = statement.said_at or self._moment()
        return Entry(
            id=self._free_id(statement),
            project=self._project,
            body=statement.body,
            kind=statement.kind,
            source=statement.source,
            framing=statement.framing,
            standing=statement.standing,
            anchor=statement.anchor,
            score=statement.score,
            writer=statement.writer,
            session=statement.session,
            turn=statement.turn,
            said_at=said_at,
            last_seen_at=said_at,
        )

    def _free_id(self, statement: Statement) -> EntryId:
        """Returns the id of a statement; only a clash with another entry's makes it look further."""
        origin = statement.turn if statement.turn is not None else self._word()
        body = statement.body
        while True:
            found = entry_id(self._project, origin, statement.start, statement.end, body)
            if found not in self._shelf.ids(found, logged=True):
                return found
            body += "\x1f"

    def _change(self, act: Act, actor: Actor, before: Entry | None, after: Entry, why: str) -> Entry:
        """Writes one change and its operation; nothing when nothing differs."""
        if before == after:
            return after
        self._log(act, actor, after.id, before=before, after=after, why=why, undoes=None)
        return after

    def _log(
        self,
        act: Act,
        actor: Actor,
        entry: EntryId,
        *,
        before: Entry | None,
        after: Entry | None,
        why: str,
        undoes: OperationId | None,
    ) -> Operation:
        moment = self._moment()
        draft = Operation(
            id=OperationId(0),
            at=moment,
            act=act,
            actor=actor,
            entry=entry,
            before=before,
            after=after,
            why=why,
        )
        number = self._shelf.add_operation(draft, step=self._step, undoes=undoes)
        if self._step is None:
            self._step = number
        if after is None:
            self._shelf.drop_entry(entry)
        else:
            self._shelf.put_entry(after)
            self._shelf.add_wording(value_key(after.body), entry)
        if actor is Actor.PERSON:
            self._shelf.add_announced((entry,), moment)
        return replace(draft, id=number)


def _holds(entry: Entry | None, key: str) -> bool:
    """Tells whether an entry stands in this normalised wording."""
    stands = entry is not None and entry.standing in (Standing.LIVE, Standing.PROPOSED)
    return stands and entry is not None and value_key(entry.body) == key


def _require_words(body: str) -> None:
    if not body.strip():
        raise Refused(what="An entry needs words; to take one out, retire or refuse it.")
    try:
        body.encode()
    except UnicodeEncodeError as error:
        raise Refused(
            what=f"The words hold half a character at {error.start}, which cannot be stored."
        ) from error
