"""What undoing an operation leaves: counts that grew since stay, any other later change forbids it."""

from __future__ import annotations

from dataclasses import replace

from asides.model.entry import Entry, Operation
from asides.store.contract import ChangedSince


def only_counted(operation: Operation) -> bool:
    """Tells whether an operation changed nothing but how often and when an entry was said."""
    before, after = operation.before, operation.after
    return before is not None and after is not None and _counted_as(before, after) == after


def without(operation: Operation, current: Entry | None) -> Entry | None:
    """Returns what an entry is without an operation; what was counted since stays counted.

    Raises ChangedSince when anything else was changed since.
    """
    before, after = operation.before, operation.after
    if before is None or after is None:
        if (current is None) != (after is None) or (
            current and after and _counted_as(after, current) != current
        ):
            raise ChangedSince(operation=operation.id, entry=operation.entry)
        return before
    if current is None or not (only_counted(operation) or _counted_as(after, current) == current):
        raise ChangedSince(operation=operation.id, entry=operation.entry)
    untouched = current.last_seen_at == after.last_seen_at
    return replace(
        current if only_counted(operation) else before,
        sightings=current.sightings - (after.sightings - before.sightings),
        last_seen_at=before.last_seen_at if untouched else current.last_seen_at,
    )


def _counted_as(entry: Entry, other: Entry) -> Entry:
    return replace(entry, sightings=other.sightings, last_seen_at=other.last_seen_at)
