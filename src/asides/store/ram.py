"""The store in memory: for tests and for trying things out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from threading import RLock

from asides.model import clock
from asides.model.clock import Clock
from asides.model.delivery import Choice, Left, Occasion
from asides.model.entry import Act, Actor, Entry, EntryId, Operation, OperationId, Standing
from asides.model.turn import ProjectId, SessionId, TurnId
from asides.store.contract import Delivered, Judged
from asides.store.moments import Cued, Firing, Repeat, Tracked
from asides.store.rules import EntryStore, random_word
from asides.store.shelf import Logged, Shelf


def open_ram(
    project: ProjectId, *, now: Clock = clock.now, word: Callable[[], str] = random_word
) -> EntryStore:
    """Returns an empty store that lives as long as the process."""
    return EntryStore(RamShelf(), project, now=now, word=word)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Placed:
    """Where an entry was in a prepared version."""

    left: Left | None
    body: str


@dataclass(slots=True)
class _Rows:
    entries: dict[EntryId, Entry] = field(default_factory=dict)
    log: list[tuple[Logged, OperationId]] = field(default_factory=list)
    spans: dict[tuple[TurnId, int, int], EntryId] = field(default_factory=dict)
    wordings: dict[str, set[EntryId]] = field(default_factory=dict)
    findings: dict[tuple[TurnId, int, int], Judged] = field(default_factory=dict)
    editions: list[str] = field(default_factory=list)
    prepared: dict[tuple[str, Occasion, EntryId], _Placed] = field(default_factory=dict)
    told: dict[tuple[str, Occasion], str] = field(default_factory=dict)
    deliveries: set[tuple[SessionId, Occasion, str, str]] = field(default_factory=set)
    announced: dict[EntryId, str] = field(default_factory=dict)
    subjects: dict[EntryId, Tracked] = field(default_factory=dict)
    cues: set[Cued] = field(default_factory=set)
    firings: dict[Firing, Firing] = field(default_factory=dict)  # as it fired -> as it is settled
    repeats: dict[tuple[TurnId, EntryId], Repeat] = field(default_factory=dict)

    def copied(self) -> _Rows:
        """Returns the same rows in containers of their own; rows themselves never change."""
        return _Rows(
            entries=dict(self.entries),
            log=list(self.log),
            spans=dict(self.spans),
            wordings={key: set(named) for key, named in self.wordings.items()},
            findings=dict(self.findings),
            editions=list(self.editions),
            prepared=dict(self.prepared),
            told=dict(self.told),
            deliveries=set(self.deliveries),
            announced=dict(self.announced),
            subjects=dict(self.subjects),
            cues=set(self.cues),
            firings=dict(self.firings),
            repeats=dict(self.repeats),
        )


class RamShelf(Shelf):
    """Rows in plain dicts; a transaction works on a copy that is put back when it fails."""

    def __init__(self) -> None:
        self._rows = _Rows()
        self._lock = RLock()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with self._lock:
            before = self._rows.copied()
            try:
                yield
            except BaseException:
                self._rows = before
                raise

    def entry(self, entry: EntryId) -> Entry | None:
        return self._rows.entries.get(entry)

    def entries(self, standings: Collection[Standing] | None) -> tuple[Entry, ...]:
        return _oldest_first(
            one for one in self._rows.entries.values() if not standings or one.standing in standings
        )

    def ids(self, prefix: str, *, logged: bool) -> tuple[EntryId, ...]:
        known = (one.operation.entry for one, _ in self._rows.log) if logged else self._rows.entries
        return tuple(sorted({one for one in known if one.startswith(prefix)}))

    def put_entry(self, entry: Entry) -> None:
        self._rows.entries[entry.id] = entry

    def drop_entry(self, entry: EntryId) -> None:
        self._rows.entries.pop(entry, None)

    def add_operation(
        self, draft: Operation, *, step: OperationId | None, undoes: OperationId | None
    ) -> OperationId:
        number = OperationId(len(self._rows.log) + 1)
        logged = Logged(operation=replace(draft, id=number), undoes=undoes)
        self._rows.log.append((logged, number if step is None else step))
        return number

    def step_of(self, operation: OperationId) -> OperationId | None:
        return next((step for one, step in self._rows.log if one.operation.id == operation), None)

    def operations_of_step(self, step: OperationId) -> tuple[Logged, ...]:
        return tuple(one for one, its in self._rows.log if its == step)

    def operations_of_entry(self, entry: EntryId) -> tuple[Operation, ...]:
        return tuple(one.operation for one, _ in self._rows.log if one.operation.entry == entry)

    def last_operations(self, limit: int) -> tuple[Operation, ...]:
        return tuple(one.operation for one, _ in reversed(self._rows.log))[:limit]

    def last_steps(self, count: int) -> tuple[OperationId, ...]:
        standing = {
            step
            for one, step in self._rows.log
            if one.operation.act is not Act.UNDO
            and one.operation.undone_by is None
            and _is_noticed(one.operation)
        }
        return tuple(sorted(standing, reverse=True))[:count]

    def set_undone_by(self, operation: OperationId, by: OperationId | None) -> None:
        place = operation - 1
        one, step = self._rows.log[place]
        self._rows.log[place] = (replace(one, operation=replace(one.operation, undone_by=by)), step)

    def span_entry(self, turn: TurnId, start: int, end: int) -> EntryId | None:
        return self._rows.spans.get((turn, start, end))

    def add_span(self, turn: TurnId, start: int, end: int, entry: EntryId) -> None:
        self._rows.spans.setdefault((turn, start, end), entry)

    def add_wording(self, key: str, entry: EntryId) -> None:
        self._rows.wordings.setdefault(key, set()).add(entry)

    def entries_with_wording(self, key: str) -> tuple[Entry, ...]:
        named = self._rows.wordings.get(key, set())
        return _oldest_first(self._rows.entries[one] for one in named if one in self._rows.entries)

    def ids_with_wording(self, key: str) -> tuple[EntryId, ...]:
        return tuple(sorted(self._rows.wordings.get(key, set())))

    def add_finding(self, judged: Judged) -> bool:
        place = (judged.turn, judged.start, judged.end)
        if place in self._rows.findings:
            return False
        self._rows.findings[place] = judged
        return True

    def judged(
        self, *, entry: EntryId | None, turn: TurnId | None, kept: bool | None, limit: int
    ) -> tuple[Judged, ...]:
        found = (
            one
            for one in reversed(self._rows.findings.values())
            if entry in (None, one.entry) and turn in (None, one.turn) and kept in (None, one.kept)
        )
        return tuple(found)[:limit]

    def put_prepared(
        self, version: str, choices: Iterable[Choice], texts: Mapping[Occasion, str], *, keep: int
    ) -> None:
        rows = self._rows
        rows.editions = [one for one in rows.editions if one != version] + [version]
        for choice in choices:
            for entry in choice.chosen:
                placed = _Placed(left=None, body=entry.body)
                rows.prepared[version, choice.occasion, entry.id] = placed
            for entry, left in choice.left:
                rows.prepared[version, choice.occasion, entry.id] = _Placed(left=left, body="")
        rows.told.update({(version, occasion): text for occasion, text in texts.items() if text})
        rows.editions = rows.editions[-keep:]
        wanted = {version for _, _, version, _ in rows.deliveries} | set(rows.editions)
        rows.prepared = {place: held for place, held in rows.prepared.items() if place[0] in wanted}
        rows.told = {place: text for place, text in rows.told.items() if place[0] in wanted}

    def add_delivery(self, session: SessionId, occasion: Occasion, version: str, at: str) -> None:
        self._rows.deliveries.add((session, occasion, version, at))

    def deliveries_of(self, entry: EntryId) -> tuple[Delivered, ...]:
        known_since = min((one.at for one in self.operations_of_entry(entry)), default="")
        found = [
            Delivered(
                entry=entry,
                session=session,
                occasion=occasion,
                at=at,
                version=version,
                left=placed.left,
                body=placed.body,
            )
            for session, occasion, version, at in self._rows.deliveries
            if at >= known_since and (placed := self._rows.prepared.get((version, occasion, entry)))
        ]
        return tuple(sorted(found, key=lambda one: (one.at, one.session, one.occasion, one.version)))

    def delivered_texts(self, session: SessionId) -> tuple[str, ...]:
        given = {(version, occasion) for its, occasion, version, _ in self._rows.deliveries if its == session}
        texts = {self._rows.told[place] for place in given if place in self._rows.told}
        bodies = {
            placed.body
            for (version, occasion, _), placed in self._rows.prepared.items()
            if placed.left is None and (version, occasion) in given - self._rows.told.keys()
        }
        return tuple(sorted(texts | bodies))

    def last_versions(self, since: str) -> tuple[str, ...]:
        last: dict[SessionId, tuple[str, str]] = {}
        for session, occasion, version, at in self._rows.deliveries:
            if occasion is not Occasion.SUBAGENT:
                last[session] = max(last.get(session, ("", "")), (at, version))
        return tuple(sorted({version for at, version in last.values() if at >= since}))

    def announced(self) -> frozenset[EntryId]:
        return frozenset(self._rows.announced)

    def add_announced(self, entries: Iterable[EntryId], at: str) -> None:
        for entry in entries:
            self._rows.announced.setdefault(entry, at)

    def subject(self, entry: EntryId) -> Tracked | None:
        return self._rows.subjects.get(entry)

    def subjects(self) -> tuple[Tracked, ...]:
        return tuple(self._rows.subjects[name] for name in sorted(self._rows.subjects))

    def put_subject(self, tracked: Tracked) -> None:
        self._rows.subjects[tracked.entry] = tracked

    def drop_subject(self, entry: EntryId) -> None:
        self._rows.subjects.pop(entry, None)

    def add_cue(self, cue: Cued) -> None:
        self._rows.cues.add(cue)

    def cues(self, entry: EntryId | None) -> tuple[Cued, ...]:
        found = (one for one in self._rows.cues if entry in (None, one.entry))
        return tuple(
            sorted(found, key=lambda one: (one.at, one.session, one.subagent, one.entry, one.occasion))
        )

    def add_firing(self, firing: Firing) -> None:
        self._rows.firings.setdefault(_as_fired(firing), firing)

    def firings(self, entry: EntryId | None) -> tuple[Firing, ...]:
        found = (one for one in self._rows.firings.values() if entry in (None, one.entry))
        return tuple(sorted(found, key=lambda one: (one.at, one.session, one.entry, one.path, one.line)))

    def settle_firing(self, firing: Firing) -> None:
        known = self._rows.firings.get(_as_fired(firing))
        if known is not None and known.outcome == "open":
            self._rows.firings[_as_fired(firing)] = firing

    def add_repeat(self, repeat: Repeat) -> None:
        self._rows.repeats.setdefault((repeat.turn, repeat.entry), repeat)

    def repeats(self, entry: EntryId | None) -> tuple[Repeat, ...]:
        found = (one for one in self._rows.repeats.values() if entry in (None, one.entry))
        return tuple(sorted(found, key=lambda one: (one.at, one.turn, one.entry)))

    def close(self) -> None:
        """Nothing is held."""


def _as_fired(firing: Firing) -> Firing:
    return replace(firing, outcome="open", settled_at="")


def _is_noticed(operation: Operation) -> bool:
    return operation.actor is Actor.PERSON or _is_live(operation.before) != _is_live(operation.after)


def _is_live(entry: Entry | None) -> bool:
    return entry is not None and entry.standing is Standing.LIVE


def _oldest_first(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    return tuple(sorted(entries, key=lambda one: (one.said_at, one.id)))
