"""Chooses which entries are delivered, and in which order: by weight, never by accident."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from asides.deliver.render import frame_length, line
from asides.model.delivery import (
    BODY_LIMIT,
    ENTRY_LIMIT,
    SUBAGENT_ENTRY_LIMIT,
    SUBAGENT_TEXT_LIMIT,
    TEXT_LIMIT,
    Choice,
    Left,
    Occasion,
)
from asides.model.entry import Entry, Framing, Kind, Source, Standing

# Chosen, not measured: a rule outweighs a deferred task eightfold, so a rule said a year and
# a half ago still comes before a task deferred today; an equal one said later comes first.
KIND_WEIGHT = {Kind.LAW: 8.0, Kind.CORRECTION: 6.0, Kind.HAZARD: 6.0, Kind.RITUAL: 4.0, Kind.LOOP: 1.0}
EXPLICIT_WEIGHT = 1.5  # said as a rule, not in passing
HALF_LIFE_DAYS = 180.0
SUBAGENT_KINDS = frozenset({Kind.LAW, Kind.HAZARD, Kind.CORRECTION})

_LONG_AGO = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The most one delivery may take, in entries and characters."""

    entries: int = ENTRY_LIMIT
    characters: int = TEXT_LIMIT
    body: int = BODY_LIMIT


SESSION_LIMITS = Limits()
SUBAGENT_LIMITS = Limits(entries=SUBAGENT_ENTRY_LIMIT, characters=SUBAGENT_TEXT_LIMIT)


def limits_for(occasion: Occasion) -> Limits:
    """Returns the limits that hold on an occasion unless others are handed in."""
    return SUBAGENT_LIMITS if occasion is Occasion.SUBAGENT else SESSION_LIMITS


def choose(
    entries: Iterable[Entry], occasion: Occasion, now: datetime, *, limits: Limits | None = None
) -> Choice:
    """Returns the entries to deliver, the weightiest first, and every other one with why it is left.

    An entry that does not fit whole is left for the next one that does. The order
    depends on the entries alone, and time passing does not change it.
    """
    most = limits or limits_for(occasion)
    room = most.characters - _frame(occasion)
    chosen: list[Entry] = []
    left: list[tuple[Entry, Left]] = []
    for entry in ranked(entries, now):
        needed = len(line(entry, limit=most.body)) + 1  # with its line end
        if entry.standing is not Standing.LIVE:
            left.append((entry, Left.NOT_LIVE))
        elif occasion is Occasion.SUBAGENT and entry.kind not in SUBAGENT_KINDS:
            left.append((entry, Left.KIND))
        elif len(chosen) >= most.entries:
            left.append((entry, Left.COUNT))
        elif needed > room:
            left.append((entry, Left.ROOM))
        else:
            chosen.append(entry)
            room -= needed
    return Choice(occasion=occasion, chosen=tuple(chosen), left=tuple(left))


def ranked(entries: Iterable[Entry], now: datetime) -> list[Entry]:
    """Returns the entries in order of weight; a total order, so that any shuffle comes out the same."""
    return sorted(
        entries, key=lambda entry: (entry.source is not Source.HUMAN, -weight(entry, now), entry.id)
    )


def weight(entry: Entry, now: datetime) -> float:
    """Returns the logarithm of an entry's weight: kind, framing, sightings, and how lately it was said.

    Halving by age for every entry alike keeps their order the same from day to day.
    """
    said = _moment(entry.last_seen_at or entry.said_at)
    age_days = max(0.0, (now - said).total_seconds() / 86_400)
    framing = EXPLICIT_WEIGHT if entry.framing is Framing.EXPLICIT else 1.0
    sightings = 1.0 + math.log2(max(1, entry.sightings))
    return math.log2(KIND_WEIGHT[entry.kind] * framing * sightings) - age_days / HALF_LIFE_DAYS


def _frame(occasion: Occasion) -> int:
    """Returns the longest frame of those that show the same list, so that all of them show the same."""
    if occasion is Occasion.SUBAGENT:
        return frame_length(occasion)
    return max(frame_length(one) for one in Occasion if one is not Occasion.SUBAGENT)


def _moment(text: str) -> datetime:
    """Returns a moment; one that cannot be read counts as long ago."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return _LONG_AGO
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
