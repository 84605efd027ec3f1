"""What `asides stats` tells: what had to be said again, and what became of each entry in the sessions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

from asides.daemon.app import App
from asides.daemon.desk import Desk
from asides.model.delivery import Occasion
from asides.model.entry import Entry, EntryId, Standing
from asides.observe import figures
from asides.store.contract import Delivered, Store
from asides.store.moments import Cued, Firing, Repeat

T = TypeVar("T", Cued, Firing, Repeat)

WEEKS = 8  # two months: long enough to see a direction, short enough for one screen


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What was counted. `delivered`: of the repeats, those whose session had the entry already."""

    sessions: int = 0  # that got it in a prepared text; sub-agents are not sessions
    cues: int = 0
    heeded: int = 0
    broken: int = 0
    open: int = 0
    repeats: int = 0
    delivered: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class OfEntry:
    """One entry's figures."""

    entry: str
    body: str
    standing: str
    figures: Figures


@dataclass(frozen=True, slots=True, kw_only=True)
class OfWeek:
    """One week's figures. `begins`: its Monday, in UTC."""

    begins: str
    figures: Figures


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """The whole answer. Entries of which nothing was counted are in `idle` only."""

    project: str
    north_star: str  # the repeats, as a sentence
    missing: tuple[str, ...]  # what is not there yet to be counted, as sentences
    total: Figures
    entries: tuple[OfEntry, ...]  # most repeated first
    idle: int  # live entries of which nothing was counted
    weeks: tuple[OfWeek, ...]  # oldest first, the present one last


@dataclass(frozen=True, slots=True, kw_only=True)
class _Record:
    """All that happened to some entries, or in some span of time."""

    deliveries: tuple[Delivered, ...]
    cues: tuple[Cued, ...]
    firings: tuple[Firing, ...]
    repeats: tuple[Repeat, ...]

    def within(self, begin: str, end: str) -> _Record:
        """Returns what happened from one moment until before another."""
        return _Record(
            deliveries=tuple(one for one in self.deliveries if begin <= one.at < end),
            cues=tuple(one for one in self.cues if begin <= one.at < end),
            firings=tuple(one for one in self.firings if begin <= one.at < end),
            repeats=tuple(one for one in self.repeats if begin <= one.at < end),
        )

    def counted(self) -> Figures:
        """Returns its figures."""
        outcomes = Counter(one.outcome for one in self.firings)
        return Figures(
            sessions=len({one.session for one in self.deliveries}),
            cues=len(self.cues),
            heeded=outcomes["heeded"],
            broken=outcomes["broken"],
            open=outcomes["open"],
            repeats=len(self.repeats),
            delivered=sum(one.delivered for one in self.repeats),
        )


def stats(app: App, folder: Path) -> Stats:
    """Returns the figures of a folder's project. Raises NoProject when it belongs to none."""
    desk = Desk(app, folder)
    name = desk.project.name
    if not app.shelves.exists(desk.project.id):
        return _told(name, (), {}, app.clock())
    return counted(desk.store, project=name, now=app.clock())


def counted(store: Store, *, project: str, now: datetime) -> Stats:
    """Returns the figures of a store. What was taken back by undo counts nowhere: it never was an entry."""
    entries = store.all()
    cues, firings, repeats = (
        _by_entry(store.cues()),
        _by_entry(store.firings()),
        _by_entry(store.repeats()),
    )
    records = {
        one.id: _Record(
            deliveries=tuple(
                each
                for each in store.deliveries(one.id)
                if each.left is None and each.occasion is not Occasion.SUBAGENT
            ),
            cues=tuple(cues.get(one.id, ())),
            firings=tuple(firings.get(one.id, ())),
            repeats=tuple(repeats.get(one.id, ())),
        )
        for one in entries
    }
    return _told(project, entries, records, now)


def _told(project: str, entries: tuple[Entry, ...], records: dict[EntryId, _Record], now: datetime) -> Stats:
    every = _Record(
        deliveries=tuple(one for record in records.values() for one in record.deliveries),
        cues=tuple(one for record in records.values() for one in record.cues),
        firings=tuple(one for record in records.values() for one in record.firings),
        repeats=tuple(one for record in records.values() for one in record.repeats),
    )
    total = every.counted()
    rows = [
        OfEntry(entry=one.id, body=one.body, standing=one.standing, figures=records[one.id].counted())
        for one in entries
    ]
    busy = [row for row in rows if row.figures != Figures()]
    live = sum(one.standing is Standing.LIVE for one in entries)
    return Stats(
        project=project,
        north_star=figures.repeats(total.repeats, delivered=total.delivered),
        missing=figures.missing(
            live=live, sessions=total.sessions, cues=total.cues, checks=len(every.firings)
        ),
        total=total,
        entries=tuple(sorted(busy, key=_most_repeated_first)),
        idle=live - sum(row.standing == Standing.LIVE for row in busy),
        weeks=tuple(
            OfWeek(begins=begin, figures=every.within(begin, end).counted())
            for begin, end in _weeks(now.date())
        ),
    )


def _most_repeated_first(row: OfEntry) -> tuple[int, int, int, int]:
    of = row.figures
    return (-of.repeats, -of.broken, -of.cues, -of.sessions)


def _weeks(today: date) -> tuple[tuple[str, str], ...]:
    """Returns the first day of each of the last weeks and of its next; a day sorts before its moments."""
    monday = today - timedelta(days=today.weekday())
    begins = [monday - timedelta(weeks=back) for back in range(WEEKS - 1, -2, -1)]
    return tuple((one.isoformat(), next_one.isoformat()) for one, next_one in pairwise(begins))


def _by_entry(found: Iterable[T]) -> dict[EntryId, list[T]]:
    grouped: dict[EntryId, list[T]] = {}
    for one in found:
        grouped.setdefault(one.entry, []).append(one)
    return grouped
