"""The store of one project in one SQLite file."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from asides.db.connection import Cell, Database, Row, open_database
from asides.db.migrate import load_migrations, migrate
from asides.db.queries import load_queries
from asides.model import clock
from asides.model.clock import Clock
from asides.model.delivery import Choice, Left, Occasion
from asides.model.entry import (
    Act,
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
from asides.model.turn import ProjectId, SessionId, TurnId
from asides.store.contract import Delivered, Judged
from asides.store.moments import Cued, Firing, Repeat, Tracked
from asides.store.rows import (
    RelationRow,
    anchor_columns,
    anchor_of,
    entry_of,
    entry_text,
    relation_of,
    relation_row,
    subject_of,
    subject_text,
    verdict_of,
)
from asides.store.rules import EntryStore, random_word
from asides.store.shelf import Logged, Shelf


def open_store(
    path: Path,
    project: ProjectId,
    *,
    readonly: bool = False,
    now: Clock = clock.now,
    word: Callable[[], str] = random_word,
) -> EntryStore:
    """Opens (or makes) the store of a project, brought to the newest schema.

    Raises BrokenStore for a damaged file, StoreTooNew for one of a newer version, and
    StoreUnavailable when it cannot be opened; none of them writes.
    """
    database = open_database(path, durable=True, readonly=readonly)
    try:
        migrate(database, load_migrations("asides.store"))
    except BaseException:
        database.close()
        raise
    return EntryStore(SqliteShelf(database), project, now=now, word=word)


class SqliteShelf(Shelf):
    """Rows in SQLite; the statements stand in `sql/queries.sql`."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._sql = load_queries("asides.store")

    def transaction(self) -> AbstractContextManager[None]:
        return self._database.transaction()

    def entry(self, entry: EntryId) -> Entry | None:
        row = self._row("entry", id=entry)
        return None if row is None else _entry(row)

    def entries(self, standings: Collection[Standing] | None) -> tuple[Entry, ...]:
        wanted = json.dumps(sorted(standings or ()))
        return tuple(_entry(row) for row in self._rows("entries", standings=wanted))

    def ids(self, prefix: str, *, logged: bool) -> tuple[EntryId, ...]:
        name = "logged_ids_with_prefix" if logged else "ids_with_prefix"
        return tuple(EntryId(str(row[0])) for row in self._rows(name, prefix=prefix))

    def put_entry(self, entry: Entry) -> None:
        what, path, name = anchor_columns(entry.anchor)
        self._run(
            "put_entry",
            id=entry.id,
            project=entry.project,
            body=entry.body,
            kind=entry.kind.value,
            source=entry.source.value,
            framing=entry.framing.value,
            standing=entry.standing.value,
            anchor=what,
            anchor_path=path,
            anchor_name=name,
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

    def drop_entry(self, entry: EntryId) -> None:
        self._run("drop_entry", id=entry)

    def add_operation(
        self, draft: Operation, *, step: OperationId | None, undoes: OperationId | None
    ) -> OperationId:
        row = self._row(
            "add_operation",
            at=draft.at,
            act=draft.act.value,
            actor=draft.actor.value,
            entry=draft.entry,
            before=entry_text(draft.before),
            after=entry_text(draft.after),
            why=draft.why,
            step=step,
            undoes=undoes,
        )
        number = OperationId(_whole(row[0] if row else None))
        if step is None:
            self._run("begin_step", id=number)
        return number

    def step_of(self, operation: OperationId) -> OperationId | None:
        row = self._row("step_of_operation", id=operation)
        return None if row is None else OperationId(_whole(row[0]))

    def operations_of_step(self, step: OperationId) -> tuple[Logged, ...]:
        return tuple(
            Logged(operation=_operation(row), undoes=_maybe_operation(row[9]))
            for row in self._rows("operations_of_step", step=step)
        )

    def operations_of_entry(self, entry: EntryId) -> tuple[Operation, ...]:
        return tuple(_operation(row) for row in self._rows("operations_of_entry", entry=entry))

    def last_operations(self, limit: int) -> tuple[Operation, ...]:
        return tuple(_operation(row) for row in self._rows("last_operations", limit=limit))

    def last_steps(self, count: int) -> tuple[OperationId, ...]:
        return tuple(OperationId(_whole(row[0])) for row in self._rows("last_steps_that_stand", count=count))

    def set_undone_by(self, operation: OperationId, by: OperationId | None) -> None:
        self._run("set_undone_by", id=operation, undone_by=by)

    def span_entry(self, turn: TurnId, start: int, end: int) -> EntryId | None:
        row = self._row("span_entry", turn=turn, start=start, finish=end)
        return None if row is None else EntryId(str(row[0]))

    def add_span(self, turn: TurnId, start: int, end: int, entry: EntryId) -> None:
        self._run("add_span", turn=turn, start=start, finish=end, entry=entry)

    def add_wording(self, key: str, entry: EntryId) -> None:
        self._run("add_wording", key=key, entry=entry)

    def entries_with_wording(self, key: str) -> tuple[Entry, ...]:
        return tuple(_entry(row) for row in self._rows("entries_with_wording", key=key))

    def ids_with_wording(self, key: str) -> tuple[EntryId, ...]:
        return tuple(EntryId(str(row[0])) for row in self._rows("ids_with_wording", key=key))

    def add_finding(self, judged: Judged) -> bool:
        what, path, name = anchor_columns(judged.anchor)
        relation = relation_row(judged.relation)
        row = self._row(
            "add_finding",
            turn=judged.turn,
            start=judged.start,
            finish=judged.end,
            session=judged.session,
            said_at=judged.said_at,
            judged_at=judged.judged_at,
            writer=judged.writer,
            body=judged.body,
            kind=judged.kind,
            framing=judged.framing.value,
            source=judged.source.value,
            score=judged.score,
            kept=int(judged.kept),
            standing=judged.standing.value,
            anchor=what,
            anchor_path=path,
            anchor_name=name,
            relation=relation.what,
            relation_entry=relation.entry,
            likeness=relation.likeness,
            excerpt=judged.excerpt,
            entry=judged.entry,
        )
        if row is None:
            return False
        for place, verdict in enumerate(judged.verdicts):
            self._run(
                "add_verdict",
                finding=row[0],
                place=place,
                check=verdict.check,
                passed=int(verdict.passed),
                reason=verdict.reason.value,
                measure=verdict.measure,
                detail=verdict.detail,
            )
        return True

    def judged(
        self, *, entry: EntryId | None, turn: TurnId | None, kept: bool | None, limit: int
    ) -> tuple[Judged, ...]:
        only = None if kept is None else int(kept)
        rows = self._rows("findings", entry=entry, turn=turn, kept=only, limit=limit)
        return tuple(_judged(row, self._rows("verdicts", finding=row[0])) for row in rows)

    def put_prepared(
        self, version: str, choices: Iterable[Choice], texts: Mapping[Occasion, str], *, keep: int
    ) -> None:
        self._run("drop_edition", version=version)
        self._run("add_edition", version=version)
        for choice in choices:
            here: list[tuple[Entry, Left | None]] = [(entry, None) for entry in choice.chosen]
            here.extend(choice.left)
            for place, (entry, left) in enumerate(here):
                self._run(
                    "put_prepared",
                    version=version,
                    occasion=choice.occasion.value,
                    entry=entry.id,
                    place=place,
                    lacks=None if left is None else left.value,
                    body=entry.body if left is None else "",
                )
        for occasion, text in texts.items():
            if text:
                self._run("put_told", version=version, occasion=occasion.value, text=text)
        for forget in ("forget_old_prepared", "forget_old_told", "forget_old_editions"):
            self._run(forget, keep=keep)

    def add_delivery(self, session: SessionId, occasion: Occasion, version: str, at: str) -> None:
        self._run("add_delivery", session=session, occasion=occasion.value, version=version, at=at)

    def deliveries_of(self, entry: EntryId) -> tuple[Delivered, ...]:
        return tuple(
            Delivered(
                entry=EntryId(str(row[0])),
                session=SessionId(str(row[1])),
                occasion=Occasion(str(row[2])),
                at=str(row[3]),
                version=str(row[4]),
                left=None if row[5] is None else Left(str(row[5])),
                body=str(row[6]),
            )
            for row in self._rows("deliveries", entry=entry)
        )

    def delivered_texts(self, session: SessionId) -> tuple[str, ...]:
        return tuple(str(row[0]) for row in self._rows("delivered_texts", session=session))

    def last_versions(self, since: str) -> tuple[str, ...]:
        return tuple(str(row[0]) for row in self._rows("versions_given", since=since))

    def announced(self) -> frozenset[EntryId]:
        return frozenset(EntryId(str(row[0])) for row in self._rows("announced"))

    def add_announced(self, entries: Iterable[EntryId], at: str) -> None:
        for entry in entries:
            self._run("add_announced", entry=entry, at=at)

    def subject(self, entry: EntryId) -> Tracked | None:
        row = self._row("subject", entry=entry)
        return None if row is None else _tracked(row)

    def subjects(self) -> tuple[Tracked, ...]:
        return tuple(_tracked(row) for row in self._rows("subjects"))

    def put_subject(self, tracked: Tracked) -> None:
        self._run(
            "put_subject",
            entry=tracked.entry,
            now=subject_text(tracked.subject),
            said=subject_text(tracked.said),
            gone_at=tracked.gone_at,
        )

    def drop_subject(self, entry: EntryId) -> None:
        self._run("drop_subject", entry=entry)

    def add_cue(self, cue: Cued) -> None:
        self._run("add_cue", **asdict(cue))

    def cues(self, entry: EntryId | None) -> tuple[Cued, ...]:
        columns = ("entry", "session", "subagent", "occasion", "at")
        return tuple(Cued(**_named(columns, row)) for row in self._rows("cues", entry=entry))

    def add_firing(self, firing: Firing) -> None:
        self._run("add_firing", **asdict(firing))

    def firings(self, entry: EntryId | None) -> tuple[Firing, ...]:
        columns = ("entry", "session", "path", "line", "at", "outcome", "settled_at")
        return tuple(Firing(**_named(columns, row)) for row in self._rows("firings", entry=entry))

    def settle_firing(self, firing: Firing) -> None:
        self._run("settle_firing", **asdict(firing))

    def add_repeat(self, repeat: Repeat) -> None:
        self._run("add_repeat", **{**asdict(repeat), "delivered": int(repeat.delivered)})

    def repeats(self, entry: EntryId | None) -> tuple[Repeat, ...]:
        columns = ("entry", "turn", "session", "at", "delivered")
        found = (_named(columns, row) for row in self._rows("repeats", entry=entry))
        return tuple(Repeat(**{**one, "delivered": bool(one["delivered"])}) for one in found)

    def close(self) -> None:
        self._database.close()

    def _rows(self, query: str, **parameters: Cell) -> list[Row]:
        return self._database.rows(self._sql[query], parameters)

    def _row(self, query: str, **parameters: Cell) -> Row | None:
        return self._database.row(self._sql[query], parameters)

    def _run(self, query: str, **parameters: Cell) -> None:
        self._database.run(self._sql[query], parameters)


def _entry(row: Row) -> Entry:
    cells: tuple[Any, ...] = row
    return Entry(
        id=cells[0],
        project=cells[1],
        body=cells[2],
        kind=Kind(cells[3]),
        source=Source(cells[4]),
        framing=Framing(cells[5]),
        standing=Standing(cells[6]),
        anchor=anchor_of(cells[7], cells[8], cells[9]),
        score=cells[10],
        writer=cells[11],
        session=cells[12],
        turn=cells[13],
        said_at=cells[14],
        sightings=cells[15],
        last_seen_at=cells[16],
        note=cells[17],
        verify=cells[18],
    )


def _tracked(row: Row) -> Tracked:
    entry, now, said, gone_at = (str(cell) for cell in row)
    return Tracked(entry=EntryId(entry), subject=subject_of(now), said=subject_of(said), gone_at=gone_at)


def _named(columns: tuple[str, ...], row: Row) -> dict[str, Any]:
    return dict(zip(columns, row, strict=True))


def _operation(row: Row) -> Operation:
    cells: tuple[Any, ...] = row
    return Operation(
        id=OperationId(cells[0]),
        at=cells[1],
        act=Act(cells[2]),
        actor=Actor(cells[3]),
        entry=EntryId(cells[4]),
        before=entry_of(cells[5]),
        after=entry_of(cells[6]),
        why=cells[7],
        undone_by=_maybe_operation(cells[8]),
    )


def _judged(row: Row, verdicts: list[Row]) -> Judged:
    cells: tuple[Any, ...] = row
    return Judged(
        turn=cells[1],
        start=cells[2],
        end=cells[3],
        session=cells[4],
        said_at=cells[5],
        judged_at=cells[6],
        writer=cells[7],
        body=cells[8],
        kind=cells[9],
        framing=Framing(cells[10]),
        source=Source(cells[11]),
        score=cells[12],
        kept=bool(cells[13]),
        standing=Standing(cells[14]),
        anchor=anchor_of(cells[15], cells[16], cells[17]),
        relation=relation_of(RelationRow(what=cells[18], entry=cells[19], likeness=cells[20])),
        excerpt=cells[21],
        entry=None if cells[22] is None else EntryId(cells[22]),
        verdicts=tuple(verdict_of(*verdict) for verdict in verdicts),
    )


def _maybe_operation(cell: Cell) -> OperationId | None:
    return None if cell is None else OperationId(_whole(cell))


def _whole(cell: Cell) -> int:
    if not isinstance(cell, int):
        raise TypeError(f"a whole number was expected, not {cell!r}")
    return cell
