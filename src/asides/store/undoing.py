"""What undoing an operation leaves.

What changes by itself stays as it is now: how often an entry was said, where its subject is and whether that
has changed. Any other later change forbids undoing.
"""

from __future__ import annotations

from dataclasses import replace

from asides.model.entry import Entry, Operation
from asides.store.contract import ChangedSince


def only_counted(operation: Operation) -> bool:
    """Tells whether an operation changed nothing but how often and when an entry was said."""
    before, after = operation.before, operation.after
    if before is None or after is None:
        return False
    return replace(before, sightings=after.sightings, last_seen_at=after.last_seen_at) == after


def without(operation: Operation, current: Entry | None) -> Entry | None:
    """Returns what an entry is without an operation; what was counted since stays counted.

    Raises ChangedSince when anything else was changed since.
    """
    before, after = operation.before, operation.after
    if before is None or after is None:
        if (current is None) != (after is None) or (
            current and after and _as_it_is(after, current) != current
        ):
            raise ChangedSince(operation=operation.id, entry=operation.entry)
        return before
    counted = only_counted(operation)
    if current is None or not (counted or _as_it_is(after, current) == current):
        raise ChangedSince(operation=operation.id, entry=operation.entry)
    moved, doubted = before.anchor != after.anchor, before.verify != after.verify
    if (moved and current.anchor != after.anchor) or (doubted and current.verify != after.verify):
        raise ChangedSince(operation=operation.id, entry=operation.entry)
    untouched = current.last_seen_at == after.last_seen_at
    return replace(
        current if counted else before,
        sightings=current.sightings - (after.sightings - before.sightings),
        last_seen_at=before.last_seen_at if untouched else current.last_seen_at,
        anchor=before.anchor if moved else current.anchor,
        verify=before.verify if doubted else current.verify,
    )


def _as_it_is(entry: Entry, current: Entry) -> Entry:
    return replace(
        entry,
        sightings=current.sightings,
        last_seen_at=current.last_seen_at,
        anchor=current.anchor,
        verify=current.verify,
    )
